import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { FILES, quotedName, SkillError, inject, injectable, token, type Files } from "skillctl";
import type { CheckedTree } from "../check/check-tree.ts";
import { placed, type Finding } from "../check/finding.ts";
import type { SessionEntry } from "../session/entry.ts";
import { observedFiles } from "../session/set-probes.ts";
import { isHeld } from "../session/steps.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { fileNow, type Change } from "../worktree/change.ts";
import { sameBytes } from "../worktree/exact-text.ts";
import type { Stuck, Undone } from "./undo.ts";
import { WORKTREE, type Worktree } from "../worktree/worktree.ts";

/** The number of places named in a refusal, and in the report to an agent after a call. */
const MOST = 5;

/**
 * Code that has changed before the evidence, or since a fix was accepted. It is reported and stops the session, and only
 * `undo` restores it.
 */
@injectable()
export class Drift {
  constructor(
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(FILES) private readonly files: Files,
  ) {}

  /**
   * The drift of a session: all findings of the work tree check; empty in states that do not depend on it.
   * @throws SkillError `FILE_UNREADABLE`, `PROGRAM_FAILED`, `DEBUG_STATE_DAMAGED`
   */
  async of(opened: OpenedSession): Promise<readonly Finding[]> {
    return isHeld(opened.entry.state) ? (await this.look(opened)).findings : [];
  }

  /** The whole work tree check; git runs while the rest is loaded. @throws SkillError as `of` does */
  async look({ root, entry }: OpenedSession): Promise<CheckedTree> {
    const changes = this.worktree.tree(root, entry.baseline).then((tree) => tree.changes());
    // The waiting caller receives the failure.
    changes.catch(() => undefined);
    const { checkTree } = await import("../check/check-tree.ts");
    const all = await changes;
    await this.#loadParsers(entry, all);
    return checkTree(entry, all);
  }

  /**
   * The findings of the check in one file if it had these bytes, or if it were removed.
   * @throws SkillError as `of` does
   */
  async ifItBecame({ root, entry }: OpenedSession, path: string, now?: Uint8Array): Promise<CheckedTree> {
    const former = await (await this.worktree.tree(root, entry.baseline)).before(path);
    const { checkTree } = await import("../check/check-tree.ts");
    const kind = former ? (now ? "changed" : "removed") : "added";
    const isSame = now === undefined ? !former : former?.kind === "file" && sameBytes(former.bytes, now);
    const change: Change = { path, kind, ...(former && { before: former.bytes }), ...(now && { now }) };
    await this.#loadParsers(entry, [change]);
    const checked = checkTree(entry, isSame ? [] : [change]);
    return { ...checked, findings: checked.findings.filter(({ file }) => file === path) };
  }

  /** Loads the parsers for regions that were written by hand; regions that `probe` has set need no check. */
  async #loadParsers({ probes }: SessionEntry, changes: readonly Change[]): Promise<void> {
    const { handWritten } = await import("../check/check-tree.ts");
    const { grammarOf } = await import("../places/grammars.ts");
    const languages = new Set(changes.flatMap((change) => handWritten(change, probes) ?? []));
    for (const language of languages) await grammarOf(language);
  }

  /** The hashes that a check has found, as `SessionEntry.checked` keeps them. @throws SkillError `FILE_UNREADABLE` */
  async checked(
    { root, entry }: OpenedSession,
    { tree, probed, changed }: Pick<CheckedTree, "tree" | "probed" | "changed">,
  ): Promise<NonNullable<SessionEntry["checked"]>> {
    const { codeHash } = await import("../check/check-tree.ts");
    const bound = new Set([...probed, ...changed.map(({ path }) => path), ...observedFiles(entry)]);
    const files = new Map(tree.map((file) => [file.path, file] as const));
    const hashes: [string, string][] = [];
    for (const path of bound) {
      const file = files.get(path);
      hashes.push([path, codeHash(file?.now ? file : await fileNow(this.files, root, path), entry.id)]);
    }
    return Object.fromEntries(hashes);
  }

  /**
   * Restores files to the start, or to the state that `fix` or `keep` has accepted, from the changes that a check has found.
   * @throws SkillError as `of` does
   */
  async undo(
    opened: OpenedSession,
    tree: readonly Change[],
    paths: readonly string[],
  ): Promise<readonly (Undone | Stuck)[]> {
    const { Undo } = await import("./undo.ts");
    return new Undo(opened, tree, this.files, this.worktree).run(paths);
  }

  /** Refuses a step while the code has drifted: its evidence would belong to other code. @throws SkillError `DEBUG_DRIFT`, as `of` does */
  async refuse(opened: OpenedSession, action: string): Promise<void> {
    const found = await this.of(opened);
    const [first] = found;
    if (!first) return;
    throw new SkillError("DEBUG_DRIFT", `"${action}" is not possible now: ${driftText(opened, found)}`, {
      hint: [...new Set(found.flatMap(({ hint }) => hint ?? []))].join(" "),
    });
  }
}

export const DRIFT = token<Drift>("drift");

/** A sentence with the places. */
export function driftText({ entry: { state } }: OpenedSession, found: readonly Finding[]): string {
  const since =
    state === "verifying" || state === "confirming" ? "since `fix` accepted it" : "before the evidence";
  const more = found.length > MOST ? ` And ${found.length - MOST} more.` : "";
  return `code other than probes has changed ${since}. ${found.slice(0, MOST).map(placed).join(" ")}${more}`;
}

/** The files of findings, sorted, without duplicates. */
export function filesOf(found: readonly Finding[]): readonly string[] {
  return [...new Set(found.flatMap(({ file }) => file ?? []))].sort();
}

/**
 * The named files among those that have drifted: absolute, or relative to the project folder or the working
 * folder. @throws SkillError `USAGE` for a file that has not drifted
 */
export function namedFiles(
  names: readonly string[],
  drifted: readonly string[],
  { root, workingFolder }: { readonly root: string; readonly workingFolder: string },
): readonly string[] {
  const found = names.map((name) => {
    const places = isAbsolute(name) ? [name] : [resolve(workingFolder, name), join(root, name)];
    const paths = places.map((place) => relative(root, place).split(sep).join("/"));
    const path = paths.find((one) => drifted.includes(one));
    if (path !== undefined) return path;
    throw new SkillError("USAGE", `${quotedName(name)} has not changed apart from its probes.`, {
      hint:
        drifted.length === 0
          ? "No file has: `skillctl run runtime-debug status` shows the next step."
          : `These have: ${drifted.slice(0, 20).map(quotedName).join(", ")}.`,
    });
  });
  return [...new Set(found)];
}
