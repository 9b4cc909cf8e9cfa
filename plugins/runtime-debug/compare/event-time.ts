import { objectOf } from "../store/log/line-text.ts";

/** A program whose clock differs by more from this machine's, in milliseconds, is not asked for the time. */
const MOST_DRIFT_MS = 3_600_000;
/** The last millisecond that a date can name. */
const LAST_MS = 8.64e15;

/**
 * When an event was, in milliseconds since 1970: what the program says, since probes send several events together, or
 * else when it was received. `undefined` when its line tells neither.
 */
export function eventTime(line: string): number | undefined {
  const { ts, _at: at } = objectOf(line) ?? {};
  const received = typeof at === "number" && Math.abs(at) <= LAST_MS ? at : undefined;
  const said = typeof ts === "string" ? Date.parse(ts) : ts;
  if (typeof said !== "number" || !(Math.abs(said) <= LAST_MS)) return received;
  return received === undefined || Math.abs(said - received) <= MOST_DRIFT_MS ? said : received;
}
