import { basename, dirname, resolve } from "node:path";
import { SkillError, type Environment, type Files } from "skillctl";

/** Of all files that a debug server writes events to. */
const OWN_NAME = /^svc-debug-/i;

/**
 * The files to follow, absolute, each once.
 * @throws SkillError `USAGE` for one that a server itself writes into `folder`: each line would bring another one.
 */
export async function followedPaths(
  given: readonly string[],
  folder: string,
  { workingFolder }: Environment,
  files: Files,
): Promise<readonly string[]> {
  const paths = [...new Set(given.map((path) => resolve(workingFolder, path)))];
  for (const path of paths) {
    if (!OWN_NAME.test(basename(path)) || (await files.realPath(dirname(path))) !== folder) continue;
    throw new SkillError("USAGE", `${path} is a file that a debug server writes itself.`, {
      hint: "--tail takes files that other programs append to; `skillctl run runtime-debug logs` shows what a server has collected.",
    });
  }
  return paths;
}
