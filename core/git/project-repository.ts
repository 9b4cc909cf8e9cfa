import { basename, dirname, join, resolve } from "node:path";
import { Buffer } from "node:buffer";
import { SkillError } from "../errors/skill-error.ts";
import type { Files } from "../ports/files.ts";
import { quotedName } from "../quoted-name.ts";
import type { ObjectFormat } from "./git.ts";

const MOST_TEXT_BYTES = 4 * 1024 * 1024;
const MOST_INDEX_BYTES = 1024 * 1024 * 1024;
/** The limit of git itself: `SYMREF_MAXDEPTH`. */
const MOST_REFERENCES = 5;
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The git repository of a project, read as data: gitrepository-layout(5). Git itself never opens it, so its configuration,
 * hooks, attributes, remotes and alternates have no effect.
 */
export class ProjectRepository {
  private constructor(
    private readonly files: Files,
    /** The folder of this work tree's index and HEAD, absolute. */
    private readonly own: string,
    /** The folder that all work trees of the repository share, absolute. */
    readonly common: string,
  ) {}

  /**
   * The repository whose work tree begins at `root`; `undefined` if there is none. A `.git` file counts only when
   * the folder that it names belongs to this work tree, so that an archive cannot point at a repository elsewhere.
   * @throws SkillError `FILE_UNREADABLE`
   */
  static async of(root: string, files: Files): Promise<ProjectRepository | undefined> {
    const place = join(root, ".git");
    const kind = (await files.facts(place))?.kind;
    if (kind === "folder") return ProjectRepository.in(place, files, place);
    if (kind !== "file") return undefined;
    const [, named = ""] = /^gitdir: ([^\r\n]+)/.exec((await textOf(place, files)) ?? "") ?? [];
    const own = resolve(root, named.trimEnd());
    const back = await textOf(join(own, "gitdir"), files);
    const top = back === undefined ? await workTreeOf(own, files) : dirname(resolve(own, back.trim()));
    if (top === undefined || (await files.realPath(top)) !== (await files.realPath(root))) return undefined;
    return ProjectRepository.in(own, files);
  }

  /** The repository in a folder, which may share another with other work trees. @throws SkillError `FILE_UNREADABLE` */
  static async in(own: string, files: Files, shared?: string): Promise<ProjectRepository | undefined> {
    const common = shared ?? (await commonOf(own, files));
    const isThere =
      (await files.facts(join(own, "HEAD"))) &&
      (await files.facts(join(common, "objects")))?.kind === "folder";
    return isThere ? new ProjectRepository(files, own, common) : undefined;
  }

  /** @throws SkillError `FILE_UNREADABLE` */
  async objectFormat(): Promise<ObjectFormat> {
    const configuration = (await textOf(join(this.common, "config"), this.files)) ?? "";
    return settingIn(configuration, "objectFormat")?.toLowerCase() === "sha256" ? "sha256" : "sha1";
  }

  /** The ignore patterns of this clone only (info/exclude). @throws SkillError `FILE_UNREADABLE` */
  async excluded(): Promise<string> {
    return (await textOf(join(this.common, "info/exclude"), this.files)) ?? "";
  }

  /**
   * Copies the index, or the one at `path`, into our own repository, with the shared part of a split index.
   * @returns the path of the copy; `undefined` when there is no index.
   * @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE`
   */
  async copyIndex(repository: string, path = join(this.own, "index")): Promise<string | undefined> {
    const { files } = this;
    const index = await bytesOf(path, files, MOST_INDEX_BYTES);
    if (index === undefined) return undefined;
    for (const name of (await files.list(this.own)) ?? []) {
      const [, id] = /^sharedindex\.([0-9a-f]+)$/.exec(name) ?? [];
      // A split index names the shared one by its checksum, in binary.
      if (id === undefined || !index.includes(Buffer.from(id, "hex"))) continue;
      const shared = await bytesOf(join(this.own, name), files, MOST_INDEX_BYTES);
      if (shared) await files.replace(join(repository, name), shared);
    }
    const copy = join(repository, "project-index");
    await files.replace(copy, index);
    return copy;
  }

  /** The id of the commit that is checked out; `undefined` before the first. @throws SkillError `FILE_UNREADABLE` */
  async head(): Promise<string | undefined> {
    const place = join(this.own, "HEAD");
    return this.#followed(place, await textOf(place, this.files));
  }

  /**
   * The id that a reference names, found as gitrevisions(7) says: `HEAD`, `main`, `v1.0`, `origin/main`, `refs/…`; `undefined`
   * when there is no such reference.
   * @throws SkillError `FILE_UNREADABLE`
   */
  async named(name: string): Promise<string | undefined> {
    if (name === "HEAD" || name === "@") return this.head();
    for (const form of ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"]) {
      const whole = form + name;
      if (!isReference(whole)) continue;
      const text = (await this.#looseReference(whole)) ?? (await this.#packedReference(whole));
      if (text !== undefined) return this.#followed(join(this.common, whole), text);
    }
    return undefined;
  }

  async #followed(from: string, first: string | undefined): Promise<string | undefined> {
    let [place, text] = [from, first];
    for (let count = 0; count <= MOST_REFERENCES; count += 1) {
      if (text === undefined) return undefined;
      const content = text.trim();
      if (ID.test(content)) return content;
      const name = content.startsWith("ref:") ? content.slice("ref:".length).trim() : "";
      if (name === "refs/heads/.invalid")
        throw new SkillError(
          "FILE_UNREADABLE",
          `${quotedName(this.common)} keeps its references in a reftable.`,
          {
            file: this.common,
            hint: "Only references in files are read: `git refs migrate --ref-format=files` converts them.",
          },
        );
      if (!isReference(name)) break;
      place = join(this.common, name);
      text = (await this.#looseReference(name)) ?? (await this.#packedReference(name));
    }
    throw new SkillError("FILE_UNREADABLE", `${quotedName(place)} names no commit.`, {
      file: place,
      hint: "In a folder that you trust, `git status` shows what is wrong.",
    });
  }

  /**
   * The folder of the objects, absolute. Git would follow the alternates in it to wherever they lead.
   * @throws SkillError `FILE_UNREADABLE` for a repository with alternates
   */
  async objects(): Promise<string> {
    const objects = join(this.common, "objects");
    const alternates = join(objects, "info/alternates");
    if ((await this.files.facts(alternates)) === undefined) return objects;
    throw new SkillError("FILE_UNREADABLE", `${quotedName(alternates)} names objects outside the project.`, {
      file: alternates,
      hint: "They are not read. In a folder that you trust, `git repack -a -d` copies them; then remove that file.",
    });
  }

  async #looseReference(name: string): Promise<string | undefined> {
    for (const folder of new Set([this.own, this.common])) {
      const place = join(folder, name);
      // `a` may be the folder of the branch `a/b`.
      if ((await this.files.facts(place))?.kind !== "folder") {
        const text = await textOf(place, this.files);
        if (text !== undefined) return text;
      }
    }
    return undefined;
  }

  async #packedReference(name: string): Promise<string | undefined> {
    const packed = await bytesOf(join(this.common, "packed-refs"), this.files, MOST_INDEX_BYTES);
    const line = packed?.indexOf(` ${name}\n`) ?? -1;
    const before = packed?.subarray(0, Math.max(line, 0)).toString("latin1", Math.max(line - 65, 0)) ?? "";
    return /(?:^|\n)([0-9a-f]+)$/.exec(before)?.[1];
  }
}

function isReference(name: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /^refs\/[^\u0000- \\~^:?*[]+$/.test(name) && !name.split("/").includes("..");
}

/** Git keeps the files of one of several work trees in `worktrees/NAME` of the folder that they share. */
async function commonOf(own: string, files: Files): Promise<string> {
  const isOneOfSeveral =
    basename(dirname(own)) === "worktrees" && (await files.facts(join(own, "commondir"))) !== undefined;
  return isOneOfSeveral ? dirname(dirname(own)) : own;
}

/** The work tree that the configuration of a repository names, absolute: for a submodule, or a git folder elsewhere. */
async function workTreeOf(repository: string, files: Files): Promise<string | undefined> {
  const named = settingIn((await textOf(join(repository, "config"), files)) ?? "", "worktree");
  return named === undefined ? undefined : resolve(repository, named);
}

/** The last value of a name in a configuration that git itself has written, whatever its section. */
function settingIn(configuration: string, name: string): string | undefined {
  const found = configuration.split("\n").flatMap((line) => {
    const [key = "", ...rest] = line.split("=");
    return key.trim().toLowerCase() === name.toLowerCase() ? [rest.join("=").trim()] : [];
  });
  return found.at(-1)?.replace(/^"(.*)"$/, "$1");
}

async function textOf(path: string, files: Files): Promise<string | undefined> {
  const bytes = await bytesOf(path, files, MOST_TEXT_BYTES);
  return bytes && Buffer.from(bytes).toString();
}

/** The bytes of a regular file; links are followed. @throws SkillError `FILE_UNREADABLE` for other files, and over `most` */
async function bytesOf(path: string, files: Files, most: number): Promise<Buffer | undefined> {
  const real = await files.realPath(path);
  const facts = real === undefined ? undefined : await files.facts(real);
  if (real === undefined || !facts) return undefined;
  if (facts.kind === "file" && facts.bytes <= most) {
    const [bytes] = await files.readMany([real]);
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  const reason = facts.kind === "file" ? `is over ${most} bytes` : "is not a regular file";
  throw new SkillError("FILE_UNREADABLE", `${quotedName(path)} ${reason}.`, {
    file: path,
    hint: "Put a regular file of git there, or move `.git` away.",
  });
}
