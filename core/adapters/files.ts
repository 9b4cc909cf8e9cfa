import * as fs from "node:fs";
import { SkillError } from "../errors/skill-error.ts";
import type { FileMark, Files, SurveyEntry } from "../ports/files.ts";
import { createWhole, makeFolder, replaceWhole, settle } from "./whole-files.ts";
import { quotedName } from "../quoted-name.ts";
import { codeOf, unreadable } from "./storage-errors.ts";

/** The file system of the machine. Replacing a file and reading its metadata do not follow links. */
export const nodeFiles: Files = {
  readText: (path) =>
    reading(path, async () => readSmall(path) ?? (await fs.promises.readFile(path, "utf8"))),
  readBytes: (path) =>
    reading(path, () => {
      refuseOther(path, fs.statSync(path));
      return fs.promises.readFile(path);
    }),
  list: (path) =>
    reading(path, async () => {
      try {
        return fs.readdirSync(path).sort();
      } catch (caught) {
        // A pipe at the path of a folder must not be reported as an empty folder.
        throw codeOf(caught) === "ENOTDIR" ? noFolder(path) : caught;
      }
    }),
  facts: (path) =>
    reading(path, async () => {
      const stats = await fs.promises.lstat(path);
      const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
      const facts = {
        kind,
        bytes: stats.size,
        modifiedMs: stats.mtimeMs,
        own: isOwn(stats),
        names: stats.nlink,
      } as const;
      return process.platform === "win32" ? facts : { ...facts, mode: stats.mode & 0o777 };
    }),
  marks: async (paths) => paths.map((path) => readingNow(path, () => markOf(fs.lstatSync(path)))),
  readMany: async (paths) => paths.map((path) => readingNow(path, () => readRegular(path))),
  survey: (path, enters) => reading(path, async () => survey(path, enters)),
  linkTarget: (path) =>
    reading(path, async () => (fs.lstatSync(path).isSymbolicLink() ? fs.readlinkSync(path) : undefined)),
  realPath: (path) => reading(path, async () => fs.realpathSync.native(path)),
  makeFolder: (path, mode = 0o700) => writing(path, () => makeFolder(path, mode)),
  replace: (path, content, mode = 0o600) => writing(path, () => replaceWhole(path, content, mode)),
  create: (path, content, mode = 0o600) => writing(path, () => createWhole(path, content, mode)),
  settle: (path) => writing(path, () => settleFile(path)),
  remove: (path) =>
    writing(path, () => fs.promises.rm(path, { force: true, recursive: true, maxRetries: 2 })),
  removeEmpty: (path) => writing(path, () => removeEmpty(path)),
  move: (from, to) => writing(from, () => move(from, to)),
  makeLink: (path, target) => writing(path, () => fs.promises.symlink(target, path)),
};

/** Files up to this size are read synchronously: three times faster than through Node's thread pool. */
const SMALL_BYTES = 64 * 1024;

function readSmall(path: string): string | undefined {
  const stats = fs.statSync(path);
  refuseOther(path, stats);
  return stats.size <= SMALL_BYTES ? fs.readFileSync(path, "utf8") : undefined;
}

function isOwn(stats: fs.Stats): boolean {
  const user = process.geteuid?.();
  return user === undefined || user === stats.uid;
}

/** Refuses pipes and devices: opening one can block for ever, and the waiting process could not exit. */
function refuseOther(path: string, stats: fs.Stats): void {
  if (stats.isFile()) return;
  throw new SkillError("FILE_UNREADABLE", `${quotedName(path)} is not a regular file.`, {
    file: path,
    hint: "Put a regular file there, or remove it.",
  });
}

function noFolder(path: string): SkillError {
  return new SkillError(
    "FILE_UNREADABLE",
    `${quotedName(path)} cannot be listed: it or one of its parents is not a folder.`,
    {
      file: path,
      hint: "Remove the file at the path of the folder.",
    },
  );
}

async function settleFile(path: string): Promise<void> {
  if (fs.statSync(path).isDirectory()) return settle(path);
  const file = await fs.promises.open(path, process.platform === "win32" ? "r+" : "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const WITH_RIGHTS = process.platform !== "win32";

function markOf(stats: fs.Stats): FileMark {
  const { size: bytes, mtimeMs: modifiedMs, ctimeMs: changedMs } = stats;
  const mark = { kind: kindOf(stats), bytes, modifiedMs, changedMs };
  return WITH_RIGHTS ? Object.assign(mark, { mode: stats.mode & 0o7777 }) : mark;
}

function survey(root: string, enters: (name: string, path: string) => boolean): readonly SurveyEntry[] {
  const found: SurveyEntry[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of namesIn(root, folder)) {
      const path = folder + entry.name;
      if (entry.isDirectory()) {
        if (enters(entry.name, path)) folders.push(`${path}/`);
        continue;
      }
      const stats = fs.lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
      // Undefined if the file was removed after its name was read.
      if (stats) found.push(Object.assign(markOf(stats), { path }));
    }
  }
  return found;
}

/** Names in a folder. The surveyed folder must exist; one below may be removed during the survey. */
function namesIn(root: string, folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(`${root}/${folder}`, { withFileTypes: true });
  } catch (caught) {
    if (folder !== "" && (caught as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw caught;
  }
}

/** Opens neither links nor pipes: opening a pipe may block for ever. */
function readRegular(path: string): Uint8Array | undefined {
  if (!fs.lstatSync(path).isFile()) return undefined;
  // Windows does not have this flag.
  const { O_RDONLY, O_NOFOLLOW = 0 } = fs.constants as { O_RDONLY: number; O_NOFOLLOW?: number };
  const file = fs.openSync(path, O_RDONLY | O_NOFOLLOW);
  try {
    return fs.readFileSync(file);
  } finally {
    fs.closeSync(file);
  }
}

function kindOf(stats: fs.Stats): FileMark["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

/** See `Files.move`. Copies across file systems; a file that was written during the copy also stays at its old path. */
async function move(from: string, to: string): Promise<void> {
  try {
    return await fs.promises.rename(from, to);
  } catch (caught) {
    if (codeOf(caught) !== "EXDEV") throw caught;
  }
  const before = fs.lstatSync(from);
  await fs.promises.cp(from, to, {
    recursive: true,
    errorOnExist: true,
    force: false,
    verbatimSymlinks: true,
  });
  const now = fs.lstatSync(from);
  const isSame = now.ino === before.ino && now.ctimeMs === before.ctimeMs && now.size === before.size;
  if (isSame) await fs.promises.rm(from, { recursive: true });
}

const NOT_EMPTY: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR", "ENOENT"]);

async function removeEmpty(path: string): Promise<boolean> {
  try {
    await fs.promises.rmdir(path);
    return true;
  } catch (caught) {
    if (NOT_EMPTY.has((caught as NodeJS.ErrnoException).code)) return false;
    throw caught;
  }
}

async function reading<T>(path: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (caught) {
    return missing(path, caught);
  }
}

function readingNow<T>(path: string, action: () => T): T | undefined {
  try {
    return action();
  } catch (caught) {
    return missing(path, caught);
  }
}

/** Returns undefined for a missing file. @throws SkillError for any other failure */
function missing(path: string, cause: unknown): undefined {
  // A name that is too long for the file system cannot exist.
  if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(codeOf(cause))) return undefined;
  throw unreadable(path, cause);
}

async function writing<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    if (cause instanceof SkillError) throw cause;
    if (codeOf(cause) === "ENAMETOOLONG")
      throw new SkillError("INPUT_INVALID", "A file name is too long for the file system.", {
        cause,
        hint: "Give a shorter name.",
      });
    throw new SkillError("FILE_UNWRITABLE", `${quotedName(path)} cannot be written (${codeOf(cause)}).`, {
      cause,
      file: path,
      hint: "Check the permissions of its folder; `skillctl doctor` shows where skillctl keeps its data.",
    });
  }
}
