import type { FileMark } from "skillctl";

/** A file that is not as it was when the session began. */
export interface Change {
  /** From the project folder, with `/`. */
  readonly path: string;
  readonly kind: "changed" | "added" | "removed";
  /** Its bytes when the session began; missing when it was not there, or is lost. */
  readonly before?: Uint8Array;
  /** Its bytes now; missing when it is gone, and of links, folders and very large files. */
  readonly now?: Uint8Array;
  /** Of what is there and has no `now`: it stands for what the file holds. */
  readonly mark?: FileMark;
  /** Whether nobody knows how it was. */
  readonly isLost?: boolean;
}

/** A file that seems to differ, by its times too: who asks compares the bytes. */
export interface Seeming extends Pick<Change, "path" | "kind" | "before"> {
  /** Whether `before` is what a link said. */
  readonly wasLink?: boolean;
}

/** A file as it was at the start. */
export interface FormerFile {
  readonly kind: "file" | "link";
  /** Of a link what it says. */
  readonly bytes: Uint8Array;
  /** Its rights, in the bits of POSIX. */
  readonly mode: number;
}

/** How the code was at the start. Paths are from the project folder. */
export interface Images {
  /**
   * Keeps the files as they are now, but for those over 4 MiB. All of it is on the disk when this is over.
   * @throws SkillError `PROGRAM_FAILED`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `STORAGE_UNSAFE` for too much, `CANCELLED`
   */
  readonly begin: (signal: AbortSignal) => Promise<void>;
  readonly seeming: () => Promise<readonly Seeming[]>;
  /** `undefined` for what was not there, or is left out. */
  readonly before: (path: string) => Promise<FormerFile | undefined>;
  /** Those of the paths that nobody looks after, whether they are there or not. */
  readonly leftOut: (paths: readonly string[]) => Promise<readonly string[]>;
  /** Keeps a file that is left out as it is now: from here on it is one like the others. */
  readonly keep: (path: string) => Promise<void>;
}

/** Files over this size get no image, in bytes: code is smaller. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

/**
 * Folders that nobody writes by hand, by their names: what package managers, version control and tools keep. What comes
 * there is never new code, and without git nothing in them is kept.
 */
export const TOOL_FOLDERS: readonly string[] = (
  ".git .hg .svn .jj node_modules bower_components .venv venv __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox " +
  ".nox .gradle .cache .parcel-cache .next .nuxt .svelte-kit .turbo .terraform .dart_tool .build DerivedData"
).split(" ");

export function isInToolFolder(path: string): boolean {
  return path.split("/").some((name) => TOOL_FOLDERS.includes(name));
}
