import { diffArrays } from "diff";
import type { TextLine } from "../regions/regions.ts";
import type { PlacedLine } from "../regions/strip.ts";

/** A place at which a text differs from the one before. */
export interface Difference {
  /** Counts from 1, in the text as it is now. */
  readonly line: number;
  /** The lines that are new here; none where lines are missing. */
  readonly added: readonly string[];
  /** How many lines of the text before are missing here. */
  readonly removed: number;
}

/** With more edits than this only the first place is told. */
const MOST_EDITS = 500;

/** Where lines differ from those before, in order; at least one place. */
export function differences(
  now: readonly PlacedLine[],
  before: readonly TextLine[],
): readonly [Difference, ...Difference[]] {
  const texts = [before, now].map((lines) => lines.map(({ text }) => text)) as [string[], string[]];
  const found: { line: number; added: string[]; removed: number }[] = [];
  let [at, last] = [0, -1];
  for (const { added, removed, value, count } of diffArrays(...texts, { maxEditLength: MOST_EDITS }) ?? []) {
    if (added || removed) {
      if (last !== at || found.length === 0)
        found.push({ line: (now[at]?.line ?? now.at(-1)?.line ?? 0) + 1, added: [], removed: 0 });
      const open = found.at(-1);
      if (added) open?.added.push(...value);
      else if (open) open.removed += count;
    }
    if (!removed) at += count;
    if (added || removed) last = at;
  }
  const [first, ...more] = found;
  if (first) return [first, ...more];
  // Too much differs, or nothing but what ends a line, or a byte order mark.
  const other = now.find(({ text, end }, index) => text !== before[index]?.text || end !== before[index].end);
  const isText = other !== undefined && other.text !== before[now.indexOf(other)]?.text;
  return [{ line: (other?.line ?? 0) + 1, added: isText ? [other.text] : [], removed: isText ? 1 : 0 }];
}
