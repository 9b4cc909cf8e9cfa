import { join } from "node:path";
import type { Files } from "skillctl";
import { pause } from "../server/pause.ts";

/** How files are called while they are being written. */
const UNFINISHED = /^\.[0-9a-f]{16}\.skillctl-new$/;
/** A file that is being written has its own name after this time, in milliseconds. */
const WRITING_MS = 1_000;

/**
 * Removes what killed commands have left half written. A file of a command that is alive is not there any more a second
 * later.
 * @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
export async function removeAbandoned(
  folders: readonly string[],
  files: Files,
  signal: AbortSignal,
): Promise<void> {
  const found = await unfinishedIn(folders, files);
  if (found.length === 0) return;
  await pause(WRITING_MS, signal);
  if (signal.aborted) return;
  const still = new Set(await unfinishedIn(folders, files));
  for (const path of found) if (still.has(path)) await files.remove(path);
}

async function unfinishedIn(folders: readonly string[], files: Files): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of new Set(folders)) {
    if ((await files.facts(folder))?.kind !== "folder") continue;
    const names = (await files.list(folder)) ?? [];
    found.push(...names.filter((name) => UNFINISHED.test(name)).map((name) => join(folder, name)));
  }
  return found;
}
