import * as fs from "node:fs";
import type { SkillError } from "../errors/skill-error.ts";

const FIRST_BYTES = 64 * 1024;
/** What is kept after a larger commit. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** The longest that one UTF-16 unit becomes in UTF-8. */
const BYTES_A_UNIT = 3;

/** The bytes that go out with the next commit, one after another in one buffer, which every commit uses again. */
export class JournalStage {
  bytes = 0;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);

  add(lines: Uint8Array | string): void {
    if (typeof lines === "string") {
      this.#reserve(lines.length * BYTES_A_UNIT);
      this.bytes += this.#buffer.write(lines, this.bytes);
    } else {
      this.#reserve(lines.length);
      this.#buffer.set(lines, this.bytes);
      this.bytes += lines.length;
    }
  }

  /** Writes everything at the end of a file. Some of it may be there when this throws. */
  write(descriptor: number): void {
    for (let written = 0; written < this.bytes;)
      written += fs.writeSync(descriptor, this.#buffer, written, this.bytes - written);
  }

  /** A copy of the last bytes. */
  tail(most: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffer, Math.max(0, this.bytes - most), this.bytes);
  }

  clear(): void {
    this.bytes = 0;
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  }

  #reserve(bytes: number): void {
    if (this.bytes + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes + bytes, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.bytes);
    this.#buffer = larger;
  }
}

/** What goes out in one commit of a journal, and the promise of all who wait for it. */
export class Batch {
  bytes = 0;
  /** Its last bytes. */
  tail: Uint8Array = new Uint8Array();
  resolve!: () => void;
  reject!: (error: SkillError) => void;
  readonly settled = new Promise<void>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}
