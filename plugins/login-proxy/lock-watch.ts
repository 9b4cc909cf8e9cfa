import type { Clock } from "skillctl";
import type { Generation } from "./lock-record.ts";

/** What one process has seen of the lock while it waits for it. */
export interface Seen {
  /** Somebody has, or has had, the lock meanwhile. */
  readonly waited: boolean;
  /** Somebody who was waited for has just ended without a login: after a person was asked, or not. */
  readonly failed?: "asked" | "quiet";
}

/** Tells whether a lock can be taken, from looking at it again and again. */
export class LockWatch {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #since: number;
  #label = "";
  #labelSince = 0;
  #seen: Seen = { waited: false };

  constructor(clock: Clock, leaseMs: number) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#since = clock.monotonicMs();
  }

  get seen(): Seen {
    return this.#seen;
  }

  get waitedMs(): number {
    return this.#clock.monotonicMs() - this.#since;
  }

  /** Whether a generation is over: its time has passed, or it has not changed for a lease, whatever the wall clock says. */
  isOver({ number, text, record }: Generation): boolean {
    const now = this.#clock.monotonicMs();
    const label = `${number} ${text}`;
    if (label !== this.#label) [this.#label, this.#labelSince] = [label, now];
    const over =
      record === undefined || record.until <= this.#clock.now() || now - this.#labelSince >= this.#leaseMs;
    const { waited } = this.#seen;
    this.#seen = {
      waited: waited || !over,
      ...(waited && over && record?.failed && { failed: record.failed }),
    };
    return over;
  }
}
