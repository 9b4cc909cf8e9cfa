import { join, resolve } from "node:path";
import {
  GIT_MS,
  gitFailure,
  makeRepository,
  ProjectRepository,
  quotedName,
  SkillError,
  zeroSeparated,
  type Environment,
  type Files,
  type Git,
  type GitRun,
  type ObjectFormat,
} from "skillctl";
import { MAX_IMAGE_BYTES, type FormerFile, type Images, type Seeming } from "./change.ts";
import { isInToolFolder, TOOL_FOLDERS } from "./code-files.ts";

/** Further time for git to copy a file, and the bytes that it copies in a millisecond, on a slow disk. */
const FILE_MS = 1;
const BYTES_PER_MS = 10_000;
const IGNORE_LIST = ".gitignore";
const OTHERS = ["ls-files", "-z", "--others"];

interface ImagePlaces {
  /** The project folder, absolute, without a slash at the end. */
  readonly folder: string;
  /** The absolute path of the repository of the images. */
  readonly repository: string;
}

/**
 * The code in a separate git repository outside of the project, with the bytes of every file. Later states of the
 * project's repository, its commits, index flags, filters and new ignore lists have no influence on it.
 */
export class GitImages implements Images {
  constructor(
    private readonly git: Git,
    private readonly files: Files,
    private readonly environment: Environment,
    private readonly places: ImagePlaces,
    /** Patterns of gitignore(5) for files that skillctl itself writes. */
    private readonly ownPatterns: readonly string[],
  ) {}

  async begin(signal: AbortSignal): Promise<void> {
    const project = await ProjectRepository.of(this.places.folder, this.files);
    await this.#make((await project?.objectFormat()) ?? "sha1");
    const rules = await this.#projectRules(project);
    await this.#writeRules([...rules, ...this.ownPatterns]);
    const forced = await this.#forced(project);
    const out = await this.#output([...OTHERS, "--exclude-standard"], { signal });
    const listed = zeroSeparated(out);
    const nested = listed.filter((path) => isFolder(path) && isUtf8(path));
    const inside = await Promise.all(nested.map((folder) => this.#inside(folder, signal)));
    const named = new Set([...inside.flat(), ...forced]);
    const all = [...listed.filter((path) => !isFolder(path)), ...named];
    const marks = await this.files.marks(all.map((path) => join(this.places.folder, path)));
    const found = all
      .map((path, index) => ({ path, ...marks[index] }))
      .filter(({ kind }) => kind !== undefined);
    const large = found.filter(({ bytes = 0 }) => bytes > MAX_IMAGE_BYTES).map(({ path }) => path);
    // git stores only one bit of the modes.
    const modes = found.flatMap(({ path, kind, mode }) => (kind === "file" ? [[path, mode]] : []));
    await this.files.replace(this.#at("modes.json"), JSON.stringify(Object.fromEntries(modes)));
    const timeoutMs = copyingMs(found);
    const but = [...unnamed(out), ...[...nested, ...large].map((path) => Buffer.from(path))];
    await this.#addAll(but, timeoutMs, signal);
    const kept = found.map(({ path }) => path).filter((path) => !large.includes(path));
    await this.#take(
      kept.filter((path) => named.has(path)),
      timeoutMs,
    );
    const lists = [...kept, ...(await this.#hidden(signal))].filter(isIgnoreList);
    await this.#writeRules([...rules, ...(await this.#rulesIn(lists)), ...this.ownPatterns]);
    await this.#settle();
  }

  async seeming(): Promise<readonly Seeming[]> {
    // In parallel: this takes half the time of a single process for both.
    const [raw, others] = await Promise.all([
      this.#output(["diff-files", "--raw", "-z", "--no-renames", "--ignore-submodules=all"]),
      // Without the ignore lists of the project: the lists from the start are in this file.
      this.#output([...OTHERS, `--exclude-from=${this.#at("info/exclude")}`]),
    ]);
    const differing = changesIn(raw);
    const bytes = await this.git.blobs(
      differing.map(({ blob }) => blob),
      this.#place(),
    );
    const added = await Promise.all(zeroSeparated(others).map((path) => this.#added(path)));
    return [
      ...differing.map(({ path, kind, wasLink }, index) => {
        const before = bytes[index];
        return { path, kind, wasLink, ...(before && { before }) };
      }),
      ...added
        .flat()
        .filter((path) => !isInToolFolder(path))
        .map((path) => ({ path, kind: "added" }) as const),
    ];
  }

  async before(path: string): Promise<FormerFile | undefined> {
    const entry = await this.#entry(path);
    if (!entry) return undefined;
    const [bytes] = await this.git.blobs([entry.blob], this.#place());
    if (!bytes)
      throw new SkillError(
        "DEBUG_STATE_DAMAGED",
        `The content of ${quotedName(path)} at the start is lost.`,
        {
          file: this.places.repository,
          hint: "Restore it from your own copy.",
        },
      );
    const modes = (await this.files.readText(this.#at("modes.json"))) ?? "{}";
    const mode = (JSON.parse(modes) as Record<string, number>)[path];
    const usual = entry.mode === "100755" ? 0o755 : 0o644;
    return { kind: entry.mode === "120000" ? "link" : "file", bytes, mode: mode ?? usual };
  }

  async leftOut(paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return [];
    // Only the slash marks a missing path as a folder.
    const input = paths.flatMap((path) => [`${path}\0`, `${path}/\0`]).join("");
    const { status, out } = await this.#run(["check-ignore", "-z", "--stdin"], { input });
    const said = new Set(status === 0 ? zeroSeparated(out).map((path) => path.replace(/\/$/, "")) : []);
    const isOut = await Promise.all(
      paths.map(async (path) => said.has(path) || (isInToolFolder(path) && !(await this.#entry(path)))),
    );
    return paths.filter((_, index) => isOut[index]);
  }

  async keep(path: string): Promise<void> {
    await this.#take([path]);
    await this.#settle();
  }

  /** A file, or the contents of a folder, which ends with `/`, except folders of tools. */
  async #added(path: string): Promise<readonly string[]> {
    if (!isFolder(path)) return [path];
    const inside = await this.files.survey(
      join(this.places.folder, path),
      (name) => !TOOL_FOLDERS.includes(name),
    );
    // A folder whose name is not UTF-8 stands for its contents.
    return inside ? inside.map((file) => path + file.path) : [path];
  }

  /** Files of folders that are left out file by file: an ignore list among them may also leave out itself. */
  async #hidden(signal: AbortSignal): Promise<readonly string[]> {
    const ignored = zeroSeparated(
      await this.#output([...OTHERS, "--ignored", "--exclude-standard", "--directory"], { signal }),
    );
    const folders = ignored.filter(isFolder).map((path) => path.slice(0, -1));
    const asWhole = await this.leftOut(folders);
    const inside = folders.filter((path) => !asWhole.includes(path)).map((path) => this.#added(`${path}/`));
    return [...ignored, ...(await Promise.all(inside)).flat()];
  }

  /** The files of a repository inside the project, and of those in it, with their own ignore lists. */
  async #inside(folder: string, signal: AbortSignal): Promise<readonly string[]> {
    const listed = zeroSeparated(await this.#output([...OTHERS, "--exclude-standard"], { signal }, folder));
    const deeper = listed
      .filter((path) => isFolder(path) && isUtf8(path))
      .map((path) => this.#inside(folder + path, signal));
    const plain = listed.filter((path) => !isFolder(path)).map((path) => folder + path);
    return [...plain, ...(await Promise.all(deeper)).flat()];
  }

  /** Adds all files that are not left out to the index, in one pack. */
  async #addAll(but: readonly Buffer[], timeoutMs: number, signal: AbortSignal): Promise<void> {
    const excluded = but.map((path) => (path.at(-1) === SLASH ? path.subarray(0, -1) : path));
    const input = Buffer.concat([
      Buffer.from(".\0"),
      ...excluded.flatMap((path) => [EXCLUDE, path, Buffer.of(0)]),
    ]);
    const args = ["add", "--all", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"];
    const { status, said } = await this.#run(args, { signal, input, timeoutMs });
    // git exits with 1 if it could not add some files.
    if (status !== 0 && status !== 1) throw gitFailure(args, this.#place(), said || `status ${status}`);
  }

  /** Adds files to the index even if they are excluded. */
  async #take(paths: readonly string[], timeoutMs = GIT_MS): Promise<void> {
    if (paths.length === 0) return;
    const input = paths.map((path) => `${path}\0`).join("");
    await this.#output(["update-index", "--add", "-z", "--stdin"], { input, timeoutMs });
  }

  async #entry(path: string): Promise<{ readonly mode: string; readonly blob: string } | undefined> {
    const [entry = ""] = zeroSeparated(
      await this.#output(["--literal-pathspecs", "ls-files", "-z", "--stage", "--", path]),
    );
    const [, mode, blob] = /^(\d+) ([0-9a-f]+) /.exec(entry) ?? [];
    return mode === undefined || blob === undefined ? undefined : { mode, blob };
  }

  /**
   * Patterns that are not in the work tree: those of the user and of this clone; without a repository, the folders of
   * tools.
   */
  async #projectRules(project: ProjectRepository | undefined): Promise<readonly string[]> {
    if (!project) return TOOL_FOLDERS.map((name) => `${name}/`);
    const args = ["config", "--path", "-z", "--get-all", "core.excludesFile"];
    const values = zeroSeparated(await this.#output(args, { readsUserConfiguration: true }));
    const { environment, files } = this;
    const { folder } = this.places;
    // The default path of git: gitignore(5).
    const usual = environment.variable("XDG_CONFIG_HOME") ?? join(environment.home, ".config");
    // The last value is that of our own repository.
    const named = values.at(-2) ?? join(usual, "git", "ignore");
    const own = named === "" ? undefined : await files.readText(resolve(folder, named));
    return [own ?? "", await project.excluded()];
  }

  /**
   * Files that the project's index names although the patterns leave them out. Its entries for folders are not checked
   * out.
   */
  async #forced(project: ProjectRepository | undefined): Promise<readonly string[]> {
    const index = await project?.copyIndex(this.places.repository);
    if (index === undefined) return [];
    const environment = { GIT_INDEX_FILE: index };
    const args = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];
    const { status, out } = await this.#run([...args, "--sparse"], { environment });
    // 129: git before 2.36 does not know the option.
    const listed = status === 0 ? out : await this.#output(args, { environment });
    await this.#removeCopies();
    return zeroSeparated(listed).filter((path) => !isFolder(path));
  }

  async #removeCopies(): Promise<void> {
    const copies = (await this.files.list(this.places.repository)) ?? [];
    for (const name of copies.filter((one) => /^(?:project-index|sharedindex\.)/.test(one)))
      await this.files.remove(this.#at(name));
  }

  /** The ignore lists of the project as one, from the top down: deeper lists take precedence. */
  async #rulesIn(lists: readonly string[]): Promise<readonly string[]> {
    const sorted = lists.toSorted((one, other) => one.split("/").length - other.split("/").length);
    const texts = await this.files.readMany(sorted.map((path) => join(this.places.folder, path)));
    return sorted.flatMap((path, index) =>
      fromTop(path.slice(0, -IGNORE_LIST.length), Buffer.from(texts[index] ?? "").toString()),
    );
  }

  #writeRules(rules: readonly string[]): Promise<void> {
    return this.files.replace(this.#at("info/exclude"), [...rules, ""].join("\n"));
  }

  async #make(format: ObjectFormat): Promise<void> {
    // As in `git init`: letter case is ignored if `.gIT` exists but the folder does not list it.
    const other = await this.files.facts(join(this.places.folder, ".gIT"));
    const ignoresCase = other && !(await this.files.list(this.places.folder))?.includes(".gIT");
    const core = [...CORE, `ignoreCase = ${ignoresCase === true}`];
    await makeRepository(this.files, this.places.repository, format, core);
    await this.files.replace(this.#at("info/attributes"), ATTRIBUTES);
  }

  /** Files that name others are settled last, so that they never name a missing file. */
  async #settle(): Promise<void> {
    const packs = this.#at("objects/pack");
    const written = ((await this.files.list(packs)) ?? []).map((name) => join(packs, name));
    for (const path of [...written, packs, this.#at("index"), this.places.repository])
      if (await this.files.facts(path)) await this.files.settle(path);
  }

  #at(name: string): string {
    return join(this.places.repository, name);
  }

  #place(inside = ""): GitRun {
    const workTree = join(this.places.folder, inside).replace(/(?<=.)[/\\]$/, "");
    return { repository: this.places.repository, workTree, awaited: () => this.#awaited() };
  }

  /** A pipe or device that git would read: git opens it and waits. */
  async #awaited(): Promise<string | undefined> {
    const found = await this.files.survey(this.places.folder, () => true);
    const file = found?.find(({ path, kind }) => kind === "other" && READ_BY_GIT.test(path));
    return file && join(this.places.folder, file.path);
  }

  #run(args: readonly string[], run: Partial<GitRun> = {}) {
    return this.git.run(args, { ...this.#place(), ...run });
  }

  #output(args: readonly string[], run: Partial<GitRun> = {}, inside = ""): Promise<Buffer> {
    return this.git.output(args, { ...this.#place(inside), ...run });
  }
}

const READ_BY_GIT = /(?:^|\/)(?:\.gitignore|\.gitattributes|\.git|\.git\/.*)$/;

/** Time limit for git to copy files, in milliseconds. */
function copyingMs(files: readonly { readonly bytes?: number | undefined }[]): number {
  const bytes = files.reduce((sum, file) => sum + Math.min(file.bytes ?? 0, MAX_IMAGE_BYTES), 0);
  return Math.min(GIT_MS + files.length * FILE_MS + bytes / BYTES_PER_MS, 3_600_000);
}

/** Whether a name is UTF-8: another name has lost its bytes and cannot be used. */
function isUtf8(path: string): boolean {
  return !path.includes("\uFFFD");
}

/** The bytes of names between zero bytes that are not UTF-8. */
function unnamed(out: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  if (isUtf8(out.toString())) return found;
  for (let at = 0, end = out.indexOf(0); end !== -1; at = end + 1, end = out.indexOf(0, at)) {
    const name = out.subarray(at, end);
    if (!isUtf8(name.toString())) found.push(name);
  }
  return found;
}

const SLASH = 0x2f;
const EXCLUDE = Buffer.from(":(exclude,literal)");

/** git lists only a nested repository as a folder. */
function isFolder(path: string): boolean {
  return path.endsWith("/");
}

function isIgnoreList(path: string): boolean {
  return path === IGNORE_LIST || path.endsWith(`/${IGNORE_LIST}`);
}

/** The patterns of an ignore list in a folder, which ends with `/`, rewritten for the project folder: gitignore(5). */
function fromTop(folder: string, list: string): readonly string[] {
  const lines = list.replace(/^\uFEFF/, "").split("\n");
  if (folder === "") return lines;
  const at = folder.replaceAll(/[\\*?[\]]/g, "\\$&");
  return lines.flatMap((line) => {
    const [, not = "", pattern = ""] = /^(!?)(.*)$/.exec(line.replace(/\r$/, "")) ?? [];
    if (pattern.trim() === "" || line.startsWith("#")) return [];
    const isBelow = !/\/\S/.test(pattern);
    return [`${not}/${at}${isBelow ? "**/" : ""}${pattern.replace(/^\//, "")}`];
  });
}

function changesIn(raw: Buffer) {
  const words = zeroSeparated(raw);
  const found: (Pick<Seeming, "path" | "kind"> & { readonly blob: string; readonly wasLink: boolean })[] = [];
  for (let index = 0; index + 1 < words.length; index += 2) {
    const [mode = "", , blob = "", , status = ""] = (words[index] as string).split(" ");
    const path = words[index + 1] as string;
    const kind = status.startsWith("D") ? "removed" : "changed";
    found.push({ path, kind, blob, wasLink: mode === ":120000" });
  }
  return found;
}

/** Attributes without conversion of line ends, keywords and filters, overriding those of a project (gitattributes(5)). */
const ATTRIBUTES = "* -text !eol -ident -filter -working-tree-encoding -diff -merge\n";

/** With a large-file threshold of 1 byte, git writes all files into one pack. */
const CORE = [
  "fileMode = false",
  "autoCrlf = false",
  "trustCtime = true",
  "checkStat = default",
  "excludesFile =",
  "attributesFile =",
  "longPaths = true",
  "bigFileThreshold = 1",
  "compression = 0",
];
