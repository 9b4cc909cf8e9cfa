/** At most 8 KiB of printable ASCII without spaces: nothing that could end or add a header (docs/music-analysis.md, Replies). */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

/** A usable token out of a text with white space around it; undefined when it is none. */
export function tokenOf(text: string): string | undefined {
  const trimmed = text.trim();
  return TOKEN.test(trimmed) ? trimmed : undefined;
}

/**
 * Until when a token is good, in milliseconds since the epoch, when it happens to be a JWT that says so.
 * A hint only: nothing is verified, and nothing else of the payload is looked at.
 */
export function expiryOf(token: string): number | undefined {
  const payload = token.split(".")[1];
  if (payload === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as {
      readonly exp?: unknown;
    };
    const inRange = typeof exp === "number" && exp > 0 && exp < 1e11;
    return inRange ? exp * 1000 : undefined;
  } catch {
    // Not a JWT; such a token says nothing about its end.
    return undefined;
  }
}
