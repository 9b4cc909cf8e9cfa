import * as fs from "node:fs";
import { SkillError, type Journal, type JournalLoss, type ByteRange } from "skillctl";
import { nodePorts } from "skillctl/host";
import type { LogPorts } from "../store/log/open-segments.ts";

type Doing<T> = () => Promise<T>;

/**
 * Ports that make so many changes of files and then no more, like a process that is killed. Of the change at which they
 * stop half is made where it adds to a file.
 */
export class StoppingPorts {
  readonly #left: number;
  readonly #open = new Set<Journal>();
  #changes = 0;

  constructor(left: number) {
    this.#left = left;
  }

  get stopped(): boolean {
    return this.#changes > this.#left;
  }

  get ports(): Pick<LogPorts, "journals" | "files"> {
    const { journals, files } = nodePorts();
    return {
      journals: {
        ...journals,
        open: async (path, options) => {
          const journal = await this.#change(() => journals.open(path, options));
          this.#open.add(journal);
          return new StoppingJournal(journal, (change, half) => this.#change(change, half));
        },
        rename: (from, to) => this.#change(() => journals.rename(from, to)),
        replace: (from, to) => this.#change(() => journals.replace(from, to)),
      },
      files: {
        ...files,
        remove: (path) => (fs.existsSync(path) ? this.#change(() => files.remove(path)) : files.remove(path)),
        replace: (path, content, mode) => this.#change(() => files.replace(path, content, mode)),
      },
    };
  }

  /** Gives back what the process would have given back by its end. */
  async close(): Promise<void> {
    for (const journal of this.#open) await journal.close();
  }

  #change<T>(change: Doing<T>, half: () => void = () => undefined): Promise<T> {
    if (!this.stopped && (this.#changes += 1) <= this.#left) return change();
    if (this.#changes === this.#left + 1) half();
    this.#changes += 1;
    return Promise.reject(
      new SkillError("STORAGE_FAILED", "The process has ended.", { hint: "Start it again." }),
    );
  }
}

class StoppingJournal implements Journal {
  readonly #journal: Journal;
  readonly #change: <T>(change: Doing<T>, half?: () => void) => Promise<T>;

  constructor(journal: Journal, change: <T>(change: Doing<T>, half?: () => void) => Promise<T>) {
    this.#journal = journal;
    this.#change = change;
  }

  get path(): string {
    return this.#journal.path;
  }

  get bytes(): number {
    return this.#journal.bytes;
  }

  get end(): number {
    return this.#journal.end;
  }

  get loss(): JournalLoss | undefined {
    return this.#journal.loss;
  }

  append(lines: Uint8Array | string): Promise<void> {
    const bytes = Buffer.from(lines as Uint8Array);
    return this.#change(
      () => this.#journal.append(lines),
      () => {
        if (fs.existsSync(this.path)) fs.appendFileSync(this.path, bytes.subarray(0, bytes.length / 2));
      },
    );
  }

  cut(bytes: number): Promise<void> {
    return this.#change(() => this.#journal.cut(bytes));
  }

  verify(): Promise<void> {
    return this.#journal.verify();
  }

  readAll(places: readonly ByteRange[]): Promise<readonly Uint8Array[]> {
    return this.#journal.readAll(places);
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return this.#journal.read(offset, length);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
