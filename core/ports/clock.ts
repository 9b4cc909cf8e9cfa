import { portToken } from "../container/token.ts";

/** The time, as a port, so that a test can set it. */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds on a clock that never jumps; only differences mean something. */
  readonly monotonicMs: () => number;
}

export const CLOCK = portToken<Clock>("clock");
