import type { Gap, GapCount } from "../log/gap-line.ts";
import type { EventFilter } from "./event-filter.ts";
import type { LogSource } from "./log-source.ts";

/** A line of a source. */
export interface Spot {
  readonly source: LogSource;
  readonly offset: number;
}

/** A place in a log from which events were taken because it was full. */
export interface LeftOut extends Spot {
  /** How many of them were asked for, or may have been: at the most. */
  readonly events: number;
}

/** The part of a log that an answer is complete in; without an end it is so from the beginning, or to the end. */
export interface Stretch {
  readonly from?: Spot | undefined;
  readonly to?: Spot | undefined;
}

/**
 * What was left out of that part of a log and fits, oldest first.
 * @param sources oldest first
 */
export function leftOut(
  sources: readonly LogSource[],
  filter: EventFilter,
  { from, to }: Stretch,
): readonly LeftOut[] {
  const isAfter = (a: Spot, b: Spot): boolean =>
    a.source === b.source ? a.offset > b.offset : sources.indexOf(a.source) > sources.indexOf(b.source);
  const all = sources.flatMap((source) =>
    source.view.gaps.map(({ offset, gap }) => ({ source, offset, events: fitting(gap, filter) })),
  );
  return all.filter(
    (spot) => spot.events > 0 && !(from && isAfter(from, spot)) && !(to && isAfter(spot, to)),
  );
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
