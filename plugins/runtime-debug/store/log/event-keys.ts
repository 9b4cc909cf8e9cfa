import { runName } from "../event/run-name.ts";
import type { Gap, GapCount, LogEvent } from "./log-lines.ts";

/** What events are counted and searched by. */
export interface EventKeys {
  /** As text, lists as they were sent (`A,D`); empty when the event names none. */
  readonly hypothesis: string;
  /** The run it is of: `pre-fix`, `post-fix`, or what else was served. */
  readonly run: string;
  /** Empty when the event names none. */
  readonly location: string;
  /** What names the probe: the location, or the message where there is none. At most 200 characters. */
  readonly probe: string;
}

/** Keys of events that are not counted one by one, because there are too many different ones, or they are too long. */
export const OTHER: EventKeys = { hypothesis: "", run: "", location: "", probe: "(other)" };

const NONE: ReadonlySet<string> = new Set();
const PREFIX = /^\s*\[[^\]]*\]\s*/;
const MOST_PROBE = 200;
/** So many different keys, and characters of them, are told apart; further ones are `OTHER`, as those with a longer text. */
const MOST_KEYS = 65_000;
const MOST_CHARACTERS = 8 * 1024 * 1024;
const LONGEST_TEXT = 1_000;

/** @param named runs that are asked for: an event that gives itself such a name is found under it, whatever run it is of */
export function keysOf(event: LogEvent, named: ReadonlySet<string> = NONE): EventKeys {
  const { hypothesisId, runId, _run, location, msg, message } = event;
  const place = textOf(location);
  const own = named.size > 0 ? runName(textOf(runId)) : "";
  return {
    hypothesis: Array.isArray(hypothesisId) ? hypothesisId.map(textOf).join(",") : textOf(hypothesisId),
    run: named.has(own) ? own : runName(textOf(_run ?? runId)),
    location: place,
    probe: (place || textOf(msg ?? message).replace(PREFIX, "")).slice(0, MOST_PROBE),
  };
}

/** A value as it is searched for. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** How many events have the same keys. */
export interface KeyCount {
  readonly keys: EventKeys;
  readonly events: number;
  /** Of these, left out of the log because it was full. */
  readonly dropped: number;
}

/** Counts events by their keys, in the order in which these are first seen, in memory that does not grow for ever. */
export class KeyCounts {
  readonly #counts = new Map<string, { readonly keys: EventKeys; events: number; dropped: number }>();
  #characters = 0;

  /** @returns the keys under which they were counted, always the same object for the same keys */
  add(keys: EventKeys, events = 1, dropped = 0): EventKeys {
    const { hypothesis, run, location, probe } = keys;
    const name = `${hypothesis.length},${run.length},${location.length},${hypothesis}${run}${location}${probe}`;
    let count = this.#counts.get(name);
    if (!count) {
      const isFull = this.#counts.size >= MOST_KEYS || this.#characters + name.length > MOST_CHARACTERS;
      const isLong = [hypothesis, run, location].some((text) => text.length > LONGEST_TEXT);
      if ((isFull || isLong) && keys !== OTHER) return this.add(OTHER, events, dropped);
      count = { keys, events: 0, dropped: 0 };
      this.#characters += name.length;
      this.#counts.set(name, count);
    }
    count.events += events;
    count.dropped += dropped;
    return count.keys;
  }

  /** What a gap left out, as far as it fits. */
  addGap({ counts }: Gap, fits: (keys: EventKeys) => boolean): void {
    for (const [hypothesis, run, location, probe, events] of counts) {
      const keys = { hypothesis, run, location, probe };
      if (fits(keys)) this.add(keys, events, events);
    }
  }

  get rows(): readonly KeyCount[] {
    return [...this.#counts.values()];
  }

  get gapCounts(): readonly GapCount[] {
    return this.rows.map(({ keys: { hypothesis, run, location, probe }, events }) => {
      return [hypothesis, run, location, probe, events];
    });
  }
}
