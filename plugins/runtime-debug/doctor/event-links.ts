import { randomBytes } from "node:crypto";
import { SkillError, isLoopbackOrigin, type Http, type JournalReader, type Journals } from "skillctl";
import { isBeyondLoopback } from "../server/network.ts";
import { attempt, objectIn } from "./server-links.ts";
import type { Way } from "./way.ts";

/** The run of the doctor's events, so that they stand in no comparison. */
const RUN = "doctor";
/** The event is among the last of the log: so many bytes of it are read. */
const TAIL_BYTES = 1024 * 1024;
const HINTS: Readonly<Record<string, string>> = {
  forbidden_origin: "Start the server with --allow-origin and the origin of the page.",
  forbidden_host: "Start the server with --allow-host and the name that the program uses.",
  forbidden_key:
    "The address in the program is an old one: take the one in the environment file, with its key.",
  storage_full: "Make room on the disk; the server goes on by itself.",
  not_found: "Events go to an address that ends in /event.",
};

/** Posts an event as a program or a page would; answers its mark when it was taken. */
export async function postEvent(
  url: string,
  session: string,
  origin: string | undefined,
  http: Http,
  way: Way,
  signal: AbortSignal,
): Promise<string | undefined> {
  const mark = randomBytes(12).toString("hex");
  const event = {
    sessionId: session,
    runId: RUN,
    location: "skillctl doctor",
    msg: "[DEBUG] an event of skillctl doctor",
    data: { mark },
  };
  const headers = { "content-type": "application/json", ...(origin !== undefined && { origin }) };
  const answer = await attempt(http, { method: "POST", url, headers, body: JSON.stringify(event) }, signal);
  if (answer instanceof SkillError) {
    way.breaks("event", `The event was not answered: ${answer.message}`, "Start the server again.");
    return undefined;
  }
  if (answer.status === 200) {
    way.holds("event", "An event was taken.");
    return mark;
  }
  const { error, message, hint } = objectIn(answer);
  const code = typeof error === "string" ? error : "no code";
  const why = typeof message === "string" ? message : "without a reason";
  const own = typeof hint === "string" ? hint : "Check the address.";
  way.breaks("event", `The event was refused (${answer.status}, ${code}): ${why}`, HINTS[code] ?? own);
  return undefined;
}

/** Whether the event with that mark stands in the log. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
export async function checkArrival(path: string, mark: string, journals: Journals, way: Way): Promise<void> {
  const reader = await journals.openToRead(path);
  if (reader && (await endOf(reader)).includes(mark)) return way.holds("log", `It stands in ${path}.`);
  way.breaks(
    "log",
    reader ? `It does not stand in ${path}.` : `There is no ${path}.`,
    "The server writes to another folder: name it with --outdir.",
  );
}

async function endOf(reader: JournalReader): Promise<string> {
  try {
    const from = Math.max(0, reader.bytes - TAIL_BYTES);
    return new TextDecoder().decode(await reader.read(from, reader.bytes - from));
  } finally {
    await reader.close();
  }
}

/** What a browser asks before a page may send JSON; answers whether it may. */
export async function checkPreflight(
  url: string,
  origin: string,
  http: Http,
  way: Way,
  signal: AbortSignal,
): Promise<boolean> {
  const headers = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
  };
  const answer = await attempt(http, { method: "OPTIONS", url, headers }, signal);
  if (answer instanceof SkillError) {
    way.breaks("preflight", answer.message, "Start the server again.");
    return false;
  }
  const allowed = answer.headers["access-control-allow-origin"];
  if (allowed === origin || allowed === "*") {
    const hint = "A content security policy of the page must list the address under connect-src.";
    way.holds("preflight", `A browser lets pages of ${origin} send.`, hint);
    return true;
  }
  const refused = objectIn(answer)["error"];
  way.breaks(
    "preflight",
    `A browser stops pages of ${origin}: the server allows ${refused === undefined ? "another origin" : "no such origin"}.`,
    `Start the server with --allow-origin ${origin}`,
  );
  return false;
}

/** What browsers forbid by themselves, before anything is sent; answers whether there is such an origin at all. */
export function checkPage(url: string, origin: string, way: Way): boolean {
  const fault = originFault(origin);
  if (fault) {
    way.breaks("page", ...fault);
    return false;
  }
  const { hostname, protocol } = new URL(url);
  if (protocol === "https:" || isLoopbackOrigin(origin)) return true;
  const isSecure = origin.startsWith("https://");
  if (isSecure && isBeyondLoopback(hostname)) {
    way.breaks(
      "page",
      `A page of ${origin} may not send to ${hostname} without TLS: browsers block mixed content.`,
      "Use 127.0.0.1 where the browser runs on this machine, or let the page's own server pass events on.",
    );
    return true;
  }
  const hint = isSecure
    ? "Chrome from 142 on asks the user first whether the site may reach this device; without a yes nothing is sent. Safari sends nothing."
    : "Chrome from 142 on sends nothing from a page without TLS, unless the page itself comes from this machine or its network.";
  way.holds(
    "page",
    `A page of ${origin} sends to ${isBeyondLoopback(hostname) ? hostname : "this machine"}.`,
    hint,
  );
  return true;
}

/** Why no page can have such an origin, and what to do. */
function originFault(origin: string): readonly [sentence: string, hint: string] | undefined {
  if (origin === "null") {
    return [
      "Pages that are files, and sandboxed frames, have no origin: no server may let them in.",
      "Serve the page from this machine, such as from http://localhost:3000.",
    ];
  }
  const real = URL.canParse(origin) ? new URL(origin).origin : "null";
  if (real === origin) return undefined;
  const hint = real === "null" ? "An origin looks like http://localhost:3000." : `Ask for ${real}.`;
  return [`"${origin}" is no origin as browsers send it.`, hint];
}
