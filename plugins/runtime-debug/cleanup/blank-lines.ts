import type { TextLine } from "../regions/lines.ts";
import { placesOf, remaining, withoutLines, type CutText } from "./cuts.ts";
import { hunksBetween } from "./hunks.ts";

/**
 * Takes blank lines out that were put beside regions: where a region was, no more of them stay than stood in the code
 * before behind the line in front of it, or in front of the line behind it.
 */
export function withoutBlanks(cut: CutText, before: readonly TextLine[]): CutText {
  const now = remaining(cut);
  const former = formerLines(before, now);
  const gone = new Set<number>();
  for (const { from, to } of placesOf(cut).values()) {
    if (from !== to) continue;
    const first = from - blanksBefore(now, from);
    const end = to + blanksBehind(now, to);
    const allowed = allowedBlanks(former.get(first - 1), former.get(end), before);
    if (allowed === undefined) continue;
    for (const { line } of now.slice(first + allowed, end)) if (line !== undefined) gone.add(line);
  }
  return gone.size === 0 ? cut : withoutLines(cut, gone);
}

/** How many blank lines stood behind one line of the code before, or in front of the other; of two the larger. */
function allowedBlanks(
  previous: number | undefined,
  next: number | undefined,
  before: readonly TextLine[],
): number | undefined {
  const behind = previous === undefined ? undefined : blanksBehind(before, previous + 1);
  const front = next === undefined ? undefined : blanksBefore(before, next);
  return behind === undefined ? front : Math.max(behind, front ?? 0);
}

/** Which line of the code before each line is that has stayed the same. */
function formerLines(before: readonly TextLine[], now: readonly TextLine[]): ReadonlyMap<number, number> {
  const former = new Map<number, number>();
  let [was, is] = [0, 0];
  const end = { before: { from: before.length, to: 0 }, after: { from: now.length, to: 0 } };
  for (const hunk of [...hunksBetween(before, now), end]) {
    for (; is < hunk.after.from; is += 1, was += 1) former.set(is, was);
    [was, is] = [hunk.before.to, hunk.after.to];
  }
  return former;
}

function blanksBefore(lines: readonly TextLine[], at: number): number {
  let count = 0;
  while (lines[at - 1 - count]?.text.trim() === "") count += 1;
  return count;
}

function blanksBehind(lines: readonly TextLine[], at: number): number {
  let count = 0;
  while (lines[at + count]?.text.trim() === "") count += 1;
  return count;
}
