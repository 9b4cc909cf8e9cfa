import { createHash, timingSafeEqual } from "node:crypto";
import { SkillError, type RouteRequest } from "skillctl";
import type { OpenSession } from "../open-session.ts";

type Headers = RouteRequest<unknown, unknown>["headers"];
type Lock = Pick<OpenSession, "id" | "port" | "pageKey">;

/** The cookie goes to these paths alone: browsers send cookies of one port of a machine to all others. */
const PATH = "/page";

/** The header that lets a page in from then on, for a key of its address. @throws SkillError `KEY_REFUSED`, `ORIGIN_REFUSED` */
export function unlocked(session: Lock, headers: Headers, key: string): string {
  refuseOtherPages(headers);
  if (!isSame(digest(key), digest(session.pageKey))) throw locked(session, "The key is wrong.");
  return `${cookieName(session)}=${cookieValue(session)}; Path=${PATH}; HttpOnly; SameSite=Strict`;
}

/** Lets in the page of the session only. @throws SkillError `KEY_REFUSED`, `ORIGIN_REFUSED` */
export function refuseLocked(session: Lock, headers: Headers): void {
  refuseOtherPages(headers);
  const cookies = String(headers["cookie"] ?? "").split(/;\s*/);
  const own = cookies.find((one) => one.startsWith(`${cookieName(session)}=`)) ?? "";
  const given = own.slice(own.indexOf("=") + 1);
  if (!isSame(digest(given), digest(cookieValue(session))))
    throw locked(session, "The page has not been opened with its key.");
}

/**
 * Pages at another port of this machine are of the same site, so that their requests have the cookie. A program names no
 * origin and is let in by the cookie alone.
 */
function refuseOtherPages({ host, origin, "sec-fetch-site": site = "same-origin" }: Headers): void {
  const isOwn = origin === undefined || origin === `http://${String(host)}`;
  if (isOwn && site === "same-origin") return;
  throw new SkillError("ORIGIN_REFUSED", "Only the page of this server may ask for that.", {
    hint: "Open the address of the page itself.",
  });
}

function locked({ id }: Lock, sentence: string): SkillError {
  return new SkillError("KEY_REFUSED", sentence, {
    hint: `Open the whole address, with what follows the #: \`skillctl run runtime-debug status ${id}\` prints it.`,
  });
}

function cookieName({ port }: Lock): string {
  return `debug-page-${port}`;
}

/** Stays over restarts, as the key does, and does not tell it. */
function cookieValue({ pageKey }: Lock): string {
  return createHash("sha256").update(`cookie ${pageKey}`).digest("base64url");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isSame(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(one, other);
}
