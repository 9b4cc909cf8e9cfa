import { SkillError, type Http } from "skillctl";
import { isLoopbackOrigin } from "../event-origin.ts";
import { isBeyondLoopback } from "../server/network.ts";
import { attempt, objectIn } from "./server-links.ts";
import type { Way } from "./way.ts";

/** What a browser asks before a page may send JSON. */
export async function checkPreflight(
  url: string,
  origin: string,
  http: Http,
  way: Way,
  signal: AbortSignal,
): Promise<void> {
  const headers = {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
  };
  const answer = await attempt(http, { method: "OPTIONS", url, headers }, signal);
  if (answer instanceof SkillError) return way.breaks("preflight", answer.message, "Start the server again.");
  const allowed = answer.headers["access-control-allow-origin"];
  if (allowed === origin || allowed === "*") {
    const hint = "A content security policy of the page must list the address under connect-src.";
    return way.holds("preflight", `A browser lets pages of ${origin} send.`, hint);
  }
  const refused = objectIn(answer)["error"];
  way.breaks(
    "preflight",
    `A browser stops pages of ${origin}: the server allows ${refused === undefined ? "another origin" : "no such origin"}.`,
    `Start the server with --allow-origin ${origin}`,
  );
}

/** What browsers forbid by themselves, before anything is sent. */
export function checkPage(url: string, origin: string, way: Way): void {
  const { hostname, protocol } = new URL(url);
  if (!origin.startsWith("https://") || protocol === "https:" || isLoopbackOrigin(origin)) return;
  if (isBeyondLoopback(hostname)) {
    way.breaks(
      "page",
      `A page of ${origin} may not send to ${hostname} without TLS: browsers block mixed content.`,
      "Use 127.0.0.1 where the browser runs on this machine, or let the page's own server pass events on.",
    );
    return;
  }
  way.holds(
    "page",
    `A page of ${origin} sends to this machine.`,
    "Chrome from 142 on asks the user first whether the site may reach this device; without a yes nothing is sent.",
  );
}
