import type { Files } from "skillctl";
import { refuseOther } from "../session-files.ts";

/** Of a file for this user alone. */
const OWN_MODE = 0o600;

/**
 * `<id>.server.json`: who serves a session, or served it last, so that the next start takes the same port.
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
  /** Where the keys are that it asks for; told to people, and never read for a path. */
  readonly keyFile?: string;
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

/** Writes it whole, for this user alone. @throws SkillError `FILE_UNWRITABLE` */
export function writeRecord(path: string, record: ServerRecord, files: Files): Promise<void> {
  return files.replace(path, `${JSON.stringify(record, undefined, 2)}\n`, OWN_MODE);
}

function isRecord(value: unknown): value is ServerRecord {
  if (typeof value !== "object" || value === null) return false;
  const { session, pid, instance, host, port, url, eventUrl, allowHosts, run, startedAt } = value as Readonly<
    Record<string, unknown>
  >;
  return (
    [session, instance, host, url, eventUrl, run].every((one) => typeof one === "string") &&
    [pid, port, startedAt].every((one) => Number.isSafeInteger(one)) &&
    Number(port) >= 0 &&
    Number(port) <= 65_535 &&
    Array.isArray(allowHosts) &&
    allowHosts.every((name) => typeof name === "string")
  );
}
