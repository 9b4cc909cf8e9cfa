import type { Clock } from "skillctl";
import { pause } from "./pause.ts";

/** How often it is looked whether the time is over, at the longest, in milliseconds. */
const LOOK_MS = 1_000;

export interface IdleOptions {
  /** 0 is no limit. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** Whether the server must stay although nobody asks; looked at when the time is over, which then begins again. */
  readonly isHeld: () => Promise<boolean>;
}

/** Counts the time without a request, on the clock that never jumps. What is under way is no such time. */
export class IdleWatch {
  readonly #options: IdleOptions;
  #since: number;
  #underWay = 0;

  constructor(options: IdleOptions) {
    this.#options = options;
    this.#since = options.clock.monotonicMs();
  }

  /** 0 is no limit. */
  get idleMs(): number {
    return this.#options.idleMs;
  }

  readonly began = (): void => {
    this.#underWay += 1;
  };

  readonly ended = (): void => {
    this.#underWay -= 1;
    this.touch();
  };

  /** The time begins again. */
  readonly touch = (): void => {
    this.#since = this.#options.clock.monotonicMs();
  };

  /** Milliseconds until the time is over; 0 when it is. */
  remaining(): number {
    const { clock } = this.#options;
    if (this.#underWay > 0) this.touch();
    return Math.max(0, this.#since + this.idleMs - clock.monotonicMs());
  }

  /** Settles when the time is over and nothing holds the server, or when the signal is aborted. 0 ms is no limit. */
  async over(signal: AbortSignal): Promise<void> {
    if (this.idleMs === 0) return aborted(signal);
    while (!signal.aborted) {
      const remaining = this.remaining();
      if (remaining > 0) await pause(Math.min(remaining, LOOK_MS), signal);
      else if (await this.#options.isHeld()) this.touch();
      else if (this.remaining() === 0) return;
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
