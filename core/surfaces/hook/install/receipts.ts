import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Files } from "../../../ports/files.ts";
import { isObject, jsonValue } from "../../../schema/json.ts";

/** The state before our hooks were installed, kept in the state folder until they are removed. */
export interface Receipt {
  /** The content of the settings file; undefined if there was none. */
  readonly before: Uint8Array | undefined;
  /** SHA-256 of each file that was written with our hooks in it, hexadecimal. */
  readonly after: readonly string[];
  /** Folders that were created for it, the outermost first. */
  readonly folders: readonly string[];
  /** The address that the person gave for the hooks to ask. */
  readonly asks?: string | undefined;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The receipts of settings files with our hooks. `target`: the real path of the file. */
export class Receipts {
  readonly folder: string;
  readonly #files: Files;

  constructor(folder: string, files: Files) {
    this.folder = folder;
    this.#files = files;
  }

  /** An unusable receipt is ignored: removal then only takes out our hooks. */
  async read(target: string): Promise<Receipt | undefined> {
    const kept = jsonValue((await this.#files.readText(this.#fileOf(target))) ?? "");
    const { before, after, folders, asks } = isObject(kept) ? kept : {};
    if (!isTexts(after) || !isTexts(folders) || !(before === null || typeof before === "string"))
      return undefined;
    const bytes = before === null ? undefined : Buffer.from(before, "base64");
    return { before: bytes, after, folders, asks: typeof asks === "string" ? asks : undefined };
  }

  /** When the receipt of a file was written, in milliseconds since the epoch; undefined without one. */
  async writtenMs(target: string): Promise<number | undefined> {
    return (await this.#files.facts(this.#fileOf(target)))?.modifiedMs;
  }

  /** @throws SkillError `FILE_UNWRITABLE` */
  async write(target: string, client: string, { before, after, folders, asks }: Receipt): Promise<void> {
    await this.#files.makeFolder(this.folder);
    const kept = before === undefined ? null : Buffer.from(before).toString("base64");
    const document = { file: target, client, before: kept, after, folders, asks };
    await this.#files.replace(this.#fileOf(target), `${JSON.stringify(document)}\n`);
  }

  async drop(target: string): Promise<void> {
    await this.#files.remove(this.#fileOf(target));
  }

  #fileOf(target: string): string {
    return join(this.folder, `${hashOf(Buffer.from(target)).slice(0, 32)}.json`);
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
