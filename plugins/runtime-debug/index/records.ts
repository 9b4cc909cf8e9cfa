/** How one line of a log is kept, in memory and on the disk: offset, number, trace, and key with check; 16 bytes. */
export const WORDS = 4;
export const RECORD_BYTES = WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** In the place of a key's number: a line that says what was left out. */
export const GAP = 65_534;
/** The same: a line that is no event. */
export const NO_EVENT = 65_535;

const FIRST_RECORDS = 1_024;
const LARGEST = 0xffff_ffff;

/** Where in a segment's records a line is. Every line of the log has one, so that a line ends where the next begins. */
export class Records {
  #words = new Uint32Array(FIRST_RECORDS * WORDS);
  #length = 0;

  /** How many lines. */
  get length(): number {
    return this.#length;
  }

  /** All of it as it is now; what is added later does not change it. */
  get words(): Uint32Array {
    return this.#words.subarray(0, this.#length * WORDS);
  }

  /** `number` counts from the segment's base; beyond 32 bits it is the largest there is. */
  push(offset: number, number: number, trace: number, key: number): void {
    const at = this.#length * WORDS;
    if (at === this.#words.length) this.#grow(at + WORDS);
    const words = this.#words;
    words[at] = offset;
    words[at + 1] = number > LARGEST ? LARGEST : number;
    words[at + 2] = trace;
    words[at + 3] = key;
    this.#length += 1;
  }

  /** Takes these over. */
  replace(words: Uint32Array<ArrayBuffer>): void {
    this.#words = words;
    this.#length = words.length / WORDS;
  }

  /** By a quarter, so that never more than 20 bytes a line are held. */
  #grow(least: number): void {
    const records = Math.max(least / WORDS, Math.floor(this.#length * 1.25));
    const grown = new Uint32Array(records * WORDS);
    grown.set(this.words);
    this.#words = grown;
  }
}

/** The first record whose word at `column` is at least `value`; both columns 0 and 1 ascend. */
export function lowerBound(words: Uint32Array, column: 0 | 1, value: number): number {
  let low = 0;
  let high = words.length / WORDS;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle * WORDS + column] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
