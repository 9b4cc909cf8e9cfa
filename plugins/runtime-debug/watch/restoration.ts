import { dirname, join } from "node:path";
import { SkillError, type FileMark, type Files } from "skillctl";
import type { Copy } from "./manifest.ts";

/** What stands in a name for bytes that are no UTF-8: by such a name only `Files.move` finds something. */
const REPLACED = "\uFFFD";

/** Puts files of a tree back. What stood there is first set aside, so that nothing is lost. */
export class Restoration {
  #folder: string | undefined;

  constructor(
    private readonly files: Files,
    private readonly root: string,
    /** Where what is set aside goes: a folder with a number for each time. Absolute. */
    private readonly shelf: string,
    /** The rights of a folder as it was; with a slash at the end. */
    private readonly modeOf: (folder: string) => number,
  ) {}

  /**
   * Takes a file, link or folder out of the tree. `seen` is its mark there. Answers where it is now.
   * @throws SkillError `FILE_UNWRITABLE`, `DEBUG_CHANGED` when a folder above has become a link: then it is where it was
   */
  async takeOut(path: string, seen?: FileMark): Promise<string> {
    const from = join(this.root, path);
    if (!(await this.#isInside(path))) throw swapped(path);
    const to = await this.#free(path);
    await this.files.move(from, to);
    if (await this.#isInside(path)) return to;
    const [moved] = await this.files.marks([to]);
    if (seen && moved?.inode === seen.inode) return to;
    // It is another file, of another folder.
    await this.files.move(to, from);
    throw swapped(path);
  }

  /**
   * Puts a file or link back. Answers where what stood there is now, if there was something.
   * @throws SkillError `FILE_UNWRITABLE`, `DEBUG_CHANGED` when a folder above has become a link
   */
  async putBack(
    path: string,
    { kind, mode, target }: Copy,
    bytes: Uint8Array | undefined,
    seen?: FileMark,
  ): Promise<string | undefined> {
    const full = join(this.root, path);
    await this.#makeWay(path);
    const now = await this.#markOf(path);
    if (kind === "link" && target !== undefined) {
      const kept = now && (await this.takeOut(path, seen));
      await this.files.makeLink(full, target);
      return kept;
    }
    // A further name: what an open writer still writes goes there, and the path is never without a file.
    // One that runs as somebody else hands that on to what takes its place.
    const isPlain = now?.kind === "file" && ((now.mode ?? 0) & 0o7000) === 0;
    const kept = now && (isPlain ? await this.#named(path) : await this.takeOut(path, seen));
    if (!(await this.#isInside(path))) throw swapped(path);
    await this.files.replace(full, bytes ?? "", mode ?? 0o644);
    return kept;
  }

  async #named(path: string): Promise<string> {
    const to = await this.#free(path);
    await this.files.addName(join(this.root, path), to);
    return to;
  }

  /** Whether all folders above are such, and no links to some elsewhere. */
  async #isInside(path: string): Promise<boolean> {
    const above = foldersAbove(path).filter((folder) => !folder.includes(REPLACED));
    const marks = await this.files.marks(above.map((folder) => join(this.root, folder)));
    return marks.every((mark) => mark?.kind === "folder");
  }

  /** Every part of the path but the last is a folder afterwards, and no link to one. */
  async #makeWay(path: string): Promise<void> {
    for (const folder of foldersAbove(path)) {
      const mark = await this.#markOf(folder);
      if (mark && mark.kind !== "folder") await this.takeOut(folder, mark);
      if (mark?.kind !== "folder")
        await this.files.makeFolder(join(this.root, folder), this.modeOf(`${folder}/`));
    }
  }

  async #markOf(path: string): Promise<FileMark | undefined> {
    return (await this.files.marks([join(this.root, path)]))[0];
  }

  async #free(path: string): Promise<string> {
    if (this.#folder === undefined) {
      const numbers = ((await this.files.list(this.shelf)) ?? []).map(Number).filter(Number.isSafeInteger);
      this.#folder = join(this.shelf, String(Math.max(0, ...numbers) + 1));
    }
    for (let more = 0; ; more += 1) {
      const to = join(this.#folder, more === 0 ? path : `${path}.${more}`);
      await this.files.makeFolder(dirname(to));
      if ((await this.files.marks([to]))[0] === undefined) return to;
    }
  }
}

/** From the outermost. */
function foldersAbove(path: string): readonly string[] {
  const words = path.split("/").slice(0, -1);
  return words.map((_, index) => words.slice(0, index + 1).join("/"));
}

function swapped(path: string): SkillError {
  return new SkillError(
    "DEBUG_CHANGED",
    `A folder above ${path} has become a link, or has gone, while the code was looked at.`,
    { hint: "Look whether something writes there still, and end it." },
  );
}
