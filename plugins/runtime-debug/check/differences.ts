import { diffArrays } from "diff";
import type { TextLine } from "../regions/lines.ts";
import type { Region } from "../regions/regions.ts";

/** A place at which a text differs from the one before. */
export interface Difference {
  /** Counts from 1, in the text as it is now. */
  readonly line: number;
  /** The lines that are new here; none where lines are missing. */
  readonly added: readonly string[];
  /** How many lines of the text before are missing here. */
  readonly removed: number;
}

/** A line and its number in a text, from 0. */
export interface PlacedLine extends TextLine {
  readonly line: number;
}

/** More edits than this are taken for one difference, from the first to the last line that differs. */
const MOST_EDITS = 500;

/** The lines of a text outside of some regions. */
export function outside(lines: readonly TextLine[], regions: readonly Region[]): readonly PlacedLine[] {
  const gone = new Set<number>();
  for (const { first, last } of regions) for (let line = first; line <= last; line += 1) gone.add(line);
  return lines.map((one, line) => ({ ...one, line })).filter(({ line }) => !gone.has(line));
}

/** Where lines differ from those before, in order; at least one place for texts that are not the same. */
export function differences(
  now: readonly PlacedLine[],
  before: readonly TextLine[],
): readonly [Difference, ...Difference[]] {
  const found: { line: number; added: string[]; removed: number }[] = [];
  let [at, last] = [0, -1];
  for (const { added, removed, count } of edits(now, before)) {
    if (!added && !removed) {
      at += count;
      continue;
    }
    let open = found.at(-1);
    if (!open || last !== at) {
      open = { line: (now[at]?.line ?? now.at(-1)?.line ?? 0) + 1, added: [], removed: 0 };
      found.push(open);
    }
    if (removed) open.removed += count;
    else {
      open.added.push(...now.slice(at, at + count).map(({ text }) => text));
      at += count;
    }
    last = at;
  }
  const [first, ...more] = found;
  if (first) return [first, ...more];
  // The lines are the same: what ends one of them, or a byte order mark, is not.
  const other = now.find(({ end }, index) => end !== before[index]?.end);
  return [{ line: (other?.line ?? 0) + 1, added: [], removed: 0 }];
}

/** The numbers, from 0, of the lines that stand in both texts, one after the other. */
export function unchangedLines(now: readonly TextLine[], before: readonly TextLine[]): ReadonlySet<number> {
  const unchanged = new Set<number>();
  let at = 0;
  for (const { added, removed, count } of edits(now, before)) {
    if (!added && !removed) for (let line = at; line < at + count; line += 1) unchanged.add(line);
    if (!removed) at += count;
  }
  return unchanged;
}

interface Edit {
  readonly added: boolean;
  readonly removed: boolean;
  readonly count: number;
}

/** How the lines came from those before; what ends a line does not count. */
function edits(now: readonly TextLine[], before: readonly TextLine[]): readonly Edit[] {
  const [is, was] = [now.map(({ text }) => text), before.map(({ text }) => text)];
  const known = diffArrays(was, is, { maxEditLength: MOST_EDITS });
  if (known) return known;
  let head = 0;
  while (is[head] === was[head]) head += 1;
  let tail = 0;
  const most = Math.min(is.length, was.length) - head;
  while (tail < most && is.at(-1 - tail) === was.at(-1 - tail)) tail += 1;
  const edit = (count: number, kind: "added" | "removed" | "kept"): Edit => ({
    added: kind === "added",
    removed: kind === "removed",
    count,
  });
  return [
    edit(head, "kept"),
    edit(was.length - head - tail, "removed"),
    edit(is.length - head - tail, "added"),
    edit(tail, "kept"),
  ].filter(({ count }) => count > 0);
}
