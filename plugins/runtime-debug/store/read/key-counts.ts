import type { EventKeys } from "../log/line-facts.ts";
import type { EventFilter } from "./event-filter.ts";
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

/** Counts by key, in the order in which keys were first seen. */
export async function keyCounts(
  sources: readonly LogSource[],
  filter: EventFilter,
): Promise<readonly KeyCount[]> {
  const all = new Map<string, { keys: EventKeys; events: number; dropped: number; firstSeq: number }>();
  const countOf = (keys: EventKeys): { events: number; dropped: number; firstSeq: number } => {
    const name = JSON.stringify([keys.hypothesis, keys.run, keys.location, keys.probe]);
    const known = all.get(name) ?? { keys, events: 0, dropped: 0, firstSeq: 0 };
    all.set(name, known);
    return known;
  };
  for (const source of sources) {
    const { keys, gaps } = source.view;
    const counts = new Map<number, ReturnType<typeof countOf>>();
    for await (const found of search(source, { filter })) {
      for (const { key, seq } of found) {
        const count = counts.get(key) ?? countOf(keys[key] as EventKeys);
        counts.set(key, count);
        count.events += 1;
        count.firstSeq ||= seq;
      }
    }
    // Of what was left out only the keys are known.
    if (!filter.byKeyOnly) continue;
    for (const [hypothesis, run, location, probe, events] of gaps.flatMap(({ gap }) => gap.counts)) {
      if (!filter.fits({ hypothesis, run, location, probe })) continue;
      const count = countOf({ hypothesis, run, location, probe });
      count.events += events;
      count.dropped += events;
    }
  }
  return [...all.values()];
}
