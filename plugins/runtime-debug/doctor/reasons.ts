import { isLoopbackOrigin, type SkillError } from "skillctl";
import { isBeyondLoopback } from "../server/network.ts";
import type { ServerRecord } from "../server/server-record.ts";

/** What is known of the server of a session without asking the address that is looked at. */
export interface Known {
  readonly session: string;
  /** Who serves it, or served it last. */
  readonly record: ServerRecord | undefined;
  /** That server answers, where its record says that it listens. */
  readonly isAlive: boolean;
}

/** A sentence and what to do. */
type Reason = readonly [sentence: string, hint: string];

/** Why an answer of `/health` is not that of the server that is looked for. */
export function strangeness(
  { instance, session_id: of }: Readonly<Record<string, unknown>>,
  { session, record }: Known,
): string | undefined {
  if (typeof instance !== "string" || typeof of !== "string") return "What answers there is no debug server.";
  if (of !== session) return `The server there collects for ${of}, not for ${session}.`;
  return record === undefined || record.instance === instance
    ? undefined
    : "The server there is not the one that was started in this folder.";
}

/** What to do where an address leads to nobody, or to somebody else. */
export function whereInstead({ session, record, isAlive }: Known): string {
  return record && isAlive
    ? `The server of ${session} answers at ${record.url}: use that address.`
    : `Start the server again, it writes its address into the environment file: skillctl run runtime-debug serve ${session} --detach`;
}

/** What it means that no answer comes from an address. */
export function unanswered(error: SkillError, url: URL, known: Known): Reason {
  // What the system said: ECONNREFUSED and the like.
  const reason = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? "";
  const isUnknown = ["ENOTFOUND", "EAI_AGAIN", "EAI_NONAME"].includes(reason);
  return [sentenceOf(error, url, reason, isUnknown), hintOf(error, url, known, isUnknown)];
}

function sentenceOf(
  error: SkillError,
  { origin, hostname }: URL,
  reason: string,
  isUnknown: boolean,
): string {
  if (isUnknown) return `The name ${hostname} is not known here.`;
  if (reason === "ECONNREFUSED") return `Nobody listens at ${origin}.`;
  if (error.code === "NETWORK_BROKEN") return `${origin} answers something else than HTTP: ${error.message}`;
  return error.code === "NETWORK_TIMEOUT" && !isBeyondLoopback(hostname)
    ? `${origin} takes the connection and does not answer: something that hangs holds the port.`
    : error.message;
}

function hintOf(error: SkillError, { hostname, protocol }: URL, known: Known, isUnknown: boolean): string {
  const { record, isAlive } = known;
  const isBeyond = isBeyondLoopback(hostname);
  if (protocol === "https:")
    return "The server speaks plain HTTP: write http://, unless something before it adds TLS.";
  if (isUnknown)
    return "Only containers may know it: run the doctor where the program runs, or use 127.0.0.1.";
  if (isBeyond && record && isAlive && !isBeyondLoopback(record.host))
    return `The server listens for this machine only, at ${record.url}: start it with --remote.`;
  if (isBeyond) return `A firewall may stop it, or the address is an old one. ${whereInstead(known)}`;
  if (error.code !== "NETWORK_UNREACHED" && !isAlive)
    return "End what holds the port, or start the server again: it takes another one.";
  return `${record?.ended === undefined ? "" : `The server has ended (${record.ended}). `}${whereInstead(known)}`;
}

/** Why no page can have such an origin, and what to do. */
export function pageFault(origin: string): Reason | undefined {
  if (origin === "null")
    return [
      "Pages that are files, and sandboxed frames, have no origin: no server may let them in.",
      "Serve the page from this machine, such as from http://localhost:3000.",
    ];
  const real = URL.canParse(origin) ? new URL(origin).origin : "null";
  if (real === origin) return undefined;
  const hint = real === "null" ? "An origin looks like http://localhost:3000." : `Ask for ${real}.`;
  return [`"${origin}" is no origin as browsers send it.`, hint];
}

/** What browsers forbid a page by themselves before anything is sent, or ask for; `undefined` where nothing stands against it. */
export function pageRemark(
  url: string,
  origin: string,
): { readonly ok: boolean; readonly told: Reason } | undefined {
  const { hostname, protocol } = new URL(url);
  if (protocol === "https:" || isLoopbackOrigin(origin)) return undefined;
  const isSecure = origin.startsWith("https://");
  const isBeyond = isBeyondLoopback(hostname);
  if (isSecure && isBeyond) {
    const sentence = `A page of ${origin} may not send to ${hostname} without TLS: browsers block mixed content.`;
    const hint =
      "Use 127.0.0.1 where the browser runs on this machine, or let the page's own server pass events on.";
    return { ok: false, told: [sentence, hint] };
  }
  const hint = isSecure
    ? "Chrome from 142 on asks the user first whether the site may reach this device; without a yes nothing is sent. Safari sends nothing."
    : "Chrome from 142 on sends nothing from a page without TLS, unless the page itself comes from this machine or its network.";
  return { ok: true, told: [`A page of ${origin} sends to ${isBeyond ? hostname : "this machine"}.`, hint] };
}
