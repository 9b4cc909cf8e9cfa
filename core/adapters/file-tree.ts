import { dirname, join } from "node:path";
import { makeFolders } from "./folders.ts";
import { codeOf, storageError, unwritable } from "./storage-errors.ts";
import { settle } from "./whole-files.ts";

// Not imported: see standard-streams.ts.
const { promises } = process.getBuiltinModule("node:fs");

/**
 * Writes files into a new folder, durably. Paths are relative to it, with `/`.
 * @throws SkillError `STORAGE_FULL`, `FILE_UNWRITABLE`
 */
export async function writeTree(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const folders = new Set<string>();
  for (const [path, bytes] of files) {
    const file = join(folder, path);
    try {
      for (const made of makeFolders(dirname(file), 0o755)) folders.add(made).add(dirname(made));
      // Never an existing file, so that no link is followed.
      const handle = await promises.open(file, "wx", 0o644);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (caught) {
      throw ["ENOSPC", "EDQUOT", "EFBIG"].includes(codeOf(caught))
        ? storageError(file, caught)
        : unwritable(file, caught);
    }
  }
  for (const one of folders) await settle(one);
}
