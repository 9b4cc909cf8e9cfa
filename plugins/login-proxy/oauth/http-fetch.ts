import { SkillError, type Http } from "skillctl";
import type { CustomFetch } from "openid-client";
import { cancelled } from "./pause.ts";
import { isSafeAddress } from "./safe-address.ts";

/** One request of a login; a login makes several. */
const TIMEOUT_MS = 20_000;
/** Metadata of login servers are some 10 KiB. */
const MAX_BYTES = 262_144;
/** A `Response` of these may have no body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * What openid-client fetches with: the HTTP port, so that its time-outs and limits hold and no redirect is followed.
 * Throws the errors of the port, and `CONFIG_INVALID` where a server names an address that is not safe. The signal ends
 * every request but one for tokens, which it only keeps from being sent: the server may have used up the refresh token
 * or the code by then, and what it answers is all that is left of the login.
 */
export function httpFetch(http: Http, signal: AbortSignal): CustomFetch {
  return async (url, { method, headers, body }) => {
    if (!isSafeAddress(new URL(url)))
      throw new SkillError("CONFIG_INVALID", "The login server names an address that is not https.", {
        hint: "Tell who runs the login server.",
      });
    const form = body instanceof URLSearchParams ? body : undefined;
    const yieldsTokens = form?.has("grant_type") === true;
    if (yieldsTokens && signal.aborted) throw cancelled();
    const answer = await http.send({
      method: method === "POST" ? "POST" : "GET",
      url,
      headers,
      ...(form && { body: form.toString() }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      ...(!yieldsTokens && { signal }),
    });
    const { status } = answer;
    return new Response(BODILESS.has(status) ? null : answer.body, { status, headers: answer.headers });
  };
}
