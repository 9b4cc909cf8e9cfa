import { basename, dirname, join } from "node:path";
import { SkillError, type Files } from "skillctl";
import { isFixState } from "../session/steps.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { exactTexts, sameBytes } from "../worktree/exact-text.ts";
import type { Change, FileForm } from "../worktree/change.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { instrumented, withoutMark } from "../check/instrumented.ts";
import { outside, type PlacedLine } from "../check/differences.ts";
import { languageOf } from "../probes/languages.ts";
import { textFault } from "../probes/place.ts";
import { linesOf, type TextLine, type Region } from "../regions/regions.ts";
import { diffArrays } from "diff";
import { insert, replace, replacedBy } from "../regions/strip.ts";

/** A file that was put back. */
export interface Undone {
  /** From the project folder, with `/`. */
  readonly file: string;
  readonly kind: "changed" | "added" | "removed";
  /** Where what stood there is kept, absolute; missing when nothing stood there. */
  readonly keptAt?: string;
  /** The labels of the probes that went, since their place is not clear any more. */
  readonly gone: readonly string[];
}

/** What could not be put back, and why. */
export interface Stuck {
  readonly file: string;
  readonly sentence: string;
}

/** How a file was: its bytes, or that it was not there. */
interface Former {
  readonly bytes: Uint8Array | undefined;
  readonly form: FileForm | undefined;
}

/** The folder of what was overwritten: it stays after the cleanup. Absolute. */
function shelfOf({ entry }: OpenedSession): string {
  return `${entry.baseline.images}.undone`;
}

/**
 * Puts files back as they were at the start of the session, or as `fix` or `keep` has accepted them. What stands there is
 * kept aside first, whole. Probes stay in where their place is clear.
 */
export class Undo {
  #folder: string | undefined;

  constructor(
    private readonly opened: OpenedSession,
    /** What differs from the start. */
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
    await this.worktree.inside(root, dirname(path));
    const full = join(root, path);
    const [mark] = await this.files.marks([full]);
    const seen = this.tree.find((file) => file.path === path);
    const isFile = former.form?.kind !== "link";
    if (former.bytes && isFile && mark?.kind === "file") {
      const now = seen?.now ?? (await this.files.readBytes(full)) ?? new Uint8Array();
      const { text, before = "", bytes } = exactTexts(now, former.bytes);
      const back = putBack(path, text, before);
      const keptAt = await this.#copied(path, now);
      await this.worktree.write(root, path, bytes(back.text));
      return { file: path, kind: "changed", keptAt, gone: back.gone };
    }
    const keptAt = mark ? await this.#moved(path) : undefined;
    const aside = keptAt === undefined ? {} : { keptAt };
    const gone = seen?.now ? putBack(path, exactTexts(seen.now, undefined).text, "").gone : [];
    if (!former.bytes && !former.form) return { file: path, kind: "added", ...aside, gone };
    await this.files.makeFolder(dirname(full), 0o755);
    if (former.form?.kind === "link")
      await this.files.makeLink(full, Buffer.from(former.bytes ?? "").toString());
    else await this.worktree.write(root, path, former.bytes ?? new Uint8Array(), former.form?.mode);
    return { file: path, kind: mark ? "changed" : "removed", ...aside, gone };
  }

  async #former(path: string): Promise<Former> {
    const { root, entry } = this.opened;
    const hash = entry.accepted[path];
    if (hash === "") return { bytes: undefined, form: undefined };
    const tree = await this.worktree.tree(root, entry.baseline);
    const form = await tree.form(path);
    if (hash !== undefined) {
      const bytes = await this.worktree.accepted(entry.baseline, hash);
      if (bytes) return { bytes, form: form?.kind === "link" ? undefined : form };
      // Before the next fix the file may also be as at the start.
      if (isFixState(entry.state)) throw unkept(path);
    }
    return { bytes: await tree.before(path), form };
  }

  async #copied(path: string, now: Uint8Array): Promise<string> {
    const to = await this.#place(path);
    await this.files.replace(to, now);
    const found = await this.files.readBytes(join(this.opened.root, path));
    if (found && sameBytes(found, now)) return to;
    throw new SkillError("DEBUG_CHANGED", "It was written while it was being put back: run undo again.");
  }

  async #moved(path: string): Promise<string> {
    const to = await this.#place(path);
    await this.files.move(join(this.opened.root, path), to);
    return to;
  }

  async #place(path: string): Promise<string> {
    const shelf = shelfOf(this.opened);
    if (this.#folder === undefined) {
      const numbers = ((await this.files.list(shelf)) ?? []).map(Number).filter(Number.isSafeInteger);
      this.#folder = join(shelf, String(Math.max(0, ...numbers) + 1));
    }
    const to = join(this.#folder, path);
    await this.files.makeFolder(dirname(to));
    const isTaken = (await this.files.marks([to]))[0] !== undefined;
    return isTaken ? join(dirname(to), `${basename(to)}.also`) : to;
  }
}

function unkept(path: string): SkillError {
  return new SkillError("FILE_UNREADABLE", `How ${path} was is not kept: put it back by hand, or keep it.`);
}

/** A text that has been put back, with the regions whose place in it is clear. */
interface PutBack {
  readonly text: string;
  /** The labels of regions that are not in it any more. */
  readonly gone: readonly string[];
}

/** With more edits than this no place is clear. */
const MOST_EDITS = 2_000;

/**
 * Puts a text back as it was, and leaves the regions in that the check would accept, where the lines around them are the
 * same. Without its regions the outcome is `target`, byte for byte.
 */
export function putBack(path: string, now: string, target: string): PutBack {
  const seen = instrumented(path, now, target);
  const labels = (regions: readonly Region[]): readonly string[] => regions.map(({ label }) => label);
  const bare = { text: target, gone: labels(seen.regions) };
  if (seen.stripped === undefined) return bare;
  const isSound = ({ first, last }: Region): boolean =>
    !seen.findings.some(({ line = 0 }) => line - 1 >= first && line - 1 <= last);
  const rest = outside(seen.lines, seen.regions);
  const aim = linesOf(withoutMark(target));
  const places = commonLines(rest, aim);
  const placed = seen.regions.map((region) => ({
    region,
    at: isSound(region) ? placeOf(path, region, seen.lines, { rest, aim, places }) : undefined,
  }));
  let text = target;
  // From the end on, so that each line is the one that was meant.
  for (const { region, at } of placed.toReversed()) {
    if (at === undefined) continue;
    const lines = seen.lines.slice(region.first, region.last + 1).map((line) => line.text);
    text = replacedBy(seen.lines, region) ? replace(text, at + 1, lines) : insert(text, at + 1, lines);
  }
  const outcome = instrumented(path, text, target);
  if (!outcome.isAsBefore || outcome.findings.length > 0) return bare;
  return { text, gone: labels(placed.filter(({ at }) => at === undefined).map(({ region }) => region)) };
}

/** Which lines are in both texts: from the one to the other, from 0. */
function commonLines(one: readonly TextLine[], other: readonly TextLine[]): ReadonlyMap<number, number> {
  const [texts, others] = [one, other].map((lines) => lines.map(({ text }) => text)) as [string[], string[]];
  const found = new Map<number, number>();
  let [from, to] = [0, 0];
  for (const { added, removed, count } of diffArrays(texts, others, { maxEditLength: MOST_EDITS }) ?? []) {
    if (!added && !removed) for (let line = 0; line < count; line += 1) found.set(from + line, to + line);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return found;
}

interface Places {
  readonly rest: readonly PlacedLine[];
  readonly aim: readonly TextLine[];
  readonly places: ReadonlyMap<number, number>;
}

/** Where a region stands in the target; `undefined` inside of changed lines. */
function placeOf(
  path: string,
  region: Region,
  lines: readonly TextLine[],
  { rest, aim, places }: Places,
): number | undefined {
  const next = rest.findIndex(({ line }) => line >= region.first);
  const at = next < 0 ? rest.length : next;
  const following = places.get(at);
  if (replacedBy(lines, region)) return following;
  const former = places.get(at - 1);
  const isBegin = at === 0 && following === 0;
  if (isBegin || (former !== undefined && following === former + 1)) return following;
  const isEnd = at === rest.length && (former === aim.length - 1 || aim.length === 0);
  if (isEnd) return aim.length;
  // Beside a change: where a statement begins there.
  const place = following ?? (former === undefined ? undefined : former + 1);
  const language = languageOf(path, lines[0]?.text);
  if (place === undefined || language === undefined) return undefined;
  const isAligned = indentationOf(lines[region.first]) === indentationOf(aim[place]);
  return isAligned && textFault(language, aim, place) === undefined ? place : undefined;
}

function indentationOf(line: TextLine | undefined): string {
  return /^[\t ]*/.exec(line?.text ?? "")?.[0] ?? "";
}
