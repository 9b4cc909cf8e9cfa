import { SkillError } from "../errors/skill-error.ts";
import { quotedName } from "../quoted-name.ts";

// Not imported: see standard-streams.ts.
const { closeSync, constants, fstatSync, openSync, readSync } = process.getBuiltinModule("node:fs");

/** No file that says how a project or a skill is set up is longer, in bytes. */
export const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

/**
 * The bytes of a file that a project brings, read at once. Links are followed; what they lead to is a regular file of at
 * most `maxBytes`, or it is not read: a pipe or a device could make a process wait or grow for ever.
 * @throws SkillError `FILE_UNREADABLE`, and what the file system throws
 */
export function readRegularFile(path: string, maxBytes = MAX_SETTINGS_BYTES): Buffer {
  const file = openRegularFile(path);
  try {
    const stats = fstatSync(file);
    // A byte more than it has, and some files of the system say that they have none.
    const bytes = Buffer.allocUnsafe(Math.min(stats.size || maxBytes, maxBytes) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > maxBytes) throw unreadable(path, `it is over ${maxBytes} bytes`);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a regular file, or a folder, of which reading says by itself what it is, for reading.
 * @throws SkillError `FILE_UNREADABLE`, and what the file system throws
 */
export function openRegularFile(path: string): number {
  // Windows knows no such flag. With it, a pipe that nobody writes to is opened at once.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants as { O_RDONLY: number; O_NONBLOCK?: number };
  const file = openSync(path, O_RDONLY | O_NONBLOCK);
  const stats = fstatSync(file);
  if (stats.isFile() || stats.isDirectory()) return file;
  closeSync(file);
  throw unreadable(path, "it is no regular file");
}

function unreadable(path: string, reason: string): SkillError {
  return new SkillError("FILE_UNREADABLE", `${quotedName(path)} cannot be read: ${reason}.`, {
    file: path,
    hint: "Put a regular file there.",
  });
}
