import { join, posix } from "node:path";
import { quotedName, type Files } from "skillctl";
import type { Finding } from "../check/finding.ts";
import { reports } from "../check/traces.ts";
import type { SetProbe } from "../session/entry.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import { BUILD_FOLDERS, isDocument, TOOL_FOLDERS } from "../worktree/code-files.ts";
import type { StoredTree } from "../worktree/worktree.ts";

/** In bytes: larger files are not read. */
const MOST_FILE_BYTES = 32 * 1024 * 1024;
/** The number of bytes read at a time, and in total. */
const BATCH_BYTES = 64 * 1024 * 1024;
const MOST_BYTES = 1024 * 1024 * 1024;
/** The number of characters around the id of the session that decide whether it belongs to a report. */
const AROUND = 2_000;

/**
 * The files of the project that are not compared, such as those that git ignores, and that still hold probes of a session because
 * they were built with them. They are reported and left unchanged.
 */
export async function builtFiles(
  root: string,
  session: string,
  tree: StoredTree,
  files: Files,
): Promise<readonly Finding[]> {
  const found = ((await files.survey(root, entersBuilds)) ?? []).filter(
    ({ path, kind, bytes }) => kind === "file" && bytes <= MOST_FILE_BYTES && !isDocument(path),
  );
  const holding: string[] = [];
  let [batch, size, all]: [string[], number, number] = [[], 0, 0];
  const search = async (): Promise<void> => {
    const texts = await files.readMany(batch.map((path) => join(root, path)));
    holding.push(...batch.filter((_, index) => isProbed(texts[index], session)));
    [batch, size] = [[], 0];
  };
  for (const { path, bytes } of found) {
    all += bytes;
    if (all > MOST_BYTES) break;
    batch.push(path);
    size += bytes;
    if (size > BATCH_BYTES) await search();
  }
  await search();
  const leftOut = await tree.leftOut(holding);
  const notes = [...leftOut].sort().map((file) => ({
    file,
    code: "built-with-probes",
    sentence: "This file, which git ignores, was built with probes of the session and still holds them.",
    hint: `Build again: ${[...new Set([...leftOut].map(folderOf))].sort().map(quotedName).join(", ")}`,
  }));
  const rest =
    "Files that git ignores were searched for probes only up to 1 GiB: rebuild the files that were built in the session.";
  return all > MOST_BYTES ? [...notes, { code: "not-searched", sentence: rest }] : notes;
}

function entersBuilds(name: string): boolean {
  return (!TOOL_FOLDERS.includes(name) || BUILD_FOLDERS.includes(name)) && name !== DEFAULT_FOLDER;
}

/**
 * A built file whose source map names a source with probes, and that contains none of them, as a sentence and a hint. Probes with events
 * in the log are ignored: the program runs another file.
 */
export async function oldBuild(
  root: string,
  probes: readonly SetProbe[],
  log: string,
  files: Files,
): Promise<readonly [sentence: string, hint: string] | undefined> {
  const silent = probes.filter(({ file, point }) => file !== undefined && !log.includes(`[DEBUG] ${point}"`));
  if (silent.length === 0) return undefined;
  const maps = ((await files.survey(root, entersBuilds)) ?? []).filter(
    ({ path, bytes }) => path.endsWith(".map") && bytes <= MOST_FILE_BYTES,
  );
  for (const { path } of maps) {
    const sources = sourcesOf(path, (await files.readText(join(root, path))) ?? "");
    const built = path.slice(0, -".map".length);
    const held = silent.filter(({ file = "" }) => sources.includes(file));
    const text = held.length > 0 ? await files.readText(join(root, built)) : undefined;
    const [lost] = text === undefined ? [] : held.filter(({ point }) => !text.includes(`[DEBUG] ${point}`));
    if (lost)
      return [
        `${quotedName(built)} was built from ${quotedName(lost.file ?? "")} without its probe ${lost.hypothesis}:${lost.point}.`,
        `Build again: ${quotedName(folderOf(built))}`,
      ];
  }
  return undefined;
}

/** The sources that a source map names, relative to the project folder. */
function sourcesOf(path: string, text: string): readonly string[] {
  try {
    const { sources = [], sourceRoot = "" } = JSON.parse(text) as { sources?: string[]; sourceRoot?: string };
    return sources.map((source) => posix.join(posix.dirname(path), sourceRoot, source));
  } catch {
    // The source map cannot be read.
    return [];
  }
}

/** The unit of a build: the first folder of a path, or the file itself if it is in no folder. */
function folderOf(path: string): string {
  const [first = path, ...more] = path.split("/");
  return more.length === 0 ? first : `${first}/`;
}

/** Whether bytes contain the id of a session next to a report to its server, in code of any language, also compiled. */
function isProbed(bytes: Uint8Array | undefined, session: string): boolean {
  if (!bytes) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = text.indexOf(session); at !== -1; at = text.indexOf(session, at + 1)) {
    const around = text.subarray(Math.max(0, at - AROUND), at + AROUND).toString("latin1");
    if (reports(around)) return true;
  }
  return false;
}
