import { SkillError, type Http, type HttpRequest, type HttpResponse } from "skillctl";
import type { ServerRecord } from "../server/server-record.ts";
import { isBeyondLoopback } from "../server/network.ts";
import type { Way } from "./way.ts";

const PATIENCE_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const START_AGAIN = "Start the server again; it writes its address into the environment file.";

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

/** Whether somebody answers at the address, and whether that is the server of the session. */
export async function checkServer(
  url: string,
  session: string,
  record: ServerRecord | undefined,
  http: Http,
  way: Way,
  signal: AbortSignal,
): Promise<boolean> {
  const { origin, hostname, port } = new URL(url);
  const answer = await attempt(http, { method: "GET", url: `${origin}/health` }, signal);
  if (answer instanceof SkillError) {
    way.breaks("port", unanswered(answer, origin), unansweredHint(answer, hostname, record));
    return false;
  }
  way.holds("port", `${origin} answers.`);
  const health = objectIn(answer);
  if (health["error"] === "forbidden_host") {
    way.breaks(
      "host",
      `The server does not answer for the name ${hostname}.`,
      `Start it with --allow-host ${hostname}, or use 127.0.0.1.`,
    );
    return false;
  }
  if (typeof health["instance"] !== "string" || typeof health["session_id"] !== "string") {
    way.breaks("server", `Something else than a debug server answers on port ${port}.`, START_AGAIN);
    return false;
  }
  if (health["session_id"] !== session) {
    way.breaks(
      "server",
      `The server there collects for ${health["session_id"]}, not for ${session}.`,
      START_AGAIN,
    );
    return false;
  }
  if (record && record.instance !== health["instance"]) {
    way.breaks("server", "The server there is not the one that was started in this folder.", START_AGAIN);
    return false;
  }
  way.holds("server", `It is the server of ${session} (process ${String(health["pid"])}).`);
  if (health["ok"] === true) way.holds("storage", "It can write its log.");
  else way.breaks("storage", "It cannot write its log now.", "Make room on the disk and check the folder.");
  return true;
}

function unanswered(error: SkillError, origin: string): string {
  switch (error.code) {
    case "NETWORK_UNREACHED":
      return `Nobody listens at ${origin}.`;
    case "NETWORK_TIMEOUT":
      return `${origin} takes the connection and does not answer: something that hangs holds the port.`;
    default:
      return `${origin} answers something else than HTTP: ${error.message}`;
  }
}

function unansweredHint(error: SkillError, host: string, record: ServerRecord | undefined): string {
  if (error.code !== "NETWORK_UNREACHED")
    return "End what holds the port, or start the server again on another.";
  if (record?.ended !== undefined) return `The server has ended (${record.ended}). ${START_AGAIN}`;
  if (isBeyondLoopback(host)) return `Start it with --remote, and check the firewall. ${START_AGAIN}`;
  return `It has ended, or was never started. ${START_AGAIN}`;
}
