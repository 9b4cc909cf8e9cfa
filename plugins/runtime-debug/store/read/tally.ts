import { KeyCounts, type EventKeys, type KeyCount } from "../log/event-keys.ts";
import type { LogEvent, LogSource } from "../log/log-lines.ts";
import type { EventFilter } from "./event-filter.ts";
import { selected } from "./selection.ts";

/** So many of the first events of a group are kept to be looked into, and so many of the last. */
const MOST_AN_END = 8;
/** Longer events are not kept. */
const MOST_LINE_BYTES = 64 * 1024;
/** Beyond so much nothing is kept of further groups. */
const MOST_BYTES = 16 * 1024 * 1024;

/** What the events of a log that fit come to. */
export interface Tally {
  /** In the order in which keys were first seen; with what was left out where keys tell whether it fits. */
  readonly counts: readonly KeyCount[];
  /** Some events of each group, oldest first, from both ends of the log. */
  readonly samples: ReadonlyMap<string, readonly LogEvent[]>;
  readonly first: LogEvent | undefined;
  readonly last: LogEvent | undefined;
}

/** What is wanted beside the counts. */
export interface Wanted {
  /** The group of events with these keys. */
  readonly groupOf?: (keys: EventKeys) => string;
  /** What an event is counted by. Default: what the filter asks for. */
  readonly keysOf?: (event: LogEvent) => EventKeys;
}

/** Looks once at each event that fits; the memory that it takes is bounded. */
export async function tally(
  sources: readonly LogSource[],
  filter: EventFilter,
  { groupOf = () => "", keysOf = (event) => filter.keysOf(event) }: Wanted = {},
): Promise<Tally> {
  const counts = new KeyCounts();
  const samples = new Samples();
  const groups = new Map<EventKeys, string>();
  let [first, last]: (LogEvent | undefined)[] = [];
  const range = { sources, filter, from: undefined, to: undefined };
  for await (const lines of selected(range)) {
    for (const { event, gap, bytes } of lines) {
      // Of what was left out only the keys are known.
      if (gap && filter.byKeyOnly) counts.addGap(gap, (keys) => filter.fitsKeys(keys));
      if (!event) continue;
      const keys = counts.add(keysOf(event));
      const group = groups.get(keys) ?? groupOf(keys);
      groups.set(keys, group);
      samples.add(group, event, bytes);
      first ??= event;
      last = event;
    }
  }
  return { counts: counts.rows, samples: samples.all, first, last };
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
