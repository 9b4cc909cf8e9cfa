import { dirname } from "node:path";
import { SkillError, type Verdict } from "skillctl";
import { inert } from "../store/event/inert-text.ts";
import type { Looked, Reverted } from "./looked.ts";

/** More are counted only. */
const MOST_NAMES = 10;
const MOST_FAULTS = 3;

/** What a look at the code of a session has come to. */
export interface LookedSession extends Looked {
  readonly root: string;
  readonly id: string;
}

/** The denial when the code cannot be looked at: nobody knows then whether it has changed. @throws what is no SkillError */
export function unseen(caught: unknown): Verdict {
  if (!(caught instanceof SkillError)) throw caught;
  const message = `Whether the code has changed before the evidence could not be seen: ${caught.message}`;
  return {
    decision: "deny",
    message,
    agentMessage: [message, ...(caught.hint === undefined ? [] : [caught.hint])].join(" "),
  };
}

/** A denial when something was put back or could not be; a warning when only another commit is checked out. */
export function verdictOf(all: readonly LookedSession[], next: string): Verdict {
  const told = all.filter(({ reverted, stuck }) => reverted.length + stuck.length > 0);
  const moved = all.filter(({ moved }) => moved).map(({ root, id }) => movedSentence(root, id));
  if (told.length === 0)
    return moved.length === 0 ? { decision: "allow" } : { decision: "warn", message: moved.join(" ") };
  const message = [...told.map(sentencesOf), ...moved].join(" ");
  return { decision: "deny", message, agentMessage: `${message} ${next}` };
}

function sentencesOf({ root, id, reverted, stuck }: LookedSession): string {
  const fresh = pathsOf(reverted.filter(({ kind }) => kind === "added"));
  const former = pathsOf(reverted.filter(({ kind }) => kind !== "added"));
  const kept = [...new Set(reverted.flatMap(({ path, keptAt }) => folderOf(path, keptAt)))];
  return [
    `Before log lines have confirmed a hypothesis, no code of ${root} may change (session ${id}).`,
    ...(fresh.length > 0 ? [`Removed (new): ${listed(fresh)}.`] : []),
    ...(former.length > 0 ? [`Put back: ${listed(former)}.`] : []),
    ...(kept.length > 0 ? [`What was written there is kept in ${kept.map(quoted).join(", ")}.`] : []),
    ...reverted.flatMap(({ fault }) => fault ?? []).slice(0, MOST_FAULTS),
    ...stuck.slice(0, MOST_NAMES).map((sentence) => `${sentence}.`),
    ...(stuck.length > MOST_NAMES ? [`And ${stuck.length - MOST_NAMES} more could not be put back.`] : []),
  ].join(" ");
}

function movedSentence(root: string, id: string): string {
  return `Another commit is checked out in ${root}, or one was made, during the session ${id}: git's own data stay as they are.`;
}

function pathsOf(reverted: readonly Reverted[]): readonly string[] {
  return [...new Set(reverted.map(({ path }) => path))];
}

/** A name that could be taken for several, or for another one, is put in quotes. */
function quoted(path: string): string {
  if (!/[\s"',;\p{C}]/u.test(path)) return path;
  return `"${inert(path.replaceAll(/[\n\t"]/g, (one) => JSON.stringify(one).slice(1, -1)))}"`;
}

/** The folder that stands for the project. */
function folderOf(path: string, keptAt: string | undefined): readonly string[] {
  if (keptAt === undefined) return [];
  return [keptAt.endsWith(`/${path}`) ? keptAt.slice(0, -path.length - 1) : dirname(keptAt)];
}

function listed(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMES;
  return `${paths.slice(0, MOST_NAMES).map(quoted).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
