import type { Clock } from "skillctl";
import { pause } from "../../server/pause.ts";

/** While events come in, questions wait nine times as long as they have taken: ingest keeps nine tenths of its speed. */
const REST = 9;
/** Nobody waits longer for a turn, in milliseconds. */
const LONGEST_MS = 250;

/** Whose turn it is to ask. Without events nobody waits. */
export class Turns {
  readonly #clock: Clock;
  #free = 0;
  #seq = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers a question in its turn; `seq` is the number of the last event. */
  async take<T>(seq: number, signal: AbortSignal, answer: () => Promise<T>): Promise<T> {
    const wait = this.#free - this.#clock.monotonicMs();
    if (seq !== this.#seq && wait > 0) await pause(Math.min(wait, LONGEST_MS), signal);
    const from = this.#clock.monotonicMs();
    try {
      return await answer();
    } finally {
      const now = this.#clock.monotonicMs();
      this.#seq = seq;
      this.#free = Math.max(this.#free, now) + REST * (now - from);
    }
  }
}
