import { portToken } from "../container/token.ts";

/** How lasting a line is once its `append` has settled. */
export type Durability =
  /** On the disk: it survives a power cut. */
  | "sync"
  /** With the operating system: it survives the end of this process, however it ends. */
  | "process";

/**
 * What somebody else did to a journal's file: took its name away, gave it another name, put another file in its
 * place, made it shorter, made it longer, or wrote over its end.
 */
export type JournalLoss = "removed" | "renamed" | "replaced" | "cut" | "grown" | "changed";

export interface JournalOptions {
  /** Default `sync`. */
  readonly durability?: Durability;
}

/** The bytes of a file of lines, by place. */
export interface JournalReader {
  readonly path: string;
  /**
   * How many bytes there are to read: of a journal that is written, those that last; of a file opened to read, those
   * it had then (open it again to see more).
   */
  readonly bytes: number;
  /** Exactly these bytes; fewer where `bytes` ends or the file has become shorter. @throws SkillError `FILE_UNREADABLE` */
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
  /** Waits for what is under way. */
  readonly close: () => Promise<void>;
}

/**
 * An append-only file of lines that this process alone writes. What is handed over while a commit is under way goes
 * out together with the next one, so that one sync serves all who wait for it.
 */
export interface Journal extends JournalReader {
  /** The offset at which the next chunk will begin, when what waits before it succeeds. */
  readonly end: number;
  /** What made the journal end with `STORAGE_LOST`. What was acknowledged can still be read. */
  readonly loss: JournalLoss | undefined;
  /**
   * Adds whole lines and settles once they last, in the order of the calls. All chunks of one commit share one
   * promise. The bytes are copied at once. When it rejects, all that waited is rejected, `end` is back at `bytes`, and
   * the file is cut to that; where even the cutting fails, before anything else is added. The next append tries again.
   * @throws SkillError `STORAGE_FULL` (no space, quota, size limit), `STORAGE_FAILED` (any other error of the disk),
   * `STORAGE_BUSY` (more than 32 MiB would wait; this chunk alone is refused), `STORAGE_LOST` (`loss` says what
   * happened; this journal takes nothing more), `STORAGE_UNSAFE` (its folder is now another one or a link; this
   * journal takes nothing more).
   */
  readonly append: (lines: Uint8Array | string) => Promise<void>;
  /** Looks now, as every append does, whether file and folder are still as they should be. @throws SkillError as `append` does. */
  readonly verify: () => Promise<void>;
  /** Cuts the end off, and lasts. Only while no append is under way. @throws SkillError as `append` does. */
  readonly cut: (bytes: number) => Promise<void>;
}

/**
 * Files of lines that last, as a port. All paths are absolute. Neither a file nor the folder it lies in may be a link;
 * the folders above may.
 */
export interface Journals {
  /**
   * Opens a journal, or creates it; its owner alone may read it. Its name and what is in it last before this settles. Its folder must exist.
   * @throws SkillError `STORAGE_UNSAFE` for a link, pipe, device or folder in its place, a file of another user or
   * with a second name, or a folder that is a link; `FILE_UNWRITABLE`.
   */
  readonly open: (path: string, options?: JournalOptions) => Promise<Journal>;
  /**
   * Opens a file to read what is in it now, whoever writes it; `undefined` when there is none.
   * @throws SkillError `STORAGE_UNSAFE` for what is no file, or a folder that is a link; `FILE_UNREADABLE`
   */
  readonly openToRead: (path: string) => Promise<JournalReader | undefined>;
  /**
   * Gives a file another name in the same folder, where there is none yet, and lasts. A journal is closed before.
   * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNWRITABLE`
   */
  readonly rename: (from: string, to: string) => Promise<void>;
  /**
   * The same where there may be a file, which goes: whoever looks sees the one or the other. Who has the old one open
   * can read on.
   * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNWRITABLE`
   */
  readonly replace: (from: string, to: string) => Promise<void>;
}

export const JOURNALS = portToken<Journals>("journals");
