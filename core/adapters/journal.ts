import { dirname } from "node:path";
import { setImmediate as nextPhase } from "node:timers/promises";
import { SkillError } from "../errors/skill-error.ts";
import type { Durability, Journal, JournalLoss } from "../ports/journal.ts";
import { quotedName } from "../quoted-name.ts";
import type { JournalFile } from "./journal-file.ts";
import { lostError, storageError, unsafeError } from "./storage-errors.ts";

/** Limit of pending bytes. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** This many of the last acknowledged bytes are compared after a failure. */
const TAIL_BYTES = 64;

/** The chunks of one commit and the promise of its callers. */
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
 * A journal in a file. Chunks of one turn of the event loop form one commit: written on this thread, synced in Node's
 * thread pool. Later chunks form the next commit, which begins when that sync has ended: a write during a sync could block
 * this thread for as long as the disk is busy. After a failure nothing is written until the file has been reopened,
 * truncated to its durable length, and synced. A failed sync is not repeated: Linux reports a write-back error once to each
 * descriptor.
 */
export class FileJournal implements Journal {
  loss: JournalLoss | undefined;
  #file: JournalFile;
  readonly #open: () => Promise<JournalFile>;
  readonly #isDurable: boolean;
  /** False if the file must be reopened before the next commit. */
  #isSound = true;
  /** The last acknowledged bytes of this journal. */
  #tail: Uint8Array = new Uint8Array();
  /** Number of bytes in the current commit. */
  #writing = 0;
  #waiting: Batch | undefined;
  /** Pending commits and truncations; never rejects. */
  #work: Promise<void> | undefined;
  /** The permanent error of the journal. */
  #over: SkillError | undefined;
  #isClosed = false;

  /** Takes ownership of `file`, whose content must be durable. `open` opens another descriptor of it. */
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
    // A copy, also of a byte array.
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
        `${this.path} cannot be truncated during an append or beyond its end.`,
        {
          file: this.path,
          hint: "Report this: the caller breaks the contract of the journal port.",
        },
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
    return new SkillError("STORAGE_BUSY", `The write queue of ${quotedName(file)} is full.`, {
      file,
      hint,
    });
  }

  async #commitAll(): Promise<void> {
    // In the next phase of the event loop, so that simultaneous chunks share a commit.
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
      // After the next commit has begun, so that the disk stays busy while callers continue.
      setImmediate(batch.resolve);
    } catch (caught) {
      const error = await this.#failed(caught);
      const refused = [batch, this.#waiting];
      this.#waiting = undefined;
      this.#writing = 0;
      for (const one of refused) one?.reject(error);
    }
  }

  /** Truncates the file at once if possible, otherwise before the next commit. */
  async #failed(caught: unknown): Promise<SkillError> {
    if (this.#isSound && !this.#over) {
      this.#isSound = false;
      await this.#openAnew().catch(() => undefined);
    }
    return this.#over ?? storageError(this.path, caught);
  }

  /** Reopens the file and truncates it to its durable length. */
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

  /** @throws SkillError `STORAGE_LOST`, `STORAGE_UNSAFE`, permanently; and as fs does */
  #check(least: number, most = least): void {
    const fault = this.#file.fault(least, most);
    if (fault) throw this.#end(fault);
  }

  /** The permanent error for a fault; the first one is kept. */
  #end(fault: JournalLoss | "unsafe"): SkillError {
    if (fault !== "unsafe") this.loss ??= fault;
    return (this.#over ??=
      fault === "unsafe"
        ? unsafeError(dirname(this.path), "is a link or another folder now")
        : lostError(this.path, fault));
  }
}
