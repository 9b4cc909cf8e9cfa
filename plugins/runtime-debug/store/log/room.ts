/** How large the visible log may become beside the earlier ones: docs/runtime-debug.md, section Limits. */
export class Limits {
  readonly #maxBytes: number;
  #share: number;
  /** From here on room is made while appends go on. */
  #soft: number;
  /** From here on they wait for it. */
  #hard: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#share = this.#soft = this.#hard = maxBytes;
  }

  /** What is kept of the beginning of a visible log that has become too large, and what of its end. */
  get keep(): number {
    return Math.floor(this.#share / 4);
  }

  /** What the visible log may become at the most. */
  get most(): number {
    return this.#hard;
  }

  /** Takes note of the size of the earlier segments. */
  measure(earlier: number): void {
    this.#share = Math.max(this.#maxBytes - earlier, this.#maxBytes / 2);
    this.#hard = this.#share;
    this.#soft = (this.#share * 7) / 8;
  }

  /** Whether earlier segments leave the visible one less than its half. */
  crowded(earlier: number): boolean {
    return earlier > this.#maxBytes / 2;
  }

  near(bytes: number): boolean {
    return bytes >= this.#soft;
  }

  reached(bytes: number): boolean {
    return bytes >= this.#hard;
  }

  /** No room could be made: it is tried again somewhat later, and until the end is reached nobody waits. */
  postpone(bytes: number): void {
    this.#soft = Math.min(bytes + this.#share / 16, this.#hard);
  }

  /** Nothing is left that could go, as with a few huge lines: the log may be larger by an eighth. */
  widen(bytes: number): void {
    this.#soft = this.#hard = bytes + this.#share / 8;
  }
}

/** Appends may be ahead by this part of the room that there was. */
const AHEAD = 1 / 16;

/** Lets a log grow only as fast as room is made for it, so that no append has to wait for all of that. */
export class Pace {
  #from = 0;
  #to = 0;
  /** How much of the work is done, from 0 to 1; 1 while there is none. */
  #done = 1;
  #waiting: Promise<void> | undefined;
  #goOn = (): void => undefined;

  /** Work begins; while it advances the log may grow from one size to another. */
  begin(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
    this.#done = 0;
  }

  advance(done: number): void {
    this.#done = Math.min(1, done);
    this.#waiting = undefined;
    this.#goOn();
  }

  end(): void {
    this.advance(1);
  }

  /** What has to be waited for before a log of that size may grow; `undefined` when there is nothing. */
  wait(bytes: number): Promise<void> | undefined {
    const room = this.#to - this.#from;
    if (this.#done === 1 || bytes < this.#from + room * (this.#done + AHEAD)) return undefined;
    this.#waiting ??= new Promise((resolve) => (this.#goOn = resolve));
    return this.#waiting;
  }
}
