import type { Files } from "skillctl";
import { refuseOther } from "../session-files.ts";

/** Of a file for this user alone. */
const OWN_MODE = 0o600;

/** The keys of a server that asks for them. */
export interface ServerKeys {
  /** Opens everything. Only in this file. */
  readonly control: string;
  /** Opens what takes events; part of the address that programs are given. */
  readonly collect: string;
}

/**
 * `<id>.server.json`: who serves a session, or served it last, so that the next start takes the same port and keys.
 * What it says of a process is never trusted: whether it serves is asked of the server itself, by `instance`.
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
  readonly keys?: ServerKeys;
  /** Keys of an earlier start, which this one does not ask for. */
  readonly spareKeys?: ServerKeys;
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Why the server ended, once it has. */
  readonly ended?: string;
}

/**
 * Reads a record; `undefined` when there is none, or one that says nothing usable, as after a copy by hand.
 * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNREADABLE`
 */
export async function readRecord(path: string, files: Files): Promise<ServerRecord | undefined> {
  await refuseOther(path, "file", files);
  const text = await files.readText(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Not ours any more: the next write puts a whole one in its place.
    return undefined;
  }
}

/**
 * What the last start has left to the next one. Keys count only when nobody else could read or write them: others, such
 * as whoever has put a record into a repository, would know them.
 * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNREADABLE`
 */
export async function readEarlier(
  path: string,
  session: string,
  files: Files,
): Promise<ServerRecord | undefined> {
  const { mode = OWN_MODE } = (await files.facts(path)) ?? {};
  const record = await readRecord(path, files);
  if (record?.session !== session) return undefined;
  if (mode === OWN_MODE) return record;
  const { keys: _keys, spareKeys: _spareKeys, ...rest } = record;
  return rest;
}

/** Writes it whole, for this user alone. @throws SkillError `FILE_UNWRITABLE` */
export function writeRecord(path: string, record: ServerRecord, files: Files): Promise<void> {
  return files.replace(path, `${JSON.stringify(record, undefined, 2)}\n`, OWN_MODE);
}

function isRecord(value: unknown): value is ServerRecord {
  if (typeof value !== "object" || value === null) return false;
  const { session, pid, instance, host, port, url, eventUrl, allowHosts, run, startedAt, keys, spareKeys } =
    value as Readonly<Record<string, unknown>>;
  return (
    [session, instance, host, url, eventUrl, run].every((one) => typeof one === "string") &&
    [pid, port, startedAt].every((one) => Number.isSafeInteger(one)) &&
    Number(port) >= 0 &&
    Number(port) <= 65_535 &&
    Array.isArray(allowHosts) &&
    allowHosts.every((name) => typeof name === "string") &&
    [keys, spareKeys].every((one) => one === undefined || isKeys(one))
  );
}

const KEY = /^[A-Za-z0-9_-]{32,200}$/;

function isKeys(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { control, collect } = value as Readonly<Record<string, unknown>>;
  return [control, collect].every((key) => typeof key === "string" && KEY.test(key));
}
