import { KnownSecrets, SkillError, isLoopbackAddress, withoutSignedTokens, type Call } from "skillctl";
import { sentence } from "./texts.ts";

/** Whether tokens and codes may be sent to an address: https, or http on loopback (docs/login.md, Device login). */
export function isSafeAddress(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackAddress(url.hostname));
}

/** The origin of an address; undefined if it is not a valid address. */
export function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

/** At most 8 KiB of printable ASCII without spaces, which cannot end or add a header (docs/login.md, The token). */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
const QUOTES = ['""', "''", "``", "“”", "‘’", "「」", "『』"] as const;
const A_DAY_MS = 86_400_000;
/** Claims that can name an account, the most useful first (OpenID Connect Core, 5.1). */
const NAMES = ["preferred_username", "email", "phone_number", "nickname", "name", "sub"] as const;

/** The usable token in a text with surrounding white space; undefined if the text is not one. */
export function tokenOf(text: string): string | undefined {
  const trimmed = text.trim();
  return TOKEN.test(trimmed) ? trimmed : undefined;
}

/** The usable token in a person's input, which may have a byte-order mark and one pair of quotes. */
function pastedToken(text: string): string | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const quoted = QUOTES.some(
    ([open = "", close = ""]) => trimmed.length > 1 && trimmed.startsWith(open) && trimmed.endsWith(close),
  );
  return tokenOf(quoted ? trimmed.slice(1, -1) : trimmed);
}

/**
 * Reads a token from a person, on standard input or at a prompt without echo.
 * @throws SkillError `LOGIN_PASTE_UNUSABLE`, `LOGIN_REQUIRED` without a person, `CANCELLED`
 */
export async function tokenFrom({ person }: Call): Promise<string> {
  if (!person)
    throw new SkillError("LOGIN_REQUIRED", "A token can be pasted at the command line only.", {
      hint: "skillctl run login-proxy login --mode paste",
    });
  const value = pastedToken(await person.secret(sentence("paste-question")));
  if (value !== undefined) return value;
  throw new SkillError("LOGIN_PASTE_UNUSABLE", sentence("paste-unusable"), {
    hint: "Copy only the token, without the header name.",
  });
}

/** Removes this token, and text that looks like a token, from a line of another program. */
export function withoutTokens(line: string, known = ""): string {
  return withoutSignedTokens(new KnownSecrets("***", [known]).without(line), "***");
}

/** Unverified facts about a token. The expiry of a JWT takes precedence over that of the login. */
export interface TokenFacts {
  /** Masked. */
  readonly account?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** Whole days until the expiry; negative after it. */
  readonly daysLeft?: number;
  /** A warning if it has expired. */
  readonly ranOut?: string;
}

/** `said` is the information of the login: the account, and the expiry in milliseconds since the epoch. */
export function factsOf(
  token: string,
  now: number,
  said: { readonly account?: string | undefined; readonly expiresAt?: number | undefined } = {},
): TokenFacts {
  const claims = claimsOf(token);
  const { exp } = claims;
  const end = typeof exp === "number" && exp > 0 && exp < 1e11 ? exp * 1000 : said.expiresAt;
  const account = maskedAccount(said.account === undefined ? claims : { name: said.account });
  const expiresAt = end === undefined ? undefined : new Date(end).toISOString();
  return {
    ...(account !== undefined && { account }),
    ...(end !== undefined && { daysLeft: Math.floor((end - now) / A_DAY_MS) }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(end !== undefined && end <= now && { ranOut: sentence("ran-out", { TIME: expiresAt ?? "" }) }),
  };
}

/** The unverified claims of a JWT; empty for any other text. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  return objectOf(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) ?? {};
}

/** The masked account: enough to tell the user's accounts apart, never a complete claim. */
export function maskedAccount(claims: Readonly<Record<string, unknown>>): string | undefined {
  const name = NAMES.map((claim) => claims[claim]).find((value) => typeof value === "string" && value !== "");
  return typeof name === "string" ? masked(name) : undefined;
}

/** The first character, and the last two of a text with at least six. */
function masked(text: string): string {
  const characters = [...text.replace(/[^\p{L}\p{N}@._+-]/gu, "")];
  if (characters.length < 4) return "***";
  return `${characters[0]}***${characters.length < 6 ? "" : characters.slice(-2).join("")}`;
}

/** Parses a JSON object; undefined for any other text. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // Invalid input counts as missing: another program's file, a server's response, a token that is not a JWT.
    return undefined;
  }
}
