import * as fs from "node:fs";
import { promisify } from "node:util";
import type { JournalReader } from "../ports/journal.ts";
import { closedError, unreadable } from "./journal-errors.ts";

/** Up to this size bytes are read in one go, which is many times faster than through Node's thread pool. */
const SMALL_BYTES = 64 * 1024;

const readOnThread = promisify(fs.read);

/** Reads a file by a descriptor of its own, so that it stays readable whatever becomes of its name. */
export class FileReader implements JournalReader {
  readonly path: string;
  bytes: number;
  #descriptor: number | undefined;
  readonly #under = new Set<Promise<unknown>>();

  constructor(path: string, descriptor: number, bytes: number) {
    this.path = path;
    this.#descriptor = descriptor;
    this.bytes = bytes;
  }

  /** @throws SkillError `FILE_UNREADABLE` when it is closed. */
  get descriptor(): number {
    if (this.#descriptor === undefined) throw closedError(this.path, "FILE_UNREADABLE");
    return this.#descriptor;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const { descriptor } = this;
    const wanted = Math.min(length, this.bytes - offset);
    if (wanted <= 0) return new Uint8Array();
    const reading = filled(Buffer.allocUnsafe(wanted), descriptor, offset);
    this.#under.add(reading);
    try {
      return await reading;
    } catch (cause) {
      throw unreadable(this.path, cause);
    } finally {
      this.#under.delete(reading);
    }
  }

  async close(): Promise<void> {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    this.#descriptor = undefined;
    // A number given back too early would be read again as another file.
    await Promise.allSettled(this.#under);
    fs.closeSync(descriptor);
  }
}

/** Fills a buffer from a place on; answers the part that was filled where the file ends before. */
async function filled(bytes: Buffer, descriptor: number, offset: number): Promise<Uint8Array> {
  for (let done = 0; done < bytes.length;) {
    const rest = bytes.length - done;
    const got =
      rest <= SMALL_BYTES
        ? fs.readSync(descriptor, bytes, done, rest, offset + done)
        : (await readOnThread(descriptor, bytes, done, rest, offset + done)).bytesRead;
    if (got === 0) return bytes.subarray(0, done);
    done += got;
  }
  return bytes;
}
