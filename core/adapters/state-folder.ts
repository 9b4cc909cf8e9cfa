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
    return statSync(collectionFolder(stateFolder, collection), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
