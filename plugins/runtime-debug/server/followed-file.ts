import { basename, dirname, resolve } from "node:path";
import { SkillError, type Files, type JournalReader, type Journals } from "skillctl";
import { LineCutter, type LinePart } from "./line-cutter.ts";

/** The most bytes that are read at once. */
const CHUNK_BYTES = 1024 * 1024;
/** So many bytes before the place that was reached tell whether a file is still the same. */
const MARK_BYTES = 256;
const LINE_FEED = 10;
const NOTHING = new Uint8Array();

/**
 * A file that another program appends lines to, read from its end on. It may not be there yet; one that has become
 * shorter, or holds something else where we have been, is a new one and is read from its start.
 */
export class FollowedFile {
  readonly path: string;
  readonly #files: Files;
  readonly #journals: Journals;
  readonly #waiting: LinePart[] = [];
  #cutter = new LineCutter();
  #offset = 0;
  #mark: Uint8Array = NOTHING;
  #seen = "";

  constructor(path: string, files: Files, journals: Journals) {
    this.path = path;
    this.#files = files;
    this.#journals = journals;
  }

  /** Goes to the end of what is there. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
  async begin(): Promise<void> {
    await this.#reading(async (reader) => {
      this.#offset = reader.bytes;
      this.#mark = await markBefore(reader, reader.bytes);
      this.#cutter = new LineCutter(reader.bytes > 0 && this.#mark.at(-1) !== LINE_FEED);
    });
  }

  /**
   * Hands on what has been added since. When `take` throws, the same part comes again the next time.
   * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`, and what `take` throws.
   */
  async read(take: (part: LinePart) => Promise<void>): Promise<void> {
    await this.#handOn(take);
    const facts = await this.#files.facts(this.path);
    const seen = facts ? `${facts.bytes} ${facts.modifiedMs}` : "";
    if (seen === this.#seen) return;
    await this.#reading(async (reader) => {
      if (!(await this.#isSame(reader))) this.#restart();
      while (this.#offset < reader.bytes) {
        const bytes = await reader.read(this.#offset, CHUNK_BYTES);
        if (bytes.byteLength === 0) return;
        this.#offset += bytes.byteLength;
        this.#mark = Uint8Array.from([...this.#mark, ...bytes.slice(-MARK_BYTES)]).slice(-MARK_BYTES);
        this.#waiting.push(...this.#cutter.take(bytes));
        await this.#handOn(take);
      }
    });
    this.#seen = seen;
  }

  async #handOn(take: (part: LinePart) => Promise<void>): Promise<void> {
    for (let part = this.#waiting[0]; part; part = this.#waiting[0]) {
      await take(part);
      this.#waiting.shift();
    }
  }

  async #isSame(reader: JournalReader): Promise<boolean> {
    if (reader.bytes < this.#offset) return false;
    const there = await markBefore(reader, this.#offset);
    return there.byteLength === this.#mark.byteLength && there.every((byte, at) => byte === this.#mark[at]);
  }

  #restart(): void {
    this.#offset = 0;
    this.#mark = NOTHING;
    this.#cutter = new LineCutter();
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

function markBefore(reader: JournalReader, offset: number): Promise<Uint8Array> {
  const from = Math.max(0, offset - MARK_BYTES);
  return offset === from ? Promise.resolve(NOTHING) : reader.read(from, offset - from);
}

/** Of all files that a debug server writes events to. */
const OWN_NAME = /^svc-debug-/i;

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
