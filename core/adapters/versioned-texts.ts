import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Files } from "../ports/files.ts";
import { quotedName } from "../quoted-name.ts";
import { Turns, Writer } from "./writers.ts";

/** A version of a text. */
interface Version {
  /** Increases by one with each write; 0 if the text was never written. */
  readonly number: number;
  /** The last version of each of the most recent writers, newest first: `<writer>:<number>`. */
  readonly writers: readonly string[];
  readonly text: string;
}

const NONE: Version = { number: 0, writers: [], text: "" };
const NAME = /^[1-9]\d{0,14}\.txt$/;
/** Maximum number of attempts while other processes write the same text. */
const MOST_TRIES = 1_000;

/**
 * Texts that many processes may write without locks: each text is a folder with one file for each version. A version is
 * created atomically and never overwritten, so that of two writers on one base the second notices, and a process killed
 * at any moment leaves the previous version intact. Folders are never removed, so that numbers only increase. A folder
 * with few names is listed in one operation of the file system.
 */
export class VersionedTexts {
  readonly #files: Files;
  readonly #turns = new Turns();
  readonly #writer = new Writer();

  constructor(files: Files) {
    this.#files = files;
  }

  /** The latest text; "" if it was never written. @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
  async read(folder: string): Promise<string> {
    return (await this.#latest(folder)).text;
  }

  /**
   * Reads, changes and writes a text atomically with respect to other writers in any process. `change` may be called again
   * with a newer text; if it returns its argument, nothing is written.
   * @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE`
   */
  async change(folder: string, change: (text: string) => string): Promise<void> {
    // Serialised within a process, since concurrent attempts would only be repeated.
    return this.#turns.run(folder, () => this.#change(folder, change));
  }

  async #change(folder: string, change: (text: string) => string): Promise<void> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const base = await this.#latest(folder);
      const text = change(base.text);
      if (text === base.text || (await this.#follow(folder, base, text))) return;
    }
    throw busy(folder);
  }

  async #latest(folder: string): Promise<Version> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const number = Math.max(0, ...(await this.#numbers(folder)));
      if (number === 0) return NONE;
      const content = await this.#files.readText(fileOf(folder, number));
      // If the number is still the highest, it was the latest all along. Otherwise the file was removed or created too late.
      const same = Math.max(...(await this.#numbers(folder))) === number;
      if (content !== undefined && same) return { number, ...parts(content) };
    }
    throw busy(folder);
  }

  /** Writes the version after `base`; returns false, without writing, if another process has done so. */
  async #follow(folder: string, base: Version, text: string): Promise<boolean> {
    const number = base.number + 1;
    const own = this.#writer.mark(number);
    if (base.number === 0) await this.#files.makeFolder(folder);
    const content = `${this.#writer.added(own, base.writers).join(" ")}\n${text}`;
    if (!(await this.#files.create(fileOf(folder, number), content))) return false;
    const numbers = await this.#numbers(folder);
    if (!numbers.some((other) => other > number)) {
      for (const other of numbers) if (other < number) await this.#tidied(fileOf(folder, other));
      return true;
    }
    // Another writer continued from this version; or from another version of this number, which was removed before.
    if ((await this.#latest(folder)).writers.includes(own)) return true;
    await this.#tidied(fileOf(folder, number));
    return false;
  }

  /** Removes lower versions. They never count, so the next writer may remove those that remain. */
  async #tidied(path: string): Promise<void> {
    try {
      await this.#files.remove(path);
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
    }
  }

  async #numbers(folder: string): Promise<readonly number[]> {
    const names = (await this.#files.list(folder)) ?? [];
    return names.filter((name) => NAME.test(name)).map((name) => Number.parseInt(name, 10));
  }
}

function parts(content: string): Pick<Version, "writers" | "text"> {
  const end = content.indexOf("\n");
  return { writers: content.slice(0, Math.max(end, 0)).split(" "), text: content.slice(end + 1) };
}

function fileOf(folder: string, number: number): string {
  return join(folder, `${number}.txt`);
}

function busy(folder: string): SkillError {
  return new SkillError("FILE_UNWRITABLE", `${quotedName(folder)} is being written by too many processes.`, {
    file: folder,
    hint: "Try again.",
  });
}
