import { SkillError, type Files, type Http, type HttpRequest, type HttpResponse } from "skillctl";
import { isBeyondLoopback } from "../server/network.ts";
import { isServing } from "../server/server-call.ts";
import { readRecord, type ServerRecord } from "../server/server-record.ts";
import { sessionFiles } from "../session-files.ts";
import type { Way } from "./way.ts";

const PATIENCE_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** Sends one request. A failure of the network is answered, not thrown. */
export async function attempt(
  http: Http,
  request: Pick<HttpRequest, "method" | "url" | "headers" | "body">,
  signal: AbortSignal,
): Promise<HttpResponse | SkillError> {
  try {
    return await http.send({ ...request, timeoutMs: PATIENCE_MS, maxBytes: MAX_BYTES, signal });
  } catch (caught) {
    if (caught instanceof SkillError && caught.code !== "CANCELLED") return caught;
    throw caught;
  }
}

/** The JSON object in an answer; an empty one when there is none. */
export function objectIn({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    // Another server may answer anything.
    return {};
  }
}

/** What is known of a session without asking the address that is looked at. */
export interface Known {
  readonly session: string;
  /** Who serves it, or served it last. */
  readonly record: ServerRecord | undefined;
  /** That server answers, where its record says that it listens. */
  readonly isAlive: boolean;
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
  return {
    session,
    record,
    isAlive: record !== undefined && (await isServing(record, http, signal)),
  };
}

/** Whether somebody answers at the address, and whether that is the server of the session. */
export async function checkServer(
  address: string,
  known: Known,
  http: Http,
  way: Way,
  signal: AbortSignal,
): Promise<boolean> {
  const { session, record } = known;
  const url = new URL(address);
  const answer = await attempt(http, { method: "GET", url: `${url.origin}/health` }, signal);
  if (answer instanceof SkillError) {
    way.breaks("port", unansweredSentence(answer, url), unansweredHint(answer, url, known));
    return false;
  }
  way.holds("port", `${url.origin} answers.`);
  const health = objectIn(answer);
  if (health["error"] === "forbidden_host") {
    const hint = `Start it with --allow-host ${url.hostname}, or use 127.0.0.1.`;
    way.breaks("host", `The server does not answer for the name ${url.hostname}.`, hint);
    return false;
  }
  const stranger = strangeness(health, session, record?.instance);
  if (stranger !== undefined) {
    way.breaks("server", stranger, whereInstead(known));
    return false;
  }
  way.holds("server", `It is the server of ${session} (process ${String(health["pid"])}).`);
  if (health["ok"] === true) way.holds("storage", "It can write its log.");
  else way.breaks("storage", "It cannot write its log now.", "Make room on the disk and check the folder.");
  return true;
}

/** Why an answer is not that of the server that is looked for. */
function strangeness(
  { instance, session_id: of }: Readonly<Record<string, unknown>>,
  session: string,
  wanted: string | undefined,
): string | undefined {
  if (typeof instance !== "string" || typeof of !== "string") return "What answers there is no debug server.";
  if (of !== session) return `The server there collects for ${of}, not for ${session}.`;
  return wanted === undefined || wanted === instance
    ? undefined
    : "The server there is not the one that was started in this folder.";
}

/** What to do where an address leads to nobody, or to somebody else. */
function whereInstead({ session, record, isAlive }: Known): string {
  return record && isAlive
    ? `The server of ${session} answers at ${record.url}: use that address.`
    : `Start the server again, it writes its address into the environment file: skillctl run runtime-debug serve ${session} --detach`;
}

const UNKNOWN_NAME = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_NONAME"]);

/** What it means that no answer comes from an address. */
function unansweredSentence(error: SkillError, { origin, hostname }: URL): string {
  const reason = reasonOf(error);
  if (UNKNOWN_NAME.has(reason)) return `The name ${hostname} is not known here.`;
  if (reason === "ECONNREFUSED") return `Nobody listens at ${origin}.`;
  if (error.code === "NETWORK_BROKEN") return `${origin} answers something else than HTTP: ${error.message}`;
  if (error.code === "NETWORK_TIMEOUT" && !isBeyondLoopback(hostname))
    return `${origin} takes the connection and does not answer: something that hangs holds the port.`;
  return error.message;
}

/** What to do about it. */
function unansweredHint(error: SkillError, { hostname, protocol }: URL, known: Known): string {
  const { record, isAlive } = known;
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
  return whereInstead(known);
}

/** What the system said: ECONNREFUSED and the like. */
function reasonOf({ cause }: SkillError): string {
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? "";
}
