import { SkillError, type Log } from "skillctl";
import type { LogStore } from "../store/log/log-store.ts";
import type { FollowedFile } from "./followed-file.ts";
import type { LinePart } from "./line-cutter.ts";
import { pause } from "./pause.ts";

/** How often files are looked at, in milliseconds. */
const LOOK_MS = 250;
const SPACE = 32;

export interface TailOptions {
  readonly files: readonly FollowedFile[];
  readonly book: LogStore;
  readonly log: Log;
  /** Called when events have come. */
  readonly arrived: () => void;
}

/**
 * Brings what other programs append to their files into the log of the session. What cannot be stored now is tried
 * again; a failure is told once, until it is over.
 */
export class FileTail {
  readonly #options: TailOptions;
  readonly #failing = new Map<string, string>();

  constructor(options: TailOptions) {
    this.#options = options;
  }

  /** Follows the files until the signal is aborted, and then brings in what is there. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.round();
      await pause(LOOK_MS, signal);
    }
    await this.round();
  }

  /** Brings in what has been added to each file. */
  async round(): Promise<void> {
    for (const file of this.#options.files) {
      try {
        await file.read((part) => this.#take(part));
        this.#failing.delete(file.path);
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        if (this.#failing.get(file.path) === caught.code) continue;
        this.#failing.set(file.path, caught.code);
        this.#options.log.notice(`${file.path} is not followed for now: ${caught.message}`);
      }
    }
  }

  async #take({ bytes, tooLong }: LinePart): Promise<void> {
    const { book, arrived } = this.#options;
    if (bytes.every((byte) => byte <= SPACE)) return;
    if (tooLong) {
      const sentence = "The line is over 1 MiB.";
      await book.refuse({ code: "BODY_TOO_LARGE", sentence, bytes });
    } else if ((await book.take(bytes, { source: "file" })).accepted > 0) arrived();
  }
}
