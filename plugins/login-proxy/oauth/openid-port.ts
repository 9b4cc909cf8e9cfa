import { SkillError, type Http } from "skillctl";
import type { CustomFetch } from "openid-client";
import { isSafeAddress } from "../address.ts";
import { cancelled } from "../pause.ts";

/** One request of a login; a login makes several. */
const TIMEOUT_MS = 20_000;
/** Metadata of login servers are some 10 KiB. */
const MAX_BYTES = 262_144;
/** A `Response` of these may have no body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * The HTTP port for openid-client, so that its time-outs and limits hold and no redirect is followed. Throws the errors of
 * the port, and `CONFIG_INVALID` where a server names an address that is not safe. The signal ends every request but one
 * for tokens, which it only keeps from being sent: the server may have used up the refresh token or the code by then,
 * and what it answers is all that is left of the login.
 */
export function portFetch(http: Http, signal: AbortSignal, viaEnvironment: boolean): CustomFetch {
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
      viaEnvironment,
      ...(!yieldsTokens && { signal }),
    });
    const { status } = answer;
    return new Response(BODILESS.has(status) ? null : answer.body, { status, headers: answer.headers });
  };
}

/** Errors of RFC 6749 5.2, RFC 8628 and RFC 8707 that say that this client is set up wrongly. */
const CONFIGURATION = new Set([
  "invalid_client",
  "invalid_request",
  "invalid_scope",
  "invalid_target",
  "unauthorized_client",
  "unsupported_grant_type",
]);

/**
 * The error that a login server answered, such as `invalid_grant`; undefined when it answered none. Out of the body, or
 * out of the challenge in `WWW-Authenticate` (RFC 6750 3).
 */
export function oauthErrorOf(caught: unknown): string | undefined {
  const { error, cause } = caught as { readonly error?: unknown; readonly cause?: unknown };
  const challenge = Array.isArray(cause) ? (cause[0] as { parameters?: { error?: unknown } }) : undefined;
  const named = error ?? challenge?.parameters?.error;
  return typeof named === "string" ? named : undefined;
}

/** The HTTP status that a failure of openid-client tells of. */
export function statusOf(caught: unknown): number | undefined {
  const { status, cause } = caught as { readonly status?: unknown; readonly cause?: unknown };
  if (typeof status === "number") return status;
  return cause instanceof Response ? cause.status : undefined;
}

/**
 * What openid-client threw as an error of ours. Its own error never goes along, not even as a cause: it holds the answer
 * of the server, with tokens and codes.
 */
export function faultOf(caught: unknown, origin: string, action: string): SkillError {
  const cause = caught instanceof Error ? caught.cause : undefined;
  for (const one of [caught, cause]) if (one instanceof SkillError) return one;
  const error = oauthErrorOf(caught);
  if (error !== undefined && CONFIGURATION.has(error))
    return new SkillError("CONFIG_INVALID", `${origin} refuses ${action} (${error}).`, {
      hint: "Check the client id, the scope and the audience of the device login.",
    });
  const status = statusOf(caught);
  // An error that nobody knows, and the description of any, may repeat what was sent.
  const isUnread = status === undefined || status === 200;
  const answer = isUnread ? "in a form that cannot be read" : `with status ${status}`;
  return new SkillError("NETWORK_BROKEN", `${origin} answered ${action} ${answer}.`, {
    hint: "Try again later.",
  });
}
