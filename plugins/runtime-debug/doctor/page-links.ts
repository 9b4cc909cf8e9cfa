import { SkillError, isLoopbackOrigin, type Http } from "skillctl";
import { isBeyondLoopback } from "../server/network.ts";
import { attempt, objectIn } from "./server-links.ts";
import type { Way } from "./way.ts";

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
