import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { SkillError } from "../errors/skill-error.ts";
import { quotedName } from "../quoted-name.ts";
import { makeFolders } from "./folders.ts";

/** What the names of temporary files end in, so that those of killed processes are known. */
const TEMPORARY = ".skillctl-new";
/** Nobody writes one file for so long, in milliseconds: what is older was left behind by a process that was killed. */
const LEFT_BEHIND_MS = 3_600_000;
/** A folder may be for writing only, and not every file system can sync one. */
const NOT_FOR_FOLDERS = new Set(["EACCES", "EPERM", "EINVAL", "ENOTSUP", "EISDIR"]);
/** What a file system without hard links answers, such as FAT and some network shares. */
const WITHOUT_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
/** What Windows answers while another program has a file open. */
const IN_USE = new Set(["EPERM", "EACCES", "EBUSY"]);
/** The pauses double up to this, and are 1.3 s in all. */
const LONGEST_PAUSE_MS = 640;

/** Puts a whole file in the place of another one or of none, lasting once this is over. Follows no link. */
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
 * Creates a whole file, lasting once this is over; false when there is one of that name, which then stays as it is.
 * @throws SkillError `FILE_UNWRITABLE` where it makes none, and what the file system throws.
 */
export async function createWhole(path: string, content: string, mode: number): Promise<boolean> {
  const temporary = await written(path, content, mode);
  try {
    // A link is made for a whole file or not at all, and never over another one.
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

/** Makes a folder and the missing ones above it, lasting once this is over. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  for (const made of makeFolders(path, mode)) await settle(dirname(made));
}

/** A new name survives a power failure once its folder is on the disk too. */
export async function settle(folder: string): Promise<void> {
  const handle = await whereAllowed(() => fs.promises.open(folder, "r"));
  try {
    await whereAllowed(async () => handle?.sync());
  } finally {
    await handle?.close();
  }
}

/**
 * Writes a temporary file beside a path and answers its own path once all of it is on the disk. It belongs to whom the
 * replaced file belongs.
 */
async function written(
  path: string,
  content: string | Uint8Array,
  mode: number,
  replaced?: fs.Stats,
): Promise<string> {
  // On demand: crypto costs every start several milliseconds, and few commands write.
  const { randomBytes } = await import("node:crypto");
  const temporary = join(dirname(path), `.${randomBytes(8).toString("hex")}${TEMPORARY}`);
  const file = await fs.promises.open(temporary, "wx", mode);
  try {
    const isSame = replaced?.isFile() === true && (await handedOver(file, replaced));
    // The umask may have taken rights away: with 0777 the owner could not read the file again.
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

/** Whether a new file belongs to whom another does now. Only the superuser can give it to everybody. */
async function handedOver(file: fs.promises.FileHandle, { uid, gid }: fs.Stats): Promise<boolean> {
  if (process.platform === "win32") return false;
  const made = await file.stat();
  if (made.uid !== uid || made.gid !== gid) await whereAllowed(() => file.chown(uid, gid));
  const { uid: user, gid: group } = await file.stat();
  return user === uid && group === gid;
}

/** `nowMs` is the time of the file system, which may be another machine's. */
async function removeLeftBehind(folder: string, nowMs: number): Promise<void> {
  const names = (await whereAllowed(() => fs.promises.readdir(folder))) ?? [];
  for (const name of names.filter((one) => one.startsWith(".") && one.endsWith(TEMPORARY))) {
    const path = join(folder, name);
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.mtimeMs < nowMs - LEFT_BEHIND_MS) await discard(path);
  }
}

/** What became of the file itself counts. A temporary one that cannot be removed goes with a later write. */
async function discard(temporary: string): Promise<void> {
  await fs.promises.rm(temporary, { force: true }).catch(() => undefined);
}

/**
 * Tries again for about 1 s where something else, such as a virus scanner, has a file open: Windows then refuses to
 * replace it. Other systems never do, so that there the first refusal is the answer.
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
    `${quotedName(path)} cannot be written: its file system makes no hard links (${code}).`,
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
