import * as fs from "node:fs";
import { dirname, join } from "node:path";

/** What the names of temporary files end in, so that those of killed processes are known. */
const TEMPORARY = ".skillctl-new";
/** Nobody writes one file for so long, in milliseconds: what is older was left behind by a process that was killed. */
const LEFT_BEHIND_MS = 3_600_000;
/** A folder may be for writing only, and not every file system can sync one. */
const NOT_FOR_FOLDERS = new Set(["EACCES", "EPERM", "EINVAL", "ENOTSUP", "EISDIR"]);

/** Puts a whole file in the place of another one or of none, lasting once this is over. Follows no link. */
export async function replaceWhole(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const temporary = await written(path, content, mode);
  try {
    await fs.promises.rename(temporary, path);
  } catch (caught) {
    await fs.promises.rm(temporary, { force: true });
    throw caught;
  }
  await settle(dirname(path));
}

/** Creates a whole file, lasting once this is over; false when there is one of that name, which then stays as it is. */
export async function createWhole(path: string, content: string, mode: number): Promise<boolean> {
  const temporary = await written(path, content, mode);
  try {
    // A link is made for a whole file or not at all, and never over another one.
    await fs.promises.link(temporary, path);
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw caught;
  } finally {
    await fs.promises.rm(temporary, { force: true });
  }
  await settle(dirname(path));
  return true;
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

/** Writes a temporary file beside a path and answers its own path once all of it is on the disk. */
async function written(path: string, content: string | Uint8Array, mode: number): Promise<string> {
  // On demand: crypto costs every start several milliseconds, and few commands write.
  const { randomBytes } = await import("node:crypto");
  const temporary = join(dirname(path), `.${randomBytes(8).toString("hex")}${TEMPORARY}`);
  const file = await fs.promises.open(temporary, "wx", mode);
  try {
    // The umask may have taken rights away: with 0777 the owner could not read the file again.
    await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
    await removeLeftBehind(dirname(path), (await file.stat()).mtimeMs);
  } catch (caught) {
    await fs.promises.rm(temporary, { force: true });
    throw caught;
  } finally {
    await file.close();
  }
  return temporary;
}

/** `nowMs` is the time of the file system, which may be another machine's. */
async function removeLeftBehind(folder: string, nowMs: number): Promise<void> {
  const names = (await whereAllowed(() => fs.promises.readdir(folder))) ?? [];
  for (const name of names.filter((one) => one.startsWith(".") && one.endsWith(TEMPORARY))) {
    const path = join(folder, name);
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.mtimeMs < nowMs - LEFT_BEHIND_MS)
      await fs.promises.rm(path, { force: true });
  }
}

async function whereAllowed<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (caught) {
    if (NOT_FOR_FOLDERS.has((caught as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw caught;
  }
}
