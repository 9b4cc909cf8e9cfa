import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageFolder } from "./package-folder.ts";

/**
 * The files that tell whether a program on the disk is still the one that runs: Node, the file that was started with its
 * folder, the package, and the manifests of its skills. A build or an upgrade changes one of them.
 */
export function programFiles(
  own: readonly string[],
  skills: readonly { readonly folder: string }[],
): readonly string[] {
  const script = realPath(own.at(-1) ?? "");
  return [
    process.execPath,
    script,
    dirname(script),
    join(packageFolder(), "package.json"),
    ...skills.map(({ folder }) => join(folder, "skill.json")),
  ];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Gone already: it stays so, and the host ends with the first look at what takes its place.
    return path;
  }
}
