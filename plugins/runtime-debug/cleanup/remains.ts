import { join, relative, sep } from "node:path";
import type { Files } from "skillctl";
import { pause } from "../server/pause.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";

/** What `.dbg` gets when it is made: nothing of it is committed. */
const IGNORE_FILE = ".gitignore";
const IGNORE_TEXT = "*\n";

/**
 * Removes the files of a session in its project: record, environment, logs with their indexes, and `.dbg` itself when
 * nothing else is in it. Those of other sessions stay, and so does what skillctl has not made.
 * @param session an id that has been checked
 * @returns what was removed, from the project folder, with `/`; of a folder that is gone its name alone
 * @throws SkillError `FILE_UNWRITABLE`, `FILE_UNREADABLE`
 */
export async function removeRemains(root: string, session: string, files: Files): Promise<readonly string[]> {
  const removed: string[] = [];
  const remove = async (path: string): Promise<void> => {
    await files.remove(path);
    removed.push(relative(root, path).split(sep).join("/"));
  };
  const record = join(root, `debug-${session}.md`);
  const recordFacts = await files.facts(record);
  if (recordFacts && recordFacts.kind !== "folder") await remove(record);
  const folder = join(root, DEFAULT_FOLDER);
  // A link, or a file, in its place is somebody else's.
  if ((await files.facts(folder))?.kind !== "folder") return removed;
  for (const name of (await files.list(folder)) ?? [])
    if (isOfSession(name, session)) await remove(join(folder, name));
  const left = (await files.list(folder)) ?? [];
  if (!(await isEmptyBut(folder, left, files))) return removed;
  await remove(folder);
  return removed.filter((path) => !path.startsWith(`${DEFAULT_FOLDER}/`));
}

/** docs/runtime-debug.md, section Files. */
export function isOfSession(name: string, session: string): boolean {
  if ([".env", ".server.json", ".serve.log"].some((ending) => name === session + ending)) return true;
  const [, id, rest = ""] = /^svc-debug-(?:log|aside|rejected)-([a-z0-9-]+)(\..*)$/.exec(name) ?? [];
  return id === session && /^(?:\.[1-9]\d*)?\.ndjson(?:\.(?:idx|keys|new))?$/.test(rest);
}

async function isEmptyBut(folder: string, left: readonly string[], files: Files): Promise<boolean> {
  if (left.length === 0) return true;
  if (left.length > 1 || left[0] !== IGNORE_FILE) return false;
  return (await files.readText(join(folder, IGNORE_FILE))) === IGNORE_TEXT;
}

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
