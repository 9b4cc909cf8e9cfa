import type { Clock } from "../ports/clock.ts";

/** A clock that stands until it is set or moved. */
export interface FixedClock extends Clock {
  /** Sets the wall clock; the monotonic one stays. Milliseconds since the epoch, or an ISO date. */
  readonly set: (time: number | string) => void;
  /** Moves both clocks. */
  readonly advance: (milliseconds: number) => void;
}

/** A clock that starts at a time, by default 2026-07-01T12:00:00Z. */
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
