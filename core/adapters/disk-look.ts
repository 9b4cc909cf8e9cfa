import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LinkFiles } from "../ports/files.ts";

const MOST_LINKS = 40;
/** No system supports longer paths. */
const LONGEST_PATH = 4096;

/** Synchronous reads of the file system that never throw. Paths are absolute. */
export const diskLook = {
  kind: (path: string) =>
    attempt((): "file" | "folder" | "link" => {
      const found = lstatSync(path);
      if (found.isSymbolicLink()) return "link";
      return found.isDirectory() ? "folder" : "file";
    }),
  realPath: (path: string) =>
    path.length > LONGEST_PATH
      ? undefined
      : slashed(attempt(() => realpathSync.native(path)) ?? walked(path, { links: 0 })),
};

/** The real path of a file that does not exist, resolved folder by folder: a dangling link has a target too. */
function walked(path: string, count: { links: number }): string | undefined {
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = attempt(() => realpathSync.native(parent)) ?? walked(parent, count);
  if (folder === undefined) return undefined;
  const name = withoutSeparators(path.slice(parent.length));
  if (name === "" || name === ".") return folder;
  if (name === "..") return dirname(folder);
  const here = join(folder, name);
  const target = attempt(() => readlinkSync(here));
  if (target === undefined) return here;
  count.links += 1;
  if (count.links > MOST_LINKS) return undefined;
  const next = /^([\\/]|[A-Za-z]:)/.test(target) ? target : `${folder}/${target}`;
  return attempt(() => realpathSync.native(next)) ?? walked(next, count);
}

function slashed(path: string | undefined): string | undefined {
  return process.platform === "win32" ? path?.replaceAll("\\", "/") : path;
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Resolves the paths of one request, each once; undefined for a path that does not exist. */
export function linkLook(): LinkFiles {
  const known = new Map<string, string | undefined>();
  return {
    realPath: (path) => {
      if (!known.has(path))
        known.set(
          path,
          attempt(() => realpathSync.native(path)),
        );
      return Promise.resolve(known.get(path));
    },
    linkTarget: (path) => Promise.resolve(attempt(() => readlinkSync(path))),
  };
}

/** The paths of a folder as rules see it, with /: its own and, if different, its real one. It need not exist. */
export function placesOf(folder: string): readonly string[] {
  return [...new Set([slashed(folder) ?? folder, diskLook.realPath(folder) ?? folder])];
}

function withoutSeparators(name: string): string {
  const isSeparator = (at: number): boolean => name[at] === "/" || name[at] === "\\";
  let [start, end] = [0, name.length];
  while (start < end && isSeparator(start)) start += 1;
  while (end > start && isSeparator(end - 1)) end -= 1;
  return name.slice(start, end);
}
