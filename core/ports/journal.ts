import { portToken } from "../container/token.ts";

/** The durability of a line once its `append` has settled. */
export type Durability =
  /** Synced to disk: survives a power failure. */
  | "sync"
  /** Handed to the operating system: survives any end of this process. */
  | "process";

/** The change that another program has made to the file of a journal: to its name, the file itself, its length or its last bytes. */
export type JournalLoss = "removed" | "renamed" | "replaced" | "cut" | "grown" | "changed";

/** Options for opening a journal. */
export interface JournalOptions {
  /** Default: `sync`. */
  readonly durability?: Durability;
}

/** Random access to the bytes of a file of lines. */
export interface JournalReader {
  /** Absolute. */
  readonly path: string;
  /**
   * Number of readable bytes: of a journal that is written, the durable ones; of a file opened for reading, its size when
   * it was opened.
   */
  readonly bytes: number;
  /**
   * Reads `length` bytes from `offset`; fewer at the end of the file.
   * @throws SkillError `FILE_UNREADABLE`
   */
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
  /** Waits for operations in progress. */
  readonly close: () => Promise<void>;
}

/**
 * An append-only file of lines with this process as its only writer. Chunks that arrive during a commit go into the next
 * one, so that one sync serves all waiting callers.
 */
export interface Journal extends JournalReader {
  /** The offset of the next chunk, provided that all pending chunks succeed. */
  readonly end: number;
  /** Set once `append` throws `STORAGE_LOST`. Acknowledged lines stay readable. */
  readonly loss: JournalLoss | undefined;
  /**
   * Appends whole lines and settles once they are durable, in call order. All chunks of a commit share one promise. The
   * bytes are copied before this returns. On rejection all pending chunks are rejected, `end` returns to `bytes`, and the
   * file is truncated to that length, at the latest before the next write. The next append tries again.
   * @throws SkillError `STORAGE_FULL` (no space, quota, size limit), `STORAGE_FAILED` (any other disk error),
   * `STORAGE_BUSY` (more than 32 MiB would be pending; only this chunk is refused), `STORAGE_LOST` (see `loss`; the journal
   * accepts no more lines), `STORAGE_UNSAFE` (its folder was replaced, or is a link; the journal accepts no more lines).
   */
  readonly append: (lines: Uint8Array | string) => Promise<void>;
  /** Checks the file and its folder, as each append does. @throws SkillError as `append` does. */
  readonly verify: () => Promise<void>;
  /** Truncates the file, durably. Only while no append is in progress. @throws SkillError as `append` does. */
  readonly cut: (bytes: number) => Promise<void>;
}

/** Durable files of lines. All paths are absolute. Neither a file nor its parent folder may be a link; the folders above may. */
export interface Journals {
  /**
   * Opens or creates a journal that only its owner may read. Its name and content are durable once this settles. Its
   * folder must exist.
   * @throws SkillError `STORAGE_UNSAFE` for a link, pipe, device or folder at the path, a file of another user or with a
   * second hard link, or a folder that is a link; `FILE_UNWRITABLE`.
   */
  readonly open: (path: string, options?: JournalOptions) => Promise<Journal>;
  /**
   * Opens a file to read its current content, whichever process writes it; `undefined` if it does not exist.
   * @throws SkillError `STORAGE_UNSAFE` if it is not a regular file or its folder is a link; `FILE_UNREADABLE`
   */
  readonly openToRead: (path: string) => Promise<JournalReader | undefined>;
  /**
   * Renames a file to a free name in the same folder, durably. A journal must be closed first.
   * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNWRITABLE`
   */
  readonly rename: (from: string, to: string) => Promise<void>;
  /**
   * Renames a file over an existing one, atomically and durably. Open readers of the old file can continue.
   * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNWRITABLE`
   */
  readonly replace: (from: string, to: string) => Promise<void>;
}

export const JOURNALS = portToken<Journals>("journals");
