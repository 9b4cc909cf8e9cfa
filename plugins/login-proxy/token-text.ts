import { KnownSecrets, SkillError, isLoopbackAddress, withoutSignedTokens, type Call } from "skillctl";
import { sentence } from "./texts.ts";

/** Whether tokens and codes may travel there: https, or http on loopback (docs/login.md, Device login). */
export function isSafeAddress(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackAddress(url.hostname));
}

/** The origin of an address; undefined for what is no address. */
export function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

/** At most 8 KiB of printable ASCII without spaces: nothing that could end or add a header (docs/login.md, The token). */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
const QUOTES = ['""', "''", "``", "“”", "‘’", "「」", "『』"] as const;
const A_DAY_MS = 86_400_000;
/** The claims that can name an account, the most telling first (OpenID Connect Core, 5.1). */
const NAMES = ["preferred_username", "email", "phone_number", "nickname", "name", "sub"] as const;

/** A usable token out of a text with white space around it; undefined when it is none. */
export function tokenOf(text: string): string | undefined {
  const trimmed = text.trim();
  return TOKEN.test(trimmed) ? trimmed : undefined;
}

/** A usable token as a person hands it over: perhaps after a byte-order mark and in one pair of quotes. */
function handedToken(text: string): string | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const quoted = QUOTES.some(
    ([open = "", close = ""]) => trimmed.length > 1 && trimmed.startsWith(open) && trimmed.endsWith(close),
  );
  return tokenOf(quoted ? trimmed.slice(1, -1) : trimmed);
}

/**
 * The token that a person hands in, on standard input or at a prompt that does not show it.
 * @throws SkillError `LOGIN_PASTE_UNUSABLE`, `LOGIN_REQUIRED` where nobody can hand in anything, `CANCELLED`
 */
export async function tokenFrom({ person }: Call): Promise<string> {
  if (!person)
    throw new SkillError("LOGIN_REQUIRED", "A token can only be handed in at the command line.", {
      hint: "skillctl run login-proxy login --mode paste",
    });
  const value = handedToken(await person.secret(sentence("paste-question")));
  if (value !== undefined) return value;
  throw new SkillError("LOGIN_PASTE_UNUSABLE", sentence("paste-unusable"), {
    hint: "Copy the token alone, without the name of its header.",
  });
}

/** A line of another program with nothing in it that is, or is shaped like, a token. */
export function withoutTokens(line: string, known = ""): string {
  return withoutSignedTokens(new KnownSecrets("***", [known]).without(line), "***");
}

/** What is known of a token: hints only, since nothing is verified. A JWT's own end wins over what the login said. */
export interface TokenFacts {
  /** Masked. */
  readonly account?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** Whole days that are left; negative once it has run out. */
  readonly daysLeft?: number;
  /** Says that it has run out. */
  readonly ranOut?: string;
}

/** `said` is what the login said: the account, and the end in milliseconds since the epoch. */
export function factsOf(
  token: string,
  now: number,
  said: { readonly account?: string | undefined; readonly expiresAt?: number | undefined } = {},
): TokenFacts {
  const claims = objectOf(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) ?? {};
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

/** What of an account may be shown: enough to tell two of one's own apart, never the whole of a claim. */
export function maskedAccount(claims: Readonly<Record<string, unknown>>): string | undefined {
  const name = NAMES.map((claim) => claims[claim]).find((value) => typeof value === "string" && value !== "");
  return typeof name === "string" ? masked(name) : undefined;
}

/** The first character, and the last two of a text of six or more. */
function masked(text: string): string {
  const characters = [...text.replace(/[^\p{L}\p{N}@._+-]/gu, "")];
  if (characters.length < 4) return "***";
  return `${characters[0]}***${characters.length < 6 ? "" : characters.slice(-2).join("")}`;
}

/** A JSON object; undefined for every other text. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // What is broken counts as none: the file of another program, the answer of a server, a token that is no JWT.
    return undefined;
  }
}
