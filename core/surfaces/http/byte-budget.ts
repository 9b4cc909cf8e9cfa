/** The bytes of one holder, and how to make it release them. */
interface Share {
  readonly bytes: number;
  readonly end: (() => void) | undefined;
}

/**
 * Limits the bytes that all clients of a server make it hold; a limit for each client would not help, since a client can
 * open many connections. The holder without progress for the longest time is ended first, so that stalled clients cannot
 * block active ones.
 */
export class ByteBudget {
  readonly #most: number;
  #bytes = 0;
  /** Shares that can be ended, the least recently changed first. */
  readonly #open = new Map<object, Share>();
  /** Shares that stay until they are released. */
  readonly #needed = new Map<object, Share>();

  /** @param most limit for the sum of all shares, in bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Sets the size of a holder's share and ends others until the sum is within the limit.
   * @param end ends the holder; without it the share stays until it is released
   * @returns whether the sum is within the limit; false if no other share can be ended
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

  /** Releases the share of a holder, if it has one. */
  release(holder: object): void {
    for (const shares of [this.#needed, this.#open]) {
      const share = shares.get(holder);
      if (share && shares.delete(holder)) this.#bytes -= share.bytes;
    }
  }
}
