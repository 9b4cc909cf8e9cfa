import * as fs from "node:fs";
import { promisify } from "node:util";
import type { JournalReader, ByteRange } from "../ports/journal.ts";
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
    const [bytes] = await this.readAll([{ offset, length }]);
    return bytes as Uint8Array;
  }

  async readAll(places: readonly ByteRange[]): Promise<readonly Uint8Array[]> {
    const { descriptor } = this;
    const reading = filledAll(descriptor, places, this.bytes);
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

/** The bytes of each place, of those that a file has up to `end`. Nobody waits between small ones. */
async function filledAll(
  descriptor: number,
  places: readonly ByteRange[],
  end: number,
): Promise<readonly Uint8Array[]> {
  const all: Uint8Array[] = [];
  for (const { offset, length } of places) {
    const wanted = Math.max(0, Math.min(length, end - offset));
    const bytes = Buffer.allocUnsafe(wanted);
    const got =
      wanted <= SMALL_BYTES ? fillNow(bytes, descriptor, offset) : await fill(bytes, descriptor, offset);
    all.push(got < wanted ? bytes.subarray(0, got) : bytes);
  }
  return all;
}

/** Fills a buffer from a place on; answers how much of it, which is less where the file ends before. */
function fillNow(bytes: Buffer, descriptor: number, offset: number): number {
  let done = 0;
  for (let got = -1; got !== 0 && done < bytes.length; done += got)
    got = fs.readSync(descriptor, bytes, done, bytes.length - done, offset + done);
  return done;
}

/** The same in Node's thread pool. */
async function fill(bytes: Buffer, descriptor: number, offset: number): Promise<number> {
  let done = 0;
  for (let got = -1; got !== 0 && done < bytes.length; done += got)
    ({ bytesRead: got } = await readOnThread(descriptor, bytes, done, bytes.length - done, offset + done));
  return done;
}
