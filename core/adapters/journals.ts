import * as fs from "node:fs";
import { dirname } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Journal, JournalOptions, Journals } from "../ports/journal.ts";
import { codeOf, unreadable, unsafeError, unwritable } from "./journal-errors.ts";
import { openPlain, seen, JournalPlace, JournalWriters } from "./journal-place.ts";
import { FileReader } from "./journal-reader.ts";
import { FileJournal } from "./journal.ts";
import { settle, whileInUse } from "./whole-files.ts";

const { O_APPEND, O_CREAT, O_RDONLY, O_WRONLY } = fs.constants;

/** Journals in files of this machine. */
export const nodeJournals: Journals = {
  open: async (path, options = {}) => {
    try {
      return await opened(path, options);
    } catch (caught) {
      throw unwritable(path, caught);
    }
  },

  openToRead: async (path) => {
    try {
      if (!seen(path).file) return undefined;
      const descriptor = openPlain(path, O_RDONLY);
      return new FileReader(path, descriptor, fs.fstatSync(descriptor).size);
    } catch (caught) {
      if (codeOf(caught) === "ENOENT" || codeOf(caught) === "ENOTDIR") return undefined;
      throw unreadable(path, caught);
    }
  },

  rename: (from, to) => renamed(from, to, false),
  replace: (from, to) => renamed(from, to, true),
};

async function opened(path: string, options: JournalOptions): Promise<Journal> {
  const { durability = "sync", mode = 0o600 } = options;
  const { folder, file } = seen(path);
  if (file) refuseForeign(path, file);
  const created = openPlain(path, O_WRONLY | O_APPEND | O_CREAT, mode);
  let reader: FileReader | undefined;
  let writers: JournalWriters | undefined;
  try {
    const stats = fs.fstatSync(created);
    // The umask may have taken rights away, and an old file may be open to others.
    if ((stats.mode & 0o7777) !== mode) fs.fchmodSync(created, mode);
    const place = new JournalPlace(path, created, folder);
    refuseForeign(path, fs.fstatSync(created, { bigint: true }));
    reader = new FileReader(path, openPlain(path, O_RDONLY), 0);
    if (!place.has(reader.descriptor)) throw unsafeError(path, "is another file now");
    writers = JournalWriters.open(place);
    const bytes = fs.fstatSync(reader.descriptor).size;
    // What a killed process wrote may be with the operating system only, and so may the name it made.
    await writers.cut(bytes);
    await settle(dirname(path));
    reader.bytes = bytes;
    return new FileJournal(place, reader, writers, durability);
  } catch (caught) {
    writers?.close();
    await reader?.close();
    throw caught;
  } finally {
    fs.closeSync(created);
  }
}

/** Another user, or another name of the file, could change what is collected. Windows has no user numbers. */
function refuseForeign(path: string, file: fs.BigIntStats): void {
  if (file.nlink !== 1n) throw unsafeError(path, "has another name too");
  const user = process.getuid?.();
  if (user !== undefined && file.uid !== BigInt(user)) throw unsafeError(path, "belongs to another user");
}

async function renamed(from: string, to: string, over: boolean): Promise<void> {
  try {
    if (dirname(from) !== dirname(to)) throw refused(from, to, "they are in two folders");
    if (!seen(from).file) throw refused(from, to, "it does not exist");
    // A hard link would refuse a taken name by itself, but a process killed then would leave the file with two.
    if (seen(to).file && !over) throw refused(from, to, "that name is taken");
    await whileInUse(() => fs.promises.rename(from, to));
    await settle(dirname(to));
  } catch (caught) {
    throw unwritable(from, caught);
  }
}

function refused(from: string, to: string, why: string): SkillError {
  return new SkillError("FILE_UNWRITABLE", `${from} cannot be renamed to ${to}: ${why}.`, {
    file: from,
    hint: "Choose another name in the same folder.",
  });
}
