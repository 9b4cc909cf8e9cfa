import { join } from "node:path";
import type { FileMark, Files, Surveyed } from "skillctl";

/** What is kept of a file as it was: see `Copies`. */
export interface Copy {
  readonly kind: FileMark["kind"];
  /** In hex; missing of what is no regular file, could not be read, or is over 4 MiB: only its mark is known. */
  readonly sha256?: string;
  readonly mode?: number;
  /** Which pack, from 0, and where in it. Missing when there was no room: then the images of the session have it. */
  readonly at?: readonly [pack: number, offset: number, length: number];
  /** What a link says. */
  readonly target?: string;
}

/** What does not change while a manifest is in use. */
export interface Names {
  readonly version: 1;
  /** From the project folder; a copy and a mark stand at the same place in their lists. */
  readonly paths: readonly string[];
  /** What git ignored when it was made: files, and folders with a slash at the end. Nothing later adds to it. */
  readonly ignored: readonly string[];
  /** Files that git tracks in folders that it ignores. */
  readonly extra: readonly string[];
  /** All folders that there were, with a slash at the end. */
  readonly folders: readonly string[];
  /** Their rights, and at the end those of the project folder. Not known of a manifest of an earlier version. */
  readonly modes?: readonly (number | null)[];
  /** Whether folders of tools are left out by their names, without git. Missing in a manifest of an earlier version. */
  readonly isPlain?: boolean;
  /** Folders that are looked into although they are called as those of tools. */
  readonly entered: readonly string[];
}

/** What is learned later. */
export interface Later {
  /** New folders and files that the rules of that time ignore. */
  readonly ignored: readonly string[];
  /** Files of which no copy was kept, and which have gone: told once. */
  readonly lost: readonly string[];
  /** Compiled Python that may be there, and its mark. Missing: none. */
  readonly bytecode?: readonly (readonly [path: string, mark: string])[];
  /** Changes when another commit is checked out. */
  readonly head: string;
}

/** A change within this time of a look may have come behind it without another mark, in milliseconds. */
const TICK_MS = 50;
const NUMBERS = 5;
const KINDS: readonly FileMark["kind"][] = ["file", "link", "folder", "other"];

/**
 * Every file of a project with the mark that it had when it was last seen to be as it should be. It lies in the state
 * folder. A file that has changed at the time of that look has no mark: it is read again (as git does, racy-git(7)).
 */
export class Manifest {
  #places: ReadonlyMap<string, number> | undefined;
  #later: Later;

  private constructor(
    readonly folder: string,
    readonly names: Names,
    later: Later,
    private readonly marks: Float64Array,
    private readonly doubtfulFrom: number,
  ) {
    this.#later = later;
  }

  /** `undefined` when there is none, or not a whole one. @throws SkillError `FILE_UNREADABLE` */
  static async open(files: Files, folder: string): Promise<Manifest | undefined> {
    const [bytes, names, later] = await files.readMany([MARKS, NAMES, LATER].map((one) => join(folder, one)));
    const [mark] = await files.marks([join(folder, MARKS)]);
    if (!bytes || !names || !later || !mark) return undefined;
    const numbers = new Float64Array(new Uint8Array(bytes).buffer);
    const [tookMs = 0] = numbers;
    return new Manifest(
      folder,
      JSON.parse(Buffer.from(names).toString()) as Names,
      JSON.parse(Buffer.from(later).toString()) as Later,
      numbers.subarray(1),
      mark.modifiedMs - tookMs - TICK_MS,
    );
  }

  get later(): Later {
    return this.#later;
  }

  /** The place of a path in the lists. */
  get places(): ReadonlyMap<string, number> {
    return (this.#places ??= new Map(this.names.paths.map((path, index) => [path, index])));
  }

  /** Whether the file at a place is surely the one that was seen. */
  isSame(place: number, mark: FileMark): boolean {
    const at = place * NUMBERS;
    const { marks } = this;
    return (
      marks[at + 3] === mark.changedMs &&
      mark.changedMs < this.doubtfulFrom &&
      marks[at + 1] === mark.bytes &&
      marks[at + 2] === mark.modifiedMs &&
      marks[at + 4] === mark.inode &&
      KINDS[marks[at] ?? -1] === mark.kind
    );
  }

  /** Whether the only doubt is that the file was changed at about the time of the last look. */
  isLikely(place: number, mark: FileMark): boolean {
    const kept = this.marks.subarray(place * NUMBERS, (place + 1) * NUMBERS);
    return numbersOf(mark).every((value, index) => value === kept[index]);
  }

  /** The files that were seen with an inode; several where a file has several names. */
  withInode(inode: number): readonly string[] {
    return this.names.paths.filter((_, place) => this.marks[place * NUMBERS + 4] === inode);
  }

  note(place: number, mark: FileMark): void {
    this.marks.set(numbersOf(mark), place * NUMBERS);
  }

  /** Writes the marks of a look that began so long ago. @throws SkillError `FILE_UNWRITABLE` */
  async saveMarks(files: Files, tookMs: number): Promise<void> {
    await writeMarks(files, this.folder, this.marks, tookMs);
  }

  /** @throws SkillError `FILE_UNWRITABLE` */
  async saveLater(files: Files, later: Later): Promise<void> {
    await files.replace(join(this.folder, LATER), JSON.stringify(later));
    this.#later = later;
  }
}

const MARKS = "marks";
const NAMES = "names.json";
const LATER = "later.json";

/** Writes a new manifest, the marks last: with them it is whole. */
export async function writeManifest(
  files: Files,
  folder: string,
  found: readonly Surveyed[],
  names: Omit<Names, "version" | "paths">,
  { head, tookMs }: { readonly head: string; readonly tookMs: () => number },
): Promise<void> {
  const whole: Names = { version: 1, paths: found.map(({ path }) => path), ...names };
  await files.replace(join(folder, NAMES), JSON.stringify(whole));
  await files.replace(join(folder, LATER), JSON.stringify({ ignored: [], lost: [], head } satisfies Later));
  const marks = new Float64Array(found.length * NUMBERS);
  for (const [place, mark] of found.entries()) marks.set(numbersOf(mark), place * NUMBERS);
  await writeMarks(files, folder, marks, tookMs());
}

async function writeMarks(files: Files, folder: string, marks: Float64Array, tookMs: number): Promise<void> {
  const bytes = new Float64Array(marks.length + 1);
  bytes[0] = tookMs;
  bytes.set(marks, 1);
  await files.replace(join(folder, MARKS), new Uint8Array(bytes.buffer));
}

function numbersOf({ kind, bytes, modifiedMs, changedMs, inode }: FileMark): readonly number[] {
  return [KINDS.indexOf(kind), bytes, modifiedMs, changedMs, inode];
}
