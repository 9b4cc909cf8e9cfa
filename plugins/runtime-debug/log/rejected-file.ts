import { Buffer } from "node:buffer";
import type { Clock, Durability, Files, Journal, Journals } from "skillctl";
import { SkillError } from "skillctl";
import type { Rejection } from "../event/stamped.ts";
import { purgeLine, rejectedLine, rejectedRow, restLine, type Purge } from "./rejected-line.ts";

/** What is rejected beyond this is only counted. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface RejectedFilePorts {
  readonly journals: Journals;
  readonly files: Files;
  readonly clock: Clock;
}

/** What has been cut off a log, and from where: the same finding again is the same line. */
export interface Torn {
  readonly log: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * The side file: what was sent and is no event, one line each, and where a session goes on after a purge. What finds no
 * room in 4 MiB is only counted: the last line says how many there were, exactly once the file is closed.
 */
export class RejectedFile {
  readonly path: string;
  readonly #ports: RejectedFilePorts;
  readonly #durability: Durability;
  #journal: Journal;
  #count = 0;
  #purge: Purge = { seq: 0, segment: 1 };
  /** How many are only counted, and how many of these the last line says. */
  #more = 0;
  #moreWritten = 0;
  #lastTorn: string | undefined;

  private constructor(ports: RejectedFilePorts, path: string, durability: Durability, journal: Journal) {
    this.path = path;
    this.#ports = ports;
    this.#durability = durability;
    this.#journal = journal;
  }

  /** Opens the file or makes it, and reads what it says. @throws SkillError as `Journals.open` and `Journal.append` do */
  static async open(ports: RejectedFilePorts, path: string, durability: Durability): Promise<RejectedFile> {
    const journal = await ports.journals.open(path, { durability });
    const file = new RejectedFile(ports, path, durability, journal);
    await file.#load();
    return file;
  }

  /** How many rejections there were since the last purge. */
  get count(): number {
    return this.#count + this.#more;
  }

  /** The last purge; segment 1 and number 0 where there was none. */
  get purged(): Purge {
    return this.#purge;
  }

  /** Keeps them, and settles once they last. @throws SkillError as `Journal.append` does; then they do not count. */
  async add(rejections: readonly Rejection[]): Promise<void> {
    if (this.#full) {
      this.#more += rejections.length;
      return;
    }
    const at = this.#ports.clock.now();
    const lines = rejections.map((rejection) => rejectedLine(rejection, at)).join("");
    await this.#with((journal) => journal.append(lines));
    this.#count += rejections.length;
  }

  /** Keeps what is cut off a log, once. */
  async keepTorn({ log, offset, bytes }: Torn): Promise<void> {
    const rejection = { code: "DEBUG_BAD_JSON", sentence: "torn", bytes };
    const line = rejectedLine(rejection, this.#ports.clock.now(), { log, offset });
    if (undated(line) === this.#lastTorn) return;
    await this.#with((journal) => journal.append(line));
    this.#lastTorn = undated(line);
    this.#count += 1;
  }

  /** Forgets everything but where the session goes on. This is the moment from which the purge counts as done. */
  async purge(purge: Purge): Promise<void> {
    await this.#journal.close();
    try {
      await this.#ports.files.replace(this.path, purgeLine(purge, this.#ports.clock.now()));
    } finally {
      this.#journal = await this.#opened();
    }
    this.#count = this.#more = this.#moreWritten = 0;
    this.#lastTorn = undefined;
    this.#purge = purge;
  }

  /** Writes how many found no room, once a hundredth more did than is written, so that such lines stay few. */
  async flush(): Promise<void> {
    if (this.#more > this.#moreWritten * 1.01) await this.#writeMore();
  }

  async close(): Promise<void> {
    try {
      if (this.#more > this.#moreWritten) await this.#writeMore();
    } finally {
      await this.#journal.close();
    }
  }

  async #writeMore(): Promise<void> {
    const more = this.#more;
    await this.#with((journal) => journal.append(restLine(more, this.#ports.clock.now())));
    this.#moreWritten = more;
  }

  get #full(): boolean {
    return this.#more > 0 || this.#journal.end >= MOST_BYTES;
  }

  /** When somebody has taken the file away another one is begun. */
  async #with(write: (journal: Journal) => Promise<void>): Promise<void> {
    try {
      await write(this.#journal);
    } catch (caught) {
      if (!(caught instanceof SkillError) || caught.code !== "STORAGE_LOST") throw caught;
      await this.#reopen();
      await write(this.#journal);
    }
  }

  async #reopen(): Promise<void> {
    const lost = this.#journal;
    if (lost.loss === undefined) return;
    const journal = await this.#opened();
    // Of all who noticed, the first one opens it.
    if (this.#journal !== lost) return journal.close();
    this.#journal = journal;
    await lost.close();
  }

  #opened(): Promise<Journal> {
    return this.#ports.journals.open(this.path, { durability: this.#durability });
  }

  async #load(): Promise<void> {
    const bytes = Buffer.from(await this.#journal.read(0, MOST_BYTES * 2));
    if (bytes.length > 0 && bytes.at(-1) !== 10) await this.#journal.append("\n");
    for (const line of bytes.toString().split("\n")) {
      const { count, more, purge } = rejectedRow(line);
      this.#count += count;
      if (more > 0) this.#more = this.#moreWritten = more;
      if (purge) this.#purge = purge;
      if (line.includes('"reason":"torn"')) this.#lastTorn = undated(`${line}\n`);
    }
  }
}

/** A line without its time. */
function undated(line: string): string {
  return line.replace(/^\{"_at":\d+,/, "");
}
