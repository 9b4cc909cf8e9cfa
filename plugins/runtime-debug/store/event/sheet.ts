/** Numbers below are written without making a string. */
const MOST_SMALL = 1_000_000_000;
const SMALLEST = 131_072;
/** Most bytes that are added to an event beside a second copy of parts of it: session, run, times, flags. */
const ADDED = 32_768;
/** Bytes behind the text: the 0, and what is read beyond it by words. */
const BEHIND = 8;

/**
 * Bytes that are used again for each body: at the end the text to be read, at the beginning what is made of it. Moving
 * bytes within one buffer costs a tenth of moving them between two.
 */
export class Sheet {
  bytes: Buffer = Buffer.alloc(0);
  /** The same bytes. */
  view: DataView = new DataView(new ArrayBuffer(0));
  /** How far it is written. */
  written = 0;
  /** Where the text begins and ends; a byte 0 follows it. */
  start = 0;
  end = 0;
  #full: Buffer[] = [];

  /** Begins anew, with a text to read. */
  load(text: Uint8Array): void {
    this.prepare(text.length);
    this.bytes.set(text, this.start);
  }

  /** Begins anew, with room for a text of so many bytes, and for twice as much in front of it. */
  prepare(length: number): void {
    const room = 2 * (length + ADDED);
    const needed = room + length + BEHIND;
    if (this.bytes.length < needed) {
      this.bytes = Buffer.allocUnsafeSlow(Math.max(SMALLEST, needed));
      this.view = new DataView(this.bytes.buffer);
    }
    this.written = 0;
    this.start = room;
    this.end = room + length;
    this.bytes[this.end] = 0;
    this.#full = [];
  }

  /** Makes room for an event of at most so many bytes, doubled, and what is added to it. */
  makeRoom(length: number): void {
    if (this.written + 2 * length + ADDED > this.start) this.flush();
  }

  /** Puts what is written aside. @returns how many parts are aside */
  flush(): number {
    if (this.written > 0) this.#full.push(Buffer.from(this.bytes.subarray(0, this.written)));
    this.written = 0;
    return this.#full.length;
  }

  /** Forgets what was written since `flush` returned that number. */
  rollBack(parts: number): void {
    this.#full.length = parts;
    this.written = 0;
  }

  /** All that was written, in bytes of its own. */
  take(): Buffer {
    const rest = this.bytes.subarray(0, this.written);
    return this.#full.length === 0 ? Buffer.from(rest) : Buffer.concat([...this.#full, rest]);
  }

  /** Writes a part of any length. */
  append(part: Uint8Array): void {
    if (this.written + part.length > this.start) this.flush();
    if (part.length > this.start) this.#full.push(Buffer.from(part));
    else this.put(part);
  }

  /** Writes a handful of bytes. */
  putShort(part: Uint8Array): void {
    const { bytes } = this;
    let at = this.written;
    for (let place = 0; place < part.length; place++) bytes[at++] = part[place] as number;
    this.written = at;
  }

  put(part: Uint8Array): void {
    this.bytes.set(part, this.written);
    this.written += part.length;
  }

  /** Writes bytes of its own once more. */
  repeat(start: number, end: number): void {
    this.bytes.copyWithin(this.written, start, end);
    this.written += end - start;
  }

  /** Writes a whole number of at least 0. */
  count(value: number): void {
    if (value >= MOST_SMALL) {
      this.put(Buffer.from(String(value)));
      return;
    }
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits++;
    let rest = value;
    for (let at = this.written + digits - 1; at >= this.written; at--) {
      const next = (rest / 10) | 0;
      this.bytes[at] = 0x30 + rest - next * 10;
      rest = next;
    }
    this.written += digits;
  }
}
