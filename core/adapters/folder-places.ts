import { basename, dirname, join } from "node:path";

// Not imported: see standard-streams.ts.
const { realpathSync } = process.getBuiltinModule("node:fs");

/** A folder as rules see it, with /: as it is named, and where links lead when that is elsewhere. It need not exist. */
export function placesOf(folder: string): readonly string[] {
  return [...new Set([folder, realPlace(folder)])].map((path) =>
    process.platform === "win32" ? path.replaceAll("\\", "/") : path,
  );
}

function realPlace(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(realPlace(dirname(path)), basename(path));
  }
}
