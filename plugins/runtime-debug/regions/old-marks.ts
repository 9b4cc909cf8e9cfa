import { diffArrays } from "diff";
import { linesOf, textOf, type TextLine, regionsIn } from "./regions.ts";
import { without } from "./strip.ts";

/** Which lines are in both texts: from the one to the other, from 0; none with more edits than that. */
export function commonLines(
  one: readonly TextLine[],
  other: readonly TextLine[],
  mostEdits: number,
): ReadonlyMap<number, number> {
  const [texts, others] = [one, other].map((lines) => lines.map(({ text }) => text)) as [string[], string[]];
  const found = new Map<number, number>();
  let [from, to] = [0, 0];
  for (const { added, removed, count } of diffArrays(texts, others, { maxEditLength: mostEdits }) ?? []) {
    if (!added && !removed) for (let line = 0; line < count; line += 1) found.set(from + line, to + line);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return found;
}

const MOST_EDITS = 2_000;

/**
 * The lines of a text that stood there before, where one mark of those had no other half: they are text like any other, and
 * whoever has put them there keeps them. None where all marks before were whole.
 */
export function oldLines(lines: readonly TextLine[], former: readonly TextLine[]): ReadonlySet<number> {
  if (regionsIn(former).faults.length === 0) return new Set();
  const forth = new Set(commonLines(former, lines, MOST_EDITS).values());
  const back = [...commonLines(former.toReversed(), lines.toReversed(), MOST_EDITS).values()];
  const ways = [forth, new Set(back.map((line) => lines.length - 1 - line))];
  // A new mark may have the words of an old one: then the way is right that leaves the text before.
  const isRight = (way: ReadonlySet<number>): boolean =>
    without(lines, regionsIn(lines, (line) => !way.has(line)).regions) === textOf(former);
  return ways.find(isRight) ?? forth;
}

/** Between the first letter of the word in a mark that is to be none and the rest. */
const HIDDEN = "\uE000";

/** A text whose old marks are none for who puts probes into it; `shown` gives the text back. */
export function hidden(text: string, former: string): string {
  const lines = linesOf(text);
  const old = oldLines(lines, linesOf(former));
  if (old.size === 0) return text;
  const masked = lines.map((line, at) =>
    old.has(at) ? { ...line, text: line.text.replaceAll(/(r)(?=egion\b)/gi, `$1${HIDDEN}`) } : line,
  );
  return textOf(masked);
}

/** See `hidden`. */
export function shown(text: string): string {
  return text.replaceAll(new RegExp(`(r)${HIDDEN}(?=egion\\b)`, "gi"), "$1");
}
