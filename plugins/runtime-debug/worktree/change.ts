import { join } from "node:path";
import type { FileMark, Files } from "skillctl";

/** A file that has changed since the session began. */
export interface Change {
  /** Relative to the project folder, with `/`. */
  readonly path: string;
  readonly kind: "changed" | "added" | "removed";
  /** Its bytes when the session began; missing if it did not exist, or is lost. */
  readonly before?: Uint8Array;
  /** Its present bytes; missing for removed files, links, folders and very large files. */
  readonly now?: Uint8Array;
  /** For an existing file without `now`: an identification of its content. */
  readonly mark?: FileMark;
  /** The first bytes of a new, very large file, one character each. */
  readonly head?: string;
  /** Whether its earlier state is unknown. */
  readonly isLost?: boolean;
}

/** An identification of the content of an unread file; "" for a missing one. */
export function markHash(mark: FileMark | undefined): string {
  return mark ? `${mark.kind} ${mark.bytes} ${mark.modifiedMs}` : "";
}

/** The present state of a file of the project. @throws SkillError `FILE_UNREADABLE` */
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

/** A file that may differ, or that only has other times: the caller compares the bytes. */
export interface Seeming extends Pick<Change, "path" | "kind" | "before"> {
  /** Whether `before` is the target of a link. */
  readonly wasLink?: boolean;
}

/** A file in its state from the start. */
export interface FormerFile {
  readonly kind: "file" | "link";
  /** The content of a file, or the target of a link. */
  readonly bytes: Uint8Array;
  /** Its permissions, as POSIX mode bits. */
  readonly mode: number;
}

/** The code in its state from the start. Paths are relative to the project folder. */
export interface Images {
  /**
   * Saves the present files, except those over 4 MiB. All data is on disk when this resolves. @throws SkillError
   * `PROGRAM_FAILED`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `STORAGE_UNSAFE` beyond the limit, `CANCELLED`
   */
  readonly begin: (signal: AbortSignal) => Promise<void>;
  readonly seeming: () => Promise<readonly Seeming[]>;
  /** `undefined` for a missing or excluded file. */
  readonly before: (path: string) => Promise<FormerFile | undefined>;
  /** The untracked ones among some paths, existing or not. */
  readonly leftOut: (paths: readonly string[]) => Promise<readonly string[]>;
  /** Saves an excluded file: from then on it is tracked. */
  readonly keep: (path: string) => Promise<void>;
}

/** In bytes: larger files get no image, since code is smaller. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
