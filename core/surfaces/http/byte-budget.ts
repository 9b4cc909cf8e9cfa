/** How much one of the holders holds, and how it is made to give that back. */
interface Share {
  readonly bytes: number;
  readonly end: (() => void) | undefined;
}

/**
 * The bytes that the clients of one server make it hold, bounded for all of them together: a limit for each client bounds
 * nothing where a client opens as many connections as it likes. Who makes no progress for the longest gives way first, so
 * that stalled clients cannot keep out one that goes on.
 */
export class ByteBudget {
  readonly #most: number;
  #bytes = 0;
  /** Shares that can be ended, the one whose size changed least recently first. */
  readonly #open = new Map<object, Share>();
  /** Shares that are needed until they are released. */
  readonly #needed = new Map<object, Share>();

  /** @param most bytes of all shares together */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Sets the size of a holder's share and ends others until all fit.
   * @param end ends the holder when others need the room; without it the share stays until it is released
   * @returns whether all shares fit; false where nothing else can be ended
   */
  hold(holder: object, bytes: number, end?: () => void): boolean {
    this.release(holder);
    (end ? this.#open : this.#needed).set(holder, { bytes, end });
    this.#bytes += bytes;
    if (this.#bytes <= this.#most) return true;
    for (const [other, share] of this.#open) {
      if (this.#bytes <= this.#most) break;
      if (other === holder) continue;
      this.release(other);
      share.end?.();
    }
    return this.#bytes <= this.#most;
  }

  /** Gives back all that a holder has; nothing where it has no share. */
  release(holder: object): void {
    for (const shares of [this.#needed, this.#open]) {
      const share = shares.get(holder);
      if (share && shares.delete(holder)) this.#bytes -= share.bytes;
    }
  }
}
