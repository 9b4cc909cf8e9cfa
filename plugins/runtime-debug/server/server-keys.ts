import { createHash, randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import type { Environment, Files } from "skillctl";
import { refuseOther, type SessionFiles } from "../session-files.ts";

/** The keys of a server that asks for them. */
export interface ServerKeys {
  /** Opens everything. Only in this file. */
  readonly control: string;
  /** Opens what takes events; part of the address that programs are given. */
  readonly collect: string;
}

/** Keys as they are kept for the next start, with the one that asked for them last. */
interface KeptKeys extends ServerKeys {
  readonly instance: string;
}

const KEY_BYTES = 32;
const OWN_MODE = 0o600;
const KEY = /^[A-Za-z0-9_-]{32,200}$/;

/**
 * The file of a session's keys, in the user's state folder: what lies in a project may come with it, and others would
 * know keys that do.
 */
export function keyFile({ stateFolder }: Environment, { folder }: SessionFiles, session: string): string {
  const name = createHash("sha256").update(`${folder}\0${session}`).digest("hex").slice(0, 20);
  return join(stateFolder, "debug-keys", `${name}.json`);
}

export function newKeys(): ServerKeys {
  const key = (): string => randomBytes(KEY_BYTES).toString("base64url");
  return { control: key(), collect: key() };
}

/** The keys of an earlier start; `undefined` when there are none, or none that can be read. @throws SkillError `STORAGE_UNSAFE` */
export async function readKeys(path: string, files: Files): Promise<KeptKeys | undefined> {
  await refuseOther(path, "file", files);
  const text = await files.readText(path);
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { control, collect, instance } = value;
    if ([control, collect, instance].every((one) => typeof one === "string" && KEY.test(one)))
      return value as unknown as KeptKeys;
  } catch {
    // New ones are made: who knows the old address is told that it has changed.
  }
  return undefined;
}

/** @throws SkillError `FILE_UNWRITABLE` */
export async function writeKeys(path: string, keys: KeptKeys, files: Files): Promise<void> {
  await files.makeFolder(dirname(path));
  await files.replace(path, `${JSON.stringify(keys, undefined, 2)}\n`, OWN_MODE);
}
