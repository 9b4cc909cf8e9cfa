import type { SkillError } from "../errors/skill-error.ts";
import type { Durability, Journal, JournalLoss, ByteRange } from "../ports/journal.ts";
import { busyError, closedError, misusedError, storageError } from "./journal-errors.ts";
import { type JournalPlace, JournalWriters } from "./journal-place.ts";
import type { FileReader } from "./journal-reader.ts";
import { Batch, JournalStage } from "./journal-stage.ts";

/** More than this does not wait for the disk. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** So much of the last acknowledged bytes is compared after a failure. */
const TAIL_BYTES = 64;

/**
 * A journal in a file. Chunks of one turn of the event loop are one commit: written on this thread, synced in Node's
 * thread pool. What comes meanwhile is the next commit, which begins as soon as that sync has ended: a write of its own
 * beside a sync could hold this thread for as long as the disk is busy. After any failure nothing goes out until the file
 * has been opened anew, cut to what is known to last, and synced. A failed sync is not tried again.
 */
export class FileJournal implements Journal {
  readonly path: string;
  readonly #place: JournalPlace;
  readonly #reader: FileReader;
  readonly #durable: boolean;
  readonly #stage = new JournalStage();
  /** None when the file has to be opened anew before the next commit. */
  #writers: JournalWriters | undefined;
  #written: number;
  /** Bytes that the file may have beyond those that last, when it could not be cut. */
  #reach = 0;
  /** The last acknowledged bytes, as far as this journal wrote them. */
  #tail: Uint8Array = new Uint8Array();
  /** Being written and synced. */
  #open: Batch | undefined;
  #waiting: Batch | undefined;
  #due = false;
  /** No commit begins: the file is being mended or cut. */
  #held = false;
  #cutting: Promise<void> | undefined;
  #fault: SkillError | undefined;
  #closed = false;

  readonly #reopen: (place: JournalPlace) => JournalWriters;

  /** It closes the reader and the writers. `reopen` is how it gets new writers after a failure. */
  constructor(
    place: JournalPlace,
    reader: FileReader,
    writers: JournalWriters,
    durability: Durability,
    reopen = (file: JournalPlace): JournalWriters => JournalWriters.open(file),
  ) {
    this.#reopen = reopen;
    this.path = place.path;
    this.#place = place;
    this.#reader = reader;
    this.#writers = writers;
    this.#written = reader.bytes;
    this.#durable = durability === "sync";
  }

  get bytes(): number {
    return this.#reader.bytes;
  }

  get end(): number {
    return this.#written + this.#stage.bytes;
  }

  get loss(): JournalLoss | undefined {
    return this.#place.loss;
  }

  append(lines: Uint8Array | string): Promise<void> {
    const refusal = this.#refusal(lines.length);
    if (refusal) return Promise.reject(refusal);
    this.#stage.add(lines);
    this.#waiting ??= new Batch();
    this.#schedule();
    return this.#waiting.settled;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return this.#reader.read(offset, length);
  }

  readAll(places: readonly ByteRange[]): Promise<readonly Uint8Array[]> {
    return this.#reader.readAll(places);
  }

  async verify(): Promise<void> {
    const refusal = this.#refusal(0);
    if (refusal) throw refusal;
    // While it is being mended or cut its length is nobody's business, and both look themselves.
    if (this.#held) return;
    try {
      this.#check(this.#written, this.#most);
    } catch (caught) {
      throw storageError(this.path, caught);
    }
  }

  async cut(bytes: number): Promise<void> {
    const refusal = this.#refusal(0);
    if (refusal) throw refusal;
    if (this.#held || this.#waiting || this.#open || bytes > this.bytes || bytes < 0)
      throw misusedError(this.path);
    this.#cutting = this.#cut(bytes);
    await this.#cutting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    // Who waits for these is told; here only their end counts.
    for (let last; (last = this.#waiting ?? this.#open);) await last.settled.catch(() => undefined);
    await this.#cutting?.catch(() => undefined);
    this.#disarm();
    await this.#reader.close();
  }

  #refusal(bytes: number): SkillError | undefined {
    if (this.#place.over) return this.#place.over;
    if (this.#closed) return closedError(this.path);
    return this.end - this.bytes + bytes > MOST_WAITING_BYTES ? busyError(this.path) : undefined;
  }

  /** In the next phase of the event loop, so that all that came in at once shares a commit. */
  #schedule(): void {
    if (this.#due || this.#idle) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      if (this.#waiting && !this.#idle) this.#commit(this.#waiting);
    });
  }

  /** Whether nothing can go out now; what ends that schedules the next commit. */
  get #idle(): boolean {
    return this.#held || this.#open !== undefined;
  }

  #commit(batch: Batch): void {
    try {
      if (this.#writers) this.#check(this.#written);
    } catch (caught) {
      this.#fail(caught);
      return;
    }
    this.#write(batch);
  }

  /** The file has been looked at in this turn of the loop. */
  #write(batch: Batch): void {
    const writers = this.#writers;
    if (!writers) {
      void this.#mend();
      return;
    }
    this.#waiting = undefined;
    this.#open = batch;
    try {
      this.#stage.write(writers.append);
    } catch (caught) {
      this.#fail(caught);
      return;
    }
    batch.bytes = this.#stage.bytes;
    batch.tail = this.#stage.tail(TAIL_BYTES);
    this.#written += batch.bytes;
    this.#stage.clear();
    if (this.#durable) writers.sync((error) => (error ? this.#fail(error) : this.#settle(batch)));
    else this.#settle(batch);
  }

  #settle(batch: Batch): void {
    try {
      this.#check(this.#written);
    } catch (caught) {
      this.#fail(caught);
      return;
    }
    this.#open = undefined;
    this.#reader.bytes += batch.bytes;
    this.#tail = batch.tail;
    batch.resolve();
    // Before those who waited are told, which takes longer, so that the disk has something to do meanwhile.
    if (this.#waiting) this.#write(this.#waiting);
  }

  #fail(caught: unknown): void {
    this.#fault = storageError(this.path, caught);
    void this.#mend();
  }

  /** Gets the file ready for the next commit, and rejects what waits if something failed, before or now. */
  async #mend(): Promise<void> {
    this.#held = true;
    try {
      if (this.#place.over) this.#disarm();
      else await this.#openAnew();
    } catch (caught) {
      this.#fault ??= storageError(this.path, caught);
    }
    const error = this.#place.over ?? this.#fault;
    const failed = error ? [this.#open, this.#waiting] : [];
    if (error) {
      this.#open = undefined;
      this.#waiting = undefined;
      if (!this.#writers) this.#reach = this.#most;
      this.#stage.clear();
      this.#written = this.bytes;
    }
    this.#fault = undefined;
    this.#held = false;
    for (const batch of failed) batch?.reject(error as SkillError);
    if (this.#waiting) this.#schedule();
  }

  /** The most bytes that the file can have without somebody else's doing: after a failure some that are no good. */
  get #most(): number {
    return this.#fault || !this.#writers ? Math.max(this.#reach, this.end) : this.#written;
  }

  /** Opens the file again and cuts it to what is known to last. Until that has succeeded there are no writers. */
  async #openAnew(): Promise<JournalWriters> {
    this.#disarm();
    this.#check(this.bytes, this.#most);
    const writers = this.#reopen(this.#place);
    try {
      const from = this.bytes - this.#tail.length;
      const tail = await this.#reader.read(from, this.#tail.length);
      if (Buffer.compare(tail, this.#tail) !== 0) throw this.#place.end("changed");
      await writers.cut(this.bytes);
      this.#check(this.bytes);
    } catch (caught) {
      writers.close();
      throw caught;
    }
    this.#reach = 0;
    this.#writers = writers;
    return writers;
  }

  async #cut(bytes: number): Promise<void> {
    this.#held = true;
    try {
      const writers = this.#writers ?? (await this.#openAnew());
      this.#check(this.bytes);
      this.#reach = this.bytes;
      this.#written = this.#reader.bytes = bytes;
      this.#tail = new Uint8Array();
      await writers.cut(bytes);
      this.#check(bytes);
      this.#reach = 0;
    } catch (caught) {
      this.#disarm();
      throw storageError(this.path, caught);
    } finally {
      this.#held = false;
      if (this.#waiting) this.#schedule();
    }
  }

  #disarm(): void {
    this.#writers?.close();
    this.#writers = undefined;
  }

  #check(least: number, most = least): void {
    this.#place.check(this.#reader.descriptor, least, most);
  }
}
