import { join } from "node:path";
import { nodeFiles } from "./files.ts";
import { readRegularFile } from "./regular-file.ts";
import type { Content } from "./trust-content.ts";
import { realFolder } from "./trust-content.ts";

// Not imported: see standard-streams.ts.
const { readdirSync } = process.getBuiltinModule("node:fs");

/** What the person has said of a folder, in a file of its own in the state folder. */
export interface TrustRecord {
  /** Absolute, where links lead. */
  readonly folder: string;
  readonly hash: string;
  /** When it was said, ISO 8601. */
  readonly at: string;
}

/** The folder of the records: no project holds it. */
export function recordsFolder(stateFolder: string): string {
  return join(stateFolder, "trust");
}

/** What was said of a folder; undefined when nothing was. */
export function recordOf(folder: string, stateFolder: string): TrustRecord | undefined {
  const real = realFolder(folder);
  const record = read(recordFile(real, stateFolder));
  return record?.folder === real ? record : undefined;
}

/** Every record, sorted by folder. */
export function allRecords(stateFolder: string): readonly TrustRecord[] {
  const folder = recordsFolder(stateFolder);
  return names(folder)
    .flatMap((name) => read(join(folder, name)) ?? [])
    .sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** @throws SkillError `FILE_UNWRITABLE` */
export async function keepRecord(
  folder: string,
  { hash }: Content,
  stateFolder: string,
): Promise<TrustRecord> {
  const record = { folder: realFolder(folder), hash, at: new Date().toISOString() };
  await nodeFiles.makeFolder(recordsFolder(stateFolder));
  await nodeFiles.replace(recordFile(record.folder, stateFolder), `${JSON.stringify(record)}\n`);
  return record;
}

/** Answers whether there was one. @throws SkillError `FILE_UNWRITABLE` */
export async function dropRecord(folder: string, stateFolder: string): Promise<boolean> {
  const had = recordOf(folder, stateFolder) !== undefined;
  if (had) await nodeFiles.remove(recordFile(realFolder(folder), stateFolder));
  return had;
}

function recordFile(folder: string, stateFolder: string): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return join(recordsFolder(stateFolder), `${name}.json`);
}

/** One that cannot be read counts as none: the person is asked again. */
function read(file: string): TrustRecord | undefined {
  try {
    const value = JSON.parse(readRegularFile(file).toString("utf8")) as Partial<TrustRecord>;
    const { folder, hash, at } = value;
    const whole = [folder, hash, at].every((one) => typeof one === "string");
    return whole ? (value as TrustRecord) : undefined;
  } catch {
    return undefined;
  }
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
