import { portToken } from "../container/token.ts";

/** Metadata of a file. */
export interface FileFacts {
  /** A symbolic link is `other`. */
  readonly kind: "file" | "folder" | "other";
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number;
  /** Whether this user owns it. True on file systems without owners. */
  readonly own: boolean;
  /** POSIX permission bits, such as 0o600. Missing on file systems without them, as on Windows. */
  readonly mode?: number;
  /** Number of hard links. */
  readonly names?: number;
}

/** Metadata of a file, folder or link, for queries about many. */
export interface FileMark {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number;
  /** The same for the last change of the content, permissions or times, which no program can set. */
  readonly changedMs: number;
  /** Permission bits, with setuid, setgid and sticky. Missing on file systems without them. */
  readonly mode?: number;
}

/** A file in the result of a survey. */
export interface SurveyEntry extends FileMark {
  /** Relative to the surveyed folder, with `/`. */
  readonly path: string;
}

/**
 * Files. All paths are absolute. A missing file is `undefined` where the return type says so.
 * @throws SkillError `FILE_UNREADABLE` or `FILE_UNWRITABLE`, with the path, for any other failure; `INPUT_INVALID` for a name
 * that is too long to be written.
 */
export interface Files {
  /** The text of a regular file, decoded as UTF-8. Follows links. */
  readonly readText: (path: string) => Promise<string | undefined>;
  /** The bytes of a regular file. Follows links. */
  readonly readBytes: (path: string) => Promise<Uint8Array | undefined>;
  /** The names in a folder, sorted; `undefined` if it does not exist. */
  readonly list: (path: string) => Promise<readonly string[] | undefined>;
  /** Metadata of a file, without following a link. */
  readonly facts: (path: string) => Promise<FileFacts | undefined>;
  /** Metadata of many paths, without following links; `undefined` for missing ones. Blocks the event loop. */
  readonly marks: (paths: readonly string[]) => Promise<readonly (FileMark | undefined)[]>;
  /**
   * The bytes of many regular files, without following links; `undefined` for each that is missing or not a regular file.
   * Blocks the event loop; several times faster than `readBytes` for small files.
   */
  readonly readMany: (paths: readonly string[]) => Promise<readonly (Uint8Array | undefined)[]>;
  /**
   * All entries below a folder except folders, unordered; `undefined` if the folder does not exist. Links are not followed.
   * `enters` decides whether to descend into a folder, given its name and its path. Blocks the event loop. Files whose
   * names are not UTF-8 are left out.
   */
  readonly survey: (
    path: string,
    enters: (name: string, path: string) => boolean,
  ) => Promise<readonly SurveyEntry[] | undefined>;
  /** The target text of a symbolic link; `undefined` if there is no such link. */
  readonly linkTarget: (path: string) => Promise<string | undefined>;
  /** The path with links and `..` resolved; `undefined` if the file does not exist. */
  readonly realPath: (path: string) => Promise<string | undefined>;
  /** Creates a folder and its parents. `mode` defaults to 0o700. */
  readonly makeFolder: (path: string, mode?: number) => Promise<void>;
  /**
   * Replaces a file atomically: writes and syncs a temporary file beside it, renames it, and syncs the folder. Keeps owner
   * and group if this user may set them, and setuid, setgid and sticky if the permissions stay the same. Readers see
   * the old content or the new. `mode` defaults to 0o600, from creation on. A later write to the folder removes the
   * temporary files of killed processes.
   */
  readonly replace: (path: string, content: string | Uint8Array, mode?: number) => Promise<void>;
  /**
   * Creates a file atomically; returns false if it already exists. Readers see all of it or no file, even if this process
   * is killed. Requires a file system with hard links.
   */
  readonly create: (path: string, content: string, mode?: number) => Promise<boolean>;
  /** Waits until a file or folder that another process wrote is on the disk. Fails if it is missing. */
  readonly settle: (path: string) => Promise<void>;
  /** Removes a file, a link, or a folder with its content. A missing one is not an error. */
  readonly remove: (path: string) => Promise<void>;
  /** Removes an empty folder; returns false if it is not empty, not a folder, or missing. */
  readonly removeEmpty: (path: string) => Promise<boolean>;
  /**
   * Moves a file, link or folder with its content to a free path in an existing folder. Writes through open descriptors
   * follow, except across file systems.
   */
  readonly move: (from: string, to: string) => Promise<void>;
  /** Creates a symbolic link to `target` at a free path. */
  readonly makeLink: (path: string, target: string) => Promise<void>;
}

export const FILES = portToken<Files>("files");

/** The methods that resolve links. */
export type LinkFiles = Pick<Files, "realPath" | "linkTarget">;
