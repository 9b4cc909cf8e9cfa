import { tokenOf } from "./token-text.ts";

/** What the cache file holds, as far as it can be read (docs/login.md, The cache file). */
export interface CachedToken {
  readonly token: string;
  /** Seconds since the epoch. A hint: programs that read the file may have moved it, so nothing expires by it. */
  readonly savedAt: number | undefined;
  readonly baseUrl: string | undefined;
  /** Names whose token it is, where the login said that. Personal data: only shown masked. */
  readonly account: string | undefined;
  /** Milliseconds since the epoch, where the login said until when the token is good. A JWT's own end wins over it. */
  readonly expiresAt: number | undefined;
}

/** What a written cache file says. */
export interface TokenFile {
  readonly token: string;
  /** Whole seconds since the epoch. */
  readonly savedAt: number;
  readonly baseUrl: string | undefined;
  /** Milliseconds since the epoch; written as ISO 8601. */
  readonly expiresAt?: number | undefined;
  readonly account?: string | undefined;
}

const OURS: readonly string[] = ["token", "savedAt", "baseUrl"];
/** Keys that speak of the token beside them, and would be wrong beside another one. */
const OF_THE_TOKEN: readonly string[] = [...OURS, "account", "expiresAt"];

/** Reads the cache file's text; undefined when it holds no usable token. */
export function cachedToken(text: string): CachedToken | undefined {
  const { token, savedAt, baseUrl, account, expiresAt } = keysOf(text);
  const usable = typeof token === "string" ? tokenOf(token) : undefined;
  if (usable === undefined) return undefined;
  return {
    token: usable,
    savedAt: typeof savedAt === "number" && savedAt > 0 && savedAt < 1e11 ? savedAt : undefined,
    baseUrl: typeof baseUrl === "string" && baseUrl.length <= 2_048 ? baseUrl : undefined,
    account: typeof account === "string" && account !== "" ? account : undefined,
    expiresAt: momentOf(expiresAt),
  };
}

/**
 * The text of a cache file: two-space JSON. Keys of the file before it that nobody here knows are kept, and those that
 * speak of the token as long as it is the same one.
 */
export function tokenFileText(content: TokenFile, before = ""): string {
  const { token, savedAt, baseUrl, expiresAt, account } = content;
  const known = keysOf(before);
  const stale = known["token"] === token ? OURS : OF_THE_TOKEN;
  const others = Object.entries(known).filter(([key]) => !stale.includes(key));
  const file = Object.fromEntries([
    ["token", token],
    ["savedAt", savedAt],
    ["baseUrl", baseUrl],
    ...others,
    ...(expiresAt === undefined ? [] : [["expiresAt", new Date(expiresAt).toISOString()]]),
    ...(account === undefined ? [] : [["account", account]]),
  ]);
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** ISO 8601, or a number: seconds, and milliseconds where it is too large for those. */
function momentOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : NaN;
  const moment = typeof value === "number" && number < 1e11 ? number * 1000 : number;
  return moment > 0 && moment < 1e14 ? moment : undefined;
}

function keysOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Readonly<Record<string, unknown>>) : {};
  } catch {
    // A broken file counts as none.
    return {};
  }
}
