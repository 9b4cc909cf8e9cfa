import { createHash } from "node:crypto";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import {
  quotedName,
  ENVIRONMENT,
  FILES,
  JOURNALS,
  PROGRAMS,
  SkillError,
  gitOnPath,
  inject,
  injectable,
  token,
  type Environment,
  type FileMark,
  type Files,
  type Journals,
  type Programs,
} from "skillctl";
import { MAX_IMAGE_BYTES, type Change, type FormerFile, type Images } from "./change.ts";
import { sameBytes } from "./exact-text.ts";
import { GitImages } from "./git-images.ts";
import { PlainImages } from "./plain-images.ts";

/** The state of the code when a session began; JSON, stored in the entry of the session. */
export interface Baseline {
  /** The absolute path of the images in the state folder. */
  readonly images: string;
}

/** Written last into the folder of the images: it shows that the baseline is complete. */
interface BaselineFile {
  readonly version: 2;
  readonly kind: "git" | "plain";
  /** Files without an image: too large, or not readable. They are not compared. */
  readonly unkept: readonly string[];
}

/**
 * The code of a project when a session began, and its differences from the present code. It is kept outside the
 * project, in the user's state folder.
 */
@injectable()
export class Worktree {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(JOURNALS) private readonly journals: Journals,
  ) {}

  /** The baseline of a session, whether it exists or not. */
  baselineOf(root: string, session: string): Baseline {
    return { images: join(this.environment.stateFolder, "runtime-debug", shortHash(root), session) };
  }

  /**
   * Saves the present code, durably, before any change. Overwrites the remains of a killed `begin` of the same session.
   * `note` receives the number of files without an image. Without git at most 128 MiB are kept.
   * @throws SkillError as `Images.begin` does
   */
  async begin(
    root: string,
    session: string,
    signal: AbortSignal,
    note: (sentence: string) => void = () => undefined,
  ): Promise<Baseline> {
    const { files } = this;
    const { images } = this.baselineOf(root, session);
    await files.remove(images);
    await files.makeFolder(images);
    const kind = (await gitOnPath(this.programs)) ? "git" : "plain";
    const kept = await this.#images(root, { images }, kind);
    await kept.begin(signal);
    const added = (await kept.seeming()).filter(({ kind: is }) => is === "added");
    const unkept = added.map(({ path }) => path).filter((path) => !isOwnFile(path, session));
    const stored: BaselineFile = { version: 2, kind, unkept };
    await files.replace(join(images, NAME), JSON.stringify(stored));
    if (unkept.length > 0)
      note(
        `${unkept.length} file${unkept.length === 1 ? " is" : "s are"} not compared: over 4 MiB, unreadable, or with a name that is not UTF-8.`,
      );
    return { images };
  }

  /** The tree of a baseline. @throws SkillError `DEBUG_STATE_DAMAGED`, `PROGRAM_FAILED` if git is no longer installed */
  async tree(root: string, baseline: Baseline): Promise<StoredTree> {
    const file = join(baseline.images, NAME);
    const stored = parsed(await this.files.readText(file));
    if (stored?.version !== 2)
      throw new SkillError(
        "DEBUG_STATE_DAMAGED",
        "The images of the code before the session cannot be read.",
        {
          file,
          hint: "Restore the code from your own copy, and begin a new session.",
        },
      );
    const images = await this.#images(root, baseline, stored.kind);
    return new StoredTree(
      this.files,
      this.journals,
      { root, session: basename(baseline.images) },
      images,
      stored.unkept,
    );
  }

  /** Saves an accepted change, by its hash, for all sessions of the project. @throws SkillError `FILE_UNWRITABLE` */
  async keepAccepted(
    baseline: Baseline,
    accepted: readonly { readonly hash: string; readonly bytes?: Uint8Array }[],
  ): Promise<void> {
    for (const { hash, bytes } of accepted) {
      const place = acceptedPlace(baseline, hash);
      if (!bytes || (await this.files.facts(place))) continue;
      await this.files.makeFolder(dirname(place));
      await this.files.replace(place, bytes);
    }
  }

  /** The bytes of such a file; `undefined` if none were saved. @throws SkillError `FILE_UNREADABLE` */
  accepted(baseline: Baseline, hash: string): Promise<Uint8Array | undefined> {
    return this.files.readBytes(acceptedPlace(baseline, hash));
  }

  /**
   * Replaces a file of the tree atomically: links are followed, and the mode is kept.
   * @throws SkillError `STORAGE_UNSAFE` for a file with several hard links, and as `putBack` does
   */
  async write(root: string, path: string, bytes: Uint8Array | string): Promise<void> {
    const target = await this.inside(root, path);
    const { names = 1 } = (await this.files.facts(target)) ?? {};
    if (names > 1)
      throw new SkillError(
        "STORAGE_UNSAFE",
        `${quotedName(target)} has ${names} hard links, which writing to it would break.`,
        {
          file: target,
          hint: `Make it a separate file first: cp -p FILE FILE.new && mv FILE.new FILE. Its other hard links keep their content.`,
        },
      );
    await this.putBack(root, path, bytes);
  }

  /**
   * The same, but also for a file with several hard links: it becomes a separate file, and the others keep their bytes.
   * A new file gets `mode`. @throws SkillError `STORAGE_UNSAFE` for a path outside of the project or not a regular
   * file, `FILE_UNWRITABLE`
   */
  async putBack(root: string, path: string, bytes: Uint8Array | string, mode = 0o644): Promise<void> {
    const target = await this.inside(root, path);
    const facts = await this.files.facts(target);
    if (facts && facts.kind !== "file") throw unsafe(target, "is not a regular file");
    await this.files.replace(target, bytes, facts?.mode ?? mode);
  }

  /**
   * The real path of a path in the tree, existing or not. A parent folder may have become a link that leads out of the
   * project. @throws SkillError `STORAGE_UNSAFE` for a path outside
   */
  async inside(root: string, path: string): Promise<string> {
    const asked = join(root, path);
    let [there, rest] = [dirname(asked), basename(asked)];
    let folder = await this.files.realPath(there);
    while (folder === undefined && there !== root && there !== dirname(there)) {
      [there, rest] = [dirname(there), join(basename(there), rest)];
      folder = await this.files.realPath(there);
    }
    const target = (await this.files.realPath(asked)) ?? join(folder ?? there, rest);
    if (within((await this.files.realPath(root)) ?? root, target) !== undefined) return target;
    throw unsafe(target, "lies outside the project");
  }

  /** Removes the images. @throws SkillError `FILE_UNWRITABLE` */
  async forget({ images }: Baseline): Promise<void> {
    await this.files.remove(images);
    const project = dirname(images);
    const names = (await this.files.list(project)) ?? [];
    // The copy that undo has saved stays.
    if (names.every((name) => name === ACCEPTED || name.endsWith(".undone")))
      await this.files.remove(join(project, ACCEPTED));
    await this.files.removeEmpty(project);
  }

  async #images(root: string, { images }: Baseline, kind: BaselineFile["kind"]): Promise<Images> {
    const { files, environment, programs } = this;
    const place = join(images, kind);
    const state = within(root, environment.stateFolder) || undefined;
    if (kind === "plain") return new PlainImages(files, root, place, state);
    const git = await gitOnPath(programs);
    const own = [...OWN, `/debug-${basename(images)}.md`, ...(state === undefined ? [] : [`/${state}/`])];
    if (git) return new GitImages(git, files, environment, { folder: root, repository: place }, own);
    throw new SkillError("PROGRAM_FAILED", "git was on PATH when the session began but is not now.", {
      hint: "Install it, or put it back on PATH.",
    });
  }
}

export const WORKTREE = token<Worktree>("worktree");

/** The file from which the server of a session reads the checked code: `SessionEntry.checked`, or null. */
export function checkedPlace({ images }: Baseline): string {
  return join(images, "checked.json");
}

/** A tree with a stored baseline. */
export class StoredTree {
  constructor(
    private readonly files: Files,
    private readonly journals: Journals,
    private readonly place: { readonly root: string; readonly session: string },
    private readonly images: Images,
    private readonly unkept: BaselineFile["unkept"],
  ) {}

  /**
   * The files that differ from the start, byte for byte, sorted by path. The session's own files are left out, and
   * so are files that git ignores, unless they were kept.
   * @throws SkillError `DEBUG_STATE_DAMAGED`, `PROGRAM_FAILED`, `FILE_UNREADABLE`
   */
  async changes(): Promise<readonly Change[]> {
    const seeming = (await this.images.seeming()).filter(
      ({ path, kind }) =>
        !(kind === "added" && this.unkept.includes(path)) && !isOwnFile(path, this.place.session),
    );
    const found: Change[] = [];
    const places = seeming.map(({ path }) => join(this.place.root, path));
    const marks = await this.files.marks(places);
    const isRead = (mark: FileMark | undefined): boolean =>
      mark?.kind === "file" && mark.bytes <= MAX_IMAGE_BYTES;
    const read = (await this.files.readMany(places.filter((_, index) => isRead(marks[index])))).values();
    for (const [index, { path, kind, before, wasLink = false }] of seeming.entries()) {
      const mark = marks[index];
      const now = isRead(mark) ? read.next().value : undefined;
      const isLink = mark?.kind === "link";
      const target = isLink ? await this.files.linkTarget(places[index] ?? "") : undefined;
      const seen = now ?? (target === undefined ? undefined : Buffer.from(target));
      const isSame = before !== undefined && seen !== undefined && sameBytes(seen, before);
      if (isSame && isLink === wasLink) continue;
      found.push({
        path,
        kind,
        // A file with the target of a link as its content still differs from the link.
        ...(now && !isSame ? { now } : mark && { mark }),
        ...(kind === "added" &&
          mark?.kind === "file" &&
          !now && { head: await this.#head(join(this.place.root, path)) }),
        ...(before ? { before } : kind !== "added" && { isLost: true }),
      });
    }
    return found.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  async #head(path: string): Promise<string> {
    const reader = await this.journals.openToRead(path);
    if (!reader) return "";
    const head = await reader.read(0, HEAD_BYTES);
    await reader.close();
    return Buffer.from(head).toString("latin1");
  }

  /** A file as it was at the start; `undefined` if it did not exist or got no image. @throws SkillError as `changes` does */
  before(path: string): Promise<FormerFile | undefined> {
    return this.images.before(path);
  }

  /**
   * Ensures that an image of a file is on disk before the file is changed: for an excluded file it is created now. A
   * file that was added since gets none.
   * @throws SkillError `FILE_UNWRITABLE`, and as `changes` does
   */
  async keep(path: string): Promise<void> {
    if ((await this.before(path)) || !(await this.leftOut([path])).has(path)) return;
    await this.images.keep(path);
  }

  /**
   * The untracked ones among some paths: files that git ignores, folders of tools, and files without an image. A file of
   * the project at the start stays tracked.
   */
  async leftOut(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const unkept = paths.filter((path) => this.unkept.includes(path));
    return new Set([...unkept, ...(await this.images.leftOut(paths))]);
  }
}

const HEAD_BYTES = 16;
const NAME = "baseline.json";
/**
 * A folder next to the images of all sessions of a project; no session id is a single word, so names cannot collide.
 */
const ACCEPTED = "accepted";
/** Files that skillctl itself writes into a project, except the record; patterns of gitignore(5). */
const OWN = [".dbg/", ".*.skillctl-new"];

/** Whether a path is one that the session itself writes. */
function isOwnFile(path: string, session: string): boolean {
  if (path === `debug-${session}.md` || path.split("/").includes(".dbg")) return true;
  return /^\..*\.skillctl-new$/.test(basename(path));
}

function parsed(text = ""): BaselineFile | undefined {
  try {
    return JSON.parse(text) as BaselineFile;
  } catch {
    // The caller reports it as damaged.
    return undefined;
  }
}

function acceptedPlace({ images }: Baseline, hash: string): string {
  return join(dirname(images), ACCEPTED, hash);
}

function unsafe(path: string, why: string): SkillError {
  return new SkillError("STORAGE_UNSAFE", `${quotedName(path)} ${why}, so it is not written.`, {
    file: path,
  });
}

/** A path as seen from a folder that holds it, with `/`, "" for the folder itself; `undefined` for a path outside. */
export function within(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  const isOut = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOut ? undefined : inside.split(sep).join("/");
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
