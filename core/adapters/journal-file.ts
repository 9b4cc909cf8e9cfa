import * as fs from "node:fs";
import { dirname } from "node:path";
import type { JournalLoss, JournalReader } from "../ports/journal.ts";
import { codeOf, unreadable, unsafeError } from "./storage-errors.ts";

/** With bigint numbers: file numbers of Windows exceed the safe integers. */
const EXACT = { bigint: true, throwIfNoEntry: false } as const;

/** Refuses links, and does not wait for the other end of a pipe. Windows has neither flag. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants as Partial<typeof fs.constants>;

/** Error codes of opening links, folders, pipes and devices with these flags. */
const NOT_A_FILE = new Set(["ELOOP", "EMLINK", "EFTYPE", "EISDIR", "ENXIO"]);

/**
 * The metadata of the parent folder, which must not be a link, and of the file itself, if it exists.
 * @throws SkillError `STORAGE_UNSAFE`, and as fs does
 */
export function seen(path: string): { readonly folder: fs.BigIntStats; readonly file?: fs.BigIntStats } {
  const folder = fs.lstatSync(dirname(path), { bigint: true });
  if (!folder.isDirectory()) throw unsafeError(dirname(path), "is a link or not a folder");
  const file = fs.lstatSync(path, EXACT);
  if (!file) return { folder };
  if (!file.isFile()) throw unsafeError(path, "is not a regular file");
  return { folder, file };
}

/** An open regular file. It stays readable when its name changes. */
export class JournalFile implements JournalReader {
  /** Number of readable bytes. */
  bytes = 0;

  private constructor(
    readonly path: string,
    private readonly handle: fs.promises.FileHandle,
    private readonly folder: fs.BigIntStats,
    private readonly file: fs.BigIntStats,
  ) {}

  /** @throws SkillError `STORAGE_UNSAFE`, and as fs does */
  static async open(path: string, flags: number, mode?: number): Promise<JournalFile> {
    const { folder } = seen(path);
    let handle: fs.promises.FileHandle;
    try {
      handle = await fs.promises.open(path, flags | O_NOFOLLOW | O_NONBLOCK, mode);
    } catch (caught) {
      throw NOT_A_FILE.has(codeOf(caught)) ? unsafeError(path, "is not a regular file", caught) : caught;
    }
    const file = fs.fstatSync(handle.fd, { bigint: true });
    if (file.isFile()) return new JournalFile(path, handle, folder, file);
    await handle.close();
    throw unsafeError(path, "is not a regular file");
  }

  /** Sets the permissions: the umask may have removed some, and an old file may be accessible to others. */
  allow(mode: number): void {
    if ((Number(this.file.mode) & 0o7777) !== mode) fs.fchmodSync(this.handle.fd, mode);
  }

  get size(): number {
    return fs.fstatSync(this.handle.fd).size;
  }

  isSame(other: JournalFile): boolean {
    return isSame(this.file, other.file);
  }

  /** A change by another program to the file, its folder or its size since it was opened. Costs about 2 us. */
  fault(least: number, most: number): JournalLoss | "unsafe" | undefined {
    const folder = fs.lstatSync(dirname(this.path), EXACT);
    if (folder && !isSame(folder, this.folder)) return "unsafe";
    const file = fs.lstatSync(this.path, EXACT);
    if (!file) return fs.fstatSync(this.handle.fd).nlink === 0 ? "removed" : "renamed";
    if (!isSame(file, this.file)) return "replaced";
    if (file.size < least) return "cut";
    return file.size > most ? "grown" : undefined;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.bytes - offset)));
    try {
      let done = 0;
      for (let got = -1; got !== 0 && done < bytes.length; done += got)
        ({ bytesRead: got } = await this.handle.read(bytes, done, bytes.length - done, offset + done));
      return bytes.subarray(0, done);
    } catch (cause) {
      throw unreadable(this.path, cause);
    }
  }

  /** Appends synchronously. A part may have been written when this throws. */
  write(chunks: readonly Uint8Array[]): void {
    const written = fs.writevSync(this.handle.fd, chunks);
    const left = chunks.reduce((sum, { length }) => sum + length, -written);
    if (left === 0) return;
    const rest = Buffer.concat(chunks).subarray(written);
    for (let done = 0; done < rest.length;) done += fs.writeSync(this.handle.fd, rest, done);
  }

  /** Waits until all writes are on the disk. */
  sync(): Promise<void> {
    return this.handle.datasync();
  }

  /** Truncates the file, durably. Never extends it: that would leave a hole. */
  async cut(bytes: number): Promise<void> {
    if (this.size > bytes) {
      // Windows cannot truncate through an append-only descriptor.
      if (process.platform === "win32") await fs.promises.truncate(this.path, bytes);
      else await this.handle.truncate(bytes);
    }
    await this.sync();
  }

  /** Waits for reads in progress. */
  close(): Promise<void> {
    return this.handle.close();
  }
}

function isSame(one: fs.BigIntStats, other: fs.BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
