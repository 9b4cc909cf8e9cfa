import { nextTurn } from "../store/log/file-scan.ts";
import type { EventKeys } from "../store/log/line-facts.ts";
import type { LinePlace } from "../store/log/line-index.ts";
import { linesAt } from "../store/read/line-reader.ts";
import type { LogSource } from "../store/read/log-source.ts";
import { objectOf } from "../store/log/line-text.ts";

/** The time is read of so many events of a run, spread evenly over it; the others count with the one before them. */
const MOST_SLOTS = 1_024;
const BLOCK_LINES = 65_536;
/** Longer lines are not read for their time. */
const MOST_LINE_BYTES = 64 * 1024;

/** Events that follow each other in one run, counted by group, with the time of the first of them. */
export interface Slot {
  readonly time: number | undefined;
  /** By the number of the group. */
  readonly counts: Uint32Array;
}

/** What the events of two runs are counted by. */
export interface Counting {
  readonly groups: number;
  /** Events in the log of the run before and of the run after. */
  readonly totals: readonly [number, number];
  /** Twice the number of the group of events with these keys, and one more in the run after; or -1. */
  readonly codeOf: (keys: EventKeys) => number;
}

interface Open {
  readonly source: LogSource;
  readonly place: LinePlace;
  readonly counts: Uint32Array;
}

/**
 * Counts the events of two runs in the order in which they came, in at most 1,024 slots a run, and the last event of each
 * in a slot of its own: in memory that does not grow with the log, and reading no more than the line of each slot.
 */
export async function slotsOf(
  sources: readonly LogSource[],
  counting: Counting,
): Promise<readonly [readonly Slot[], readonly Slot[]]> {
  const open: [Open[], Open[]] = [[], []];
  const seen: [number, number] = [0, 0];
  for (const source of sources) await count(source, counting, open, seen);
  return [await timed(open[0]), await timed(open[1])];
}

async function count(
  source: LogSource,
  { groups, totals, codeOf }: Counting,
  open: readonly [Open[], Open[]],
  seen: [number, number],
): Promise<void> {
  const { view } = source;
  const codes = view.keys.map(codeOf);
  if (codes.every((code) => code === -1)) return;
  const strides = totals.map((total) => Math.max(1, Math.ceil(total / MOST_SLOTS)));
  for (let line = 0; line < view.lines; line += 1) {
    if (line % BLOCK_LINES === 0) await nextTurn();
    const code = codes[view.keyAt(line)] ?? -1;
    if (code < 0) continue;
    const side = (code & 1) as 0 | 1;
    const number = seen[side]++;
    if (number % (strides[side] as number) === 0 || seen[side] === totals[side])
      open[side].push({ source, place: view.placeAt(line), counts: new Uint32Array(groups) });
    const { counts } = open[side].at(-1) as Open;
    (counts[code >> 1] as number)++;
  }
}

async function timed(open: readonly Open[]): Promise<readonly Slot[]> {
  const times = new Map<LinePlace, number>();
  for (const source of new Set(open.map(({ source }) => source))) {
    const places = open.filter((slot) => slot.source === source).map(({ place }) => place);
    const short = places.filter(({ length }) => length <= MOST_LINE_BYTES);
    let at = 0;
    for await (const lines of linesAt(source.reader, short)) {
      for (const line of lines) {
        const place = short[at++];
        const time = eventTime(line);
        if (place && time !== undefined) times.set(place, time);
      }
    }
  }
  return open.map(({ place, counts }) => ({ time: times.get(place), counts }));
}

/** A program whose clock differs by more from this machine's, in milliseconds, is not asked for the time. */
const MOST_DRIFT_MS = 3_600_000;
/** The last millisecond that a date can name. */
const LAST_MS = 8.64e15;

/**
 * When an event was, in milliseconds since 1970: what the program says, since probes send several events together, or
 * else when it was received. `undefined` when its line tells neither.
 */
export function eventTime(line: string): number | undefined {
  const { ts, _at: at } = objectOf(line) ?? {};
  const received = typeof at === "number" && Math.abs(at) <= LAST_MS ? at : undefined;
  const said = typeof ts === "string" ? Date.parse(ts) : ts;
  if (typeof said !== "number" || !(Math.abs(said) <= LAST_MS)) return received;
  return received === undefined || Math.abs(said - received) <= MOST_DRIFT_MS ? said : received;
}

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
