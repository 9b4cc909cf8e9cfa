import type { IndexView } from "../store/index/index-view.ts";
import { nextTurn } from "../store/index/log-scan.ts";
import { WORDS } from "../store/index/records.ts";
import { linesAt } from "../store/read/line-reader.ts";
import type { LogSource, Place } from "../store/read/log-source.ts";
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
  /** Gives every key's number of a source twice the number of its group, and one more in the run after; or -1. */
  readonly codesOf: (view: IndexView) => Int32Array;
}

interface Open {
  readonly source: LogSource;
  readonly place: Place;
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
  { groups, totals, codesOf }: Counting,
  open: readonly [Open[], Open[]],
  seen: [number, number],
): Promise<void> {
  const { view } = source;
  const codes = codesOf(view);
  if (codes.every((code) => code === -1)) return;
  const strides = totals.map((total) => Math.max(1, Math.ceil(total / MOST_SLOTS)));
  for (let from = 0; from < view.lines; from += BLOCK_LINES) {
    const to = Math.min(view.lines, from + BLOCK_LINES);
    const words = await view.records(from, Math.min(view.lines, to + 1));
    for (let at = 0; at < (to - from) * WORDS; at += WORDS) {
      const key = words[at + 3] as number;
      const code = codes[key] ?? -1;
      if (code < 0) continue;
      const side = (code & 1) as 0 | 1;
      const number = seen[side]++;
      if (number % (strides[side] as number) === 0 || seen[side] === totals[side]) {
        const offset = words[at] as number;
        const next = at + WORDS < words.length ? (words[at + WORDS] as number) : view.end;
        const place = { offset, length: next - offset, seq: number, key };
        open[side].push({ source, place, counts: new Uint32Array(groups) });
      }
      const { counts } = open[side].at(-1) as Open;
      (counts[code >> 1] as number)++;
    }
    await nextTurn();
  }
}

async function timed(open: readonly Open[]): Promise<readonly Slot[]> {
  const times = new Map<Place, number>();
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
