import { portToken } from "../container/token.ts";

/** How lasting a line is once its `append` has settled. */
export type Durability =
  /** On the disk: it survives a power cut. */
  | "sync"
  /** With the operating system: it survives the end of this process, however it ends. */
  | "process";

export interface JournalOptions {
  /** Default `sync`. */
  readonly durability?: Durability;
  /** Mode of the file when it is created. Default 0o600. */
  readonly mode?: number;
}

/** The bytes of a file of lines, by place. */
export interface JournalReader {
  readonly path: string;
  /** How many bytes there are to read: of a journal that is written, those that last. */
  readonly bytes: number;
  /** Fewer bytes than asked for where the file ends. @throws SkillError `FILE_UNREADABLE` */
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

/**
 * An append-only file of lines that this process alone writes. What is handed over while a commit is under way goes
 * out together with the next one, so that one sync serves all who wait for it.
 */
export interface Journal extends JournalReader {
  /** The offset at which the next chunk will begin, when what waits before it succeeds. */
  readonly end: number;
  /**
   * Adds whole lines and settles once they last. All chunks of one commit share one promise.
   * When it rejects, nothing of the commit, nor of any handed over until then, is in the file: its end is back at
   * `bytes`. The next append tries again.
   * @throws SkillError `STORAGE_FULL` (no space, quota, size limit), `STORAGE_FAILED` (any other error of the disk),
   * `STORAGE_BUSY` (more than 32 MiB wait), `STORAGE_LOST` (the file was removed, replaced or cut by somebody else;
   * what lies before can still be read; this journal takes nothing more), `STORAGE_UNSAFE` (its folder is now another
   * one or a link; nothing more is written).
   */
  readonly append: (lines: Uint8Array | string) => Promise<void>;
  /** Cuts the end off, and lasts. Only between commits. */
  readonly cut: (bytes: number) => Promise<void>;
}

/** Files of lines that last, as a port. All paths are absolute; links are never followed, in the last step or before. */
export interface Journals {
  /**
   * Opens a journal, or creates it, its name lasting too. Its folder must exist.
   * @throws SkillError `STORAGE_UNSAFE` for a link, pipe, device or folder in its place, or a folder that is a link;
   * `FILE_UNWRITABLE`.
   */
  readonly open: (path: string, options?: JournalOptions) => Promise<Journal>;
  /** Opens a file to read what is in it now; `undefined` when there is none. */
  readonly openToRead: (path: string) => Promise<JournalReader | undefined>;
  /** Gives a file another name in the same folder, where there is none yet, and lasts. */
  readonly rename: (from: string, to: string) => Promise<void>;
}

export const JOURNALS = portToken<Journals>("journals");
