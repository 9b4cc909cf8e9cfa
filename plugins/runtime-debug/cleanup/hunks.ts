import { diffArrays } from "diff";
import type { TextLine } from "../regions/lines.ts";

/** From a line to another one, the latter excluded; lines count from 0. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Lines of one text that stand in the place of lines of another; either can be none. */
export interface Hunk {
  readonly before: Range;
  readonly after: Range;
}

/** More differences than this are taken for one: it stands between the first and the last line that differ. */
const MOST_EDITS = 800;

/** Where two texts differ, in order; what ends a line does not count. */
export function hunksBetween(before: readonly TextLine[], after: readonly TextLine[]): readonly Hunk[] {
  const [one, other] = [before, after].map((lines) => lines.map(({ text }) => text));
  if (!one || !other) return [];
  let first = 0;
  while (first < one.length && first < other.length && one[first] === other[first]) first += 1;
  let last = 0;
  const most = Math.min(one.length, other.length) - first;
  while (last < most && one.at(-1 - last) === other.at(-1 - last)) last += 1;
  const middle = [one.slice(first, one.length - last), other.slice(first, other.length - last)] as const;
  if (middle[0].length === 0 && middle[1].length === 0) return [];
  return between(...middle).map(({ before: was, after: is }) => ({
    before: { from: was.from + first, to: was.to + first },
    after: { from: is.from + first, to: is.to + first },
  }));
}

function between(one: string[], other: string[]): readonly Hunk[] {
  const whole = { before: { from: 0, to: one.length }, after: { from: 0, to: other.length } };
  const changes = diffArrays(one, other, { maxEditLength: MOST_EDITS });
  if (!changes) return [whole];
  const hunks: { before: { from: number; to: number }; after: { from: number; to: number } }[] = [];
  let [was, is] = [0, 0];
  for (const { added, removed, count } of changes) {
    const open = hunks.at(-1);
    const next = [was + (added ? 0 : count), is + (removed ? 0 : count)] as const;
    if (added || removed) {
      if (open && open.before.to === was && open.after.to === is) {
        open.before.to = next[0];
        open.after.to = next[1];
      } else hunks.push({ before: { from: was, to: next[0] }, after: { from: is, to: next[1] } });
    }
    [was, is] = next;
  }
  return hunks;
}

/**
 * A hunk that only takes out or only puts in, moved so that it begins at a line of the later text, where equal lines
 * around it let it; `undefined` when it does not reach there. What does both is answered as it is when it touches it.
 */
export function reaching(
  hunk: Hunk,
  at: number,
  before: readonly TextLine[],
  after: readonly TextLine[],
): Hunk | undefined {
  const { before: was, after: is } = hunk;
  const isRemoval = is.from === is.to;
  if (!isRemoval && was.from !== was.to) return is.from <= at && at <= is.to ? hunk : undefined;
  const moved = isRemoval ? was : is;
  const lines = isRemoval ? before : after;
  const step = at < is.from ? -1 : 1;
  const touches = (by: number): boolean =>
    is.from + by === at || (!isRemoval && is.from + by <= at && at <= is.to + by);
  for (let by = 0; ; by += step) {
    if (touches(by)) return shifted(hunk, by);
    if (Math.abs(by) > lines.length) return undefined;
    const [gone, come] =
      step < 0 ? [moved.to + by - 1, moved.from + by - 1] : [moved.from + by, moved.to + by];
    if (come < 0 || come >= lines.length || lines[gone]?.text !== lines[come]?.text) return undefined;
  }
}

function shifted({ before, after }: Hunk, by: number): Hunk {
  const move = ({ from, to }: Range): Range => ({ from: from + by, to: to + by });
  return { before: move(before), after: move(after) };
}
