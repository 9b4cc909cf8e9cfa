import type { GuardDecision } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Decision, Subject } from "../../plugin.ts";
import type { Dialect, HookEvent, Spoken } from "./dialect.ts";
import { withPaths, type Place } from "./paths.ts";

export type { Dialect, Spoken } from "./dialect.ts";

/** No event is longer, in bytes: a request is read whole before it is judged. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** What answering needs. */
export interface Answering {
  readonly dialect: Dialect;
  readonly place: Place;
  readonly decide: (subject: Subject) => Promise<GuardDecision>;
  /** Hears what became of a decision for which the agent has no word. */
  readonly changed?: (evaluation: string, said: Decision) => void;
}

/**
 * Answers one event of an agent. Throws nothing: what cannot be read, heard or judged is a denial. At the end of a turn
 * that goes on only because its end was refused before, it is a warning: otherwise a broken file would never let it end.
 */
export async function answered(written: string, answering: Answering): Promise<Spoken> {
  const { dialect } = answering;
  let event: HookEvent;
  let subject: Subject | undefined;
  try {
    event = read(written);
  } catch (caught) {
    return dialect.refuse(sentenceOf(UNREADABLE, caught), "REQUEST_UNREADABLE");
  }
  try {
    subject = dialect.hear(event);
    if (!subject) throw new Error(`it is no event of ${dialect.name}`);
  } catch (caught) {
    const sentence = sentenceOf(UNREADABLE, caught);
    if (!isRepeatedEnd(event)) return dialect.refuse(sentence, "REQUEST_UNREADABLE");
    return dialect.answer(warning(sentence, "REQUEST_UNREADABLE"), event);
  }
  return judged(event, subject, answering);
}

async function judged(
  event: HookEvent,
  heard: Subject,
  { dialect, place, decide, changed }: Answering,
): Promise<Spoken> {
  const isEnd = isRepeatedEnd(heard);
  try {
    let decision = await decide(await withPaths(heard, place));
    if (isEnd && decision.reasonCode === "GUARD_FAILED") decision = { ...decision, decision: "warn" };
    const said = dialect.says(decision, event);
    if (decision.evaluation !== undefined && said !== decision.decision) changed?.(decision.evaluation, said);
    return dialect.answer(decision, event);
  } catch (caught) {
    const sentence = sentenceOf(UNJUDGED, caught);
    if (isEnd) return dialect.answer(warning(sentence, "GUARD_FAILED"), event);
    return dialect.refuse(sentence, "GUARD_FAILED");
  }
}

/** How the sentences begin that tell of a denial without a rule. */
export const UNREADABLE = "skillctl guard denies this, because it cannot be read:";
export const UNJUDGED = "skillctl guard denies this, because it cannot be judged:";

function read(written: string): HookEvent {
  if (written.trim() === "") throw new Error("nothing came on standard input");
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    throw new Error("it is no JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("it is no JSON object");
  return value as HookEvent;
}

function isRepeatedEnd({ event, repeated }: Readonly<Record<string, unknown>> | Subject): boolean {
  return event === "turn.stop" && repeated === true;
}

function warning(message: string, reasonCode: string): GuardDecision {
  return { decision: "warn", reasonCode, message, agentMessage: message };
}

/** What was thrown, after the beginning of the sentence, and what can be done about it. */
export function sentenceOf(beginning: string, caught: unknown): string {
  const text = caught instanceof Error ? caught.message : String(caught);
  const hint = caught instanceof SkillError && caught.hint !== undefined ? ` ${caught.hint}` : "";
  return `${beginning} ${text.replace(/\.?\s*$/, "")}.${hint}`;
}
