import type { EventKeys } from "../log/line-facts.ts";
import type { LinePlace } from "../log/line-index.ts";
import { objectOf } from "../log/line-text.ts";
import type { EventFilter } from "./event-filter.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource } from "./log-source.ts";
import { search } from "./search.ts";

/** So many of the first events of a group are looked into, and so many of the last. */
const MOST_AN_END = 8;
/** Longer events are not looked into. */
const MOST_LINE_BYTES = 64 * 1024;
/** No more is read for all of them together. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Events by group, as they were stored, oldest first. */
export type Samples = readonly (readonly Readonly<Record<string, unknown>>[])[];

/** Which events of a log belong to which group. */
export interface Grouping {
  readonly filter: EventFilter;
  readonly groups: number;
  /** The group of events with these keys, from 0, or -1. */
  readonly groupOf: (keys: EventKeys) => number;
}

interface Found extends LinePlace {
  readonly source: LogSource;
}

/** Reads some of the events of each group that fit, from both ends of the log, never all of it. */
export async function samples(sources: readonly LogSource[], grouping: Grouping): Promise<Samples> {
  const first = await ends(sources, grouping, false);
  const last = await ends(sources, grouping, true);
  const events: Readonly<Record<string, unknown>>[][] = Array.from({ length: grouping.groups }, () => []);
  let bytes = 0;
  for (const source of sources) {
    for (const [group, into] of events.entries()) {
      const own = [...(first[group] ?? []), ...(last[group] ?? []).toReversed()].filter(
        (one) => one.source === source,
      );
      const unique = own.filter((one, at) => own.findIndex(({ offset }) => offset === one.offset) === at);
      bytes += unique.reduce((sum, { length }) => sum + length, 0);
      if (bytes > MOST_BYTES) return events;
      for await (const lines of linesAt(source.reader, unique))
        for (const line of lines) into.push(objectOf(line) ?? {});
    }
  }
  return events;
}

/** The same by the name of a probe. */
export function probeSamples(
  sources: readonly LogSource[],
  probes: readonly string[],
  filter: EventFilter,
): Promise<Samples> {
  const numbers = new Map(probes.map((probe, group) => [probe, group]));
  const groupOf = ({ probe }: EventKeys): number => numbers.get(probe) ?? -1;
  return samples(sources, { filter, groups: probes.length, groupOf });
}

/** The first so many of each group in the order of the search. */
async function ends(
  sources: readonly LogSource[],
  { filter, groups, groupOf }: Grouping,
  backwards: boolean,
): Promise<readonly (readonly Found[])[]> {
  const found: Found[][] = Array.from({ length: groups }, () => []);
  let open = groups;
  for (const source of backwards ? sources.toReversed() : sources) {
    if (open === 0) break;
    const groupOfKey = source.view.keys.map(groupOf);
    for await (const places of search(source, { filter, backwards })) {
      for (const place of places) {
        const list = found[groupOfKey[place.key] ?? -1];
        if (!list || list.length === MOST_AN_END || place.length > MOST_LINE_BYTES) continue;
        list.push({ ...place, source });
        if (list.length === MOST_AN_END) open -= 1;
      }
      if (open === 0) break;
    }
  }
  return found;
}
