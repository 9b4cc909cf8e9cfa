import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import { quotedName } from "../quoted-name.ts";
import { makeFolders } from "./folders.ts";

/** Suffix of temporary files, by which those of killed processes are recognised. */
const TEMPORARY = ".skillctl-new";
/** Age in milliseconds at which a temporary file is considered abandoned by a killed process. */
const LEFT_BEHIND_MS = 3_600_000;
/** Error codes of syncing a folder: it may be write-only, and some file systems cannot sync folders. */
const NOT_FOR_FOLDERS = new Set(["EACCES", "EPERM", "EINVAL", "ENOTSUP", "EISDIR"]);
/** Error codes of file systems without hard links, such as FAT and some network shares. */
const WITHOUT_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
/** Error codes of Windows while another program has a file open. */
const IN_USE = new Set(["EPERM", "EACCES", "EBUSY"]);
/** The pauses double up to this and add up to 1.3 s. */
const LONGEST_PAUSE_MS = 640;

/** Creates or replaces a file atomically and durably. Follows no link. */
export async function replaceWhole(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const temporary = await written(path, content, mode, fs.lstatSync(path, { throwIfNoEntry: false }));
  try {
    await whileInUse(() => fs.promises.rename(temporary, path));
  } catch (caught) {
    await discard(temporary);
    throw caught;
  }
  await settle(dirname(path));
}

/**
 * Creates a file atomically and durably; returns false if it already exists.
 * @throws SkillError `FILE_UNWRITABLE` on a file system without hard links, and errors of the file system.
 */
export async function createWhole(path: string, content: string, mode: number): Promise<boolean> {
  const temporary = await written(path, content, mode);
  try {
    // A link appears only for the complete file and never replaces another.
    await fs.promises.link(temporary, path);
  } catch (caught) {
    const { code = "" } = caught as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    throw WITHOUT_LINKS.has(code) ? linkless(path, code, caught) : caught;
  } finally {
    await discard(temporary);
  }
  await settle(dirname(path));
  return true;
}

/** Creates a folder and its missing parents, durably. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  for (const made of makeFolders(path, mode)) await settle(dirname(made));
}

/** Syncs a folder: a new name survives a power failure only then. */
export async function settle(folder: string): Promise<void> {
  const handle = await whereAllowed(() => fs.promises.open(folder, "r"));
  try {
    await whereAllowed(async () => handle?.sync());
  } finally {
    await handle?.close();
  }
}

/**
 * Writes and syncs a temporary file beside a path and returns its path. It gets the owner of the file to replace.
 */
async function written(
  path: string,
  content: string | Uint8Array,
  mode: number,
  replaced?: fs.Stats,
): Promise<string> {
  // Imported on demand: crypto costs every start several milliseconds, and few commands write.
  const { randomBytes } = await import("node:crypto");
  const temporary = join(dirname(path), `.${randomBytes(8).toString("hex")}${TEMPORARY}`);
  const file = await fs.promises.open(temporary, "wx", mode);
  try {
    const isSame = replaced?.isFile() === true && (await handedOver(file, replaced));
    // The umask may have removed permissions: with 0777 the owner could not read the file again.
    await file.chmod(isSame && (replaced.mode & 0o777) === mode ? replaced.mode & 0o7777 : mode);
    await file.writeFile(content);
    await file.sync();
    await removeLeftBehind(dirname(path), (await file.stat()).mtimeMs);
  } catch (caught) {
    await discard(temporary);
    throw caught;
  } finally {
    await file.close();
  }
  return temporary;
}

/** Gives a file the owner of another; returns whether that succeeded. Only the superuser can choose any owner. */
async function handedOver(file: fs.promises.FileHandle, { uid, gid }: fs.Stats): Promise<boolean> {
  if (process.platform === "win32") return false;
  const made = await file.stat();
  if (made.uid !== uid || made.gid !== gid) await whereAllowed(() => file.chown(uid, gid));
  const { uid: user, gid: group } = await file.stat();
  return user === uid && group === gid;
}

/** `nowMs` is the time of the file system, which may belong to another machine. */
async function removeLeftBehind(folder: string, nowMs: number): Promise<void> {
  const names = (await whereAllowed(() => fs.promises.readdir(folder))) ?? [];
  for (const name of names.filter((one) => one.startsWith(".") && one.endsWith(TEMPORARY))) {
    const path = join(folder, name);
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.mtimeMs < nowMs - LEFT_BEHIND_MS) await discard(path);
  }
}

/** Removes a temporary file and ignores errors: a later write removes it. */
async function discard(temporary: string): Promise<void> {
  await fs.promises.rm(temporary, { force: true }).catch(() => undefined);
}

/**
 * Retries for about 1 s while another program, such as a virus scanner, has a file open, because Windows then refuses to
 * replace it. Other systems never do, so that their first refusal is final.
 */
export async function whileInUse(action: () => Promise<void>): Promise<void> {
  for (let pauseMs = 10; ; pauseMs *= 2) {
    try {
      return await action();
    } catch (caught) {
      const { code = "" } = caught as NodeJS.ErrnoException;
      if (process.platform !== "win32" || !IN_USE.has(code) || pauseMs > LONGEST_PAUSE_MS) throw caught;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function linkless(path: string, code: string, cause: unknown): SkillError {
  return new SkillError(
    "FILE_UNWRITABLE",
    `${quotedName(path)} cannot be written: its file system does not support hard links (${code}).`,
    { cause, file: path, hint: "Set SKILLCTL_STATE to a folder on another file system." },
  );
}

async function whereAllowed<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (caught) {
    if (NOT_FOR_FOLDERS.has((caught as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw caught;
  }
}
