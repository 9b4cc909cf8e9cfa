import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { SkillError, type Files, type Programs } from "skillctl";
import { readBaseline, type Baseline, type BaselineFile, type StoredPart, isOwnFile } from "./baseline.ts";
import { noImage, sameMark, type Change, type FileForm, type TreePart } from "./change.ts";
import { gitOnPath, type Git } from "./git.ts";
import { PlainImages } from "./plain-images.ts";
import { SavedImages } from "./saved-images.ts";
import { Shadow } from "./shadow.ts";

/** A tree of which a baseline is kept. See `Worktree`. */
export class StoredTree {
  /** Of files that the others leave out: only these tell that they have changed. */
  readonly #kept: SavedImages;

  private constructor(
    private readonly files: Files,
    private readonly root: string,
    private readonly baseline: Baseline,
    private readonly stored: BaselineFile,
    private readonly git: Git | undefined,
  ) {
    this.#kept = new SavedImages(files, join(baseline.images, "kept"));
  }

  static async open(files: Files, programs: Programs, root: string, baseline: Baseline): Promise<StoredTree> {
    const stored = await readBaseline(baseline.images, files);
    return new StoredTree(files, root, baseline, stored, await gitOnPath(programs));
  }

  async changes(): Promise<readonly Change[]> {
    const parts = await Promise.all(this.stored.parts.map((part) => this.#seeming(part)));
    const watched = await this.#watchedChanges();
    const quiet = new Set(this.stored.watched.map(({ path }) => path));
    const session = basename(this.baseline.images);
    const seeming = parts.flat().filter(({ path }) => !quiet.has(path) && !isOwnFile(path, session));
    const kept = await this.#kept.changes(this.root);
    const all = [...(await this.#real(seeming)), ...watched, ...kept];
    const byPath = new Map(all.map((change) => [change.path, change]));
    return [...byPath.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  async before(path: string): Promise<Uint8Array | undefined> {
    const kept = await this.#kept.before(path);
    if (kept) return kept;
    if (this.stored.watched.some((one) => one.path === path)) throw noImage(join(this.root, path));
    const part = this.#partOf(path);
    return this.#open(part).before(path.slice(part.folder.length));
  }

  async form(path: string): Promise<FileForm | undefined> {
    const part = this.#partOf(path);
    return this.#open(part).form(path.slice(part.folder.length));
  }

  async isBefore(change: Change, bytes: Uint8Array): Promise<boolean> {
    if (change.kind === "added") return false;
    if (change.blob !== undefined) return contentId(bytes, change.blob) === change.blob;
    if (this.stored.watched.some(({ path }) => path === change.path)) return false;
    const before = await this.before(change.path);
    return before !== undefined && Buffer.compare(before, bytes) === 0;
  }

  async keep(path: string): Promise<void> {
    if (await this.#kept.before(path)) return;
    const watched = this.stored.watched.find((one) => one.path === path);
    const part = this.#partOf(path);
    const inPart = path.slice(part.folder.length);
    if (!watched && (await this.#open(part).leftOut([inPart])).length === 0) return;
    const place = join(this.root, path);
    const [[bytes], [mark]] = [await this.files.readMany([place]), await this.files.marks([place])];
    // What has changed since is no image of how it was.
    if (bytes && (!watched || sameMark(watched.mark, mark))) await this.#kept.keep(new Map([[path, bytes]]));
  }

  async leftOut(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await Promise.all(
      this.stored.parts.map(async (part) => {
        const own = paths.filter((path) => this.#partOf(path) === part);
        const left = await this.#open(part).leftOut(own.map((path) => path.slice(part.folder.length)));
        return left.map((path) => part.folder + path);
      }),
    );
    return new Set(found.flat());
  }

  async #seeming(part: StoredPart): Promise<readonly Change[]> {
    const found = await this.#open(part).changes();
    return part.folder === "" ? found : found.map((one) => ({ ...one, path: part.folder + one.path }));
  }

  /** Of what seems to have changed, because its times differ, what has other bytes. */
  async #real(seeming: readonly Change[]): Promise<readonly Change[]> {
    const changed = seeming.filter(({ kind }) => kind === "changed");
    const bytes = await this.files.readMany(changed.map(({ path }) => join(this.root, path)));
    const real = seeming.filter(({ kind }) => kind !== "changed");
    for (const [index, change] of changed.entries()) {
      const now = bytes[index];
      const seen = now ?? (await this.#targetOf(change));
      const nowBlob = seen && change.blob !== undefined ? contentId(seen, change.blob) : undefined;
      const isSame =
        nowBlob === undefined ? seen && (await this.isBefore(change, seen)) : nowBlob === change.blob;
      if (isSame === true) continue;
      real.push({ ...change, ...(now && { now }), ...(now && nowBlob !== undefined && { nowBlob }) });
    }
    return real;
  }

  /** What stands for the bytes of a link. */
  async #targetOf({ path }: Change): Promise<Uint8Array | undefined> {
    const target = await this.files.linkTarget(join(this.root, path));
    return target === undefined ? undefined : Buffer.from(target);
  }

  async #watchedChanges(): Promise<readonly Change[]> {
    const { watched } = this.stored;
    const marks = await this.files.marks(watched.map(({ path }) => join(this.root, path)));
    return watched.flatMap(({ path, mark }, index): readonly Change[] => {
      if (sameMark(mark, marks[index])) return [];
      return [{ path, kind: marks[index] ? "changed" : "removed" }];
    });
  }

  /** The part that a path belongs to: the innermost. */
  #partOf(path: string): StoredPart {
    const holding = this.stored.parts.filter(({ folder }) => path.startsWith(folder));
    return holding.reduce((one, other) => (other.folder.length > one.folder.length ? other : one));
  }

  #open({ folder, place, kind, leftOut }: StoredPart): TreePart {
    const path = join(this.root, folder).replace(/(?<=.)[/\\]$/, "");
    const images = join(this.baseline.images, place);
    if (kind === "plain") return new PlainImages(this.files, path, images, leftOut);
    if (this.git) return new Shadow(this.git, this.files, path, images);
    throw new SkillError("PROGRAM_FAILED", "git was there when the session began and is not on PATH now.", {
      hint: "Install it, or put it back on PATH.",
    });
  }
}

/** What git calls these bytes: the hash of a header and them, in hex (git-hash-object(1)); as long as `like`, another id. */
function contentId(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}
