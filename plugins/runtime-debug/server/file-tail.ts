import { basename, dirname, resolve } from "node:path";
import { SkillError, type Files, type JournalReader, type Journals, type Log } from "skillctl";
import type { LogStore } from "../store/log/log-store.ts";
import { pause } from "./pause.ts";

/** How often files are looked at, in milliseconds. */
const LOOK_MS = 250;
/** Of all files that a debug server writes events to. */
const OWN_NAME = /^svc-debug-/i;

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
      await this.#round();
      await pause(LOOK_MS, signal);
    }
    await this.#round();
  }

  async #round(): Promise<void> {
    const { files, log } = this.#options;
    for (const file of files) {
      try {
        await file.read((lines) => this.#take(lines));
        this.#failing.delete(file.path);
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        if (this.#failing.get(file.path) === caught.code) continue;
        this.#failing.set(file.path, caught.code);
        log.notice(`${file.path} is not followed for now: ${caught.message}`);
      }
    }
  }

  async #take({ bytes, tooLong }: FollowedLines): Promise<void> {
    const { book, arrived } = this.#options;
    if (tooLong) {
      const sentence = "The line is over 1 MiB.";
      await book.refuse({ code: "BODY_TOO_LARGE", sentence, bytes });
    } else if ((await book.take(bytes, { source: "file" })).accepted > 0) arrived();
  }
}

/** Whole lines; or the beginning of one that is too long. */
interface FollowedLines {
  readonly bytes: Uint8Array;
  readonly tooLong: boolean;
}

/** A line that is longer, in bytes, is no event. */
const MOST_LINE_BYTES = 1024 * 1024;
/** So much is read at once, where a line ends in it. */
const WINDOW_BYTES = 64 * 1024;
/** So many bytes before the place that was reached tell whether a file is still the same. */
const MARK_BYTES = 256;
const LINE_FEED = 10;

/**
 * A file that another program appends lines to, read from its end on. It may not be there yet; one that has become
 * shorter, or holds something else where we have been, is a new one and is read from its start.
 */
export class FollowedFile {
  readonly path: string;
  readonly #files: Files;
  readonly #journals: Journals;
  /** Where the next line begins, or what is left of one that is passed over. */
  #offset = 0;
  #isPassing = false;
  #mark: Uint8Array = new Uint8Array();
  #seen = "";

  constructor(path: string, files: Files, journals: Journals) {
    this.path = path;
    this.#files = files;
    this.#journals = journals;
  }

  /** Goes to the end of what is there. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async begin(): Promise<void> {
    await this.#reading(async (reader) => {
      await this.#goTo(reader, reader.bytes);
      this.#isPassing = reader.bytes > 0 && this.#mark.at(-1) !== LINE_FEED;
    });
  }

  /**
   * Hands on the whole lines that have been added since. When `take` throws, the same come again the next time.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`, and what `take` throws.
   */
  async read(take: (lines: FollowedLines) => Promise<void>): Promise<void> {
    const facts = await this.#files.facts(this.path);
    const seen = facts ? `${facts.bytes} ${facts.modifiedMs}` : "";
    if (seen === this.#seen) return;
    await this.#reading(async (reader) => {
      if (!(await this.#isSame(reader))) {
        await this.#goTo(reader, 0);
        this.#isPassing = false;
      }
      while (await this.#step(reader, take));
    });
    this.#seen = seen;
  }

  /** The next lines; false when there is no whole one. */
  async #step(reader: JournalReader, take: (lines: FollowedLines) => Promise<void>): Promise<boolean> {
    let bytes = await reader.read(this.#offset, WINDOW_BYTES);
    let end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end === 0 && bytes.byteLength === WINDOW_BYTES) {
      bytes = await reader.read(this.#offset, MOST_LINE_BYTES + 1);
      end = bytes.indexOf(LINE_FEED) + 1;
    }
    const tooLong = end === 0 && bytes.byteLength > MOST_LINE_BYTES;
    if (end === 0 && !tooLong) return false;
    const start = this.#isPassing ? bytes.indexOf(LINE_FEED) + 1 : 0;
    if (tooLong && !this.#isPassing) await take({ bytes, tooLong });
    else if (end > start) await take({ bytes: bytes.subarray(start, end), tooLong: false });
    this.#isPassing = tooLong;
    await this.#goTo(reader, this.#offset + (tooLong ? bytes.byteLength : end));
    return true;
  }

  async #goTo(reader: JournalReader, offset: number): Promise<void> {
    this.#mark = await markBefore(reader, offset);
    this.#offset = offset;
  }

  async #isSame(reader: JournalReader): Promise<boolean> {
    if (reader.bytes < this.#offset) return false;
    const there = await markBefore(reader, this.#offset);
    return there.byteLength === this.#mark.byteLength && there.every((byte, at) => byte === this.#mark[at]);
  }

  /** A link could lead to any file of the user, and its lines, refused as they are, would be kept beside the log. */
  async #reading(action: (reader: JournalReader) => Promise<void>): Promise<void> {
    const facts = await this.#files.facts(this.path);
    if (facts && facts.kind !== "file") {
      throw new SkillError("FILE_UNREADABLE", `${this.path} is a link or something else than a plain file.`, {
        file: this.path,
        hint: "Name the file itself that programs append to.",
      });
    }
    const reader = await this.#journals.openToRead(this.path);
    try {
      if (reader) await action(reader);
    } finally {
      await reader?.close();
    }
  }
}

async function markBefore(reader: JournalReader, offset: number): Promise<Uint8Array> {
  const from = Math.max(0, offset - MARK_BYTES);
  return reader.read(from, offset - from);
}

/**
 * The files to follow, absolute, each once.
 * @throws SkillError `USAGE` for one that a server itself writes into `folder`: each line would bring another one.
 */
export async function followedPaths(
  given: readonly string[],
  folder: string,
  workingFolder: string,
  files: Files,
): Promise<readonly string[]> {
  const paths = [...new Set(given.map((path) => resolve(workingFolder, path)))];
  for (const path of paths) {
    if (!OWN_NAME.test(basename(path)) || (await files.realPath(dirname(path))) !== folder) continue;
    throw new SkillError("USAGE", `${path} is a file that a debug server writes itself.`, {
      hint: "--tail takes files that other programs append to; `skillctl run runtime-debug logs` shows what a server has collected.",
    });
  }
  return paths;
}
