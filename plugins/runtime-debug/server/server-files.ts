import { createHash, randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import type { Environment, Files } from "skillctl";
import { refuseOther, type SessionFiles } from "../session-files.ts";
import { objectOf, type LogEvent } from "../store/log/log-lines.ts";

/** The mode of a file that only this user can access. */
const OWN_MODE = 0o600;

/**
 * The present or last server of a session, so that the next start uses the same port. Its process id is not trusted:
 * the server itself confirms by `instance` that it serves.
 */
export interface ServerRecord {
  readonly session: string;
  readonly pid: number;
  /** The random name of one start. */
  readonly instance: string;
  readonly host: string;
  readonly port: number;
  /** Address of the server on this machine, without a trailing slash. */
  readonly url: string;
  /** Address for events, with its key. */
  readonly eventUrl: string;
  /** Accepted host names other than loopback. */
  readonly allowHosts: readonly string[];
  /** The file of the required keys, for display only; this path is never opened. */
  readonly keyFile?: string;
  /** Opens the page of the session. Records of earlier versions lack it. */
  readonly pageKey?: string;
  readonly run: string;
}

/**
 * Reads a record; `undefined` if it is missing or unusable, as after a manual copy.
 * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNREADABLE`
 */
export async function readRecord(path: string, files: Files): Promise<ServerRecord | undefined> {
  // The next write replaces an unusable file.
  const value = await stateIn(path, files);
  return value && isRecord(value) ? (value as unknown as ServerRecord) : undefined;
}

async function stateIn(path: string, files: Files): Promise<LogEvent | undefined> {
  await refuseOther(path, "file", files);
  return objectOf((await files.readText(path)) ?? "");
}

/** Writes a record or keys atomically, readable only by this user. @throws SkillError `FILE_UNWRITABLE` */
export async function writeState(
  path: string,
  state: ServerRecord | ServerKeys,
  files: Files,
): Promise<void> {
  await files.makeFolder(dirname(path));
  await files.replace(path, `${JSON.stringify(state, undefined, 2)}\n`, OWN_MODE);
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

/** The keys of a server that requires them. */
export interface ServerKeys {
  /** Permits all requests. It is stored only in this file. */
  readonly control: string;
  /** Permits sending events; part of the address for programs. */
  readonly collect: string;
  /** The last start that required keys. */
  readonly instance: string;
}

const KEY_BYTES = 32;
const PAGE_KEY_BYTES = 12;
const KEY = /^[A-Za-z0-9_-]{32,200}$/;

/** The real folder and the name of a session. */
type Place = readonly [files: Pick<SessionFiles, "folder">, session: string];

/**
 * The file of a session's keys, in the user's state folder: a file in the project may come with it, and its author
 * would know the keys.
 */
export function keyFile(environment: Pick<Environment, "stateFolder">, ...place: Place): string {
  return stateFile("debug-keys", environment, ...place);
}

/**
 * The file of a session's `ServerRecord`, also in the state folder: an address that comes with a project is never
 * queried.
 */
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

/** The address of the session's page, with its key in the fragment, which no server or log receives. */
export function pageAddress({ url, pageKey = "" }: Pick<ServerRecord, "url" | "pageKey">): string {
  return `${url}/#${pageKey}`;
}

/** The keys of an earlier start; `undefined` if they are missing or unreadable. @throws SkillError `STORAGE_UNSAFE` */
export async function readKeys(path: string, files: Files): Promise<ServerKeys | undefined> {
  const { control, collect, instance } = (await stateIn(path, files)) ?? {};
  // The next start then creates keys; a notice reports the changed address.
  const isWhole = [control, collect, instance].every((one) => typeof one === "string" && KEY.test(one));
  return isWhole ? ({ control, collect, instance } as ServerKeys) : undefined;
}

/** Texts that shells, dot-env readers and ini parsers all read literally. */
const PLAIN = /^[\p{L}\p{N}_./:@%+,-]+$/u;
/** Words that PHP's ini parser reads as true, false or null. */
const INI_WORD = /^(yes|no|on|off|true|false|none|null)$/i;

/**
 * The text of `<id>.env`: docs/runtime-debug.md, section Environment file. The address and the session come first, as
 * all readers expect. A value that a reader would misread is omitted with its line.
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

/**
 * Parses such a file as probes do: one name and value per line; surrounding quotes, spaces and carriage returns are
 * dropped.
 */
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

/** The run in such a file; `undefined` if the file or the run is missing. */
export function runIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readEnvironmentText(text).get("DEBUG_RUN_ID");
}
