import { NUMBER_DIGITS, NUMBER_MARK } from "./event-body.ts";
import { eachLine } from "./log-lines.ts";

const ZERO = 48;

/** Gives every event of a server its own number, and holds the log against what was acknowledged. */
export class Numbers {
  #next = 0;
  readonly #unanswered = new Set<number>();

  /** The first of so many new numbers. */
  take(count: number): number {
    const first = this.#next;
    this.#next += count;
    return first;
  }

  /** Says that nobody acknowledged these events: they may be in the log or not. */
  giveUp(first: number, count: number): void {
    for (let number = first; number < first + count; number += 1) this.#unanswered.add(number);
  }

  get acknowledged(): number {
    return this.#next - this.#unanswered.size;
  }

  /**
   * Reads the log: every acknowledged event is in it once, and nothing that was not sent.
   * @throws Error with how many are missing, doubled or unknown.
   */
  check(log: string): void {
    const seen = new Uint8Array(this.#next);
    let [doubled, unknown] = [0, 0];
    eachLine(log, (chunk, start, end) => {
      const number = numberOf(chunk, start, end);
      if (number === undefined || number >= this.#next) unknown += 1;
      else if (seen[number] === 1) doubled += 1;
      else seen[number] = 1;
    });
    let missing = 0;
    for (const [number, is] of seen.entries()) if (is === 0 && !this.#unanswered.has(number)) missing += 1;
    if (missing + doubled + unknown === 0) return;
    const told = `${missing} missing, ${doubled} doubled, ${unknown} that nobody sent`;
    throw new Error(`Of ${this.acknowledged} acknowledged events in ${log}: ${told}.`);
  }
}

function numberOf(chunk: Buffer, start: number, end: number): number | undefined {
  const at = chunk.indexOf(NUMBER_MARK, start) + NUMBER_MARK.length;
  if (at < start + NUMBER_MARK.length || at + NUMBER_DIGITS > end) return undefined;
  let number = 0;
  for (let digit = 0; digit < NUMBER_DIGITS; digit += 1)
    number = number * 10 + ((chunk[at + digit] as number) - ZERO);
  return number;
}
