import { join } from "node:path";
import type { FileMark, Files } from "skillctl";

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
  /** The first bytes of a new file that is very large, a character each. */
  readonly head?: string;
  /** Whether nobody knows how it was. */
  readonly isLost?: boolean;
}

/** Stands for what a file holds that is not read; "" for what is not there. */
export function markHash(mark: FileMark | undefined): string {
  return mark ? `${mark.kind} ${mark.bytes} ${mark.modifiedMs}` : "";
}

/** A file of the project as it is. @throws SkillError `FILE_UNREADABLE` */
export async function fileNow(
  files: Files,
  root: string,
  path: string,
): Promise<Pick<Change, "path" | "now" | "mark">> {
  const [mark] = await files.marks([join(root, path)]);
  const isRead = mark?.kind === "file" && mark.bytes <= MAX_IMAGE_BYTES;
  const [now] = isRead ? await files.readMany([join(root, path)]) : [];
  return { path, ...(now ? { now } : mark && { mark }) };
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
