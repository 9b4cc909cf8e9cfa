import type { LogEvent } from "../store/log/log-lines.ts";

/** A program whose clock differs by more from this machine's, in milliseconds, is not asked for the time. */
const MOST_DRIFT_MS = 3_600_000;
/** The last millisecond that a date can name. */
const LAST_MS = 8.64e15;
/** A run is shown in at most so many pieces of time. */
const MOST_PIECES = 40;

/**
 * When an event was, in milliseconds since 1970: what the program says, since probes send several events together, or
 * else when it was received. `undefined` when it tells neither.
 */
export function eventTime({ ts, _at: at }: LogEvent): number | undefined {
  const received = typeof at === "number" && Math.abs(at) <= LAST_MS ? at : undefined;
  const said = typeof ts === "string" ? Date.parse(ts) : ts;
  if (typeof said !== "number" || !(Math.abs(said) <= LAST_MS)) return received;
  return received === undefined || Math.abs(said - received) <= MOST_DRIFT_MS ? said : received;
}

/** The events of a run in the order in which they came: the group of each, and when it was. */
export class RunEvents {
  readonly groups: string[] = [];
  readonly times: (number | undefined)[] = [];

  add(group: string, time: number | undefined): void {
    this.groups.push(group);
    this.times.push(time);
  }
}

/** One run over time. */
export interface RunTime {
  /** Time of the first event, in milliseconds since 1970; `undefined` when no event has one. */
  readonly from: number | undefined;
  readonly lastsMs: number;
  /** Events in each piece of time, by group. */
  readonly counts: ReadonlyMap<string, readonly number[]>;
  /** The same of all groups together. */
  readonly all: readonly number[];
}

/** Two runs over time, in pieces of one length, each from its own first event on. */
export interface Timeline {
  readonly pieceMs: number;
  readonly runs: readonly [RunTime, RunTime];
}

/** Puts the events of two runs into pieces of 1, 2 or 5 times a power of ten milliseconds. */
export function timelineOf(before: RunEvents, after: RunEvents): Timeline {
  const spans = [spanOf(before), spanOf(after)] as const;
  const longest = Math.max(...spans.map(({ lastsMs }) => lastsMs));
  const pieceMs = pieceFor(longest);
  const pieces = Math.floor(longest / pieceMs) + 1;
  return {
    pieceMs,
    runs: [inPieces(before, spans[0], pieceMs, pieces), inPieces(after, spans[1], pieceMs, pieces)],
  };
}

interface Span {
  readonly from: number | undefined;
  readonly lastsMs: number;
}

function spanOf({ times }: RunEvents): Span {
  let [first, last] = [Infinity, -Infinity];
  for (const time of times) {
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

/** An event without a time counts with the one before it. */
function inPieces(run: RunEvents, span: Span, pieceMs: number, pieces: number): RunTime {
  const none = (): number[] => Array.from({ length: pieces }, () => 0);
  const counts = new Map<string, number[]>();
  const all = none();
  const { from = 0 } = span;
  let now = from;
  for (const [at, group] of run.groups.entries()) {
    now = run.times[at] ?? now;
    const piece = Math.floor((now - from) / pieceMs);
    const own = counts.get(group) ?? none();
    counts.set(group, own);
    own[piece] = (own[piece] ?? 0) + 1;
    all[piece] = (all[piece] ?? 0) + 1;
  }
  return { ...span, counts, all };
}
