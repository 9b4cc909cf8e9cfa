import type { Clock } from "../ports/clock.ts";

/** A clock that only tests move. */
export interface FixedClock extends Clock {
  /** Sets the wall clock only. Milliseconds since the epoch, or an ISO date. */
  readonly set: (time: number | string) => void;
  /** Advances both clocks. */
  readonly advance: (milliseconds: number) => void;
}

/** Creates a clock that stands still. `start` is milliseconds since the epoch, or an ISO date. */
export function fixedClock(start: number | string = "2026-07-01T12:00:00Z"): FixedClock {
  let wall = new Date(start).getTime();
  let monotonic = 0;
  return {
    now: () => wall,
    monotonicMs: () => monotonic,
    set: (time) => {
      wall = new Date(time).getTime();
    },
    advance: (milliseconds) => {
      wall += milliseconds;
      monotonic += milliseconds;
    },
  };
}
