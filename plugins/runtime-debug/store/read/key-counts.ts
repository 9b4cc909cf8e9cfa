import type { EventKeys } from "../event/stamped.ts";
import type { EventFilter } from "./event-filter.ts";
import { FITS_NOT } from "./event-filter.ts";
import type { LogSource } from "./log-source.ts";
import { search } from "./search.ts";

/** How many events of the same keys fit, over all sources. */
export interface KeyCount {
  readonly keys: EventKeys;
  readonly events: number;
  /** Of these, left out of the log because it was full. */
  readonly dropped: number;
  /** `_seq` of the first that is still there; 0 when none is. */
  readonly firstSeq: number;
}

/** Counts by key, in the order in which keys were first seen; from the counters where these tell, else by searching. */
export async function keyCounts(
  sources: readonly LogSource[],
  filter: EventFilter,
): Promise<readonly KeyCount[]> {
  const all = new Map<string, KeyCount>();
  for (const source of sources) {
    const found = filter.byKeyOnly ? await counted(source, filter) : await searched(source, filter);
    // Within one source every row has other keys.
    if (sources.length === 1) return found;
    for (const one of found) {
      const { hypothesis, run, location, probe } = one.keys;
      const name = JSON.stringify([hypothesis, run, location, probe]);
      const known = all.get(name);
      all.set(name, {
        keys: one.keys,
        events: one.events + (known?.events ?? 0),
        dropped: one.dropped + (known?.dropped ?? 0),
        firstSeq: known?.firstSeq || one.firstSeq,
      });
    }
  }
  return [...all.values()];
}

async function counted({ view }: LogSource, filter: EventFilter): Promise<readonly KeyCount[]> {
  const counts = await view.counts();
  const mask = filter.mask(view.keys);
  return view.keys.flatMap((keys, number) => {
    const events = counts.total(number);
    if (mask[number] === FITS_NOT || events === 0) return [];
    return [{ keys, events, dropped: counts.dropped[number] ?? 0, firstSeq: counts.firstSeq[number] ?? 0 }];
  });
}

async function searched(source: LogSource, filter: EventFilter): Promise<readonly KeyCount[]> {
  const events = new Map<number, { count: number; firstSeq: number }>();
  for await (const found of search(source, { filter, most: Number.POSITIVE_INFINITY })) {
    for (const { key, seq } of found) {
      const known = events.get(key);
      if (known) known.count += 1;
      else events.set(key, { count: 1, firstSeq: seq });
    }
  }
  return [...events].flatMap(([key, { count, firstSeq }]) => {
    const keys = source.view.keys[key];
    return keys ? [{ keys, events: count, dropped: 0, firstSeq }] : [];
  });
}
