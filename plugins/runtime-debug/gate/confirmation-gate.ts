import {
  FILES,
  inject,
  injectable,
  type Files,
  type RuleHandler,
  type Subject,
  type Verdict,
} from "skillctl";
import { statusIn } from "../record/status.ts";
import type { SessionEntry } from "../session/entry.ts";
import { edited } from "./edited-text.ts";
import { meant, ownCommands } from "./phase-order-gate.ts";
import { holds, inside, kindOf, sameName } from "./paths.ts";
import { SITES, openIn, type Site, type Sites } from "./sites.ts";
import { verdictOf, type Objection } from "./verdict.ts";

/** No cleanup while the record says [OPEN]: only after the user has answered A or D (specification, Gates 2). */
@injectable()
export class ConfirmationGate implements RuleHandler {
  constructor(
    @inject(SITES) private readonly sites: Sites,
    @inject(FILES) private readonly files: Files,
  ) {}

  /** @throws SkillError as `Sites.of` does, and `FILE_UNREADABLE`: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const objections: Objection[] = [];
    for (const site of await this.sites.of(subject)) {
      objections.push(...cleanups(subject, site));
      for (const session of openIn(site)) {
        objections.push(...removals(subject, site, session));
        objections.push(...(await this.#records(subject, site, session)));
      }
    }
    return verdictOf(
      objections,
      "Nothing of a session is removed before the user has answered A or D.",
      "Nothing of a session is removed before the user has answered A or D; a remark goes in with `--note` of `answer`.",
    );
  }

  /** Notes of people are kept; what says that the session is over is not for an editor. */
  async #records(subject: Subject, site: Site, session: SessionEntry): Promise<readonly Objection[]> {
    const { tool, name = "", input, paths = [] } = subject;
    if (tool === "shell" || tool === "read" || tool === "search" || tool === "fetch" || tool === "agent")
      return [];
    const record = paths.find((path) => kindOf(inside(site.root, path) ?? "", site.sessions) === "record");
    if (record === undefined || (!isOf(session, record) && session.baseline.images !== "")) return [];
    if (tool !== "write" && tool !== "edit" && !/write|edit|replace|delete|move|update|create/i.test(name))
      return [];
    const now =
      (await this.files.facts(record))?.kind === "file" ? await this.files.readText(record) : undefined;
    const after = edited(name, input, record, now);
    const status = "text" in after ? statusIn(after.text) : undefined;
    if (now !== undefined && status === statusIn(now) && status !== undefined) return [];
    return [{ decision: "deny", sentence: `The status in ${record} is set by the session alone.`, session }];
  }
}

function cleanups(subject: Subject, site: Site): readonly Objection[] {
  return ownCommands(subject)
    .filter(({ name }) => name === "cleanup")
    .flatMap((command): readonly Objection[] => {
      const sessions = meant(command, site);
      if (sessions.some(({ state }) => state === "cleaning")) return [];
      const [session] = sessions;
      return session ? [{ decision: "deny", sentence: "The cleanup comes last.", session }] : [];
    });
}

/** The record, the folder of the session and its files; a folder that holds them too, where something is removed. */
function removals(
  { shell, tool, name = "", paths = [] }: Subject,
  site: Site,
  session: SessionEntry,
): readonly Objection[] {
  const { root } = site;
  const deny = (path: string): Objection => ({
    decision: "deny",
    sentence: `${inside(root, path) || path} belongs to the session.`,
    session,
  });
  const isRemover =
    tool === "shell"
      ? (shell?.programs.some(takesAway) ?? false)
      : /delete|remove|move|rename|trash/i.test(name);
  const written = tool === "shell" ? (shell?.writes ?? []) : isRemover ? paths : [];
  return written
    .filter((path) => isOwn(path, site, session) || (isRemover && holds(path, root)))
    .map((path) => deny(path));
}

/** Whether a program takes away what it names, with what git leaves out where git does it. */
function takesAway({ name, args }: NonNullable<Subject["shell"]>["programs"][number]): boolean {
  if (name !== "git")
    return /^(?:rm|rmdir|unlink|shred|mv|trash|trash-put|rimraf|del|erase|rd|gio)$/.test(name);
  return (
    (args.includes("clean") && args.some((word) => /^-[a-zA-Z]*[xX]/.test(word))) ||
    (args.includes("stash") && args.some((word) => word === "-a" || word === "--all"))
  );
}

function isOwn(path: string, site: Site, { id, baseline }: SessionEntry): boolean {
  const own = inside(site.root, path);
  if (own === undefined || own === "") return false;
  if (kindOf(own, site.sessions) === "record") return baseline.images === "" || isOf({ id }, own);
  const words = own.split("/");
  const at = words.findIndex((word) => sameName(word, ".dbg"));
  if (at < 0) return false;
  const name = words.slice(at + 1).join("/");
  return name === "" || baseline.images === "" || name.includes(`${id}.`);
}

function isOf({ id }: Pick<SessionEntry, "id">, record: string): boolean {
  return sameName(record.split("/").at(-1) ?? "", `debug-${id}.md`);
}
