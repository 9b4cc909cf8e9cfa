import type { Files, Http } from "skillctl";
import { isServing } from "../server/identity.ts";
import { readRecord, type ServerRecord } from "../server/server-record.ts";
import { sessionFiles } from "../session-files.ts";

/** Files that Docker and Podman put into every container. */
const IN_CONTAINERS = ["/.dockerenv", "/run/.containerenv"];

/** What is known of a session without asking the address that is looked at. */
export interface Known {
  readonly session: string;
  /** Who serves it, or served it last. */
  readonly record: ServerRecord | undefined;
  /** That server answers, where its record says that it listens. */
  readonly isAlive: boolean;
  /** The doctor runs in a container. */
  readonly inContainer: boolean;
}

/** @throws SkillError `STORAGE_UNSAFE`, `FILE_UNREADABLE` */
export async function knownOf(
  session: string,
  folder: string,
  files: Files,
  http: Http,
  signal: AbortSignal,
): Promise<Known> {
  const record = await readRecord(sessionFiles(folder, session).record, files);
  const marks = await Promise.all(IN_CONTAINERS.map((path) => files.facts(path)));
  return {
    session,
    record,
    isAlive: record !== undefined && (await isServing(record, http, signal)),
    inContainer: marks.some((mark) => mark !== undefined),
  };
}

/** What to do where an address leads to nobody, or to somebody else. */
export function whereInstead({ session, record, isAlive }: Known): string {
  return record && isAlive
    ? `The server of ${session} answers at ${record.url}: use that address.`
    : `Start the server again, it writes its address into the environment file: skillctl run runtime-debug serve ${session} --detach`;
}
