import { join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Files } from "../ports/files.ts";
import { quotedName } from "../quoted-name.ts";

/** A text as it stands in its folder. */
interface Version {
  /** Rises by one with each write. 0: none was ever written. */
  readonly number: number;
  /** The last version that each of the last writers wrote, the latest first: `<writer>:<number>`. */
  readonly writers: readonly string[];
  readonly text: string;
}

const NONE: Version = { number: 0, writers: [], text: "" };
const NAME = /^[1-9]\d{0,14}\.txt$/;
/** A writer that sees itself overtaken finds itself here, unless so many others have written meanwhile. */
const MOST_WRITERS = 64;
/** How often a text that others write at the same time is tried again. */
const MOST_TRIES = 1_000;

/**
 * Texts that many processes may write, without a lock that somebody could forget to open: each is a folder with a file
 * a version. A version is created whole and never over another one, so that of two writers on one base the second sees
 * that it was second, and a process killed at any moment leaves the version before. Folders are never removed, so that
 * numbers only rise; one of a few names is listed in one step of the file system.
 */
export class VersionedTexts {
  readonly #files: Files;
  readonly #turns = new Map<string, Promise<void>>();
  #writer: string | undefined;

  constructor(files: Files) {
    this.#files = files;
  }

  /** The latest text; "" when there is none. @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
  async read(folder: string): Promise<string> {
    return (await this.#latest(folder)).text;
  }

  /**
   * Reads, changes and writes a text in one step: no other writer, in this process or another, comes between.
   * `change` may be called again with a newer text; answering the text it was given writes nothing.
   * @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE`
   */
  async change(folder: string, change: (text: string) => string): Promise<void> {
    // One after another within a process: they would only have to try again.
    const before = this.#turns.get(folder);
    const turn = (before ?? Promise.resolve()).then(() => this.#change(folder, change));
    const over = turn
      .catch(() => undefined)
      .finally(() => {
        if (this.#turns.get(folder) === over) this.#turns.delete(folder);
      });
    this.#turns.set(folder, over);
    return turn;
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
      // A number that stood all the while was the latest one. Else the file is gone, or was put there too late.
      const same = Math.max(...(await this.#numbers(folder))) === number;
      if (content !== undefined && same) return { number, ...parts(content) };
    }
    throw busy(folder);
  }

  /** Writes the version after a base; false when somebody else has done so, and nothing is written then. */
  async #follow(folder: string, base: Version, text: string): Promise<boolean> {
    const number = base.number + 1;
    const writer = (this.#writer ??= await newWriter());
    const own = `${writer}:${number}`;
    const writers = [own, ...base.writers.filter((one) => !one.startsWith(`${writer}:`))];
    if (base.number === 0) await this.#files.makeFolder(folder);
    const content = `${writers.slice(0, MOST_WRITERS).join(" ")}\n${text}`;
    if (!(await this.#files.create(fileOf(folder, number), content))) return false;
    const numbers = await this.#numbers(folder);
    if (!numbers.some((other) => other > number)) {
      for (const other of numbers) if (other < number) await this.#tidied(fileOf(folder, other));
      return true;
    }
    // Somebody has gone on from this version; or from another one of this number, which was removed before.
    if ((await this.#latest(folder)).writers.includes(own)) return true;
    await this.#tidied(fileOf(folder, number));
    return false;
  }

  /** Lower numbers never count, so one that cannot be removed is left to whoever writes next. */
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

async function newWriter(): Promise<string> {
  const { randomBytes } = await import("node:crypto");
  return randomBytes(8).toString("hex");
}

function fileOf(folder: string, number: number): string {
  return join(folder, `${number}.txt`);
}

function busy(folder: string): SkillError {
  return new SkillError("FILE_UNWRITABLE", `${quotedName(folder)} is written by too many others at once.`, {
    file: folder,
    hint: "Try again.",
  });
}
