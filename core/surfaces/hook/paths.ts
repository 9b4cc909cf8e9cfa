import { posix, win32 } from "node:path";
import type { Subject } from "../../plugin.ts";
import type { Files } from "../../ports/files.ts";

/** Where paths are meant from. */
export interface PathBase {
  /** The folder of the call, absolute. */
  readonly cwd: string;
  readonly home: string;
  readonly files: Pick<Files, "realPath">;
  /** Default: this machine's. */
  readonly windows?: boolean;
}

/** A request whose paths are as rules see them. */
export async function withPaths(subject: Subject, base: PathBase): Promise<Subject> {
  const { paths = [], cwd = base.cwd } = subject;
  return paths.length === 0 ? subject : { ...subject, paths: [...(await resolved(paths, { ...base, cwd }))] };
}

/**
 * Paths as rules see them: absolute, with / and without `..`, a leading `~` replaced; and, where links lead elsewhere,
 * that path too. What does not exist yet lies where its nearest folder lies.
 */
export async function resolved(paths: readonly string[], base: PathBase): Promise<readonly string[]> {
  const found = new Set<string>();
  const { windows = process.platform === "win32" } = base;
  const system = windows ? win32 : posix;
  const slashed = (path: string): string => (windows ? path.replaceAll("\\", "/") : path);
  for (const written of paths) {
    const spoken = written.replace(/^~(?=$|[/\\])/, () => base.home);
    const path = system.resolve(base.cwd, spoken);
    found.add(slashed(path));
    // Elsewhere a backslash is a letter, and yet some tool may take it for a separator.
    if (!windows && written.includes("\\")) found.add(posix.resolve(base.cwd, written.replaceAll("\\", "/")));
    found.add(slashed(await withoutLinks(path, base.files, system)));
    // The kernel follows a link before it takes the `..` behind it.
    const raw = posix.isAbsolute(spoken) ? spoken : `${base.cwd}/${spoken}`;
    if (!windows && spoken.split("/").includes("..")) found.add(await withoutLinks(raw, base.files, system));
  }
  return [...found];
}

async function withoutLinks(path: string, files: PathBase["files"], system: typeof posix): Promise<string> {
  let rest = "";
  for (let folder = path; ; folder = system.dirname(folder)) {
    const real = await files.realPath(folder).catch(() => undefined);
    if (real !== undefined) return rest === "" ? real : system.join(real, rest);
    if (system.dirname(folder) === folder) return path;
    rest = rest === "" ? system.basename(folder) : system.join(system.basename(folder), rest);
  }
}
