import { join } from "node:path";

// Not imported: see standard-streams.ts.
const { statSync } = process.getBuiltinModule("node:fs");

/** The folder of a collection; missing until its first document is written. */
export function collectionFolder(stateFolder: string, collection: string): string {
  return join(stateFolder, "documents", collection);
}

/** Whether a collection was ever written to; true if that cannot be determined. */
export function mayHoldDocuments(stateFolder: string, collection: string): boolean {
  try {
    statSync(collectionFolder(stateFolder, collection));
    return true;
  } catch (caught) {
    // Not with `throwIfNoEntry`: from Node 22 on that also hides a file at the path of a parent folder.
    return (caught as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Whether a folder exists; false if that cannot be determined. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
