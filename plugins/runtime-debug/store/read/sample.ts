import type { IndexView } from "../index/index-view.ts";
import { nextTurn } from "../index/log-scan.ts";
import { WORDS } from "../index/records.ts";
import { objectOf } from "../log/line-text.ts";
import { FITS_NOT, type EventFilter } from "./event-filter.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource, Place } from "./log-source.ts";
import { search } from "./search.ts";

/** So many of the first events of a group are looked into, and so many of the last. */
const MOST_AN_END = 8;
/** Longer events are not looked into. */
const MOST_LINE_BYTES = 64 * 1024;
/** No more is read for all of them together. */
const MOST_BYTES = 4 * 1024 * 1024;
const BLOCK_LINES = 65_536;

/** Events by group, as they were stored, oldest first. */
export type Samples = readonly (readonly Readonly<Record<string, unknown>>[])[];

/** Which events of a log belong to which group. */
export interface Grouping {
  readonly filter: EventFilter;
  readonly groups: number;
  /** Gives every key's number of a source its group, from 0, or -1. */
  readonly groupsOf: (view: IndexView) => Int32Array;
}

/** Reads some of the events of each group that fit, from both ends of the log, never all of it. */
export async function samples(sources: readonly LogSource[], grouping: Grouping): Promise<Samples> {
  const { groups } = grouping;
  const first = await places(sources, grouping, false);
  const last = await places(sources.toReversed(), grouping, true);
  const events: Readonly<Record<string, unknown>>[][] = Array.from({ length: groups }, () => []);
  let bytes = 0;
  for (const source of sources) {
    for (let group = 0; group < groups; group++) {
      const own = [...(first[group]?.get(source) ?? []), ...(last[group]?.get(source) ?? []).toReversed()];
      const unique = own.filter((one, at) => own.findIndex(({ offset }) => offset === one.offset) === at);
      bytes += unique.reduce((sum, { length }) => sum + length, 0);
      if (bytes > MOST_BYTES) return events;
      for await (const lines of linesAt(source.reader, unique)) {
        for (const line of lines) events[group]?.push(objectOf(line) ?? {});
      }
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
  const groupsOf = ({ keys }: IndexView): Int32Array =>
    Int32Array.from(keys, ({ probe }) => numbers.get(probe) ?? -1);
  return samples(sources, { filter, groups: probes.length, groupsOf });
}

type Found = Map<LogSource, Place[]>;

/** The first so many of each group in the order of the search. */
interface Ends {
  readonly found: readonly Found[];
  readonly missing: Int32Array;
  /** Groups that still miss some. */
  open: number;
}

async function places(
  sources: readonly LogSource[],
  { filter, groups, groupsOf }: Grouping,
  backwards: boolean,
): Promise<readonly Found[]> {
  const ends: Ends = {
    found: Array.from({ length: groups }, () => new Map<LogSource, Place[]>()),
    missing: new Int32Array(groups).fill(MOST_AN_END),
    open: groups,
  };
  for (const source of sources) {
    if (ends.open === 0) break;
    const mask = filter.mask(source.view.keys);
    const groupOf = groupsOf(source.view).map((group, key) => (mask[key] === FITS_NOT ? -1 : group));
    if (filter.byKeyOnly) await lookThrough(source, groupOf, ends, backwards);
    else await lookUp(source, groupOf, ends, filter, backwards);
  }
  return ends.found;
}

/** Where the keys tell what fits. */
async function lookThrough(
  source: LogSource,
  groupOf: Int32Array,
  ends: Ends,
  backwards: boolean,
): Promise<void> {
  const { view } = source;
  const { missing } = ends;
  for (let done = 0; done < view.lines && ends.open > 0; done += BLOCK_LINES) {
    const length = Math.min(BLOCK_LINES, view.lines - done);
    const from = backwards ? view.lines - done - length : done;
    const words = await view.records(from, Math.min(view.lines, from + length + 1));
    for (let step = 0; step < length && ends.open > 0; step++) {
      const at = (backwards ? length - 1 - step : step) * WORDS;
      const key = words[at + 3] as number;
      const group = groupOf[key] ?? -1;
      if (group < 0 || missing[group] === 0) continue;
      const offset = words[at] as number;
      const next = at + WORDS < words.length ? (words[at + WORDS] as number) : view.end;
      const seq = view.base + (words[at + 1] as number);
      keep(ends, group, source, { offset, length: next - offset, seq, key });
    }
    await nextTurn();
  }
}

/** Where numbers or lines have to be looked at. */
async function lookUp(
  source: LogSource,
  groupOf: Int32Array,
  ends: Ends,
  filter: EventFilter,
  backwards: boolean,
): Promise<void> {
  for await (const some of search(source, { filter, backwards, most: Number.POSITIVE_INFINITY })) {
    for (const place of some) {
      const group = groupOf[place.key] ?? -1;
      if (group >= 0 && ends.missing[group] !== 0) keep(ends, group, source, place);
    }
    if (ends.open === 0) return;
  }
}

function keep(ends: Ends, group: number, source: LogSource, place: Place): void {
  if (place.length > MOST_LINE_BYTES) return;
  const list = ends.found[group]?.get(source) ?? [];
  list.push(place);
  ends.found[group]?.set(source, list);
  if (--(ends.missing[group] as number) === 0) ends.open -= 1;
}
