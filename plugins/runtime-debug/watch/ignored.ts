import { basename, join } from "node:path";
import { SkillError, type Files, type Programs } from "skillctl";
import { readBaseline, type Baseline, type StoredPart } from "../worktree/baseline.ts";
import { isInLogFolder } from "../worktree/log-folder.ts";
import { gitOnPath, names, type Git } from "../worktree/git.ts";

const IGNORE_LIST = ".gitignore";
const IGNORED = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
const TRACKED = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];

/** See `Ignored.list`. */
interface IgnoredNow {
  readonly ignored: readonly string[];
  readonly doubtful: readonly string[];
}

/** A name that no list says: it is ignored where everything is. */
const ANY = "skillctl any name";

/** What git ignores in the parts of a tree, by the rules that were there when the session began. */
export class Ignored {
  private constructor(
    private readonly root: string,
    private readonly images: string,
    private readonly parts: readonly StoredPart[],
    private readonly watched: ReadonlySet<string>,
    private readonly git: Git | undefined,
  ) {}

  /** @throws SkillError `DEBUG_STATE_DAMAGED`, `PROGRAM_FAILED` */
  static async open(files: Files, programs: Programs, root: string, { images }: Baseline): Promise<Ignored> {
    const { parts, watched } = await readBaseline(images, files);
    const git = parts.some(({ kind }) => kind === "git") ? await gitOnPath(programs) : undefined;
    return new Ignored(root, images, parts, new Set(watched.map(({ path }) => path)), git);
  }

  /** Whether a folder is kept without git, and left out by names alone. */
  get isPlain(): boolean {
    return this.parts.every(({ kind }) => kind === "plain");
  }

  /**
   * What is ignored now, from the project folder: files, and folders with a slash. `doubtful` are folders of which only
   * all that is in them now is ignored. `isFirst` takes the list of the start.
   */
  async list(files: Files, isFirst: boolean): Promise<IgnoredNow> {
    const nested = new Set(this.parts.map(({ folder }) => folder));
    const all = this.parts.map(async (part) => {
      const { folder, kind, place, leftOut } = part;
      if (kind === "plain") return leftOut === undefined ? [] : [`${folder}${leftOut}/`];
      const known = isFirst ? await files.readBytes(join(this.images, place, "ignored")) : undefined;
      const out = known ? Buffer.from(known) : await this.#output(part, IGNORED);
      return names(out).map((path) => folder + path);
    });
    // Large files and repositories inside are told apart by name there, and looked after here.
    const found = (await Promise.all(all))
      .flat()
      .filter((path) => !this.watched.has(path) && !nested.has(path) && !isLogFolder(path));
    const folders = this.isPlain ? [] : found.filter((path) => path.endsWith("/"));
    const sure = await this.among(
      folders.flatMap((path) => [path, path + ANY]),
      () => true,
    );
    const doubtful = folders.filter((path) => !sure.has(path) && !sure.has(path + ANY));
    const open = new Set(doubtful);
    return { ignored: found.filter((path) => !open.has(path)), doubtful };
  }

  /** Files that the project's own git tracks although it ignores them. */
  async tracked(): Promise<readonly string[]> {
    const all = this.parts.map(async ({ folder, kind }) => {
      if (kind === "plain" || !this.git) return [];
      const { status, out } = await this.git.run(TRACKED, { folder: this.#folderOf(folder) });
      return status === 0 ? names(out).map((path) => folder + path) : [];
    });
    return (await Promise.all(all)).flat();
  }

  /**
   * Of new paths those that are ignored, by an ignore list of which `isTrusted` says that it is as it was, or by what the
   * start has kept of the lists outside the tree. Folders have a slash at the end.
   * @throws SkillError `PROGRAM_FAILED`
   */
  async among(paths: readonly string[], isTrusted: (list: string) => boolean): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const part of this.parts) {
      if (part.kind === "plain") continue;
      const own = paths
        .filter((path) => this.#partOf(path) === part)
        .map((path) => path.slice(part.folder.length));
      if (own.length === 0) continue;
      const input = own.map((path) => `${path}\0`).join("");
      const words = names(
        await this.#output(part, ["check-ignore", "-v", "-z", "--no-index", "--stdin"], input),
      );
      for (let at = 0; at + 3 < words.length; at += 4) {
        const [source = "", , pattern = "", path = ""] = words.slice(at, at + 4);
        const list = basename(source) === IGNORE_LIST ? part.folder + source : undefined;
        if (isLogFolder(path) || isInLogFolder(path)) continue;
        if (pattern.startsWith("!") || (list !== undefined && !isTrusted(list))) continue;
        found.add(part.folder + path);
      }
    }
    return found;
  }

  #partOf(path: string): StoredPart | undefined {
    const holding = this.parts.filter(({ folder }) => path.startsWith(folder));
    return holding.reduce((one, other) => (other.folder.length > one.folder.length ? other : one));
  }

  async #output({ folder, place }: StoredPart, args: readonly string[], input = ""): Promise<Buffer> {
    if (!this.git)
      throw new SkillError("PROGRAM_FAILED", "git was there when the session began and is not on PATH now.", {
        hint: "Install it, or put it back on PATH.",
      });
    const tree = this.#folderOf(folder);
    const at = [`--git-dir=${join(this.images, place)}`, `--work-tree=${tree}`];
    const { status, out, said } = await this.git.run([...at, ...args], { folder: tree, input });
    // check-ignore answers 1 when nothing is ignored.
    if (status === 0 || (status === 1 && args[0] === "check-ignore")) return out;
    throw new SkillError("PROGRAM_FAILED", `git ${args[0]} failed in ${tree}: ${said || status}.`, {
      hint: "Try `git status` there, to see what is wrong.",
    });
  }

  #folderOf(folder: string): string {
    return join(this.root, folder).replace(/(?<=.)[/\\]$/, "");
  }
}

/** Of `.dbg` it is known by the names what may be in it. */
function isLogFolder(path: string): boolean {
  return /(?:^|\/)\.dbg\/?$/.test(path);
}
