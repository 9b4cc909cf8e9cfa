import { dirname, join, relative, sep } from "node:path";
import { quotedName } from "../quoted-name.ts";
import { DOCUMENT_FOLDERS } from "./configuration-files.ts";
import { readRegularFile } from "./regular-file.ts";
import { sha256 } from "./sha256.ts";
import { ContentFault, contentFiles } from "./skill-content.ts";

// Not imported: see standard-streams.ts.
const { readdirSync, realpathSync, statSync } = process.getBuiltinModule("node:fs");

/** Limits of a skill (SEP-2640, Limits), and the number of entries of a folder that are read. */
const MOST_FILES = 512;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_ENTRIES = 256;
const LINKS = "Links are not followed: copy the folder.";

/** A folder of plain SKILL.md folders. */
export interface DocumentRoot {
  /** The real path. */
  readonly folder: string;
  /** The names of the folders in it, sorted. Nothing in them has been read. */
  readonly names: readonly string[];
  /** Sentences about omitted entries. */
  readonly faults: readonly string[];
}

/** The folders of plain SKILL.md folders below a project or home, each once. Links that lead elsewhere are not followed. */
export function documentRoots(base: string): readonly DocumentRoot[] {
  const places = DOCUMENT_FOLDERS.flatMap((name) => realPath(join(base, name)) ?? []);
  const inside = `${realPath(base) ?? base}${sep}`;
  return [...new Set(places)].map((folder) =>
    folder.startsWith(inside)
      ? rootAt(folder, places)
      : { folder, names: [], faults: [`${quotedName(base)} contains a link. ${LINKS}`] },
  );
}

function rootAt(folder: string, places: readonly string[]): DocumentRoot {
  try {
    const all = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
    const entries = all.slice(0, MOST_ENTRIES);
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    // Installers link one of the folders to the other, where the target is listed.
    const links = entries.filter(
      (entry) =>
        entry.isSymbolicLink() && !places.includes(dirname(realPath(join(folder, entry.name)) ?? "")),
    );
    const faults = links.map(({ name }) => `${quotedName(name)} is a link. ${LINKS}`);
    if (all.length > MOST_ENTRIES)
      faults.push(`It has over ${MOST_ENTRIES} entries; the others are ignored.`);
    return { folder, names: names.sort(), faults };
  } catch (caught) {
    const reason = `It cannot be listed (${(caught as NodeJS.ErrnoException).code}).`;
    return { folder, names: [], faults: [reason] };
  }
}

/**
 * The paths of the files of a plain SKILL.md folder, sorted. Hidden files and packages do not belong to it.
 * @throws ContentFault for a link and beyond the limits
 */
export function documentFiles(folder: string): readonly string[] {
  const files = contentFiles(folder)
    .map(({ path, target }) => ({ path: relative(folder, path).split(sep).join("/"), target }))
    .filter(({ path }) => !/(?:^|\/)\./.test(path));
  const link = files.find(({ target }) => target !== undefined);
  if (link) throw new ContentFault(`${quotedName(link.path)} is a link, and links are not followed`);
  const bytes = files.reduce((sum, { path }) => sum + statSync(join(folder, path)).size, 0);
  if (files.length > MOST_FILES || bytes > MOST_BYTES)
    throw new ContentFault(`it has over ${MOST_FILES} files or ${MOST_BYTES} bytes`);
  return files.map(({ path }) => path);
}

/** The SHA-256 of each file of a plain SKILL.md folder, by path. @throws as `documentFiles`; SkillError `FILE_UNREADABLE` */
export function documentDigests(folder: string): Readonly<Record<string, string>> {
  const digest = (path: string): string => sha256(readRegularFile(join(folder, path), MOST_BYTES));
  return Object.fromEntries(documentFiles(folder).map((path) => [path, digest(path)]));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
