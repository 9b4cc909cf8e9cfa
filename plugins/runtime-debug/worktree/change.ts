import { SkillError, type FileMark } from "skillctl";

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

/** What a part of the work tree takes for changed: by its times too. */
export interface Seeming extends Pick<Change, "path" | "kind"> {
  /** The id that git gives to the bytes before, in hex. */
  readonly blob?: string;
}

/** A file of which no image could be made: too large, or not readable. Only its mark tells whether it is the same. */
export interface Watched {
  /** From the project folder. */
  readonly path: string;
  /** Missing when it could not be looked at. */
  readonly mark?: FileMark;
}

/** What a file was beside its bytes. */
export interface FileForm {
  readonly kind: "file" | "link";
  /** Its rights, in the bits of POSIX. */
  readonly mode: number;
  /** What a link says. */
  readonly target?: string;
}

/** A folder of the work tree that is kept in one way. Its paths count from that folder. */
export interface TreePart {
  readonly changes: () => Promise<readonly Seeming[]>;
  /** The bytes that a file had; `undefined` when it was not there, or is left out. */
  readonly before: (path: string) => Promise<Uint8Array | undefined>;
  /** The same for several that have changed or are gone; `undefined` for those whose image is lost. */
  readonly images: (files: readonly Seeming[]) => Promise<readonly (Uint8Array | undefined)[]>;
  /** `undefined` for what was not there, or is left out. */
  readonly form: (path: string) => Promise<FileForm | undefined>;
  /** Those of the paths that nobody looks after, whether they are there or not. */
  readonly leftOut: (paths: readonly string[]) => Promise<readonly string[]>;
}

/** What a part has found at its beginning. */
export interface Begun {
  readonly watched: readonly Watched[];
  /** Folders of repositories inside, with `/` at the end: each is a part of its own. */
  readonly nested: readonly string[];
  readonly commit?: string;
}

/** Files over this size get no image, in bytes: code is smaller. */
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

export function sameMark(one: FileMark | undefined, other: FileMark | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.kind === other.kind &&
    one.bytes === other.bytes &&
    one.modifiedMs === other.modifiedMs &&
    one.changedMs === other.changedMs &&
    one.inode === other.inode
  );
}

export function noImage(file: string): SkillError {
  return new SkillError("FILE_UNREADABLE", `No image of ${file} is kept: it was too large or not readable.`, {
    file,
    hint: "Files over 4 MiB are not kept: put it back from a copy of your own.",
  });
}
