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
