import type { IndexView } from "../index/index-view.ts";
import { GAP, WORDS } from "../index/records.ts";
import { gapOf, type Gap, type GapCount } from "../log/gap-line.ts";
import type { EventFilter } from "./event-filter.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource } from "./log-source.ts";

/** So few are looked through one by one: 64 KiB of records. */
const FEW_LINES = 4_096;

/** A place in a log from which events were taken because it was full. */
export interface LeftOut {
  readonly source: LogSource;
  readonly offset: number;
  /** How many of them were asked for, or may have been: at the most. */
  readonly events: number;
}

/** A line of a source. */
export interface Spot {
  readonly source: LogSource;
  readonly offset: number;
}

/** The part of a log that an answer is complete in; without an end it is so from the beginning, or to the end. */
export interface Stretch {
  readonly from?: Spot | undefined;
  readonly to?: Spot | undefined;
}

/**
 * What was left out of that part of a log and fits, oldest first.
 * @param sources oldest first
 * @throws SkillError `FILE_UNREADABLE`
 */
export async function leftOut(
  sources: readonly LogSource[],
  filter: EventFilter,
  { from, to }: Stretch,
): Promise<readonly LeftOut[]> {
  const isAfter = (a: Spot, b: Spot): boolean =>
    a.source === b.source ? a.offset > b.offset : sources.indexOf(a.source) > sources.indexOf(b.source);
  const found: LeftOut[] = [];
  for (const source of sources) {
    for (const [offset, gap] of await gapsOf(source)) {
      const spot = { source, offset };
      const events = fitting(gap, filter);
      const isWithin = !(from && isAfter(from, spot)) && !(to && isAfter(spot, to));
      if (isWithin && events > 0) found.push({ ...spot, events });
    }
  }
  return found;
}

/** Where the lines of gaps begin, and what they say. */
async function gapsOf({ view, reader }: LogSource): Promise<ReadonlyMap<number, Gap>> {
  const gaps = new Map<number, Gap>();
  for await (const [from, to] of suspects(view)) {
    const words = await view.records(from, Math.min(view.lines, to + 2));
    for (let at = 0; at <= (to - from) * WORDS; at += WORDS) {
      if (words[at + 3] !== GAP) continue;
      const offset = words[at] as number;
      const end = at + WORDS < words.length ? (words[at + WORDS] as number) : view.end;
      const place = { offset, length: end - offset, seq: 0, key: GAP };
      for await (const [line = ""] of linesAt(reader, [place])) {
        const gap = gapOf(line);
        if (gap) gaps.set(offset, gap);
      }
    }
  }
  return gaps;
}

/** The first and the last of some lines. */
type Lines = readonly [first: number, last: number];

/** Lines among which gaps may be: the first one, and those where numbers jump, as they do over what was left out. */
async function* suspects(view: IndexView): AsyncGenerator<Lines> {
  const last = view.lines - 1;
  if (last < FEW_LINES) {
    if (last >= 0) yield [0, last];
    return;
  }
  yield [0, 0];
  // So that most logs cost nothing.
  if (view.lastSeq - view.base > view.lines) yield* jumps(view, 0, last);
}

async function* jumps(view: IndexView, first: number, last: number): AsyncGenerator<Lines> {
  if (last - first < FEW_LINES) {
    yield [first, last];
    return;
  }
  const middle = (first + last) >>> 1;
  for (const [from, to] of [[first, middle] as const, [middle, last] as const]) {
    const numbers = (await numberAt(view, to)) - (await numberAt(view, from));
    if (numbers > to - from) yield* jumps(view, from, to);
  }
}

async function numberAt(view: IndexView, line: number): Promise<number> {
  return (await view.records(line, line + 1))[1] ?? 0;
}

/** Without those whose keys or numbers say that they were not asked for. */
function fitting({ events, counts, fromSeq, toSeq }: Gap, filter: EventFilter): number {
  if (toSeq > 0 && (toSeq <= filter.since || fromSeq >= filter.before)) return 0;
  return counts.reduce((left, row) => left - (mayFit(row, filter) ? 0 : row[4]), events);
}

/** Rows of "other" stand for several keys. */
function mayFit([hypothesis, run, location, probe]: GapCount, filter: EventFilter): boolean {
  const isSum = [hypothesis, run, location, probe].every((name) => name === "other");
  return isSum || filter.fits({ hypothesis, run, location, probe });
}
