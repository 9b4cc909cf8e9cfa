import { dirname } from "node:path";
import { described } from "../errors/skill-error.ts";
import type { Log } from "../ports/log.ts";
import { makeFolders } from "./folders.ts";
import { readRegularFile } from "./regular-file.ts";
import { unreadable, unsafeError, unwritable } from "./storage-errors.ts";
import { isObject, jsonValue } from "../schema/json.ts";

// Not imported: see standard-streams.ts.
const fs = process.getBuiltinModule("node:fs");

/** The two files of a log: the archived one and the current one. */
export type LogFiles = readonly [older: string, newer: string];

/** Size at which the current file replaces the archived one, in bytes. */
const MAX_BYTES = 1_048_576;
// Windows lacks O_NOFOLLOW; undefined counts as 0 here.
const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
/** Refuses links, and does not wait for the reader of a pipe. */
const APPENDING = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK;

/**
 * Appends a line of JSON to a log that only this user can read. Never throws: a failure is a notice with `what` as its
 * subject. Properties that are undefined are left out.
 */
export function appendLine(
  files: LogFiles,
  line: () => object,
  log: Pick<Log, "notice">,
  what: string,
): void {
  try {
    write(files, `${JSON.stringify(line())}\n`);
  } catch (caught) {
    log.notice(`${what} could not be recorded: ${described(caught)}`);
  }
}

function write([older, newer]: LogFiles, line: string): void {
  const file = opened(newer);
  try {
    if (!fs.fstatSync(file).isFile()) throw unsafeError(newer, "is not a regular file");
    // One write for each line, so that lines of several processes do not mix.
    fs.writeSync(file, line);
    const { size, ino } = fs.fstatSync(file);
    // Another process may have archived it already.
    if (size > MAX_BYTES && fs.lstatSync(newer, { throwIfNoEntry: false })?.ino === ino)
      fs.renameSync(newer, older);
  } finally {
    fs.closeSync(file);
  }
}

/** @throws SkillError `FILE_UNWRITABLE` */
function opened(path: string): number {
  try {
    try {
      return fs.openSync(path, APPENDING, 0o600);
    } catch (caught) {
      if ((caught as NodeJS.ErrnoException).code !== "ENOENT") throw caught;
      makeFolders(dirname(path), 0o700);
      return fs.openSync(path, APPENDING, 0o600);
    }
  } catch (caught) {
    throw unwritable(path, caught);
  }
}

/** The objects in a log, oldest first, without damaged lines. @throws SkillError `FILE_UNREADABLE` */
export function linesOf(files: LogFiles): readonly Readonly<Record<string, unknown>>[] {
  return files.flatMap(textsIn).flatMap((text) => {
    const value = jsonValue(text);
    return isObject(value) ? [value] : [];
  });
}

function textsIn(file: string): readonly string[] {
  try {
    return readRegularFile(file).toString("utf8").split("\n");
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw unreadable(file, caught);
  }
}
