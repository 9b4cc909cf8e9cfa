import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { SkillError, type Files, type Programs } from "skillctl";
import { readBaseline, type Baseline, type BaselineFile, type StoredPart, isOwnFile } from "./baseline.ts";
import {
  MAX_IMAGE_BYTES,
  noImage,
  sameMark,
  type Change,
  type FileForm,
  type Seeming,
  type TreePart,
} from "./change.ts";
import { sameBytes } from "./exact-text.ts";
import { gitOnPath, type Git } from "./git.ts";
import { PlainImages } from "./plain-images.ts";
import { SavedImages } from "./saved-images.ts";
import { Shadow } from "./shadow.ts";

/** A tree of which a baseline is kept. */
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

  /**
   * What differs now from how it was at the start, byte for byte, sorted by path. The session's own files are left out, and
   * what git ignores unless it was kept.
   * @throws SkillError `DEBUG_STATE_DAMAGED`, `PROGRAM_FAILED`, `FILE_UNREADABLE`
   */
  async changes(): Promise<readonly Change[]> {
    const parts = await Promise.all(this.stored.parts.map((part) => this.#ofPart(part)));
    const all = [
      ...parts.flat(),
      ...(await this.#watchedChanges()),
      ...(await this.#kept.changes(this.root)),
    ];
    const byPath = new Map(all.map((change) => [change.path, change]));
    return [...byPath.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /**
   * The bytes that a file had at the start; `undefined` when it was not there.
   * @throws SkillError `FILE_UNREADABLE` for a file without an image, as a very large one; as `changes` does
   */
  async before(path: string): Promise<Uint8Array | undefined> {
    const kept = await this.#kept.before(path);
    if (kept) return kept;
    if (this.stored.watched.some((one) => one.path === path)) throw noImage(join(this.root, path));
    const part = this.#partOf(path);
    return this.#open(part).before(path.slice(part.folder.length));
  }

  /** What a file was at the start beside its bytes; `undefined` when it was not there, or nobody has noted it. */
  async form(path: string): Promise<FileForm | undefined> {
    const part = this.#partOf(path);
    return this.#open(part).form(path.slice(part.folder.length));
  }

  /**
   * Makes sure that an image of a file is on disk before the file is changed: of one that is left out elsewhere it is made
   * now. A file that has been added since gets none.
   * @throws SkillError `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `PROGRAM_FAILED`, `DEBUG_STATE_DAMAGED`
   */
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

  /**
   * Those of the paths that nobody looks after: what git ignores, and what tools keep by its name. What was a file of the
   * project at the start stays one.
   */
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

  async #ofPart(part: StoredPart): Promise<readonly Change[]> {
    const tree = this.#open(part);
    const quiet = new Set(this.stored.watched.map(({ path }) => path));
    const session = basename(this.baseline.images);
    const seeming = (await tree.changes()).filter(({ path }) => {
      const full = part.folder + path;
      return !quiet.has(full) && !isOwnFile(full, session);
    });
    const differing = await this.#now(part, seeming);
    const known = differing.filter(({ kind }) => kind !== "added");
    const images = await tree.images(known);
    const before = new Map(known.map(({ path }, index) => [path, images[index]]));
    return differing.flatMap(({ path, kind, now, mark, target }): readonly Change[] => {
      const change = { path: part.folder + path, kind, ...(now && { now }), ...(mark && { mark }) };
      if (kind === "added") return [change];
      const bytes = before.get(path);
      if (!bytes) return [{ ...change, isLost: true }];
      const seen = now ?? target;
      return seen && sameBytes(seen, bytes) ? [] : [{ ...change, before: bytes }];
    });
  }

  /** What is there now of what seems to have changed, without that whose bytes git knows for the same. */
  async #now(part: StoredPart, seeming: readonly Seeming[]): Promise<readonly Present[]> {
    const places = seeming.map(({ path }) => join(this.root, part.folder + path));
    const marks = await this.files.marks(places);
    const isRead = (index: number): boolean => (marks[index]?.bytes ?? 0) <= MAX_IMAGE_BYTES;
    const bytes = await this.files.readMany(places.filter((_, index) => isRead(index)));
    const read = bytes.values();
    const found: Present[] = [];
    for (const [index, one] of seeming.entries()) {
      const now = isRead(index) ? read.next().value : undefined;
      const target =
        now || one.kind !== "changed" ? undefined : await this.files.linkTarget(places[index] ?? "");
      const seen = now ?? (target === undefined ? undefined : Buffer.from(target));
      if (one.blob !== undefined && seen && one.blob === contentId(seen)) continue;
      const mark = marks[index];
      found.push({
        ...one,
        ...(now && { now }),
        ...(!now && mark && { mark }),
        ...(!now && seen && { target: seen }),
      });
    }
    return found;
  }

  async #watchedChanges(): Promise<readonly Change[]> {
    const { watched } = this.stored;
    const marks = await this.files.marks(watched.map(({ path }) => join(this.root, path)));
    return watched.flatMap(({ path, mark: before }, index): readonly Change[] => {
      const mark = marks[index];
      if (sameMark(before, mark)) return [];
      return [mark ? { path, kind: "changed", mark } : { path, kind: "removed", isLost: true }];
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

interface Present extends Seeming, Pick<Change, "now" | "mark"> {
  /** What stands for the bytes of a link. */
  readonly target?: Uint8Array;
}

/** What git calls these bytes: the hash of a header and them, in hex (git-hash-object(1)). */
function contentId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
}
