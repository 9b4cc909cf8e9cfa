import { dirname, join } from "node:path";
import type { Files } from "skillctl";
import type { Change } from "./change.ts";
import { LEFT_OUT } from "./exclusions.ts";
import { names } from "./git.ts";

const IGNORE_LIST = ".gitignore";

/**
 * What has been added to a folder that a repository shows. A new ignore list hides neither itself nor what is in its
 * folder; one in a folder that is left out anyway, as by an older list, says nothing.
 */
export class AddedFiles {
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

  async list(): Promise<readonly Change[]> {
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
