import * as fs from "node:fs";
import { dirname } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import type { Journal, JournalOptions, Journals } from "../ports/journal.ts";
import { JournalFile, seen } from "./journal-file.ts";
import { FileJournal } from "./journal.ts";
import { settle, whileInUse } from "./whole-files.ts";
import { codeOf, unreadable, unsafeError, unwritable } from "./storage-errors.ts";

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR } = fs.constants;

const OWNER_ONLY = 0o600;

/** Journals in files of this machine. */
export const nodeJournals: Journals = {
  open: async (path, options = {}) => {
    try {
      return await openJournal(path, options);
    } catch (caught) {
      throw unwritable(path, caught);
    }
  },

  openToRead: async (path) => {
    try {
      if (!seen(path).file) return undefined;
      const file = await JournalFile.open(path, O_RDONLY);
      file.bytes = file.size;
      return file;
    } catch (caught) {
      if (codeOf(caught) === "ENOENT" || codeOf(caught) === "ENOTDIR") return undefined;
      throw unreadable(path, caught);
    }
  },

  rename: (from, to) => renamed(from, to, false),
  replace: (from, to) => renamed(from, to, true),
};

async function openJournal(path: string, { durability = "sync" }: JournalOptions): Promise<Journal> {
  const { file: old } = seen(path);
  if (old) refuseForeign(path, old);
  // With O_APPEND, so that a file that another program truncated gets no hole.
  const file = await JournalFile.open(path, O_RDWR | O_APPEND | O_CREAT, OWNER_ONLY);
  try {
    file.allow(OWNER_ONLY);
    if (file.fault(0, Infinity)) throw unsafeError(path, "is another file now");
    refuseForeign(path, fs.lstatSync(path, { bigint: true }));
    file.bytes = file.size;
    // Lines of a killed process, and the file's name, may not have been synced.
    await file.sync();
    await settle(dirname(path));
    return new FileJournal(file, durability, () => JournalFile.open(path, O_RDWR | O_APPEND));
  } catch (caught) {
    await file.close();
    throw caught;
  }
}

/** Refuses a file that another user, or a program through a second hard link, could change. Windows has no user ids. */
function refuseForeign(path: string, file: fs.BigIntStats): void {
  if (file.nlink !== 1n) throw unsafeError(path, "has another name too");
  const user = process.getuid?.();
  if (user !== undefined && file.uid !== BigInt(user)) throw unsafeError(path, "belongs to another user");
}

async function renamed(from: string, to: string, over: boolean): Promise<void> {
  try {
    if (dirname(from) !== dirname(to)) throw refused(from, to, "they are in two folders");
    if (!seen(from).file) throw refused(from, to, "it does not exist");
    // Not a hard link, which would refuse an existing name, but leave a killed process with two names.
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
