import { SkillError } from "../errors/skill-error.ts";
import { quotedName } from "../quoted-name.ts";

// Not imported: see standard-streams.ts.
const { closeSync, constants, fstatSync, openSync, readSync } = process.getBuiltinModule("node:fs");

/** Limit for files that configure a project or a skill, in bytes. */
export const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file of a project synchronously. Links are followed to regular files of at most `maxBytes`; a pipe or a device
 * could make a process wait or grow without limit.
 * @throws SkillError `FILE_UNREADABLE`, and errors of the file system
 */
export function readRegularFile(path: string, maxBytes = MAX_SETTINGS_BYTES): Buffer {
  const file = openRegularFile(path);
  try {
    const stats = fstatSync(file);
    // One byte more than its size, to notice growth; some system files report a size of 0.
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
 * Opens a regular file for reading. Folders are opened too: reading them fails with its own error.
 * @throws SkillError `FILE_UNREADABLE`, and errors of the file system
 */
export function openRegularFile(path: string): number {
  // Windows does not have this flag. With it, opening a pipe without a writer does not block.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants as { O_RDONLY: number; O_NONBLOCK?: number };
  const file = openSync(path, O_RDONLY | O_NONBLOCK);
  const stats = fstatSync(file);
  if (stats.isFile() || stats.isDirectory()) return file;
  closeSync(file);
  throw unreadable(path, "it is not a regular file");
}

function unreadable(path: string, reason: string): SkillError {
  return new SkillError("FILE_UNREADABLE", `${quotedName(path)} cannot be read: ${reason}.`, {
    file: path,
    hint: "Put a regular file there.",
  });
}
