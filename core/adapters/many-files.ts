import * as fs from "node:fs";
import type { FileMark, Surveyed } from "../ports/files.ts";
import { exactPath, isDoubtful } from "./exact-path.ts";

const WITH_RIGHTS = process.platform !== "win32";

export function markOf(path: string): FileMark {
  return markFrom(fs.lstatSync(path));
}

function markFrom(stats: fs.Stats): FileMark {
  const { size: bytes, mtimeMs: modifiedMs, ctimeMs: changedMs, ino: inode } = stats;
  const mark = { kind: kindOf(stats), bytes, modifiedMs, changedMs, inode };
  return WITH_RIGHTS ? Object.assign(mark, { mode: stats.mode & 0o7777 }) : mark;
}

/** Neither a link nor a pipe is opened: the latter may wait for ever. */
export function readRegular(path: string): Uint8Array | undefined {
  if (!fs.lstatSync(path).isFile()) return undefined;
  // Windows knows no such flag.
  const { O_RDONLY, O_NOFOLLOW = 0 } = fs.constants as { O_RDONLY: number; O_NOFOLLOW?: number };
  const file = fs.openSync(path, O_RDONLY | O_NOFOLLOW);
  try {
    return fs.readFileSync(file);
  } finally {
    fs.closeSync(file);
  }
}

export function survey(root: string, enters: (name: string, path: string) => boolean): readonly Surveyed[] {
  const found: Surveyed[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of namesIn(root, folder)) {
      const path = folder + entry.name;
      if (entry.isDirectory()) {
        if (enters(entry.name, path)) folders.push(`${path}/`);
        continue;
      }
      const full = `${root}/${path}`;
      const stats = fs.lstatSync(isDoubtful(path) ? exactPath(full) : full, { throwIfNoEntry: false });
      // Without one it has gone since its name was read.
      if (stats) found.push(Object.assign(markFrom(stats), { path }));
    }
  }
  return found;
}

/** The surveyed folder must be there; one below may go while it is surveyed. */
function namesIn(root: string, folder: string): readonly fs.Dirent[] {
  try {
    const full = `${root}/${folder}`;
    return fs.readdirSync(isDoubtful(folder) ? exactPath(full) : full, { withFileTypes: true });
  } catch (caught) {
    if (folder !== "" && (caught as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw caught;
  }
}

export function linkTargetOf(path: string): string | undefined {
  return fs.lstatSync(path).isSymbolicLink() ? fs.readlinkSync(path) : undefined;
}

function kindOf(stats: fs.Stats): FileMark["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}
