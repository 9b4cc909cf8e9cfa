import { resolve } from "node:path";
import { SkillError, type Files, type Subject } from "skillctl";
import { isSource } from "../check/check-tree.ts";
import { instrumented, isAccepted, isProse } from "../check/instrumented.ts";
import { languageOf } from "../probes/languages.ts";
import type { SessionEntry } from "../session/entry.ts";
import { exactText } from "../worktree/exact-text.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { edited, type Edited } from "./edited-text.ts";
import { holds, inside, kindOf, writtenBy, type Site } from "./sites.ts";

type Shell = NonNullable<Subject["shell"]>;

/** Why a path may not be written. */
interface Refusal {
  readonly sentence: string;
  /** The call adds a file; everything else changes one. */
  readonly isNewFile?: true;
}

const REMOVERS = /^(?:rm|rmdir|unlink|shred|rimraf|del-cli|trash|trash-put|find|fd|fdfind)$/;

/** What a call surely does to the code of a shut session: an editor by its text, a command by the files that it names. */
export class CodeRefusals {
  constructor(
    private readonly files: Files,
    private readonly worktree: Worktree,
  ) {}

  /** @throws SkillError `PROGRAM_FAILED`, `FILE_UNREADABLE` */
  async of(subject: Subject, site: Site, session: SessionEntry): Promise<readonly Refusal[]> {
    const { root, sessions } = site;
    const written = writtenBy(subject);
    const refusals = written
      .filter((path) => path !== root && holds(path, root))
      .map((path): Refusal => ({ sentence: `${path} holds the whole project.` }));
    const paths = [...new Set(written.flatMap((path) => inside(root, path) ?? []))];
    if (paths.includes("")) refusals.push({ sentence: "Files all over the project would be changed." });
    const code = paths.filter((path) => path !== "" && kindOf(path, sessions) === "code");
    const left = await this.#leftOut(code, root, session);
    for (const path of code.filter((one) => !left.has(one))) {
      const refusal = await this.#refusal(subject, path, root, session);
      if (refusal) refusals.push(refusal);
    }
    return refusals;
  }

  async #leftOut(
    paths: readonly string[],
    root: string,
    { baseline }: SessionEntry,
  ): Promise<ReadonlySet<string>> {
    if (paths.length === 0 || baseline.images === "") return new Set();
    try {
      return await (await this.worktree.tree(root, baseline)).leftOut(paths);
    } catch (caught) {
      // Then nothing is known to be left out.
      if (caught instanceof SkillError && caught.code === "DEBUG_STATE_DAMAGED") return new Set();
      throw caught;
    }
  }

  async #refusal(
    subject: Subject,
    path: string,
    root: string,
    session: SessionEntry,
  ): Promise<Refusal | undefined> {
    const { shell, name = "", input } = subject;
    const full = `${root}/${path}`;
    if (subject.tool !== "shell")
      return this.#changed(path, root, session, edited(name, input, full, await this.#textOf(full)));
    // A file that a command names as what it writes; what becomes of it is not known.
    const isThere = (await this.files.facts(full)) !== undefined;
    // What is written for people is no code; taking it away is another matter.
    if (isProse(path) && !(shell?.programs ?? []).some(({ name }) => REMOVERS.test(name) || name === "mv"))
      return undefined;
    if (!isThere && onlyRemoves(full, subject)) return undefined;
    if (isThere && (languageOf(path) !== undefined || (await this.#isOfStart(path, root, session))))
      return { sentence: `${path} would be changed.` };
    // Logs and notes that are new may come: the check takes them for no code.
    return !isThere && languageOf(path) !== undefined
      ? { sentence: `${path} would be a new file.`, isNewFile: true }
      : undefined;
  }

  async #isOfStart(path: string, root: string, session: SessionEntry): Promise<boolean> {
    const facts = await this.files.facts(`${root}/${path}`);
    const known = facts?.kind === "folder" ? undefined : await this.#before(path, root, session);
    return !known || known.before !== undefined;
  }

  /** Holds what a file would be against how it was when the session began: regions may be added, and changes put back. */
  async #changed(
    path: string,
    root: string,
    session: SessionEntry,
    change: Edited,
  ): Promise<Refusal | undefined> {
    if (isProse(path) && "text" in change) return undefined;
    const refused = (why: string): Refusal => ({ sentence: `${path}: ${why}.` });
    const known = await this.#before(path, root, session);
    if (!known) return refused("how it was when the session began is not known");
    const { before } = known;
    if (before === undefined) {
      if ("gone" in change) return undefined;
      const isProse = "text" in change && !isSource(path, change.text) && !change.text.includes("#region");
      return isProse ? undefined : { ...refused("it would be a new file"), isNewFile: true };
    }
    if ("unknown" in change)
      return refused(`that only probes come in cannot be seen, since ${change.unknown}`);
    if ("gone" in change) return refused("it would be removed");
    if (change.text === before) return undefined;
    const { findings, stripped, isAsBefore, regions } = instrumented(path, change.text, before);
    const [finding] = findings;
    if (finding) {
      const sentence =
        finding.sentence.charAt(0).toLowerCase() + finding.sentence.slice(1).replace(/\.$/, "");
      return refused(`line ${finding.line ?? 1} is no probe: ${sentence}`);
    }
    if (!isAsBefore && (stripped === undefined || !isAccepted(session, path, stripped)))
      return refused("more than probes would be changed");
    return session.state === "observing" && regions.length > 0
      ? refused("a probe comes after the hypotheses, and there are none yet")
      : undefined;
  }

  /** Without `before` it was not there; `undefined` when nobody knows. */
  async #before(
    path: string,
    root: string,
    { baseline }: SessionEntry,
  ): Promise<{ readonly before?: string } | undefined> {
    if (baseline.images === "") return undefined;
    try {
      const bytes = await (await this.worktree.tree(root, baseline)).before(path);
      return bytes ? { before: exactText(bytes).text } : {};
    } catch (caught) {
      // An image that was not kept, or was lost: then nothing shows that the change is harmless.
      if (caught instanceof SkillError) return undefined;
      throw caught;
    }
  }

  async #textOf(path: string): Promise<string | undefined> {
    const facts = await this.files.facts(path);
    const bytes = facts?.kind === "file" ? await this.files.readBytes(path) : undefined;
    return bytes && exactText(bytes).text;
  }
}

/** Whether a command, of which no part is redirected into a file, only takes a path away. */
function onlyRemoves(full: string, { command = "", shell }: Subject): boolean {
  if (command.replaceAll(/[12&]?>>? ?(?:\/dev\/null|&[12])/g, "").includes(">")) return false;
  const reaches = ({ args, cwd = "/" }: Shell["programs"][number]): boolean =>
    args
      .map((word) => resolve(cwd, word))
      .some((path) => path === full || (path !== "/" && full.startsWith(`${path}/`)));
  const reaching = (shell?.programs ?? []).filter(reaches);
  return reaching.length > 0 && reaching.every(({ name }) => REMOVERS.test(name));
}
