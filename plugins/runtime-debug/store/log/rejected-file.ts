import { Buffer } from "node:buffer";
import type { Clock, Durability, Files, Journal, Journals } from "skillctl";
import { SkillError } from "skillctl";
import type { Rejection } from "../event/event-writer.ts";
import { objectOf, ownLine } from "./log-lines.ts";

/** What is rejected beyond this is only counted, as long as the process runs. */
const MOST_BYTES = 4 * 1024 * 1024;

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
  /** The last purge; segment 1 and number 0 where there was none. */
  readonly purge: Purge;
}

interface RejectedFilePorts {
  readonly journals: Journals;
  readonly files: Files;
  readonly clock: Clock;
}

/** The side file (docs/runtime-debug.md, section Files): what was sent and is no event, one line each, and where a session goes on after a purge. */
export class RejectedFile {
  readonly path: string;
  readonly #ports: RejectedFilePorts;
  readonly #durability: Durability;
  /** None after a purge, until something is rejected again. */
  #journal: Promise<Journal> | undefined;
  #count = 0;
  #purge: Purge = { seq: 0, segment: 1 };

  private constructor(ports: RejectedFilePorts, path: string, durability: Durability) {
    this.path = path;
    this.#ports = ports;
    this.#durability = durability;
  }

  /** Opens the file or makes it, and reads what it says. @throws SkillError as `Journals.open` and `Journal.append` do */
  static async open(ports: RejectedFilePorts, path: string, durability: Durability): Promise<RejectedFile> {
    const file = new RejectedFile(ports, path, durability);
    await file.#load(await file.#opened());
    return file;
  }

  /** How many rejections there were since the last purge, those included that found no room since the start. */
  get count(): number {
    return this.#count;
  }

  /** The last purge; segment 1 and number 0 where there was none. */
  get purged(): Purge {
    return this.#purge;
  }

  /** Keeps one, and settles once it lasts. @throws SkillError as `Journal.append` does; then it does not count. */
  async add({ code, sentence: reason, text }: Rejection): Promise<void> {
    await this.#append(ownLine({ _at: this.#ports.clock.now(), code, reason, text }));
    this.#count += 1;
  }

  /** Forgets everything but where the session goes on. This is the moment from which the purge counts as done. */
  async purge(purge: Purge): Promise<void> {
    await this.close();
    const line = { _at: this.#ports.clock.now(), reason: "purged", ...purge };
    await this.#ports.files.replace(this.path, ownLine(line));
    this.#count = 0;
    this.#purge = purge;
  }

  async close(): Promise<void> {
    const opened = this.#journal;
    this.#journal = undefined;
    await (await opened)?.close();
  }

  /** When somebody has taken the file away another one is begun. */
  async #append(lines: string): Promise<void> {
    const opened = this.#opened();
    const journal = await opened;
    if (journal.end >= MOST_BYTES) return;
    try {
      await journal.append(lines);
    } catch (caught) {
      if (!(caught instanceof SkillError) || caught.code !== "STORAGE_LOST") throw caught;
      if (this.#journal === opened) this.#journal = undefined;
      await journal.close();
      await (await this.#opened()).append(lines);
    }
  }

  /** One opening for all who need it; one that failed is tried again. */
  #opened(): Promise<Journal> {
    if (this.#journal) return this.#journal;
    const opened = this.#ports.journals.open(this.path, { durability: this.#durability });
    this.#journal = opened;
    opened.catch(() => {
      if (this.#journal === opened) this.#journal = undefined;
    });
    return opened;
  }

  async #load(journal: Journal): Promise<void> {
    const bytes = Buffer.from(await journal.read(0, MOST_BYTES * 2));
    if (bytes.length > 0 && bytes.at(-1) !== 10) await journal.append("\n");
    const { count, purge } = rejectedFacts(bytes.toString());
    this.#count = count;
    this.#purge = purge;
  }
}

/** Reads a side file, or its beginning; a line that says nothing of the kind counts for nothing. */
export function rejectedFacts(text: string): RejectedFacts {
  let facts: RejectedFacts = { count: 0, purge: { seq: 0, segment: 1 } };
  for (const line of text.split("\n")) {
    const { code, seq, segment } = objectOf(line) ?? {};
    if (typeof code === "string") facts = { ...facts, count: facts.count + 1 };
    else if (typeof seq === "number" && typeof segment === "number")
      facts = { ...facts, purge: { seq, segment } };
  }
  return facts;
}
