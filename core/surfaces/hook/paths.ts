import { posix, win32 } from "node:path";
import type { Subject } from "../../plugin.ts";
import { spellings } from "../../shell/paths.ts";
import type { LinkFiles } from "../../ports/files.ts";

/** The base of relative paths. */
export interface PathBase {
  /** The folder of the call, absolute. */
  readonly cwd: string;
  readonly home: string;
  readonly files: LinkFiles;
  /** Default: this machine's. */
  readonly windows?: boolean;
}

/** No system permits longer paths. */
const LONGEST_PATH = 4_096;
/** Maximum number of folders that are read for one request. */
const MOST_LOOKS = 20_000;
/** Maximum number of consecutive links, as in Linux. */
const MOST_LINKS = 40;

/**
 * A request with its paths and working folder in the form of rules. @throws RangeError if the paths lead through more
 * than 20,000 folders
 */
export async function withPaths(subject: Subject, base: PathBase): Promise<Subject> {
  const { tool, paths: written = [] } = subject;
  // Search and read tools accept patterns.
  const isExact = tool === "shell" || tool === "write" || tool === "edit";
  const paths = isExact ? written : [...new Set(written.flatMap((path) => [path, ...spellings(path)]))];
  const system = (base.windows ?? process.platform === "win32") ? win32 : posix;
  const cwd = subject.cwd === undefined ? base.cwd : system.resolve(base.cwd, atHome(subject.cwd, base.home));
  const placed = subject.cwd === undefined ? subject : { ...subject, cwd };
  return paths.length === 0 ? placed : { ...placed, paths: [...(await resolved(paths, { ...base, cwd }))] };
}

/**
 * Paths in the form of rules: absolute, with / and without `..`, a leading `~` replaced; if links lead elsewhere, that
 * path too. A missing file has the real path of its nearest folder, or the target of the link in its place.
 * @throws RangeError if they lead through more than 20,000 folders
 */
export async function resolved(paths: readonly string[], base: PathBase): Promise<readonly string[]> {
  const found = new Set<string>();
  const { windows = process.platform === "win32" } = base;
  const system = windows ? win32 : posix;
  const links = new Links(base.files, system);
  const slashed = (path: string): string => (windows ? path.replaceAll("\\", "/") : path);
  for (const written of paths) {
    const spoken = atHome(written, base.home);
    const path = system.resolve(base.cwd, spoken);
    links.refuseMany(path);
    found.add(slashed(path));
    // On other systems a backslash is a letter, but a tool may treat it as a separator.
    if (!windows && written.includes("\\")) found.add(posix.resolve(base.cwd, written.replaceAll("\\", "/")));
    found.add(slashed(await links.followed(path)));
    // The kernel follows a link before it resolves the `..` after it.
    const raw = posix.isAbsolute(spoken) ? spoken : `${base.cwd}/${spoken}`;
    if (!windows && spoken.split("/").includes("..")) found.add(await links.followed(raw));
  }
  return [...found];
}

function atHome(path: string, home: string): string {
  return path.replace(/^~(?=$|[/\\])/, () => home);
}

/** Follows links; each folder is read once. */
class Links {
  readonly #files: PathBase["files"];
  readonly #system: typeof posix;
  readonly #known = new Map<string, string | undefined>();
  #folders = 0;

  constructor(files: PathBase["files"], system: typeof posix) {
    this.#files = files;
    this.#system = system;
  }

  /** Ignores a path that no file can have, and counts the folders of the others. @throws RangeError */
  refuseMany(path: string): void {
    if (path.length > LONGEST_PATH) this.#folders += path.split(this.#system.sep).length;
    if (this.#folders + this.#known.size <= MOST_LOOKS) return;
    throw new RangeError(`The paths of the call lead through more than ${MOST_LOOKS} folders.`);
  }

  async followed(path: string, links = 0): Promise<string> {
    if (path.length > LONGEST_PATH || links > MOST_LINKS) return path;
    let rest = "";
    for (let folder = path; ; folder = this.#system.dirname(folder)) {
      const real = await this.#real(folder);
      if (real !== undefined) return rest === "" ? real : this.#system.join(real, rest);
      const parent = this.#system.dirname(folder);
      if (parent === folder) return path;
      // A link to a missing file: a tool that writes creates it.
      const target = await this.#files.linkTarget(folder).catch(() => undefined);
      if (target !== undefined) {
        const whole = this.#system.resolve((await this.#real(parent)) ?? parent, target, rest);
        return this.followed(whole, links + 1);
      }
      const name = this.#system.basename(folder);
      rest = rest === "" ? name : `${name}/${rest}`;
    }
  }

  async #real(folder: string): Promise<string | undefined> {
    if (!this.#known.has(folder)) {
      this.#known.set(folder, await this.#files.realPath(folder).catch(() => undefined));
      this.refuseMany(folder);
    }
    return this.#known.get(folder);
  }
}
