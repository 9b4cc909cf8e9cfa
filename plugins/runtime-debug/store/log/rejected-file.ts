import { Buffer } from "node:buffer";
import type { Clock, Durability, Files, Journal, Journals } from "skillctl";
import { SkillError } from "skillctl";
import type { Rejection } from "../event/rejection.ts";
import { objectOf, ownLine } from "./line-text.ts";

/** What is rejected beyond this is only counted. */
const MOST_BYTES = 4 * 1024 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Where a session goes on whose events were removed for good. */
export interface Purge {
  /** `_seq` of the last event before it. */
  readonly seq: number;
  /** Earlier segments than this one are removed. */
  readonly segment: number;
}

/** What a side file says. */
export interface RejectedFacts {
  /** Rejections in it. */
  readonly count: number;
  /** Those that found no room. */
  readonly more: number;
  /** The last purge; segment 1 and number 0 where there was none. */
  readonly purge: Purge;
}

interface RejectedFilePorts {
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
  /** None after a purge, until something is rejected again. */
  #journal: Journal | undefined;
  #opening: Promise<Journal> | undefined;
  #count = 0;
  #purge: Purge = { seq: 0, segment: 1 };
  /** How many are only counted, and how many of these the last line says. */
  #more = 0;
  #moreWritten = 0;
  /** How many could not be kept. */
  #missed = 0;
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
    await file.#load(journal);
    return file;
  }

  /** How many rejections there were since the last purge. */
  get count(): number {
    return this.#count + this.#more + this.#missed;
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

  /** Counts what could not be kept, as long as this process runs. */
  miss(count: number): void {
    this.#missed += count;
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
    const journal = this.#journal;
    this.#journal = undefined;
    await journal?.close();
    await this.#ports.files.replace(this.path, purgeLine(purge, this.#ports.clock.now()));
    this.#count = this.#more = this.#moreWritten = this.#missed = 0;
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
      await this.#journal?.close();
    }
  }

  async #writeMore(): Promise<void> {
    const more = this.#more;
    await this.#with((journal) => journal.append(restLine(more, this.#ports.clock.now())));
    this.#moreWritten = more;
  }

  get #full(): boolean {
    return this.#more > 0 || (this.#journal?.end ?? 0) >= MOST_BYTES;
  }

  /** When somebody has taken the file away another one is begun. */
  async #with(write: (journal: Journal) => Promise<void>): Promise<void> {
    const journal = this.#journal ?? (await this.#reopened());
    try {
      await write(journal);
    } catch (caught) {
      if (!(caught instanceof SkillError) || caught.code !== "STORAGE_LOST") throw caught;
      if (this.#journal === journal) this.#journal = undefined;
      await journal.close();
      await write(this.#journal ?? (await this.#reopened()));
    }
  }

  /** One opening for all who need it. */
  #reopened(): Promise<Journal> {
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #open(): Promise<Journal> {
    const journal = await this.#ports.journals.open(this.path, { durability: this.#durability });
    this.#journal = journal;
    return journal;
  }

  async #load(journal: Journal): Promise<void> {
    const bytes = Buffer.from(await journal.read(0, MOST_BYTES * 2));
    if (bytes.length > 0 && bytes.at(-1) !== 10) await journal.append("\n");
    const text = bytes.toString();
    const { count, more, purge } = rejectedFacts(text);
    this.#count = count;
    this.#more = this.#moreWritten = more;
    this.#purge = purge;
    const torn = text.split("\n").findLast((line) => line.includes('"reason":"torn"'));
    if (torn !== undefined) this.#lastTorn = undated(`${torn}\n`);
  }
}

/** A line without its time. */
function undated(line: string): string {
  return line.replace(/^\{"_at":\d+,/, "");
}

/** One line of the side file: docs/runtime-debug.md, section Files. */
function rejectedLine(rejection: Rejection, at: number, torn?: { log: string; offset: number }): string {
  const { code, sentence: reason, bytes } = rejection;
  return ownLine({ _at: at, code, reason, ...torn, ...content(bytes) });
}

function purgeLine({ seq, segment }: Purge, at: number): string {
  return ownLine({ _at: at, reason: "purged", seq, segment });
}

/** The line that says how many found no room until now. */
function restLine(more: number, at: number): string {
  return ownLine({ _at: at, reason: "full: what was rejected from here on is only counted", more });
}

/** Reads a side file, or its beginning; a line that says nothing of the kind counts for nothing. */
export function rejectedFacts(text: string): RejectedFacts {
  let facts: RejectedFacts = { count: 0, more: 0, purge: { seq: 0, segment: 1 } };
  for (const line of text.split("\n")) {
    const { code, more, seq, segment } = objectOf(line) ?? {};
    if (typeof code === "string") facts = { ...facts, count: facts.count + 1 };
    else if (typeof more === "number") facts = { ...facts, more };
    else if (typeof seq === "number" && typeof segment === "number")
      facts = { ...facts, purge: { seq, segment } };
  }
  return facts;
}

function content(bytes: Uint8Array): { text: string } | { bytes_base64: string } {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    return { bytes_base64: Buffer.from(bytes).toString("base64") };
  }
}
