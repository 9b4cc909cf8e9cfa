import { portToken } from "../container/token.ts";

/** The time. Tests replace it by a clock that they set. */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds on a monotonic clock; only differences are meaningful. */
  readonly monotonicMs: () => number;
}

export const CLOCK = portToken<Clock>("clock");
