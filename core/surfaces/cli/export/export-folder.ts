import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import { nodeFiles } from "../../../adapters/files.ts";
import { sha256 } from "../../../adapters/sha256.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { quotedName } from "../../../quoted-name.ts";
import { isObject, jsonValue } from "../../../schema/json.ts";
import type { ExportFile } from "./templates.ts";

/** The record of an export in its folder. */
export const RECORD = ".skillctl-export.json";

/** The client of an export, and the SHA-256 of its files by path. */
interface ExportRecord {
  readonly client: string;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Writes the files of an export into a folder that is missing, is empty or holds an earlier export for the same client, whose
 * other files are removed. Returns the paths of the removed files. Nothing is written if one of the files cannot be written.
 * @throws SkillError `FILE_UNWRITABLE`
 */
export async function writeExport(
  folder: string,
  client: string,
  files: readonly ExportFile[],
): Promise<readonly string[]> {
  const before = await recordIn(folder, client);
  const paths = files.map(({ path }) => path);
  const stale = Object.keys(before.files).filter((path) => !paths.includes(path));
  const contents = new Map(files.map(({ path, content }) => [path, Buffer.from(content)]));
  for (const path of [...paths, ...stale])
    await refuseForeign(folder, path, before.files[path], contents.get(path));
  for (const [path, content] of contents) await write(join(folder, path), content);
  for (const path of stale) {
    await nodeFiles.remove(join(folder, path));
    for (let above = dirname(path); above !== "."; above = dirname(above))
      if (!(await nodeFiles.removeEmpty(join(folder, above)))) break;
  }
  const hashes = Object.fromEntries([...contents].map(([path, content]) => [path, sha256(content)]));
  const record: ExportRecord = { client, files: hashes };
  await write(join(folder, RECORD), Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`));
  return stale;
}

/** The record of a folder; one without files for a folder that is missing or empty. */
async function recordIn(folder: string, client: string): Promise<ExportRecord> {
  const facts = await nodeFiles.facts(folder);
  if (!facts) return { client, files: {} };
  if (facts.kind !== "folder") throw refused(folder, "is not a folder");
  const found = jsonValue((await nodeFiles.readText(join(folder, RECORD))) ?? "");
  if (isObject(found) && isObject(found["files"]) && Object.keys(found["files"]).every(isInside)) {
    const record = found as unknown as ExportRecord;
    if (record.client === client) return record;
    throw refused(folder, `holds an export for another client, ${quotedName(record.client)}`);
  }
  if (((await nodeFiles.list(folder)) ?? []).length === 0) return { client, files: {} };
  throw refused(folder, "is not empty, and was not written by export");
}

function isInside(path: string): boolean {
  return !isAbsolute(path) && normalize(path).split(sep).join("/") === path && !/^\.\.?(\/|$)/.test(path);
}

/** Refuses a path through a link, and a file that differs from what export wrote. */
async function refuseForeign(folder: string, path: string, hash?: string, content?: Buffer): Promise<void> {
  const parts = path.split("/");
  for (const index of parts.keys()) {
    const place = join(folder, ...parts.slice(0, index + 1));
    if ((await nodeFiles.linkTarget(place)) !== undefined) throw refused(place, "is a link");
  }
  const bytes = await nodeFiles.readBytes(join(folder, path));
  if (!bytes || sha256(bytes) === hash || content?.equals(bytes)) return;
  throw refused(join(folder, path), "differs from what export wrote");
}

async function write(path: string, content: Buffer): Promise<void> {
  const before = await nodeFiles.readBytes(path);
  if (before && content.equals(before)) return;
  await nodeFiles.makeFolder(dirname(path), 0o755);
  await nodeFiles.replace(path, content, 0o644);
}

function refused(file: string, reason: string): SkillError {
  return new SkillError("FILE_UNWRITABLE", `${quotedName(file)} ${reason}.`, {
    file,
    hint: "Move it away, or choose another folder with --out.",
  });
}
