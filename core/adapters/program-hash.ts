import { join } from "node:path";
import { packageFolder } from "./package-folder.ts";
import { readRegularFile } from "./regular-file.ts";

// Not imported: see standard-streams.ts.
const { readdirSync } = process.getBuiltinModule("node:fs");

/** The parts of the package that affect decisions: program, rules and manifests. */
const PARTS = ["bin", "dist", "package.json", "schemas", "skills"];
const MOST_BYTES = 64 * 1024 * 1024;

/** SHA-256 of the program and its rules on disk, hexadecimal. */
export function programHash(folder = packageFolder()): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  const hash = createHash("sha256");
  for (const file of PARTS.flatMap((part) => filesAt(folder, part))) {
    const bytes = readRegularFile(join(folder, file), MOST_BYTES);
    hash.update(JSON.stringify([file, bytes.length])).update(bytes);
  }
  return hash.digest("hex");
}

/** The files at and below a path, relative to the folder. */
function filesAt(folder: string, part: string): readonly string[] {
  try {
    return readdirSync(join(folder, part), { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = `${part}/${entry.name}`;
        return entry.isDirectory() ? filesAt(folder, path) : entry.isFile() ? [path] : [];
      });
  } catch (caught) {
    const { code } = caught as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return [part];
    if (code === "ENOENT") return [];
    throw caught;
  }
}
