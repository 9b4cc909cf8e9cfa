import { IndexDamaged } from "../index/cold-index.ts";
import type { FileNames } from "../log/file-names.ts";
import { openCold, type ColdPorts } from "./cold-log.ts";
import type { LogSource } from "./log-source.ts";

/**
 * Reads all segments of a session's log from its files, none where it has no log. Where the index on the disk turns out
 * to be damaged, it reads again without.
 * @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE`
 */
export async function readWholeLog<T>(
  ports: ColdPorts,
  names: FileNames,
  read: (sources: readonly LogSource[]) => Promise<T>,
): Promise<T> {
  try {
    return await readOnce(ports, names, read, true);
  } catch (caught) {
    if (!(caught instanceof IndexDamaged)) throw caught;
    ports.log.detail(`The index of ${names.visible} is damaged and is not used.`);
    return readOnce(ports, names, read, false);
  }
}

async function readOnce<T>(
  ports: ColdPorts,
  names: FileNames,
  read: (sources: readonly LogSource[]) => Promise<T>,
  trusts: boolean,
): Promise<T> {
  const log = await openCold(ports, names, (paths) => paths, trusts);
  try {
    return await read(log?.sources ?? []);
  } finally {
    await log?.close();
  }
}
