import { dirname, join } from "node:path";
import type { Files } from "skillctl";

/** Whether a folder is the top of a work tree of git. */
export async function hasGit(folder: string, files: Files): Promise<boolean> {
  return (await files.facts(join(folder, ".git"))) !== undefined;
}

/** The project folder of a folder: the nearest one, itself or above, that git is used in; else itself. */
export async function projectFolder(start: string, files: Files): Promise<string> {
  const real = (await files.realPath(start)) ?? start;
  for (let folder = real; ; folder = dirname(folder)) {
    if (await hasGit(folder, files)) return folder;
    if (dirname(folder) === folder) return real;
  }
}
