import type { Slot } from "./slots.ts";

/** A run is shown in at most so many pieces of time. */
const MOST_PIECES = 40;

/** One run over time. */
export interface RunTime {
  /** Time of the first event, in milliseconds since 1970; `undefined` when no event has one. */
  readonly from: number | undefined;
  readonly lastsMs: number;
  /** Events in each piece of time, by group. */
  readonly counts: readonly (readonly number[])[];
  /** The same of all groups together. */
  readonly all: readonly number[];
}

/** Two runs over time, in pieces of one length, each from its own first event on. */
export interface Timeline {
  readonly pieceMs: number;
  readonly runs: readonly [RunTime, RunTime];
}

/** Puts the slots of two runs into pieces of 1, 2 or 5 times a power of ten milliseconds. */
export function timelineOf(slots: readonly [readonly Slot[], readonly Slot[]], groups: number): Timeline {
  const spans = slots.map(spanOf) as [Span, Span];
  const pieceMs = pieceFor(Math.max(...spans.map(({ lastsMs }) => lastsMs)));
  const pieces = Math.floor(Math.max(...spans.map(({ lastsMs }) => lastsMs)) / pieceMs) + 1;
  const runs = slots.map((run, side) => inPieces(run, spans[side] as Span, { pieceMs, pieces, groups }));
  return { pieceMs, runs: runs as [RunTime, RunTime] };
}

interface Span {
  readonly from: number | undefined;
  readonly lastsMs: number;
}

function spanOf(slots: readonly Slot[]): Span {
  let [first, last] = [Infinity, -Infinity];
  for (const { time } of slots) {
    if (time === undefined) continue;
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  return first === Infinity ? { from: undefined, lastsMs: 0 } : { from: first, lastsMs: last - first };
}

/** The shortest round length by which a time fits into the pieces. */
function pieceFor(lastsMs: number): number {
  for (let power = 1; ; power *= 10) {
    const fits = [1, 2, 5].find((factor) => Math.floor(lastsMs / (factor * power)) < MOST_PIECES);
    if (fits !== undefined) return fits * power;
  }
}

interface Pieces {
  readonly pieceMs: number;
  readonly pieces: number;
  readonly groups: number;
}

function inPieces(slots: readonly Slot[], span: Span, { pieceMs, pieces, groups }: Pieces): RunTime {
  const counts = Array.from({ length: groups }, () => Array.from({ length: pieces }, () => 0));
  const all = Array.from({ length: pieces }, () => 0);
  let now = span.from ?? 0;
  for (const { time = now, counts: own } of slots) {
    now = time;
    const piece = Math.floor((now - (span.from ?? 0)) / pieceMs);
    for (const [group, events] of own.entries()) {
      if (events === 0) continue;
      (counts[group] as number[])[piece] = (counts[group]?.[piece] ?? 0) + events;
      all[piece] = (all[piece] ?? 0) + events;
    }
  }
  return { ...span, counts, all };
}
