import { createHash } from "node:crypto";
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
import {
  FOLDER_PATTERNS,
  isOwnFile,
  ownPatterns,
  writeBaseline,
  type Baseline,
  type StoredPart,
} from "./baseline.ts";
import type { Watched } from "./change.ts";
import { gitOnPath } from "./git.ts";
import { PlainImages } from "./plain-images.ts";
import { SavedImages } from "./saved-images.ts";
import { Shadow } from "./shadow.ts";
import { StoredTree } from "./stored-tree.ts";

/**
 * The code of a project as it was when a session began, and what differs from it now. It is kept outside the project, in
 * the user's state folder.
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
   * `note` is told how many. Without git at most 1 GiB is kept. Repositories inside the project are parts of their own, and
   * what is inside them too.
   * @throws SkillError `PROGRAM_FAILED`, `FILE_UNREADABLE`, `FILE_UNWRITABLE`, `STORAGE_UNSAFE` for more, `CANCELLED`
   */
  async begin(
    root: string,
    session: string,
    signal: AbortSignal,
    note: (sentence: string) => void = () => undefined,
  ): Promise<Baseline> {
    const { files, environment } = this;
    const images = join(environment.stateFolder, "runtime-debug", shortHash(root), session);
    await files.remove(images);
    await files.makeFolder(images);
    const git = await gitOnPath(this.programs);
    const parts: StoredPart[] = [];
    const watched: Watched[] = [];
    let commit: string | undefined;
    const folders = [""];
    for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
      const place = String(parts.length);
      const path = join(root, folder).replace(/(?<=.)[/\\]$/, "");
      const state = stateIn(path, environment);
      const begun = git
        ? await new Shadow(git, files, path, join(images, place)).begin(
            environment,
            await this.#patterns(path, session, state),
            signal,
          )
        : await new PlainImages(files, path, join(images, place), state).begin(
            (name) => isOwnFile(name, session),
            signal,
          );
      const leftOut = git ? undefined : state;
      parts.push({ folder, kind: git ? "git" : "plain", place, ...(leftOut !== undefined && { leftOut }) });
      watched.push(...begun.watched.map((one) => ({ ...one, path: folder + one.path })));
      for (const path of begun.nested) folders.push(folder + path);
      if (folder === "") commit = begun.commit;
    }
    await writeBaseline(images, { version: 1, parts, watched }, files);
    if (watched.length > 0)
      note(
        `${watched.length} file${watched.length === 1 ? " gets" : "s get"} no image, over 4 MiB or not readable: a change is noticed, but cannot be put back.`,
      );
    return { images, ...(commit !== undefined && { commit }) };
  }

  /** The tree that a baseline was made of. @throws SkillError `DEBUG_STATE_DAMAGED` */
  tree(root: string, baseline: Baseline): Promise<StoredTree> {
    return StoredTree.open(this.files, this.programs, root, baseline);
  }

  /** Keeps what was accepted as changed, by its hash. @throws SkillError `FILE_UNWRITABLE` */
  async keepAccepted(
    baseline: Baseline,
    accepted: readonly { readonly hash: string; readonly bytes?: Uint8Array }[],
  ): Promise<void> {
    const kept = accepted.flatMap(({ hash, bytes }) => (bytes ? [[hash, bytes] as const] : []));
    await this.#accepted(baseline).keep(new Map(kept));
  }

  /** The bytes of such a file; `undefined` where none were kept. @throws SkillError `FILE_UNREADABLE` */
  async accepted(baseline: Baseline, hash: string): Promise<Uint8Array | undefined> {
    return this.#accepted(baseline).before(hash);
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
  async forget({ images }: Baseline): Promise<void> {
    await this.files.remove(images);
    const project = dirname(images);
    if ((await this.files.list(project))?.length === 0) await this.files.remove(project);
  }

  #accepted({ images }: Baseline): SavedImages {
    return new SavedImages(this.files, join(images, "accepted"));
  }

  async #patterns(path: string, session: string, state: string | undefined): Promise<readonly string[]> {
    const isProject = (await this.files.facts(join(path, ".git"))) !== undefined;
    return [
      ...ownPatterns(session),
      ...(isProject ? [] : FOLDER_PATTERNS),
      ...(state === undefined ? [] : [`/${state}/`]),
    ];
  }
}

export const WORKTREE = token<Worktree>("worktree");

function unsafe(path: string, why: string): SkillError {
  return new SkillError("STORAGE_UNSAFE", `${path} ${why}, so it is not written.`, { file: path });
}

/** The state folder as seen from a folder that holds it, with `/`. */
function stateIn(path: string, { stateFolder }: Environment): string | undefined {
  const state = relative(path, stateFolder);
  const isInside = state !== "" && state !== ".." && !state.startsWith(`..${sep}`) && !isAbsolute(state);
  return isInside ? state.split(sep).join("/") : undefined;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
