import type { Files, Http, SkillError } from "skillctl";
import { isBeyondLoopback } from "../server/network.ts";
import { isServing } from "../server/server-call.ts";
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

const UNKNOWN_NAME = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_NONAME"]);

/** What it means that no answer comes from an address. */
export function unansweredSentence(error: SkillError, { origin, hostname }: URL): string {
  const reason = reasonOf(error);
  if (UNKNOWN_NAME.has(reason)) return `The name ${hostname} is not known here.`;
  if (reason === "ECONNREFUSED") return `Nobody listens at ${origin}.`;
  if (error.code === "NETWORK_BROKEN") return `${origin} answers something else than HTTP: ${error.message}`;
  if (error.code === "NETWORK_TIMEOUT" && !isBeyondLoopback(hostname))
    return `${origin} takes the connection and does not answer: something that hangs holds the port.`;
  return error.message;
}

/** What to do about it. */
export function unansweredHint(error: SkillError, { hostname, protocol, port }: URL, known: Known): string {
  const { record, isAlive, inContainer } = known;
  const isBeyond = isBeyondLoopback(hostname);
  if (protocol === "https:")
    return "The server speaks plain HTTP: write http://, unless something before it adds TLS.";
  if (UNKNOWN_NAME.has(reasonOf(error)))
    return "Only containers may know it: run the doctor where the program runs, or use 127.0.0.1.";
  if (isBeyond && record && isAlive && !isBeyondLoopback(record.host))
    return `The server listens for this machine only, at ${record.url}: start it with --remote.`;
  if (isBeyond) return `A firewall may stop it, or the address is an old one. ${whereInstead(known)}`;
  if (error.code !== "NETWORK_UNREACHED" && !isAlive)
    return "End what holds the port, or start the server again: it takes another one.";
  if (record?.ended !== undefined) return `The server has ended (${record.ended}). ${whereInstead(known)}`;
  if (inContainer && !isAlive)
    return `${whereInstead(known)}. For a server outside this container, which ${hostname} does not lead to, start it there with --remote and use http://host.docker.internal:${port}/event with its key.`;
  return whereInstead(known);
}

/** What the system said: ECONNREFUSED and the like. */
function reasonOf({ cause }: SkillError): string {
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? "";
}
