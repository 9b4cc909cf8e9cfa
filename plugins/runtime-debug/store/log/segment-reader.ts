import { SkillError, type ByteRange, type JournalReader, type Journals, type Log } from "skillctl";
import type { LineIndex } from "./line-index.ts";

/**
 * One file of a session's log. A compaction or a clear puts another object in its place; what the old one refers to can
 * still be read for a while, so that an answer under way comes to its end: whoever reads takes `reader` and the offsets
 * of `index` in the same turn of the loop.
 */
export interface Segment {
  /** From 1; 0 is a log that another tool left under the name it gives. The visible one has the greatest. */
  readonly number: number;
  /** Absolute. */
  readonly path: string;
  readonly reader: JournalReader;
  readonly index: LineIndex;
}

/**
 * The bytes of a segment for who answers questions. It stays good when the file gets another name; of an earlier
 * segment no file is held open, so that there can be any number of them.
 */
export class SegmentReader implements JournalReader {
  readonly #journals: Journals;
  #path: string;
  #bytes: number;
  #source: JournalReader | undefined;
  #moving: Promise<unknown> | undefined;
  #over = false;

  /** With a `source` that is what is read, until it is let go; without, the file of that path and size. */
  constructor(journals: Journals, path: string, from: { source: JournalReader } | { bytes: number }) {
    this.#journals = journals;
    this.#path = path;
    this.#source = "source" in from ? from.source : undefined;
    this.#bytes = "bytes" in from ? from.bytes : 0;
  }

  get path(): string {
    return this.#path;
  }

  get bytes(): number {
    return this.#source?.bytes ?? this.#bytes;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const [bytes] = await this.readAll([{ offset, length }]);
    return bytes as Uint8Array;
  }

  async readAll(places: readonly ByteRange[]): Promise<readonly Uint8Array[]> {
    if (this.#moving) await this.#moving;
    if (this.#source) return this.#source.readAll(places);
    const file = this.#over ? undefined : await this.#journals.openToRead(this.#path);
    if (!file) throw gone(this.#path);
    try {
      const end = this.#bytes;
      return await file.readAll(
        places.map(({ offset, length }) => ({ offset, length: Math.min(length, end - offset) })),
      );
    } finally {
      await file.close();
    }
  }

  /** Who reads meanwhile waits until the file has its other name. What was held open is closed before. */
  async move(to: string, rename: () => Promise<void>): Promise<void> {
    const moved = this.#letGo().then(rename);
    this.#moving = moved.then(
      () => (this.#path = to),
      // Whoever moves it is told; it is read on under the name it has.
      () => undefined,
    );
    await moved;
    await this.#moving;
  }

  /** Holds the file of now open, so that another one can take its name. */
  async pin(): Promise<void> {
    this.#source ??= await this.#journals.openToRead(this.#path);
  }

  /** Ends reading: another file has the name by now, or none. */
  async close(): Promise<void> {
    this.#over = true;
    await this.#letGo();
  }

  async #letGo(): Promise<void> {
    this.#bytes = this.bytes;
    const source = this.#source;
    this.#source = undefined;
    await source?.close();
  }
}

function gone(path: string): SkillError {
  return new SkillError("FILE_UNREADABLE", `${path} was removed or rewritten while it was being read.`, {
    file: path,
    hint: "Ask again.",
  });
}

/** So many stay open, and so long, in milliseconds: a file that was replaced keeps its room on the disk until then. */
export const MOST_RETIRED = 4;
const RETIRED_MS = 10_000;

/** Readers of files that have been replaced: the latest ones stay open a while for answers under way. */
export class RetiredReaders {
  readonly #log: Log;
  readonly #readers = new Map<JournalReader, NodeJS.Timeout>();

  constructor(log: Log) {
    this.#log = log;
  }

  add(reader: JournalReader): void {
    this.#readers.set(reader, setTimeout(() => this.#release(reader), RETIRED_MS).unref());
    for (const old of [...this.#readers.keys()].slice(0, -MOST_RETIRED)) this.#release(old);
  }

  async close(): Promise<void> {
    for (const [reader, timer] of this.#readers) {
      clearTimeout(timer);
      await reader.close();
    }
    this.#readers.clear();
  }

  /** Nothing depends on it any more; that its file could not be closed changes no answer. */
  #release(reader: JournalReader): void {
    clearTimeout(this.#readers.get(reader));
    this.#readers.delete(reader);
    void reader.close().catch(this.#log.detail);
  }
}
