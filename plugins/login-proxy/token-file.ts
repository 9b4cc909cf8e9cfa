import { tokenOf } from "./token-text.ts";

/** What the cache file holds, as far as it can be read (docs/login.md, The cache file). */
export interface CachedToken {
  readonly token: string;
  /** Seconds since the epoch. A hint: programs that read the file may have moved it, so nothing expires by it. */
  readonly savedAt: number | undefined;
  readonly baseUrl: string | undefined;
  /** Names whose token it is, where another login skill wrote that. Personal data: only shown masked. */
  readonly account: string | undefined;
}

/** What a written cache file says. */
export interface TokenFile {
  readonly token: string;
  /** Whole seconds since the epoch. */
  readonly savedAt: number;
  readonly baseUrl: string | undefined;
}

const OURS: readonly string[] = ["token", "savedAt", "baseUrl"];
/** Keys that speak of the token beside them, and would be wrong beside another one. */
const OF_THE_TOKEN: readonly string[] = [...OURS, "account", "expiresAt"];

/** Reads the cache file's text; undefined when it holds no usable token. */
export function cachedToken(text: string): CachedToken | undefined {
  const { token, savedAt, baseUrl, account } = keysOf(text);
  const usable = typeof token === "string" ? tokenOf(token) : undefined;
  if (usable === undefined) return undefined;
  return {
    token: usable,
    savedAt: typeof savedAt === "number" && savedAt > 0 && savedAt < 1e11 ? savedAt : undefined,
    baseUrl: typeof baseUrl === "string" && baseUrl.length <= 2_048 ? baseUrl : undefined,
    account: typeof account === "string" && account !== "" ? account : undefined,
  };
}

/**
 * The text of a cache file: two-space JSON. Keys of the file before it that nobody here knows are kept, and those that
 * speak of the token as long as it is the same one.
 */
export function tokenFileText({ token, savedAt, baseUrl }: TokenFile, before = ""): string {
  const known = keysOf(before);
  const stale = known["token"] === token ? OURS : OF_THE_TOKEN;
  const others = Object.entries(known).filter(([key]) => !stale.includes(key));
  const file = Object.fromEntries([["token", token], ["savedAt", savedAt], ["baseUrl", baseUrl], ...others]);
  return `${JSON.stringify(file, undefined, 2)}\n`;
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
