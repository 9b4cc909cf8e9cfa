/** A line that is longer, in bytes, is no event. */
const MAX_LINE_BYTES = 1024 * 1024;
/** The most lines and bytes that are handed on at once: what one body may hold. */
const MAX_LINES = 1_000;
const MAX_PART_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/** Whole lines, each with its end, at most 1,000 and 1 MiB; or the beginning of one that is too long. */
export interface LinePart {
  readonly bytes: Uint8Array;
  readonly tooLong: boolean;
}

/** Cuts what is read of a growing file into parts of whole lines; a line that has no end yet waits. */
export class LineCutter {
  #rest: Uint8Array = new Uint8Array();
  #skipping: boolean;

  /** Begins with the next line, where reading starts in the middle of one. */
  constructor(inLine = false) {
    this.#skipping = inLine;
  }

  take(bytes: Uint8Array): readonly LinePart[] {
    const parts: LinePart[] = [];
    let from = 0;
    if (this.#skipping) {
      const end = bytes.indexOf(LINE_FEED);
      if (end < 0) return parts;
      this.#skipping = false;
      from = end + 1;
    }
    const all = joined(this.#rest, bytes.subarray(from));
    let start = 0;
    let next = 0;
    let lines = 0;
    const flush = (): void => {
      if (next > start) parts.push({ bytes: all.subarray(start, next), tooLong: false });
      start = next;
      lines = 0;
    };
    for (let end = all.indexOf(LINE_FEED); end >= 0; end = all.indexOf(LINE_FEED, next)) {
      if (lines === MAX_LINES || end + 1 - start > MAX_PART_BYTES) flush();
      if (end + 1 - next > MAX_LINE_BYTES) {
        parts.push({ bytes: all.subarray(next, end + 1), tooLong: true });
        start = end + 1;
      } else lines += 1;
      next = end + 1;
    }
    flush();
    this.#rest = all.slice(next);
    if (this.#rest.byteLength > MAX_LINE_BYTES) {
      parts.push({ bytes: this.#rest, tooLong: true });
      this.#rest = new Uint8Array();
      this.#skipping = true;
    }
    return parts;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.byteLength === 0) return second;
  const all = new Uint8Array(first.byteLength + second.byteLength);
  all.set(first);
  all.set(second, first.byteLength);
  return all;
}
