import { writeFile } from "node:fs/promises";
import type { Files } from "skillctl";
import { nodeFiles } from "../../../../core/adapters/files.ts";

/** Files that die with their process: from a certain change on, nothing can be written or read. */
export class DyingFiles {
  #left = Infinity;
  #isDead = false;
  /** @param isCareless whether files are written in place, so that a death can leave half of one */
  constructor(private readonly isCareless = false) {}

  /** Dies after the given change, counted from 1 from now on, or in the middle of it if it is made in place. */
  dieAt(change: number): void {
    [this.#left, this.#isDead] = [change, false];
  }

  /** Revives the files; returns whether they were dead. */
  revive(): boolean {
    const was = this.#isDead;
    this.dieAt(Infinity);
    return was;
  }

  readonly files: Files = {
    readText: (path) => this.#reading(() => nodeFiles.readText(path)),
    readBytes: (path) => this.#reading(() => nodeFiles.readBytes(path)),
    list: (path) => this.#reading(() => nodeFiles.list(path)),
    facts: (path) => this.#reading(() => nodeFiles.facts(path)),
    marks: (paths) => this.#reading(() => nodeFiles.marks(paths)),
    readMany: (paths) => this.#reading(() => nodeFiles.readMany(paths)),
    survey: (path, enters) => this.#reading(() => nodeFiles.survey(path, enters)),
    linkTarget: (path) => this.#reading(() => nodeFiles.linkTarget(path)),
    realPath: (path) => this.#reading(() => nodeFiles.realPath(path)),
    makeFolder: (path, mode) => this.#changing(() => nodeFiles.makeFolder(path, mode)),
    replace: (path, content, mode) => this.#changing(() => this.#replace(path, content, mode)),
    create: (path, content, mode) => this.#changing(() => nodeFiles.create(path, content, mode)),
    settle: (path) => this.#changing(() => nodeFiles.settle(path)),
    remove: (path) => this.#changing(() => nodeFiles.remove(path)),
    removeEmpty: (path) => this.#changing(() => nodeFiles.removeEmpty(path)),
    move: (from, to) => this.#changing(() => nodeFiles.move(from, to)),
    makeLink: (path, target) => this.#changing(() => nodeFiles.makeLink(path, target)),
  };

  async #replace(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
    if (!this.isCareless) return nodeFiles.replace(path, content, mode);
    const half = content.slice(0, content.length / 2);
    await writeFile(path, this.#left === 0 ? half : content);
  }

  async #reading<T>(action: () => Promise<T>): Promise<T> {
    if (this.#isDead) throw new Error("dead");
    return action();
  }

  async #changing<T>(action: () => Promise<T>): Promise<T> {
    if (this.#isDead) throw new Error("dead");
    this.#left -= 1;
    this.#isDead = this.#left === 0;
    const result = await action();
    if (this.#isDead) throw new Error("dead");
    return result;
  }
}
