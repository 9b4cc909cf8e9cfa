import { portToken } from "../container/token.ts";

/** What is known of a file without opening it. */
export interface FileFacts {
  readonly kind: "file" | "folder" | "other";
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Whether it belongs to this user. True where files have no owners. */
  readonly own: boolean;
  /** Who may do what with it, in the nine bits of POSIX, such as 0o600. Missing where files have none, as on Windows. */
  readonly mode?: number;
  /** How many names it has: hard links. */
  readonly names?: number;
}

/** What is known of a file, folder or link that is one of many. */
export interface FileMark {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Its rights as in `FileFacts`, with the bits of setuid, setgid and sticky. Missing where files have none. */
  readonly mode?: number;
}

/** A file that a survey has found. */
export interface Surveyed extends FileMark {
  /** From the surveyed folder, with `/`. */
  readonly path: string;
}

/**
 * Files, as a port. All paths are absolute.
 * A missing file is `undefined` where the return type says so; any other failure is a
 * `SkillError` with the code `FILE_UNREADABLE` or `FILE_UNWRITABLE` that names the path.
 */
export interface Files {
  readonly readText: (path: string) => Promise<string | undefined>;
  readonly readBytes: (path: string) => Promise<Uint8Array | undefined>;
  /** The names in a folder, sorted; `undefined` when nothing is there. */
  readonly list: (path: string) => Promise<readonly string[] | undefined>;
  readonly facts: (path: string) => Promise<FileFacts | undefined>;
  /** The marks of many, links not followed; `undefined` for each that is missing. One after the other without a pause. */
  readonly marks: (paths: readonly string[]) => Promise<readonly (FileMark | undefined)[]>;
  /**
   * The bytes of many regular files, links not followed; `undefined` for each that is missing or is no regular file. One
   * after the other without a pause, several times faster than `readBytes` for small ones.
   */
  readonly readMany: (paths: readonly string[]) => Promise<readonly (Uint8Array | undefined)[]>;
  /**
   * Everything below a folder but folders, in no order; `undefined` when there is no such folder. Links are not followed.
   * `enters` is asked before a folder is looked into: its name, and its path as of what it holds. Without a pause.
   * A file whose name is no UTF-8 is left out.
   */
  readonly survey: (
    path: string,
    enters: (name: string, path: string) => boolean,
  ) => Promise<readonly Surveyed[] | undefined>;
  /** What a symbolic link says; `undefined` when there is no such link. */
  readonly linkTarget: (path: string) => Promise<string | undefined>;
  /** The path without links and without `..`; `undefined` when there is no such file. */
  readonly realPath: (path: string) => Promise<string | undefined>;
  /** Makes a folder and its parents. `mode` defaults to 0o700. */
  readonly makeFolder: (path: string, mode?: number) => Promise<void>;
  /**
   * Replaces a whole file: a temporary file beside it, written, synced, renamed, the folder synced. Owner and group stay
   * where this user may give files away, and the bits of `mode` that are no rights where the rights stay.
   * A reader sees the old bytes or the new, never half. `mode` defaults to 0o600, from creation on. Temporary files
   * of killed processes go with a later write to the same folder.
   */
  readonly replace: (path: string, content: string | Uint8Array, mode?: number) => Promise<void>;
  /**
   * Creates a file that must not exist yet; answers false when it does. It appears whole: a reader sees all of it or
   * no file, also when this process is killed at any moment. The file system must know hard links.
   */
  readonly create: (path: string, content: string, mode?: number) => Promise<boolean>;
  /** Waits until a file or folder that somebody else has written is on the disk. A missing one is a fault. */
  readonly settle: (path: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** Removes a folder that is empty; answers false for one that is not, for anything else, and where nothing is. */
  readonly removeEmpty: (path: string) => Promise<boolean>;
  /**
   * Moves a file, link or folder with all that is in it to a path that is free; its folder must be there. What an open
   * writer still writes goes there too, unless it is another file system.
   */
  readonly move: (from: string, to: string) => Promise<void>;
  /** Makes a symbolic link that says `target`, where nothing is yet. */
  readonly makeLink: (path: string, target: string) => Promise<void>;
}

export const FILES = portToken<Files>("files");

/** The part that finds out where links lead. */
export type LinkFiles = Pick<Files, "realPath" | "linkTarget">;
