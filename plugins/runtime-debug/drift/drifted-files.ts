import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { SkillError } from "skillctl";
import type { Finding } from "../check/finding.ts";

/** The files that findings are about, each once, sorted. */
export function filesOf(found: readonly Finding[]): readonly string[] {
  return [...new Set(found.flatMap(({ file }) => file ?? []))].sort();
}

/**
 * The files that somebody has named, among those that have drifted: absolute, from the project folder, or from the
 * working folder. @throws SkillError `USAGE` for one that is as it should be
 */
export function namedFiles(
  names: readonly string[],
  drifted: readonly string[],
  { root, workingFolder }: { readonly root: string; readonly workingFolder: string },
): readonly string[] {
  const found = names.map((name) => {
    const places = isAbsolute(name) ? [name] : [resolve(workingFolder, name), join(root, name)];
    const paths = places.map((place) => relative(root, place).split(sep).join("/"));
    const path = paths.find((one) => drifted.includes(one));
    if (path !== undefined) return path;
    throw new SkillError("USAGE", `${name} has not changed by more than probes may.`, {
      hint:
        drifted.length === 0
          ? "Nothing has: `skillctl run runtime-debug status` says what comes next."
          : `These have: ${drifted.slice(0, 20).join(", ")}.`,
    });
  });
  return [...new Set(found)];
}
