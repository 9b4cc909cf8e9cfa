import { join, relative } from "node:path";
import type { SkillManifest } from "../contract.ts";
import { quotedName } from "../quoted-name.ts";
import { pointerOf } from "../schema/fault.ts";

// Not imported: see standard-streams.ts.
const { existsSync, readdirSync, realpathSync, statSync } = process.getBuiltinModule("node:fs");

/** Folders that do not belong to the content of a skill: packages and git's files. They may have any size. */
const LEFT_OUT = new Set(["node_modules", ".git"]);
/** Maximum number of files of a skill: each start of the program reads them. */
const MOST_FILES = 5_000;

/** A larger manifest, document, prompt or schema of a skill is refused, in bytes. Code may have any size. */
const MOST_BYTES = 1024 * 1024;

/** A file of a skill. */
export interface ContentFile {
  /** Absolute. */
  readonly path: string;
  /** The real path of a link, relative to the folder of the skill: a module imports relative to it. */
  readonly target?: string;
}

/** A folder whose content cannot be determined; the message is the reason. */
export class ContentFault extends Error {}

/**
 * The files below a skill's folder, sorted by path; none if the folder does not exist. Links to files are followed, links
 * to folders are refused. @throws ContentFault
 */
export function contentFiles(root: string): readonly ContentFile[] {
  const found: ContentFile[] = [];
  const folders = existsSync(root) ? [root] : [];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      if (LEFT_OUT.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) found.push({ path });
      else if (entry.isSymbolicLink() && !existsSync(path))
        throw new ContentFault(`${quotedName(path)} is a link that leads nowhere`);
      else if (statSync(path).isFile())
        found.push({ path, target: relative(realpathSync.native(root), realpathSync.native(path)) });
      else throw new ContentFault(`${quotedName(path)} is neither a file nor a folder`);
      if (found.length > MOST_FILES)
        throw new ContentFault(`${quotedName(root)} has over ${MOST_FILES} files`);
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The names in a folder, sorted; none if it cannot be listed: reading a file in it gives the reason. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (caught) {
    // A folder that can be entered but not listed has files that can be loaded and would not be hashed.
    const { code } = caught as NodeJS.ErrnoException;
    throw new ContentFault(`${quotedName(folder)} cannot be listed (${code})`);
  }
}

/** A file that a skill may not use, and the place in the manifest that names it. */
export interface UncoveredFile {
  readonly pointer: string;
  readonly sentence: string;
}

/**
 * The files that the host would read or load but that a skill may not use: in an excluded folder, through a link, outside
 * the skill's folder, or too large. Missing files are not reported.
 */
export function uncoveredFiles(folder: string, manifest: Partial<SkillManifest>): readonly UncoveredFile[] {
  const { plugin = "./plugin.js", prompts = {}, agents = {} } = manifest;
  const faults: UncoveredFile[] = [];
  const isCovered = (pointer: string, name: string, isFolder = false): boolean => {
    const reason =
      uncovered(folder, name, isFolder) ?? (name === plugin ? undefined : tooLarge(join(folder, name)));
    if (reason === undefined) return true;
    faults.push({ pointer, sentence: `${quotedName(name)} cannot be used: ${reason}.` });
    return false;
  };
  isCovered("", "skill.json");
  isCovered("", "SKILL.md");
  isCovered(manifest.plugin === undefined ? "" : "/plugin", plugin);
  for (const [part, texts] of Object.entries({ prompts, agents }))
    for (const [name, { file }] of Object.entries(texts)) isCovered(pointerOf(part, name, "file"), file);
  if (isCovered("", "schemas", true))
    for (const name of namesIn(join(folder, "schemas")))
      if (name.endsWith(".json")) isCovered("", `schemas/${name}`);
  return faults;
}

function tooLarge(path: string): string | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() && facts.size > MOST_BYTES ? `it is over ${MOST_BYTES} bytes` : undefined;
}

/** The reason why a path below a skill's folder is not covered; undefined if it is covered or does not exist. */
function uncovered(folder: string, name: string, isFolder: boolean): string | undefined {
  try {
    return left(folder, name, isFolder);
  } catch (caught) {
    if (caught instanceof ContentFault) return caught.message;
    throw caught;
  }
}

function left(folder: string, name: string, isFolder: boolean): string | undefined {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  let at = folder;
  for (const [index, part] of parts.entries()) {
    if (LEFT_OUT.has(part.toLowerCase())) return `trust does not cover ${part}`;
    // Compared with the folder's listing: file systems that ignore case or have short names accept other spellings.
    const entry = entriesOf(at).find((one) => one.name === part);
    at = join(at, part);
    if (!entry) return existsSync(at) ? `its folder does not list ${quotedName(part)}` : undefined;
    if (entry.isSymbolicLink()) return `${quotedName(part)} is a link`;
    const mayBeFolder = isFolder || index < parts.length - 1;
    if (mayBeFolder ? !entry.isDirectory() : !entry.isFile())
      return `${quotedName(part)} is not a ${mayBeFolder ? "folder" : "regular file"}`;
  }
  return undefined;
}
