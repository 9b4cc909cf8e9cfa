/** At most 8 KiB of printable ASCII without spaces: nothing that could end or add a header (docs/login.md, The token). */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
const JWT = /eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g;
const QUOTES = ['""', "''", "``", "“”", "‘’", "「」", "『』"] as const;

/** A usable token out of a text with white space around it; undefined when it is none. */
export function tokenOf(text: string): string | undefined {
  const trimmed = text.trim();
  return TOKEN.test(trimmed) ? trimmed : undefined;
}

/** A usable token as a person hands it over: perhaps after a byte-order mark and in one pair of quotes. */
export function handedToken(text: string): string | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const quoted = QUOTES.some(
    ([open = "", close = ""]) => trimmed.length > 1 && trimmed.startsWith(open) && trimmed.endsWith(close),
  );
  return tokenOf(quoted ? trimmed.slice(1, -1) : trimmed);
}

/**
 * Until when a token is good, in milliseconds since the epoch, when it happens to be a JWT that says so.
 * A hint only: nothing is verified.
 */
export function expiryOf(token: string): number | undefined {
  const exp = claimsOf(token)["exp"];
  return typeof exp === "number" && exp > 0 && exp < 1e11 ? exp * 1000 : undefined;
}

/** What a JWT claims, unverified; nothing for every other token. It is personal data: only masked parts are ever shown. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const payload = token.split(".")[1];
  if (payload === undefined) return {};
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    return typeof claims === "object" && claims !== null ? (claims as Readonly<Record<string, unknown>>) : {};
  } catch {
    // Not a JWT; such a token says nothing about itself.
    return {};
  }
}

/** A line of another program with nothing in it that is, or is shaped like, a token. */
export function withoutTokens(line: string, known = ""): string {
  const plain = known === "" ? line : line.replaceAll(known, "***");
  return plain.replaceAll(JWT, "***");
}
