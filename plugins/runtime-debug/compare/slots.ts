import { nextTurn } from "../store/log/file-scan.ts";
import type { EventKeys } from "../store/log/line-facts.ts";
import type { LinePlace } from "../store/log/line-index.ts";
import { linesAt } from "../store/read/line-reader.ts";
import type { LogSource } from "../store/read/log-source.ts";
import { eventTime } from "./event-time.ts";

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
