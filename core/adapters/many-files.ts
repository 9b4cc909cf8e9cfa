import * as fs from "node:fs";
import type { FileMark, Surveyed } from "../ports/files.ts";

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

/** What stands in a name for bytes that are no UTF-8. */
const REPLACED = "\uFFFD";

/** Whether a path may not be as the file system has it. */
export function isDoubtful(path: string): boolean {
  return path.includes(REPLACED);
}

/** The bytes of a path of which some names may be read wrongly: of each the first of its folder that reads like that. */
export function exactPath(path: string): Buffer {
  let found = Buffer.from(path.startsWith("/") ? "/" : "");
  for (const name of path.split("/").filter((one) => one !== "")) {
    const between = found.byteLength === 0 || found.at(-1) === SLASH ? "" : "/";
    const plain = Buffer.concat([found, Buffer.from(between + name)]);
    const exact = isDoubtful(name) ? (exactName(found, name) ?? Buffer.from(name)) : Buffer.from(name);
    found = fs.lstatSync(plain, { throwIfNoEntry: false })
      ? plain
      : Buffer.concat([found, Buffer.from(between), exact]);
  }
  return found;
}

const SLASH = 0x2f;

function exactName(folder: Buffer, name: string): Buffer | undefined {
  try {
    return fs.readdirSync(folder, { encoding: "buffer" }).find((one) => one.toString() === name);
  } catch {
    // Whoever opens the path is told what is wrong with it.
    return undefined;
  }
}
