import { dirname } from "node:path";
import { setImmediate as nextPhase } from "node:timers/promises";
import { SkillError } from "../errors/skill-error.ts";
import type { Durability, Journal, JournalLoss } from "../ports/journal.ts";
import { quotedName } from "../quoted-name.ts";
import type { JournalFile } from "./journal-file.ts";
import { lostError, storageError, unsafeError } from "./storage-errors.ts";

/** More than this does not wait for the disk. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** So much of the last acknowledged bytes is compared after a failure. */
const TAIL_BYTES = 64;

/** What goes out in one commit, and the promise of all who wait for it. */
class Batch {
  readonly chunks: Uint8Array[] = [];
  bytes = 0;
  resolve!: () => void;
  reject!: (error: SkillError) => void;
  readonly settled = new Promise<void>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

/**
 * A journal in a file. Chunks of one turn of the event loop are one commit: written on this thread, synced in Node's
 * thread pool. What comes meanwhile is the next commit, which begins as soon as that sync has ended: a write of its own
 * beside a sync could hold this thread for as long as the disk is busy. After any failure nothing goes out until the file
 * has been opened anew, cut to what is known to last, and synced. A failed sync is not tried again: Linux tells an error
 * of writing back once to each descriptor.
 */
export class FileJournal implements Journal {
  loss: JournalLoss | undefined;
  #file: JournalFile;
  readonly #open: () => Promise<JournalFile>;
  readonly #isDurable: boolean;
  /** False when the file has to be opened anew before the next commit. */
  #isSound = true;
  /** The last acknowledged bytes, as far as this journal wrote them. */
  #tail: Uint8Array = new Uint8Array();
  /** Of the commit that is under way. */
  #writing = 0;
  #waiting: Batch | undefined;
  /** Commits, or a cut and the commits after it, while they are under way; it never rejects. */
  #work: Promise<void> | undefined;
  /** What has happened to the file, for good. */
  #over: SkillError | undefined;
  #isClosed = false;

  /** It closes the file, all of which lasts. `open` opens another descriptor of the file. */
  constructor(file: JournalFile, durability: Durability, open: () => Promise<JournalFile>) {
    this.#file = file;
    this.#open = open;
    this.#isDurable = durability === "sync";
  }

  get path(): string {
    return this.#file.path;
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  get end(): number {
    return this.bytes + this.#writing + (this.#waiting?.bytes ?? 0);
  }

  append(lines: Uint8Array | string): Promise<void> {
    const refusal = this.#refusal(lines.length);
    if (refusal) return Promise.reject(refusal);
    // A copy, of bytes too.
    const chunk = Buffer.from(lines as string);
    const batch = (this.#waiting ??= new Batch());
    batch.chunks.push(chunk);
    batch.bytes += chunk.length;
    this.#work ??= this.#commitAll();
    return batch.settled;
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return this.#file.read(offset, length);
  }

  async verify(): Promise<void> {
    const refusal = this.#refusal(0);
    if (refusal) throw refusal;
    try {
      this.#check(this.bytes, this.#work || !this.#isSound ? Infinity : this.bytes);
    } catch (caught) {
      throw storageError(this.path, caught);
    }
  }

  async cut(bytes: number): Promise<void> {
    const refusal = this.#refusal(0);
    if (refusal) throw refusal;
    if (this.end > this.bytes || bytes > this.bytes || bytes < 0)
      throw new SkillError(
        "INTERNAL",
        `${this.path} was to be cut while it was written to, or to more than it has.`,
        { file: this.path, hint: "Report this: the journal port says when it can be cut." },
      );
    const cutting = this.#cut(bytes);
    this.#work = cutting.catch(() => undefined);
    try {
      await cutting;
    } finally {
      this.#work = this.#waiting && this.#commitAll();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#work) await this.#work;
    await this.#file.close();
  }

  #refusal(bytes: number): SkillError | undefined {
    const file = this.path;
    if (this.#over) return this.#over;
    if (this.#isClosed)
      return new SkillError("STORAGE_FAILED", `${quotedName(file)} has been closed.`, {
        file,
        hint: "Open it again.",
      });
    if (this.end - this.bytes + bytes <= MOST_WAITING_BYTES) return undefined;
    const hint = "Wait a little and send it again.";
    return new SkillError("STORAGE_BUSY", `Too much waits to be written to ${quotedName(file)}.`, {
      file,
      hint,
    });
  }

  async #commitAll(): Promise<void> {
    // In the next phase of the event loop, so that all that came in at once shares a commit.
    await nextPhase();
    while (this.#waiting) await this.#commit(this.#waiting);
    this.#work = undefined;
  }

  async #commit(batch: Batch): Promise<void> {
    this.#waiting = undefined;
    this.#writing = batch.bytes;
    try {
      if (this.#isSound) this.#check(this.bytes);
      else await this.#openAnew();
      this.#file.write(batch.chunks);
      if (this.#isDurable) await this.#file.sync();
      this.#check(this.bytes + batch.bytes);
      this.#file.bytes += batch.bytes;
      this.#tail = Buffer.from((batch.chunks.at(-1) ?? new Uint8Array()).subarray(-TAIL_BYTES));
      this.#writing = 0;
      // After the next commit has begun, so that the disk has something to do while those who waited are told.
      setImmediate(batch.resolve);
    } catch (caught) {
      const error = await this.#failed(caught);
      const refused = [batch, this.#waiting];
      this.#waiting = undefined;
      this.#writing = 0;
      for (const one of refused) one?.reject(error);
    }
  }

  /** Cuts the file back at once where that can be done; else the next commit does it. */
  async #failed(caught: unknown): Promise<SkillError> {
    if (this.#isSound && !this.#over) {
      this.#isSound = false;
      await this.#openAnew().catch(() => undefined);
    }
    return this.#over ?? storageError(this.path, caught);
  }

  /** Opens the file again and cuts it to what is known to last. */
  async #openAnew(): Promise<void> {
    this.#check(this.bytes, Infinity);
    const next = await this.#open();
    try {
      if (!next.isSame(this.#file)) throw this.#end("replaced");
      next.bytes = this.bytes;
      const tail = await next.read(this.bytes - this.#tail.length, this.#tail.length);
      if (Buffer.compare(tail, this.#tail) !== 0) throw this.#end("changed");
      await next.cut(this.bytes);
      this.#check(this.bytes);
    } catch (caught) {
      await next.close();
      throw caught;
    }
    const failed = this.#file;
    this.#file = next;
    this.#isSound = true;
    await failed.close().catch(() => undefined);
  }

  async #cut(bytes: number): Promise<void> {
    try {
      if (this.#isSound) this.#check(this.bytes);
      else await this.#openAnew();
      this.#file.bytes = bytes;
      this.#tail = new Uint8Array();
      await this.#file.cut(bytes);
      this.#check(bytes);
    } catch (caught) {
      this.#isSound = false;
      throw storageError(this.path, caught);
    }
  }

  /** @throws SkillError `STORAGE_LOST`, `STORAGE_UNSAFE`, for good; and as fs does */
  #check(least: number, most = least): void {
    const fault = this.#file.fault(least, most);
    if (fault) throw this.#end(fault);
  }

  /** The error of what has happened to the file; the first one stays. */
  #end(fault: JournalLoss | "unsafe"): SkillError {
    if (fault !== "unsafe") this.loss ??= fault;
    return (this.#over ??=
      fault === "unsafe"
        ? unsafeError(dirname(this.path), "is a link or another folder now")
        : lostError(this.path, fault));
  }
}
