/** How one line of a log is kept, in memory and on the disk: offset, number, trace, and key with check; 16 bytes. */
export const WORDS = 4;
export const RECORD_BYTES = WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** In the place of a key's number: a line that says what was left out. */
export const GAP = 65_534;
/** The same: a line that is no event. */
export const NO_EVENT = 65_535;

/** 64 KiB. */
const PAGE_LINES = 4_096;
const PAGE_WORDS = PAGE_LINES * WORDS;
/** The first page begins small: a session that is cleared again and again has many segments of a handful of lines. */
const FIRST_WORDS = 64 * WORDS;
const LARGEST = 0xffff_ffff;

/** The records of the lines from one to before another, `WORDS` words each; not to be changed. */
export type RecordsOf = (from: number, to: number) => Uint32Array;

/**
 * Where in a segment's records a line is. Every line of the log has one, so that a line ends where the next begins. They
 * lie in pages, so that what fills one is never copied again to make room for others.
 */
export class Records {
  #pages: Uint32Array[] = [];
  #last: Uint32Array = new Uint32Array();
  #used = 0;
  #length = 0;

  /** How many lines. */
  get length(): number {
    return this.#length;
  }

  /** All of it as it is now; a copy where it is more than a page. */
  get words(): Uint32Array {
    return this.view()(0, this.#length);
  }

  /** Of the lines there are now; what is added or replaced later does not change it. */
  view(): RecordsOf {
    const pages = this.#pages;
    return (from, to) => piece(pages, from * WORDS, to * WORDS);
  }

  /** `number` counts from the segment's base; beyond 32 bits it is the largest there is. */
  push(offset: number, number: number, trace: number, key: number): void {
    if (this.#used === this.#last.length) this.#turn();
    const words = this.#last;
    const at = this.#used;
    words[at] = offset;
    words[at + 1] = number > LARGEST ? LARGEST : number;
    words[at + 2] = trace;
    words[at + 3] = key;
    this.#used = at + WORDS;
    this.#length += 1;
  }

  /** Takes these over. */
  replace(words: Uint32Array): void {
    this.#pages = [];
    for (let at = 0; at < words.length; at += PAGE_WORDS)
      this.#pages.push(words.subarray(at, at + PAGE_WORDS));
    this.#last = this.#pages.at(-1) ?? new Uint32Array();
    this.#used = this.#last.length;
    this.#length = words.length / WORDS;
  }

  /** A small page gives way to one of twice its size, a whole one to the next. */
  #turn(): void {
    const small = this.#last.length < PAGE_WORDS ? this.#pages.pop() : undefined;
    this.#used = small?.length ?? 0;
    const first = this.#pages.length === 0 ? FIRST_WORDS : PAGE_WORDS;
    this.#last = new Uint32Array(Math.min(PAGE_WORDS, Math.max(first, this.#used * 2)));
    if (small) this.#last.set(small);
    this.#pages.push(this.#last);
  }
}

function piece(pages: readonly Uint32Array[], from: number, to: number): Uint32Array {
  const first = Math.floor(from / PAGE_WORDS);
  const start = from - first * PAGE_WORDS;
  if (start + to - from <= PAGE_WORDS)
    return (pages[first] ?? new Uint32Array()).subarray(start, start + to - from);
  const joined = new Uint32Array(to - from);
  for (let at = from; at < to;) {
    const page = Math.floor(at / PAGE_WORDS);
    const end = Math.min(to, (page + 1) * PAGE_WORDS);
    const words = pages[page] as Uint32Array;
    joined.set(words.subarray(at - page * PAGE_WORDS, end - page * PAGE_WORDS), at - from);
    at = end;
  }
  return joined;
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
