import { basename, dirname, join } from "node:path";
import { quotedName, SkillError, type Files } from "skillctl";
import type { UndoOutput } from "../contract.ts";
import { lastAccepted } from "../session/entry.ts";
import { isFixState } from "../session/steps.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { isDocument } from "../worktree/code-files.ts";
import { exactTexts, sameBytes } from "../worktree/exact-text.ts";
import type { Change, FormerFile } from "../worktree/change.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { sessionIn } from "../check/check-tree.ts";
import { instrumented, regionText } from "../check/instrumented.ts";
import {
  commonLines,
  linesOf,
  insert,
  outside,
  regionsIn,
  replace,
  replacedBy,
  strippedOf,
  withoutMark,
} from "../regions/regions.ts";

/** A restored file. */
export type Undone = UndoOutput["undone"][number];

/** A file that could not be restored, and the reason. */
export type Stuck = UndoOutput["stuck"][number];

/**
 * Restores files as they were at the start of the session, or as `fix` or `keep` has accepted them. The present file is
 * saved first. Probes stay if their place is unambiguous.
 */
export class Undo {
  #folder: string | undefined;

  constructor(
    private readonly opened: OpenedSession,
    /** The changes since the start. */
    private readonly tree: readonly Change[],
    private readonly files: Files,
    private readonly worktree: Worktree,
  ) {}

  /** @throws SkillError `FILE_UNREADABLE`, `PROGRAM_FAILED`, `DEBUG_STATE_DAMAGED` */
  async run(paths: readonly string[]): Promise<readonly (Undone | Stuck)[]> {
    const results: (Undone | Stuck)[] = [];
    for (const path of paths) {
      try {
        results.push(await this.#one(path));
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        results.push({ file: path, sentence: caught.message });
      }
    }
    return results;
  }

  async #one(path: string): Promise<Undone> {
    const { root } = this.opened;
    const former = await this.#former(path);
    // A folder above that has become a link may lead out of the project.
    await this.worktree.inside(root, dirname(path));
    const full = join(root, path);
    const [mark] = await this.files.marks([full]);
    const now = this.tree.find((file) => file.path === path)?.now;
    if (former?.kind === "file" && mark?.kind === "file") {
      const there = now ?? (await this.files.readBytes(full)) ?? new Uint8Array();
      const { text, before = "", bytes } = exactTexts(there, former.bytes);
      const back = putBack(path, text, before);
      const keptAt = await this.#aside(path);
      await this.files.replace(keptAt, there);
      const found = await this.files.readBytes(full);
      if (!found || !sameBytes(found, there))
        throw new SkillError("DEBUG_CHANGED", "It was changed while it was being restored: run undo again.");
      await this.worktree.putBack(root, path, bytes(back.text));
      return { file: path, kind: "changed", keptAt, gone: back.gone };
    }
    const keptAt = mark && (await this.#aside(path));
    if (keptAt !== undefined) await this.#moved(full, keptAt);
    const gone = now ? putBack(path, exactTexts(now, undefined).text, "").gone : [];
    const undone = { file: path, ...(keptAt !== undefined && { keptAt }), gone };
    if (!former) return { ...undone, kind: "added" };
    await this.files.makeFolder(dirname(full), 0o755);
    if (former.kind === "link") await this.files.makeLink(full, Buffer.from(former.bytes).toString());
    else await this.worktree.putBack(root, path, former.bytes, former.mode);
    return { ...undone, kind: mark ? "changed" : "removed" };
  }

  /** A file with several hard links is copied: later writes to another link must not change the copy. */
  async #moved(from: string, to: string): Promise<void> {
    const { kind, names = 1 } = (await this.files.facts(from)) ?? {};
    const bytes = kind === "file" && names > 1 ? await this.files.readBytes(from) : undefined;
    if (!bytes) return this.files.move(from, to);
    await this.files.replace(to, bytes);
    await this.files.remove(from);
  }

  /** The earlier state of a file, from the start or as accepted; `undefined` if it did not exist. */
  async #former(path: string): Promise<FormerFile | undefined> {
    const { root, entry } = this.opened;
    const { hash, isShared = false } = lastAccepted(entry, path) ?? {};
    if (hash === "") return undefined;
    const before = await (await this.worktree.tree(root, entry.baseline)).before(path);
    const bytes = hash === undefined ? undefined : await this.worktree.accepted(entry.baseline, hash);
    if (bytes) return { kind: "file", bytes, mode: before?.kind === "file" ? before.mode : 0o644 };
    // Before the next fix the file may also be in its state from the start.
    if (hash === undefined || (!isShared && !isFixState(entry.state))) return before;
    throw new SkillError(
      "FILE_UNREADABLE",
      `The earlier content of ${quotedName(path)} was not saved: restore it by hand, or keep the change.`,
    );
  }

  /** The place of the saved file: a free name in a folder of this call. */
  async #aside(path: string): Promise<string> {
    const folder = `${this.opened.entry.baseline.images}.undone`;
    if (this.#folder === undefined) {
      const numbers = ((await this.files.list(folder)) ?? []).map(Number).filter(Number.isSafeInteger);
      this.#folder = join(folder, String(Math.max(0, ...numbers) + 1));
    }
    const to = join(this.#folder, path);
    await this.files.makeFolder(dirname(to));
    const isTaken = (await this.files.marks([to]))[0] !== undefined;
    return isTaken ? join(dirname(to), `${basename(to)}.also`) : to;
  }
}

/** A restored text, with the regions whose place in it is unambiguous. */
interface PutBack {
  readonly text: string;
  /** The labels of regions that are no longer in it. */
  readonly gone: string[];
}

/** With more edits than this, every place counts as ambiguous. */
const MOST_EDITS = 2_000;

/** An earlier text without the probes of sessions that have removed them since. */
function withoutEnded(path: string, now: string, former: string): string {
  const [lines, there] = [linesOf(withoutMark(former)), linesOf(withoutMark(now))];
  const { regions, faults } = regionsIn(lines);
  if (isDocument(path) || faults.length > 0) return former;
  const left = new Set(regionsIn(there).regions.map((region) => regionText(there, region)));
  const ended = regions.filter((region) => {
    const text = regionText(lines, region);
    return !left.has(text) && sessionIn(text) !== undefined;
  });
  return strippedOf(former, lines, ended);
}

/**
 * Restores a text, and keeps the regions that the check would accept and that are next to an unchanged line. Without
 * its regions the outcome is `target`, byte for byte.
 */
export function putBack(path: string, now: string, former: string): PutBack {
  const target = withoutEnded(path, now, former);
  const { lines, regions, findings, stripped } = instrumented(path, now, target);
  const rest = outside(lines, regions);
  const texts = rest.map((line) => line.text);
  const targets = linesOf(withoutMark(target)).map((line) => line.text);
  const places = commonLines(texts, targets, MOST_EDITS);
  let text = target;
  const gone: string[] = [];
  // From the end to the start, so that the line numbers stay valid.
  for (const region of regions.toReversed()) {
    const { first, last, label } = region;
    const isSound =
      stripped !== undefined && !findings.some(({ line = 0 }) => line - 1 >= first && line - 1 <= last);
    const at = rest.filter(({ line }) => line < first).length;
    const former = places.get(at - 1);
    const isInstead = replacedBy(lines, region) !== undefined;
    const behind = former === undefined || isInstead ? undefined : former + 1;
    const place = isSound ? (places.get(at) ?? behind) : undefined;
    const own = lines.slice(first, last + 1).map((line) => line.text);
    if (place === undefined) gone.unshift(label);
    else text = isInstead ? replace(text, place + 1, own) : insert(text, place + 1, own);
  }
  const outcome = instrumented(path, text, target);
  if (outcome.isAsBefore && outcome.findings.length === 0) return { text, gone };
  return { text: target, gone: regions.map(({ label }) => label) };
}
