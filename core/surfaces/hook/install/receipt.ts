import { createHash } from "node:crypto";
import { join } from "node:path";
import { isObject } from "../../../schema/predicate.ts";
import type { InstallPorts, SettingsPlace } from "./place.ts";

/** What was there before our hooks, kept in the state folder until they are removed. */
export interface Receipt {
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
export async function readReceipt(place: SettingsPlace, ports: InstallPorts): Promise<Receipt | undefined> {
  const text = await ports.files.readText(receiptFile(place, ports));
  const { before, after, folders } = asObject(text);
  if (!isTexts(after) || !isTexts(folders) || !(before === null || typeof before === "string"))
    return undefined;
  return { before: before === null ? undefined : Buffer.from(before, "base64"), after, folders };
}

/** @throws SkillError `FILE_UNWRITABLE` */
export async function writeReceipt(
  place: SettingsPlace,
  { before, after, folders }: Receipt,
  ports: InstallPorts,
): Promise<void> {
  const file = receiptFile(place, ports);
  await ports.files.makeFolder(join(ports.environment.stateFolder, "hooks"));
  const kept = before === undefined ? null : Buffer.from(before).toString("base64");
  const document = { file: place.target, client: place.client.name, before: kept, after, folders };
  await ports.files.replace(file, `${JSON.stringify(document)}\n`);
}

export async function dropReceipt(place: SettingsPlace, ports: InstallPorts): Promise<void> {
  await ports.files.remove(receiptFile(place, ports));
}

function receiptFile({ target }: SettingsPlace, { environment }: InstallPorts): string {
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
