import { SkillError, type Http, type HttpRequest, type HttpResponse } from "skillctl";
import { unansweredHint, unansweredSentence, whereInstead, type Known } from "./known.ts";
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
