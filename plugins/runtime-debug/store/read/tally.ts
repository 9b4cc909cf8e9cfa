import type { LogEvent, LogSource } from "../log/log-lines.ts";
import { keysOf, type EventFilter, type EventKeys } from "./event-filter.ts";
import { selected } from "./selection.ts";

/** So many of the first events of a group are kept to be looked into, and so many of the last. */
const MOST_AN_END = 8;
/** Longer events are not kept. */
const MOST_LINE_BYTES = 64 * 1024;
/** Beyond so much nothing is kept of further groups. */
const MOST_BYTES = 16 * 1024 * 1024;

/** How many events have the same keys. */
export interface KeyCount {
  readonly keys: EventKeys;
  readonly events: number;
}

/** What the events of a log that fit come to. */
export interface Tally {
  /** In the order in which keys were first seen. */
  readonly counts: readonly KeyCount[];
  /** Events that may have fitted and were left out of the log because it was full; they are in no count. */
  readonly dropped: number;
  /** Some events of each group, oldest first, from both ends of the log; none where no groups are asked for. */
  readonly samples: ReadonlyMap<string, readonly LogEvent[]>;
  readonly first: LogEvent | undefined;
  readonly last: LogEvent | undefined;
}

/** Looks once at each event that fits; the memory that it takes is bounded. */
export async function tally(
  sources: readonly LogSource[],
  filter: EventFilter,
  groupOf?: (keys: EventKeys) => string,
  keysIn: (event: LogEvent) => EventKeys = keysOf,
): Promise<Tally> {
  const counts = new KeyCounts();
  const samples = new Samples();
  let [first, last]: (LogEvent | undefined)[] = [];
  let dropped = 0;
  for await (const lines of selected({ sources, filter, from: undefined, to: undefined })) {
    for (const { event, gap, bytes } of lines) {
      if (gap) dropped += filter.leftOut(gap);
      if (!event) continue;
      const keys = counts.add(keysIn(event));
      if (groupOf) samples.add(groupOf(keys), event, bytes);
      first ??= event;
      last = event;
    }
  }
  return { counts: counts.rows, dropped, samples: samples.all, first, last };
}

/** Keys of events that are not counted one by one, because there are too many different ones, or they are too long. */
export const OTHER: EventKeys = { hypothesis: "", run: "", location: "", probe: "(other)" };

/** So many different keys, and characters of them, are told apart; further ones are `OTHER`, as those with a longer text. */
const MOST_KEYS = 65_000;
const MOST_CHARACTERS = 8 * 1024 * 1024;
const LONGEST_TEXT = 1_000;

/** Counts events by their keys, in memory that does not grow for ever. */
class KeyCounts {
  readonly #counts = new Map<string, { readonly keys: EventKeys; events: number }>();
  #characters = 0;

  /** @returns the keys under which it was counted */
  add(keys: EventKeys): EventKeys {
    const { hypothesis, run, location, probe } = keys;
    const name = `${hypothesis.length},${run.length},${location.length},${hypothesis}${run}${location}${probe}`;
    let count = this.#counts.get(name);
    if (!count) {
      const isFull = this.#counts.size >= MOST_KEYS || this.#characters + name.length > MOST_CHARACTERS;
      const isLong = [hypothesis, run, location].some((text) => text.length > LONGEST_TEXT);
      if ((isFull || isLong) && keys !== OTHER) return this.add(OTHER);
      count = { keys, events: 0 };
      this.#characters += name.length;
      this.#counts.set(name, count);
    }
    count.events += 1;
    return count.keys;
  }

  get rows(): readonly KeyCount[] {
    return [...this.#counts.values()];
  }
}

class Samples {
  readonly #groups = new Map<string, { readonly first: LogEvent[]; readonly last: LogEvent[] }>();
  #bytes = 0;

  add(group: string, event: LogEvent, bytes: number): void {
    if (bytes > MOST_LINE_BYTES) return;
    let known = this.#groups.get(group);
    if (!known) {
      if (this.#bytes > MOST_BYTES) return;
      known = { first: [], last: [] };
      this.#groups.set(group, known);
    }
    const { first, last } = known;
    (first.length < MOST_AN_END ? first : last).push(event);
    if (last.length > MOST_AN_END) last.shift();
    else this.#bytes += bytes;
  }

  get all(): ReadonlyMap<string, readonly LogEvent[]> {
    return new Map([...this.#groups].map(([group, { first, last }]) => [group, [...first, ...last]]));
  }
}
