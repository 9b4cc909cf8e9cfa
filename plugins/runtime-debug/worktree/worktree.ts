import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import {
  ENVIRONMENT,
  FILES,
  PROGRAMS,
  SkillError,
  inject,
  injectable,
  token,
  type Environment,
  type Files,
  type Programs,
} from "skillctl";
import type { Baseline } from "./baseline.ts";
import type { Change, FileForm } from "./change.ts";
import type { SavedImages } from "./saved-images.ts";
import type { StoredTree } from "./stored-tree.ts";

/**
 * The code of a project as it was when a session began, and what differs from it now. It is kept outside the project, in
 * the user's state folder. What does the work is loaded when it is asked for.
 */
@injectable()
export class Worktree {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Keeps the code as it is now, on the disk, before anything of it is changed. What a killed `begin` of the same session
   * has left is made anew. Files over 4 MiB get no image: of them only a mark tells later whether they are the same;
   * `note` is told how many. Without git at most 1 GiB is kept.
   * @throws SkillError `PROGRAM_FAILED`, `FILE_UNREADABLE`, `FILE_UNWRITABLE`, `STORAGE_UNSAFE` for more, `CANCELLED`
   */
  async begin(
    root: string,
    session: string,
    signal: AbortSignal,
    note: (sentence: string) => void = () => undefined,
  ): Promise<Baseline> {
    const { beginBaseline } = await import("./beginning.ts");
    const { files, programs, environment } = this;
    return beginBaseline({ files, programs, environment, note }, root, session, signal);
  }

  /**
   * What differs now from how it was at begin, byte for byte, sorted by path. The session's own files are left out, and
   * what git ignores unless it was kept.
   * @throws SkillError `DEBUG_STATE_DAMAGED`, `PROGRAM_FAILED`, `FILE_UNREADABLE`
   */
  async changes(root: string, baseline: Baseline): Promise<readonly Change[]> {
    return (await this.#tree(root, baseline)).changes();
  }

  /**
   * The bytes a file had at begin; undefined when it did not exist.
   * @throws SkillError `FILE_UNREADABLE` for a file without an image, as a very large one;
   * `DEBUG_STATE_DAMAGED`, `PROGRAM_FAILED`
   */
  async before(root: string, baseline: Baseline, path: string): Promise<Uint8Array | undefined> {
    return (await this.#tree(root, baseline)).before(path);
  }

  /** Whether these bytes are the ones before a change. Throws what `before` does. */
  async isBefore(root: string, baseline: Baseline, change: Change, bytes: Uint8Array): Promise<boolean> {
    return (await this.#tree(root, baseline)).isBefore(change, bytes);
  }

  /**
   * Those of the paths that nobody looks after: what git ignores, and what tools keep by its name. What was a file of the
   * project at begin stays one. @throws SkillError as `changes` does
   */
  async leftOut(root: string, baseline: Baseline, paths: readonly string[]): Promise<ReadonlySet<string>> {
    return (await this.#tree(root, baseline)).leftOut(paths);
  }

  /**
   * Makes sure that an image of a file is on disk before the file is changed: of one that is left out elsewhere it is made
   * now. A file that has been added since gets none.
   * @throws SkillError `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `PROGRAM_FAILED`, `DEBUG_STATE_DAMAGED`
   */
  async keep(root: string, baseline: Baseline, path: string): Promise<void> {
    await (await this.#tree(root, baseline)).keep(path);
  }

  /**
   * What a file was at begin beside its bytes; `undefined` when it was not there, or nobody has noted it.
   * @throws SkillError as `before` does
   */
  async form(root: string, baseline: Baseline, path: string): Promise<FileForm | undefined> {
    return (await this.#tree(root, baseline)).form(path);
  }

  /** Keeps what was accepted as changed, by its hash. @throws SkillError `FILE_UNWRITABLE` */
  async keepAccepted(
    baseline: Baseline,
    accepted: readonly { readonly hash: string; readonly bytes?: Uint8Array }[],
  ): Promise<void> {
    const kept = accepted.flatMap(({ hash, bytes }) => (bytes ? [[hash, bytes] as const] : []));
    await (await this.#accepted(baseline)).keep(new Map(kept));
  }

  /** The bytes of such a file; `undefined` where none were kept. @throws SkillError `FILE_UNREADABLE` */
  async accepted(baseline: Baseline, hash: string): Promise<Uint8Array | undefined> {
    return (await this.#accepted(baseline)).before(hash);
  }

  /**
   * Replaces a file of the tree: links followed, its mode kept, atomically; a new one gets `mode`.
   * @throws SkillError `STORAGE_UNSAFE` for a path outside the project or no regular file, `FILE_UNWRITABLE`
   */
  async write(root: string, path: string, bytes: Uint8Array | string, mode = 0o644): Promise<void> {
    const asked = join(root, path);
    const folder = await this.files.realPath(dirname(asked));
    const unlinked = folder === undefined ? asked : join(folder, basename(asked));
    const target = (await this.files.realPath(asked)) ?? unlinked;
    const inside = relative((await this.files.realPath(root)) ?? root, target);
    if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
      throw unsafe(target, "lies outside the project");
    const facts = await this.files.facts(target);
    if (facts && facts.kind !== "file") throw unsafe(target, "is no regular file");
    if ((facts?.names ?? 1) > 1)
      throw new SkillError(
        "STORAGE_UNSAFE",
        `${target} has ${facts?.names} names, which writing it would part.`,
        {
          file: target,
          hint: `Make it a file of its own first: cp -p FILE FILE.new && mv FILE.new FILE. Its other names keep their bytes.`,
        },
      );
    await this.files.replace(target, bytes, facts?.mode ?? mode);
  }

  /** Removes the images. @throws SkillError `FILE_UNWRITABLE` */
  async forget(baseline: Baseline): Promise<void> {
    const { forgetBaseline } = await import("./beginning.ts");
    await forgetBaseline(this.files, baseline);
  }

  async #accepted({ images }: Baseline): Promise<SavedImages> {
    const { SavedImages } = await import("./saved-images.ts");
    return new SavedImages(this.files, join(images, "accepted"));
  }

  async #tree(root: string, baseline: Baseline): Promise<StoredTree> {
    const { StoredTree } = await import("./stored-tree.ts");
    return StoredTree.open(this.files, this.programs, root, baseline);
  }
}

export const WORKTREE = token<Worktree>("worktree");

function unsafe(path: string, why: string): SkillError {
  return new SkillError("STORAGE_UNSAFE", `${path} ${why}, so it is not written.`, { file: path });
}
