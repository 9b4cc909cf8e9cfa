import * as fs from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { codeOf, lostError, unsafeError } from "./journal-errors.ts";
import type { SkillError } from "../errors/skill-error.ts";
import type { JournalLoss } from "../ports/journal.ts";

/** With bigint numbers: a file number of Windows does not fit into the other ones. */
const EXACT = { bigint: true, throwIfNoEntry: false } as const;

/** Never through a link, and without waiting for the other side of a pipe. Windows knows neither flag. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants as Partial<typeof fs.constants>;

/** What a link, a folder and a pipe or device answer when they are opened so. */
const NO_FILE = new Set(["ELOOP", "EMLINK", "EFTYPE", "EISDIR", "ENXIO"]);

/** Opens a file that is no link, pipe, device or folder, a descriptor. @throws SkillError `STORAGE_UNSAFE`, and as fs does */
export function openPlain(path: string, flags: number, mode?: number): number {
  let descriptor: number;
  try {
    descriptor = fs.openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, mode);
  } catch (caught) {
    throw NO_FILE.has(codeOf(caught)) ? unsafeError(path, "is no regular file", caught) : caught;
  }
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  throw unsafeError(path, "is no regular file");
}

/**
 * The folder a file lies in, which must be no link, and what is at the path itself, which must be a file if anything.
 * @throws SkillError `STORAGE_UNSAFE`, and as fs does
 */
export function seen(path: string): { readonly folder: fs.BigIntStats; readonly file?: fs.BigIntStats } {
  const folder = fs.lstatSync(dirname(path), { bigint: true });
  if (!folder.isDirectory()) throw unsafeError(dirname(path), "is a link or no folder");
  const file = fs.lstatSync(path, EXACT);
  if (!file) return { folder };
  if (!file.isFile()) throw unsafeError(path, "is no regular file");
  return { folder, file };
}

/** Where an open file lies, to notice when somebody else changes that or the file. Costs about 2 us a look. */
export class JournalPlace {
  readonly path: string;
  readonly #folderPath: string;
  readonly #folder: fs.BigIntStats;
  readonly #file: fs.BigIntStats;
  /** Why nothing is to be written any more. */
  over: SkillError | undefined;
  loss: JournalLoss | undefined;

  /**
   * `before` is the folder as it was before the file was opened.
   * @throws SkillError `STORAGE_UNSAFE` when another file or folder than the opened one is there now.
   */
  constructor(path: string, descriptor: number, before: fs.BigIntStats) {
    const { folder, file } = seen(path);
    if (!same(before, folder)) throw unsafeError(dirname(path), "is another folder now");
    if (file?.ino !== fs.fstatSync(descriptor, { bigint: true }).ino)
      throw unsafeError(path, "is another file now");
    this.path = path;
    this.#folderPath = dirname(path);
    this.#folder = folder;
    this.#file = file;
  }

  /** Whether a descriptor is one of this file. */
  has(descriptor: number): boolean {
    return fs.fstatSync(descriptor, { bigint: true }).ino === this.#file.ino;
  }

  /**
   * Looks whether the file is there and has between `least` and `most` bytes; `descriptor` is an open one of it.
   * @throws SkillError `STORAGE_LOST`, `STORAGE_UNSAFE`, which stay in `over`; and as fs does
   */
  check(descriptor: number, least: number, most: number): void {
    const fault = this.#fault(descriptor, least, most);
    if (fault) throw this.end(fault);
  }

  /** The error of what has happened to the file, for good; the first one stays. */
  end(fault: JournalLoss | "unsafe"): SkillError {
    if (this.over) return this.over;
    if (fault !== "unsafe") this.loss = fault;
    this.over =
      fault === "unsafe"
        ? unsafeError(this.#folderPath, "is a link or another folder now")
        : lostError(this.path, fault);
    return this.over;
  }

  #fault(descriptor: number, least: number, most: number): JournalLoss | "unsafe" | undefined {
    const folder = fs.lstatSync(this.#folderPath, EXACT);
    if (folder && !same(folder, this.#folder)) return "unsafe";
    const file = fs.lstatSync(this.path, EXACT);
    if (!file) return fs.fstatSync(descriptor).nlink === 0 ? "removed" : "renamed";
    if (!same(file, this.#file)) return "replaced";
    if (file.size < least) return "cut";
    return file.size > most ? "grown" : undefined;
  }
}

function same(one: fs.BigIntStats, other: fs.BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

const { O_APPEND, O_RDWR, O_WRONLY } = fs.constants;

const synced = promisify(fs.fdatasync);

/**
 * The two descriptors that change a file. Linux tells an error of writing back once to each descriptor; with one sync at
 * a time, no sync can take the error away from another one.
 */
export class JournalWriters {
  /** Appends always, so that a file which somebody cut gets no hole. */
  readonly append: number;
  /** Cuts, which Windows does not allow an appending descriptor. */
  readonly change: number;

  constructor(append: number, change: number) {
    this.append = append;
    this.change = change;
  }

  /** Opens both. @throws SkillError `STORAGE_UNSAFE` when it is another file by now, and as fs does */
  static open(place: JournalPlace): JournalWriters {
    const append = openPlain(place.path, O_WRONLY | O_APPEND);
    let writers: JournalWriters;
    try {
      writers = new JournalWriters(append, openPlain(place.path, O_RDWR));
    } catch (caught) {
      fs.closeSync(append);
      throw caught;
    }
    if (place.has(writers.append) && place.has(writers.change)) return writers;
    writers.close();
    throw unsafeError(place.path, "is another file now");
  }

  /** Syncs what has been written until now. */
  sync(done: (error: Error | null) => void): void {
    fs.fdatasync(this.append, done);
  }

  /** Cuts the file, and lasts. Never makes it longer: that would be a hole. */
  async cut(bytes: number): Promise<void> {
    if (fs.fstatSync(this.change).size > bytes) fs.ftruncateSync(this.change, bytes);
    await synced(this.change);
  }

  /** Only while nothing is being synced. */
  close(): void {
    fs.closeSync(this.append);
    fs.closeSync(this.change);
  }
}
