import { join, dirname } from "node:path";
import { SkillError, type Environment, type Files } from "skillctl";
import {
  MAX_IMAGE_BYTES,
  noImage,
  type Begun,
  type FileForm,
  type Seeming,
  type TreePart,
  type Watched,
} from "./change.ts";
import { exactPattern, LEFT_OUT } from "./baseline.ts";
import { failed, names, type Git, type GitRun } from "./git.ts";
import { makeRepository, projectGit } from "./shadow-repository.ts";

const LONG_MS = 3_600_000;

/**
 * The state of a folder at the beginning of a session as a repository of its own, outside the project: its index names
 * the bytes of every file, and it holds all of them. What the project's repository
 * says later, which commit is checked out, what its index marks as unchanged and what its filters do, has no say in it.
 */
export class Shadow implements TreePart {
  constructor(
    private readonly git: Git,
    private readonly files: Files,
    /** The folder that it shows, absolute, without a slash at the end. */
    private readonly folder: string,
    /** Where the repository lies, absolute. */
    private readonly repository: string,
  ) {}

  /**
   * Makes it. All of it is on the disk when this is over.
   * @throws SkillError `PROGRAM_FAILED`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, `CANCELLED`
   */
  async begin(environment: Environment, patterns: readonly string[], signal: AbortSignal): Promise<Begun> {
    const { files, folder } = this;
    const project = await projectGit(this.git, folder, { files, environment });
    await makeRepository(files, this.repository, project, patterns);
    const kept = project?.forced ?? [];
    const marks = await files.marks(kept.map((path) => join(folder, path)));
    const forced = kept.filter((_, index) => marks[index] !== undefined);
    const listed = names(
      await this.#output(["ls-files", "-z", "--others", "--exclude-standard"], { signal }),
    );
    const nested = listed.filter((path) => path.endsWith("/"));
    const large = new Set(await this.#large([...listed.filter((path) => !path.endsWith("/")), ...forced]));
    await this.#leaveOut([...nested, ...large]);
    await this.#most(["add", "--all", "--ignore-errors", "--", "."], { signal });
    const input = forced.filter((path) => !large.has(path)).map((path) => `${path}\0`);
    if (input.length > 0) await this.#most(FORCED, { signal, input: input.join("") });
    await this.#addedFiles().begin();
    await this.#settle();
    const odd = (await this.changes()).map(({ path }) => path);
    const watched = await this.#watched([...new Set([...large, ...odd])]);
    const entered = await this.#populated(nested);
    return { watched, nested: entered, ...(project?.commit !== undefined && { commit: project.commit }) };
  }

  /** What differs by bytes, or only seems to because somebody has touched it: who asks compares the bytes. */
  async changes(): Promise<readonly Seeming[]> {
    // Side by side: together they take half of the time that one process takes for both.
    const [differing, others] = await Promise.all([
      this.#output(["diff-files", "--raw", "-z", "--no-renames"]),
      this.#addedFiles().list(),
    ]);
    return [...changesIn(differing), ...others];
  }

  async before(path: string): Promise<Uint8Array | undefined> {
    const [entry = ""] = names(await this.#output(["ls-files", "-z", "--stage", "--", literal(path)]));
    const blob = /^\d+ ([0-9a-f]+) /.exec(entry)?.[1];
    if (blob === undefined) return undefined;
    const [bytes] = await this.images([{ path, kind: "changed", blob }]);
    if (bytes) return bytes;
    throw noImage(join(this.folder, path));
  }

  async images(files: readonly Seeming[]): Promise<readonly (Uint8Array | undefined)[]> {
    if (files.length === 0) return [];
    const input = files.map(({ blob = "" }) => `${blob}\n`).join("");
    const out = await this.#output(["cat-file", "--batch"], { input });
    let at = 0;
    return files.map(() => {
      const end = out.indexOf(10, at);
      const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(out.subarray(at, end).toString()) ?? [];
      const bytes = size === undefined ? undefined : out.subarray(end + 1, end + 1 + Number(size));
      at = end + 1 + (bytes ? bytes.byteLength + 1 : 0);
      return bytes;
    });
  }

  async form(path: string): Promise<FileForm | undefined> {
    const [entry = ""] = names(await this.#output(["ls-files", "-z", "--stage", "--", literal(path)]));
    const [kind] = /^\d+(?= )/.exec(entry) ?? [];
    if (kind === undefined) return undefined;
    if (kind === "120000")
      return { kind: "link", mode: 0o777, target: Buffer.from((await this.before(path)) ?? "").toString() };
    const modes = JSON.parse((await this.files.readText(this.#modes())) ?? "{}") as Record<string, number>;
    return { kind: "file", mode: modes[path] ?? (kind === "100755" ? 0o755 : 0o644) };
  }

  async leftOut(paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0) return [];
    // A folder that is to be made is one only by its slash.
    const input = paths.flatMap((path) => [`${path}\0`, `${path}/\0`]).join("");
    const { status, out } = await this.#run(["check-ignore", "-z", "--stdin"], { input });
    const said = new Set(status === 0 ? names(out).map((path) => path.replace(/\/$/, "")) : []);
    return paths.filter((path) => said.has(path));
  }

  /** Which files are too large for an image. Rights of files are noted beside: git keeps one bit of them. */
  async #large(paths: readonly string[]): Promise<readonly string[]> {
    const marks = await this.files.marks(paths.map((path) => join(this.folder, path)));
    const modes = paths.flatMap((path, index): readonly (readonly [string, number])[] => {
      const mark = marks[index];
      return mark?.kind === "file" && mark.mode !== undefined && mark.mode !== 0o644
        ? [[path, mark.mode]]
        : [];
    });
    await this.files.replace(this.#modes(), JSON.stringify(Object.fromEntries(modes)));
    return paths.filter((_, index) => (marks[index]?.bytes ?? 0) > MAX_IMAGE_BYTES);
  }

  /** Has git look away from paths. */
  async #leaveOut(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const exclude = join(this.repository, "info", "exclude");
    const lines = paths.flatMap((path) => exactPattern(path) ?? []);
    const text = `${(await this.files.readText(exclude)) ?? ""}${lines.join("\n")}\n`;
    await this.files.replace(exclude, text);
  }

  async #populated(nested: readonly string[]): Promise<readonly string[]> {
    const inside = await this.files.marks(nested.map((path) => join(this.folder, path, ".git")));
    return nested.filter((_, index) => inside[index] !== undefined);
  }

  async #watched(paths: readonly string[]): Promise<readonly Watched[]> {
    const marks = await this.files.marks(paths.map((path) => join(this.folder, path)));
    return paths.map((path, index) => {
      const mark = marks[index];
      return mark ? { path, mark } : { path };
    });
  }

  #modes(): string {
    return join(this.repository, "modes.json");
  }

  #addedFiles(): AddedFiles {
    return new AddedFiles((args) => this.#output(args), this.files, this.folder, this.repository);
  }

  /** 1 is what git answers for single files that it could not take: they are watched. */
  async #most(args: readonly string[], run: Partial<GitRun>): Promise<void> {
    const { status, said } = await this.#run(args, { ...run, timeoutMs: LONG_MS });
    if (status !== 0 && status !== 1) throw failed(this.folder, "add", said || status);
  }

  /** Names last, so that no file is named that is not there. */
  async #settle(): Promise<void> {
    const packs = join(this.repository, "objects", "pack");
    for (const name of (await this.files.list(packs)) ?? []) await this.files.settle(join(packs, name));
    const index = join(this.repository, "index");
    const folders = [packs, join(this.repository, "objects"), this.repository];
    for (const path of [index, ...folders]) if (await this.files.facts(path)) await this.files.settle(path);
  }

  #run(args: readonly string[], run: Partial<GitRun> = {}) {
    return this.git.run([...this.#place(), ...args], { ...run, folder: this.folder });
  }

  #output(args: readonly string[], run: Partial<GitRun> = {}): Promise<Buffer> {
    return this.git.output([...this.#place(), ...args], { ...run, folder: this.folder });
  }

  #place(): readonly string[] {
    return [`--git-dir=${this.repository}`, `--work-tree=${this.folder}`];
  }
}

/** Takes files in although a pattern leaves them out. */
const FORCED =
  "--literal-pathspecs add --force --ignore-errors --pathspec-from-file=- --pathspec-file-nul".split(" ");

function changesIn(raw: Buffer): readonly Seeming[] {
  const words = names(raw);
  const found: Seeming[] = [];
  for (let index = 0; index + 1 < words.length; index += 2) {
    const [, , blob = "", , status = ""] = (words[index] as string).split(" ");
    const path = words[index + 1] as string;
    found.push({ path, kind: status.startsWith("D") ? "removed" : "changed", blob });
  }
  return found;
}

/** As a path and nothing else. */
function literal(path: string): string {
  if (path.includes("\0")) throw new SkillError("INPUT_INVALID", "A path holds a zero byte.");
  return `:(literal)${path}`;
}

const IGNORE_LIST = ".gitignore";

/**
 * What has been added to a folder that a repository shows. A new ignore list hides neither itself nor what is in its
 * folder; one in a folder that is left out anyway, as by an older list, says nothing.
 */
class AddedFiles {
  constructor(
    private readonly output: (args: readonly string[]) => Promise<Buffer>,
    private readonly files: Files,
    /** Absolute. */
    private readonly folder: string,
    /** Absolute. */
    private readonly repository: string,
  ) {}

  /** Notes what git leaves out now. */
  async begin(): Promise<void> {
    const ignored = await this.output([...OTHERS, "--ignored", "--exclude-standard", "--directory"]);
    await this.files.replace(this.#place(), ignored);
  }

  async list(): Promise<readonly Seeming[]> {
    // A pattern of the command line wins over those of files, but does not reach into folders that are left out.
    const listed = names(await this.output([...OTHERS, "--exclude-standard", `--exclude=!${IGNORE_LIST}`]));
    const found = new Set<string>();
    for (const path of listed) for (const one of await this.#in(path)) found.add(one);
    const lists = [...found].filter((path) => path === IGNORE_LIST || path.endsWith(`/${IGNORE_LIST}`));
    if (lists.length > 0) {
      const isOld = await this.#old();
      for (const path of lists) if (isOld(path)) found.delete(path);
      const hiding = lists.filter((path) => found.has(path)).map((path) => `:(literal)${dirname(path)}`);
      for (const path of await this.#behind(hiding)) if (!isOld(path)) found.add(path);
    }
    return [...found].map((path) => ({ path, kind: "added" }));
  }

  /** A repository that somebody has made or fetched since is listed as a folder: what is in it is new. */
  async #in(path: string): Promise<readonly string[]> {
    if (!path.endsWith("/")) return [path];
    const inside = await this.files.survey(join(this.folder, path), (name) => !LEFT_OUT.has(name));
    return (inside ?? []).map((file) => path + file.path);
  }

  /** What is in these folders, whatever the ignore lists in the project say. */
  async #behind(folders: readonly string[]): Promise<readonly string[]> {
    if (folders.length === 0) return [];
    const exclude = join(this.repository, "info", "exclude");
    return names(await this.output([...OTHERS, `--exclude-from=${exclude}`, "--", ...folders]));
  }

  /** Whether a path was left out at the beginning, or is of a tool by its name. */
  async #old(): Promise<(path: string) => boolean> {
    const ignored = new Set(names(Buffer.from((await this.files.readBytes(this.#place())) ?? "")));
    return (path) => {
      const words = path.split("/");
      if (words.some((name) => LEFT_OUT.has(name))) return true;
      return ignored.has(path) || words.some((_, end) => ignored.has(`${words.slice(0, end).join("/")}/`));
    };
  }

  #place(): string {
    return join(this.repository, "ignored");
  }
}

const OTHERS = ["ls-files", "-z", "--others"];
