import type { Clock, Durability, Files, Journals } from "skillctl";
import type { Rejection } from "../event/event-writer.ts";
import { rejectedCount, type FileNames } from "./log-files.ts";
import { lastLineStart, ownLine } from "./log-lines.ts";

/** What is rejected beyond this is only counted, as long as the process runs. */
const MOST_BYTES = 4 * 1024 * 1024;

interface RejectedFilePorts {
  readonly journals: Journals;
  readonly files: Files;
  readonly clock: Clock;
}

/** The side file (docs/runtime-debug.md, section Files): what was sent and is no event, one line each. */
export class RejectedFile {
  readonly #ports: RejectedFilePorts;
  readonly #path: string;
  readonly #durability: Durability;
  #count: number;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(ports: RejectedFilePorts, path: string, durability: Durability, count: number) {
    this.#ports = ports;
    this.#path = path;
    this.#durability = durability;
    this.#count = count;
  }

  /** @throws SkillError as `Journals.openToRead` does */
  static async open(
    ports: RejectedFilePorts,
    names: FileNames,
    durability: Durability,
  ): Promise<RejectedFile> {
    return new RejectedFile(ports, names.rejected, durability, await rejectedCount(ports, names));
  }

  /** How many rejections there were since the last purge, those included that found no room since the start. */
  get count(): number {
    return this.#count;
  }

  /** Keeps one, and settles once it lasts. @throws SkillError as `Journals.open` and `Journal.append` do; then it does not count. */
  add({ code, sentence: reason, text }: Rejection): Promise<void> {
    const line = ownLine({ _at: this.#ports.clock.now(), code, reason, text });
    return this.#inTurn(async () => {
      await this.#append(line);
      this.#count += 1;
    });
  }

  /** Removes all of them. */
  clear(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#ports.files.remove(this.#path);
      this.#count = 0;
    });
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#last;
  }

  #inTurn(action: () => Promise<void>): Promise<void> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #append(line: string): Promise<void> {
    const journal = await this.#ports.journals.open(this.#path, { durability: this.#durability });
    try {
      if (journal.bytes >= MOST_BYTES) return;
      const isWhole = (await lastLineStart(journal, journal.bytes)) === journal.bytes;
      await journal.append(isWhole ? line : `\n${line}`);
    } finally {
      await journal.close();
    }
  }
}
