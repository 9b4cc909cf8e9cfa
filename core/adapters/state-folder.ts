import { join } from "node:path";

// Not imported: see standard-streams.ts.
const { statSync } = process.getBuiltinModule("node:fs");

/** The folder of a collection of documents; missing until the first document is written. */
export function collectionFolder(stateFolder: string, collection: string): string {
  return join(stateFolder, "documents", collection);
}

/** Whether any document was ever written to a collection; true where that cannot be seen. */
export function mayHoldDocuments(stateFolder: string, collection: string): boolean {
  try {
    statSync(collectionFolder(stateFolder, collection));
    return true;
  } catch (caught) {
    // Not by `throwIfNoEntry`: from Node 22 on that hides a file in the place of a folder too.
    return (caught as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Whether a folder is there; false where that cannot be seen. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
