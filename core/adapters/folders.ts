import { dirname } from "node:path";

// Not imported: see standard-streams.ts.
const { mkdirSync, statSync } = process.getBuiltinModule("node:fs");

/**
 * Creates a folder and its missing parents; returns the ones that it created. Node's own recursion never ends on file
 * systems that refuse new folders with ENOENT, as /proc does. @throws as `node:fs` does
 */
export function makeFolders(path: string, mode: number, hasParent = false): readonly string[] {
  try {
    mkdirSync(path, { mode });
    return [path];
  } catch (caught) {
    const parent = dirname(path);
    if ((caught as NodeJS.ErrnoException).code !== "ENOENT") {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
      throw caught;
    }
    if (hasParent || parent === path) throw caught;
    const above = makeFolders(parent, mode);
    return [...above, ...makeFolders(path, mode, true)];
  }
}
