import { join } from "node:path";
import type { Files } from "skillctl";
import { pause } from "../server/pause.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";

/** The `.gitignore` of a new `.dbg`, so that its files are not committed. */
const IGNORE_FILE = ".gitignore";
const IGNORE_TEXT = "*\n";

/**
 * Removes the files of a session in its project: record, environment, logs, and `.dbg` itself if it is then empty. Files
 * of other sessions and of other programs stay. @param session a checked id @returns the removed files, relative to the
 * project folder, with `/`; for a removed folder only its name
 * @throws SkillError `FILE_UNWRITABLE`, `FILE_UNREADABLE`
 */
export async function removeRemains(root: string, session: string, files: Files): Promise<readonly string[]> {
  const removed: string[] = [];
  const record = `debug-${session}.md`;
  const recordFacts = await files.facts(join(root, record));
  if (recordFacts && recordFacts.kind !== "folder") {
    await files.remove(join(root, record));
    removed.push(record);
  }
  const folder = join(root, DEFAULT_FOLDER);
  // A link or file in place of the folder does not belong to the session.
  if ((await files.facts(folder))?.kind !== "folder") return removed;
  const names = (await files.list(folder)) ?? [];
  const own = names.filter((name) => isOfSession(name, session));
  for (const name of own) await files.remove(join(folder, name));
  const left = names.filter((name) => !own.includes(name));
  const isOurs = left.length === 0 || (await files.readText(join(folder, IGNORE_FILE))) === IGNORE_TEXT;
  if (left.some((name) => name !== IGNORE_FILE) || !isOurs)
    return [...removed, ...own.map((name) => `${DEFAULT_FOLDER}/${name}`)];
  await files.remove(folder);
  return [...removed, DEFAULT_FOLDER];
}

/** docs/runtime-debug.md, section Files. */
function isOfSession(name: string, session: string): boolean {
  if ([".env", ".serve.log", ".observe.log"].some((ending) => name === session + ending)) return true;
  const [, id, rest = ""] = /^svc-debug-(?:log|aside|rejected)-([a-z0-9-]+)(\..*)$/.exec(name) ?? [];
  return id === session && /^(?:\.[1-9]\d*)?\.ndjson(?:\.(?:idx|keys|new|sent))?$/.test(rest);
}

/** The names of files while they are being written. */
const UNFINISHED = /^\.[0-9a-f]{16}\.skillctl-new$/;
/** After this time, in milliseconds, a file that is being written has its final name. */
const WRITING_MS = 1_000;

/**
 * Removes temporary files of killed commands. The temporary file of a running command exists for less than a second.
 * @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
export async function removeAbandoned(
  folders: readonly string[],
  files: Files,
  signal: AbortSignal,
): Promise<void> {
  const unfinished = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const folder of new Set(folders)) {
      const isThere = (await files.facts(folder))?.kind === "folder";
      const names = (isThere && (await files.list(folder))) || [];
      found.push(...names.filter((name) => UNFINISHED.test(name)).map((name) => join(folder, name)));
    }
    return found;
  };
  const found = await unfinished();
  if (found.length === 0) return;
  await pause(WRITING_MS, signal);
  if (signal.aborted) return;
  const still = await unfinished();
  for (const path of found) if (still.includes(path)) await files.remove(path);
}
