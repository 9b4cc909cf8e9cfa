import { dirname, join, relative } from "node:path";
import { SkillError, described } from "../errors/skill-error.ts";
import { userFolder } from "./configuration-files.ts";
import { nodeFiles } from "./files.ts";
import { skillFolders } from "./foreign-skills.ts";
import { unreadable } from "./storage-errors.ts";
import { readRegularFile } from "./regular-file.ts";
import { ContentFault, contentFiles, type ContentFile } from "./skill-content.ts";
import { quotedName } from "../quoted-name.ts";
import { jsonValue } from "../schema/json.ts";
import { sha256 } from "./sha256.ts";

// Not imported: see standard-streams.ts.
const { existsSync, readdirSync, realpathSync } = process.getBuiltinModule("node:fs");

/** The content of a folder that trust applies to. */
export interface Content {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** SHA-256 of skillctl.json and of each file of its skills by path relative to the folder; of a link also its target. */
  readonly files: Readonly<Record<string, string>>;
}

/** Limit for all skills of a folder: each start of the program reads them. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The content that trust applies to: skillctl.json and every file in the folders of the skills that it names.
 * @throws SkillError `FILE_UNREADABLE` if it exceeds the limits or has entries that are neither files nor folders
 */
export function contentOf(file: string, plugins: readonly string[]): Content {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  const files: Record<string, string> = {};
  let bytes = 0;
  const add = (name: string, path: string, target?: string): void => {
    const content = readRegularFile(path, MOST_BYTES);
    bytes += content.length;
    if (bytes > MOST_BYTES) throw tooMuch(path, `the skills that it names have over ${MOST_BYTES} bytes`);
    hash.update(JSON.stringify([name, content.length, target])).update(content);
    const digest = sha256(content);
    files[name] = target === undefined ? digest : `${digest} ${target}`;
  };
  add("skillctl.json", file);
  for (const folder of skillFolders(plugins)) {
    for (const { path, target } of filesOf(folder, file)) add(relative(dirname(file), path), path, target);
  }
  return { hash: hash.digest("hex"), files };
}

/** The command that installs the skills of the lock beside a folder of skills. @param folder of skillctl.json */
export function installCommand(folder: string, stateFolder: string): string {
  return folder === userFolder(stateFolder) ? "skillctl add --frozen --user" : "skillctl add --frozen";
}

/** Whether a folder in which `add` installs a skill is missing. */
export function isUninstalled(folder: string): boolean {
  return /[\\/]\.skillctl[\\/]skills[\\/]/.test(folder) && !existsSync(folder);
}

function filesOf(folder: string, file: string): readonly ContentFile[] {
  try {
    return contentFiles(folder);
  } catch (caught) {
    throw caught instanceof ContentFault ? tooMuch(file, caught.message) : caught;
  }
}

function tooMuch(file: string, reason: string): SkillError {
  return new SkillError(
    "FILE_UNREADABLE",
    `The skills of ${quotedName(file)} cannot be trusted: ${reason}.`,
    {
      file,
      hint: "In `plugins`, name folders that contain only the skill.",
    },
  );
}

/** The real path of a folder. */
function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

/** The record of trust in a folder: one file in the state folder. */
export interface TrustRecord {
  /** Absolute real path. */
  readonly folder: string;
  readonly hash: string;
  /** Time at which trust was given, ISO 8601. */
  readonly at: string;
  /** As `Content.files`; undefined in records of earlier versions. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The folder of all records, outside of projects. */
export function recordsFolder(stateFolder: string): string {
  return join(stateFolder, "trust");
}

/** The record of a folder; undefined if it is missing or unusable, so that the person is asked. */
export function recordOf(folder: string, stateFolder: string): TrustRecord | undefined {
  const real = realFolder(folder);
  let record: TrustRecord;
  try {
    record = read(recordFile(real, stateFolder));
  } catch {
    return undefined;
  }
  return record.folder === real ? record : undefined;
}

/** An unusable record: the person is asked again, with the reason. */
export interface BrokenRecord {
  /** Absolute. */
  readonly file: string;
  readonly reason: string;
}

/** Every record, sorted by file. @throws SkillError `FILE_UNREADABLE` if the folder cannot be listed */
export function allRecords(stateFolder: string): readonly (TrustRecord | BrokenRecord)[] {
  const folder = recordsFolder(stateFolder);
  return recordNames(folder).map((name) => {
    const file = join(folder, name);
    try {
      return read(file);
    } catch (caught) {
      return { file, reason: described(unreadable(file, caught)) };
    }
  });
}

function recordNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw unreadable(folder, caught);
  }
}

/** @throws SkillError `FILE_UNWRITABLE` */
export async function keepRecord(
  folder: string,
  { hash, files }: Content,
  stateFolder: string,
): Promise<TrustRecord> {
  const record = { folder: realFolder(folder), hash, at: new Date().toISOString(), files };
  await nodeFiles.makeFolder(recordsFolder(stateFolder));
  await nodeFiles.replace(recordFile(record.folder, stateFolder), `${JSON.stringify(record)}\n`);
  return record;
}

/** Removes a record; returns whether it existed. @throws SkillError `FILE_UNWRITABLE` */
export async function dropRecord(folder: string, stateFolder: string): Promise<boolean> {
  const had = recordOf(folder, stateFolder) !== undefined;
  if (had) await nodeFiles.remove(recordFile(realFolder(folder), stateFolder));
  return had;
}

function recordFile(folder: string, stateFolder: string): string {
  return join(recordsFolder(stateFolder), `${sha256(folder).slice(0, 32)}.json`);
}

/** @throws SkillError `FILE_UNREADABLE` for a damaged record; as the file system does */
function read(file: string): TrustRecord {
  const value = jsonValue(readRegularFile(file).toString("utf8")) as Partial<TrustRecord> | null | undefined;
  const { folder, hash, at } = value ?? {};
  if ([folder, hash, at].every((one) => typeof one === "string")) return value as TrustRecord;
  throw new SkillError("FILE_UNREADABLE", `${quotedName(file)} is not a valid record of trust.`, { file });
}
