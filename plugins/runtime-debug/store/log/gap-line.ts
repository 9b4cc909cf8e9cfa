import { Buffer } from "node:buffer";
import { objectOf, ownLine } from "./line-text.ts";

/** Hypothesis, run, location, probe, and how many events of them. */
export type GapCount = readonly [string, string, string, string, number];

/** What was left out in one place of a log: docs/runtime-debug.md, section Limits. */
export interface Gap {
  readonly events: number;
  readonly bytes: number;
  /** `_seq` of the first and the last of them, as far as they are known; else 0. */
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly counts: readonly GapCount[];
}

/** How the line of a gap begins, and no event: the name `_gap` is not left to what programs send. */
export const GAP_START = '{"msg":"[skillctl] ';

const MOST_ROWS = 200;
const OTHER = "other";

/** Reads the line of a gap; `undefined` for any other. */
export function gapOf(line: string): Gap | undefined {
  if (!line.startsWith(GAP_START)) return undefined;
  const gap = objectOf(line)?.["_gap"];
  return typeof gap === "object" && gap !== null ? (gap as Gap) : undefined;
}

/** One gap of several that lie beside each other. */
export function merged(gaps: readonly Gap[]): Gap {
  const sum = (of: (gap: Gap) => number): number => gaps.reduce((total, gap) => total + of(gap), 0);
  const known = gaps.filter((gap) => gap.fromSeq > 0);
  const seqs = known.length === 0 ? [0] : known.flatMap((gap) => [gap.fromSeq, gap.toSeq]);
  return {
    events: sum((gap) => gap.events),
    bytes: sum((gap) => gap.bytes),
    fromSeq: Math.min(...seqs),
    toSeq: Math.max(...seqs),
    counts: summed(gaps.flatMap((gap) => gap.counts)),
  };
}

/** The line of a gap, `most` bytes long at the most as far as the rows allow: the rarest are summed up as "other". */
export function gapLine(gap: Gap, at: number, most: number): string {
  for (let rows = MOST_ROWS; ; rows = Math.floor(rows / 2)) {
    const line = ownLine({
      msg: `[skillctl] ${gap.events} events left out`,
      _gap: { ...gap, counts: shortened(gap.counts, rows) },
      _at: at,
    });
    if (rows <= 1 || Buffer.byteLength(line) <= most) return line;
  }
}

function summed(rows: readonly GapCount[]): readonly GapCount[] {
  const totals = new Map<string, GapCount>();
  for (const [hypothesis, run, location, probe, count] of rows) {
    const key = JSON.stringify([hypothesis, run, location, probe]);
    totals.set(key, [hypothesis, run, location, probe, (totals.get(key)?.[4] ?? 0) + count]);
  }
  return [...totals.values()];
}

function shortened(rows: readonly GapCount[], most: number): readonly GapCount[] {
  if (rows.length <= most) return rows;
  const sorted = rows.toSorted((a, b) => b[4] - a[4]);
  const rest = sorted.slice(most - 1).reduce((total, row) => total + row[4], 0);
  return summed([...sorted.slice(0, most - 1), [OTHER, OTHER, OTHER, OTHER, rest]]);
}
