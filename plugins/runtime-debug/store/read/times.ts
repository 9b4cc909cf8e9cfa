import { objectOf } from "../log/line-text.ts";
import type { EventFilter } from "./event-filter.ts";
import { linesAt } from "./line-reader.ts";
import type { LogSource } from "./log-source.ts";
import { search } from "./search.ts";

/** The last millisecond that a date can name. */
const LAST_MS = 8.64e15;

/** When the first or the last event that fits was received, or says it was, as ISO 8601; null when none does. */
export async function timeOf(
  sources: readonly LogSource[],
  filter: EventFilter,
  isLast: boolean,
): Promise<string | null> {
  for (const source of isLast ? sources.toReversed() : sources) {
    for await (const places of search(source, { filter, backwards: isLast, most: 1 })) {
      for await (const [line = ""] of linesAt(source.reader, places)) {
        const { _at: at, ts } = objectOf(line) ?? {};
        const time = typeof at === "number" ? at : ts;
        return typeof time === "number" && Math.abs(time) <= LAST_MS ? new Date(time).toISOString() : null;
      }
    }
  }
  return null;
}
