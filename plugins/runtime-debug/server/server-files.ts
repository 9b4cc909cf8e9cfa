import { createHash, randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import type { Environment, Files } from "skillctl";
import { refuseOther, type SessionFiles } from "../session-files.ts";
import { objectOf } from "../store/log/log-lines.ts";

/** Of a file for this user alone. */
const OWN_MODE = 0o600;

/**
 * The server of a session, or its last one, so that the next start takes the same port. What it says of a process is never
 * trusted: whether it serves is asked of the server itself, by `instance`.
 */
export interface ServerRecord {
  readonly session: string;
  readonly pid: number;
  /** A random name of one start. */
  readonly instance: string;
  readonly host: string;
  readonly port: number;
  /** Address of the server from this machine, without a slash at the end. */
  readonly url: string;
  /** Address that programs post to, with its key. */
  readonly eventUrl: string;
  /** Names it answers for beside loopback. */
  readonly allowHosts: readonly string[];
  /** Where the keys are that it asks for; told to people, and never read for a path. */
  readonly keyFile?: string;
  /** Opens the page of the session. Missing in records of earlier versions. */
  readonly pageKey?: string;
  readonly run: string;
}

/**
 * Reads a record; `undefined` when there is none, or one that says nothing usable, as after a copy by hand.
 * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNREADABLE`
 */
export async function readRecord(path: string, files: Files): Promise<ServerRecord | undefined> {
  await refuseOther(path, "file", files);
  const text = await files.readText(path);
  if (text === undefined) return undefined;
  // The next write replaces a file that is not ours any more.
  const value = objectOf(text);
  return value && isRecord(value) ? (value as unknown as ServerRecord) : undefined;
}

/** Writes it whole, for this user alone. @throws SkillError `FILE_UNWRITABLE` */
export async function writeRecord(path: string, record: ServerRecord, files: Files): Promise<void> {
  await files.makeFolder(dirname(path));
  await files.replace(path, `${JSON.stringify(record, undefined, 2)}\n`, OWN_MODE);
}

function isRecord(value: Readonly<Record<string, unknown>>): boolean {
  const { session, instance, host, url, eventUrl, run, pid, port, allowHosts } = value;
  return (
    [session, instance, host, run].every((one) => typeof one === "string") &&
    [url, eventUrl].every((one) => typeof one === "string" && URL.canParse(one)) &&
    [pid, port].every((one) => Number.isSafeInteger(one)) &&
    Array.isArray(allowHosts)
  );
}

/** The keys of a server that asks for them. */
export interface ServerKeys {
  /** Opens everything. Only in this file. */
  readonly control: string;
  /** Opens what takes events; part of the address that programs are given. */
  readonly collect: string;
  /** The start that asked for them last. */
  readonly instance: string;
}

const KEY_BYTES = 32;
const PAGE_KEY_BYTES = 12;
const KEY = /^[A-Za-z0-9_-]{32,200}$/;

/** The real folder and the name of a session. */
type Place = readonly [files: Pick<SessionFiles, "folder">, session: string];

/**
 * The file of a session's keys, in the user's state folder: what lies in a project may come with it, and others would
 * know keys that do.
 */
export function keyFile(environment: Pick<Environment, "stateFolder">, ...place: Place): string {
  return stateFile("debug-keys", environment, ...place);
}

/** The file of a session's `ServerRecord`, there too: no address that came with a project is asked for anything. */
export function recordFile(environment: Pick<Environment, "stateFolder">, ...place: Place): string {
  return stateFile("debug-servers", environment, ...place);
}

function stateFile(
  kind: string,
  { stateFolder }: Pick<Environment, "stateFolder">,
  ...[{ folder }, session]: Place
): string {
  const name = createHash("sha256").update(`${folder}\0${session}`).digest("hex").slice(0, 20);
  return join(stateFolder, kind, `${name}.json`);
}

export function newKeys(): Pick<ServerKeys, "control" | "collect"> {
  const key = (): string => randomBytes(KEY_BYTES).toString("base64url");
  return { control: key(), collect: key() };
}

/** Short, since it is part of an address that people copy: 96 bits. */
export function newPageKey(): string {
  return randomBytes(PAGE_KEY_BYTES).toString("base64url");
}

/** The address of the page of a session, with its key where no server and no log sees it. */
export function pageAddress({ url, pageKey = "" }: Pick<ServerRecord, "url" | "pageKey">): string {
  return `${url}/#${pageKey}`;
}

/** The keys of an earlier start; `undefined` when there are none, or none that can be read. @throws SkillError `STORAGE_UNSAFE` */
export async function readKeys(path: string, files: Files): Promise<ServerKeys | undefined> {
  await refuseOther(path, "file", files);
  const text = await files.readText(path);
  if (text === undefined) return undefined;
  const { control, collect, instance } = objectOf(text) ?? {};
  // New ones are made for others: who knows the old address is told that it has changed.
  const isWhole = [control, collect, instance].every((one) => typeof one === "string" && KEY.test(one));
  return isWhole ? ({ control, collect, instance } as ServerKeys) : undefined;
}

/** @throws SkillError `FILE_UNWRITABLE` */
export async function writeKeys(path: string, keys: ServerKeys, files: Files): Promise<void> {
  await files.makeFolder(dirname(path));
  await files.replace(path, `${JSON.stringify(keys, undefined, 2)}\n`, OWN_MODE);
}

/** Texts that shells, dot-env readers and ini parsers all read as themselves. */
const PLAIN = /^[\p{L}\p{N}_./:@%+,-]+$/u;
/** Words that PHP's reader of ini files takes for a truth, a falsehood or nothing. */
const INI_WORD = /^(yes|no|on|off|true|false|none|null)$/i;

/**
 * The text of `<id>.env`: docs/runtime-debug.md, section Environment file. The address and the session come first, as
 * every reader expects. A value that some reader would take for something else is left out with its line.
 */
export function environmentText(
  { eventUrl, session, run }: Pick<ServerRecord, "eventUrl" | "session" | "run">,
  logFile: string,
): string {
  const further = {
    DEBUG_RUN_ID: run,
    DEBUG_LOG_FILE: logFile,
    DEBUG_BASE_URL: new URL(eventUrl).origin,
  };
  const lines = Object.entries(further).filter(([, value]) => PLAIN.test(value) && !INI_WORD.test(value));
  return [["DEBUG_SERVER_URL", eventUrl], ["DEBUG_SESSION_ID", session], ...lines]
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

/** Reads such a file the way probes do: names and values by line; quotes, spaces and carriage returns around are dropped. */
export function readEnvironmentText(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const equals = Math.max(0, line.indexOf("="));
    const name = line
      .slice(0, equals)
      .trim()
      .replace(/^export\s+/, "");
    const value = line.slice(equals + 1).trim();
    if (/^[A-Za-z_]\w*$/.test(name)) values.set(name, value.replace(/^(["'])(.*)\1$/, "$2"));
  }
  return values;
}

/** The run that such a file names; `undefined` when there is no file, or it names none. */
export function runIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readEnvironmentText(text).get("DEBUG_RUN_ID");
}
