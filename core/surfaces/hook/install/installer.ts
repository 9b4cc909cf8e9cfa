import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { SkillError } from "../../../errors/skill-error.ts";
import { isObject } from "../../../schema/json.ts";
import { entriesIn, isBare, newSettings, withEntries, withoutEntries, type HookEntry } from "./entries.ts";
import type { InstallPorts, SettingsFile } from "./settings-file.ts";
import { decoded, hasComments, readSettings, unusable } from "./settings-text.ts";

/** Rights of a settings file that is made: of a project as other files there, of a person for nobody else. */
const MODES = { project: 0o644, user: 0o600 } as const;

/**
 * Puts our hook at every event of an agent; all else in the file stays, byte for byte. Answers whether anything changed.
 * What was there before is kept first, so that a process that is killed leaves the old file or the new one, and `remove`
 * its way back.
 * @throws SkillError `CONFIG_INVALID` for settings that cannot be read, `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
export async function install(place: SettingsFile, entry: HookEntry, ports: InstallPorts): Promise<boolean> {
  const { client, target, file } = place;
  await refuseLinks(place, ports);
  const now = await ports.files.readBytes(target);
  const { mark, text } = now ? decoded(now, file) : { mark: "", text: undefined };
  if (text !== undefined && !client.reads.includes("comments")) {
    // What is broken is told as such.
    readSettings(text, file);
    if (hasComments(text))
      throw unusable(file, `it has comments or commas too many, which ${client.title} does not read`);
  }
  const next = text === undefined ? newSettings(client, entry) : withEntries(text, client, entry, file);
  if (next === text) return false;
  const receipt = await readReceipt(place, ports);
  const written = Buffer.from(mark + next);
  const after = [...(untouched(receipt, now)?.after ?? []), hashOf(written)];
  const without = now && (left(place, now, receipt) ?? now);
  const before = without === "gone" ? undefined : without;
  const folders = [...(receipt?.folders ?? []), ...(await missingFolders(dirname(target), ports))];
  await writeReceipt(place, { before, after, folders: [...new Set(folders)] }, ports);
  await ports.files.makeFolder(dirname(target), 0o755);
  await replace(place, now, written, ports);
  return true;
}

/**
 * Takes our hooks out of an agent's settings. A file that is as installing left it gets its old bytes back, or goes when
 * there was none, with the folders that were made for it. Answers whether anything changed.
 * @throws SkillError as `install`
 */
export async function remove(place: SettingsFile, ports: InstallPorts): Promise<boolean> {
  const { target } = place;
  const now = await ports.files.readBytes(target);
  const receipt = await readReceipt(place, ports);
  const next = now && left(place, now, receipt);
  if (now && next === "gone") {
    await ports.files.remove(target);
    await removeEmpty(receipt?.folders ?? [], ports);
  } else if (now && next) {
    await refuseLinks(place, ports);
    await replace(place, now, next as Uint8Array, ports);
  }
  await dropReceipt(place, ports);
  return next !== undefined;
}

/** What a settings file is without our hooks; undefined when they are not in it. */
function left(
  place: SettingsFile,
  now: Uint8Array,
  receipt: Receipt | undefined,
): Uint8Array | "gone" | undefined {
  const { client, file } = place;
  if (receipt && untouched(receipt, now)) return receipt.before ?? "gone";
  const { mark, text } = decoded(now, file);
  if (!entriesIn(text, client, file).entry) return undefined;
  const had = receipt && (receipt.before ? decoded(receipt.before, file).text : "{}");
  const next = withoutEntries(text, client, file, had);
  if (receipt && !receipt.before && isBare(next, client, file)) return "gone";
  return Buffer.from(mark + next);
}

/** The receipt, when the file is as one of ours left it. */
function untouched(receipt: Receipt | undefined, now: Uint8Array | undefined): Receipt | undefined {
  return receipt && now && receipt.after.includes(hashOf(now)) ? receipt : undefined;
}

async function replace(
  { target, file, scope }: SettingsFile,
  now: Uint8Array | undefined,
  next: Uint8Array,
  { files }: InstallPorts,
): Promise<void> {
  const mode = (await files.facts(target))?.mode ?? MODES[scope];
  const still = await files.readBytes(target);
  if ((still && hashOf(still)) !== (now && hashOf(now)))
    throw new SkillError("FILE_UNWRITABLE", `${file} was changed by somebody else just now.`, {
      file,
      hint: "Try again.",
    });
  await files.replace(target, next, mode);
}

/** A link in somebody's project could have us write anywhere: neither the settings nor their folder may be one. */
async function refuseLinks({ file, target }: SettingsFile, { files }: InstallPorts): Promise<void> {
  for (const path of [dirname(target), target]) {
    const to = await files.linkTarget(path);
    if (to === undefined) continue;
    throw new SkillError(
      "FILE_UNWRITABLE",
      `${file} leads by a link to ${to}, and hooks are written through no link.`,
      {
        file,
        hint: "Put a file in the place of the link, and try again.",
      },
    );
  }
}

/** The folders on the way to a file that are not there, the outermost first. */
async function missingFolders(folder: string, ports: InstallPorts): Promise<readonly string[]> {
  if ((await ports.files.facts(folder)) !== undefined || dirname(folder) === folder) return [];
  return [...(await missingFolders(dirname(folder), ports)), folder];
}

async function removeEmpty(folders: readonly string[], { files }: InstallPorts): Promise<void> {
  for (const folder of folders.toReversed()) {
    if (!(await files.removeEmpty(folder))) return;
  }
}

/** In the state folder: what the program was like when hooks were installed. */
export const PROGRAM_NOTE = "program.json";
/** What earlier versions kept there for their hooks. */
const EARLIER = ["guard/dispatcher.sh", "guard/host/socket", "guard/host/starting"];

/**
 * Once no settings file has hooks by this state folder: takes away what was kept for them. The record of decisions stays.
 * @throws SkillError `FILE_UNWRITABLE`
 */
export async function removeResidue({ environment, files }: InstallPorts): Promise<void> {
  const { stateFolder } = environment;
  const receipts = join(stateFolder, "hooks");
  if (((await files.list(receipts)) ?? []).length > 0) return;
  for (const path of [PROGRAM_NOTE, ...EARLIER]) await files.remove(join(stateFolder, path));
  for (const folder of [receipts, join(stateFolder, "guard", "host")]) await files.removeEmpty(folder);
}

/** What was there before our hooks, kept in the state folder until they are removed. */
interface Receipt {
  /** The settings file; undefined when there was none. */
  readonly before: Uint8Array | undefined;
  /** SHA-256 of each file that was written with our hooks in it, hexadecimal. */
  readonly after: readonly string[];
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The receipt of a settings file. One that cannot be used counts as none: removing then takes out our hooks only. */
export async function readReceipt(place: SettingsFile, ports: InstallPorts): Promise<Receipt | undefined> {
  const text = await ports.files.readText(receiptFile(place, ports));
  const { before, after, folders } = asObject(text);
  if (!isTexts(after) || !isTexts(folders) || !(before === null || typeof before === "string"))
    return undefined;
  return { before: before === null ? undefined : Buffer.from(before, "base64"), after, folders };
}

/** @throws SkillError `FILE_UNWRITABLE` */
async function writeReceipt(
  place: SettingsFile,
  { before, after, folders }: Receipt,
  ports: InstallPorts,
): Promise<void> {
  const file = receiptFile(place, ports);
  await ports.files.makeFolder(join(ports.environment.stateFolder, "hooks"));
  const kept = before === undefined ? null : Buffer.from(before).toString("base64");
  const document = { file: place.target, client: place.client.name, before: kept, after, folders };
  await ports.files.replace(file, `${JSON.stringify(document)}\n`);
}

async function dropReceipt(place: SettingsFile, ports: InstallPorts): Promise<void> {
  await ports.files.remove(receiptFile(place, ports));
}

function receiptFile({ target }: SettingsFile, { environment }: InstallPorts): string {
  return join(environment.stateFolder, "hooks", `${hashOf(Buffer.from(target)).slice(0, 32)}.json`);
}

function asObject(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
