import { dirname, join } from "node:path";
import type { FileMark, Files } from "skillctl";
import type { Copy } from "./manifest.ts";

/** Puts files of a tree back. What stood there is first set aside, so that nothing is lost. */
export class Restoration {
  #folder: string | undefined;

  constructor(
    private readonly files: Files,
    private readonly root: string,
    /** Where what is set aside goes: a folder with a number for each time. Absolute. */
    private readonly shelf: string,
  ) {}

  /** Takes a file, link or folder out of the tree. Answers where it is now. @throws SkillError `FILE_UNWRITABLE` */
  async takeOut(path: string): Promise<string> {
    const to = await this.#free(path);
    await this.files.move(join(this.root, path), to);
    return to;
  }

  /**
   * Puts a file or link back. Answers where what stood there is now, if there was something.
   * @throws SkillError `FILE_UNWRITABLE`
   */
  async putBack(
    path: string,
    { kind, mode, target }: Copy,
    bytes: Uint8Array | undefined,
  ): Promise<string | undefined> {
    const full = join(this.root, path);
    await this.#makeWay(path);
    const now = await this.#markOf(path);
    if (kind === "link" && target !== undefined) {
      const kept = now && (await this.takeOut(path));
      await this.files.makeLink(full, target);
      return kept;
    }
    // A further name: what an open writer still writes goes there, and the path is never without a file.
    const kept = now && (now.kind === "file" ? await this.#named(path) : await this.takeOut(path));
    await this.files.replace(full, bytes ?? "", mode ?? 0o644);
    return kept;
  }

  /** Folders that there were not before and that hold nothing now go, from the innermost. */
  async prune(path: string, isOld: (folder: string) => boolean): Promise<void> {
    for (let folder = dirname(path); folder !== "." && !isOld(`${folder}/`); folder = dirname(folder)) {
      const full = join(this.root, folder);
      if (
        (await this.#markOf(folder))?.kind !== "folder" ||
        ((await this.files.list(full)) ?? [""]).length > 0
      )
        return;
      await this.files.remove(full);
    }
  }

  async #named(path: string): Promise<string> {
    const to = await this.#free(path);
    await this.files.addName(join(this.root, path), to);
    return to;
  }

  /** Every part of the path but the last is a folder afterwards, and no link to one. */
  async #makeWay(path: string): Promise<void> {
    const folders = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= folders.length; depth += 1) {
      const folder = folders.slice(0, depth).join("/");
      const mark = await this.#markOf(folder);
      if (mark && mark.kind !== "folder") await this.takeOut(folder);
      if (mark?.kind !== "folder") await this.files.makeFolder(join(this.root, folder), 0o755);
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
