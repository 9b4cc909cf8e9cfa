import { portToken } from "../container/token.ts";

/** A login token, and where it was found. */
export interface AccessToken {
  /** Printable ASCII without spaces, at most 8 KiB. Goes into one request header and nowhere else. */
  readonly value: string;
  readonly source: "cache" | "environment";
  /** Names the account, when the login skill knows it; the same over new logins. */
  readonly account?: string;
}

/** Who waits for a new login. */
export interface Renewal {
  readonly signal: AbortSignal;
  /** A positive sentence about what is going on. */
  readonly progress: (sentence: string) => void;
  /** Whether somebody can be asked to log in. Without, only what needs nobody is tried. */
  readonly interactive: boolean;
}

/** Lent by the skill that owns the login. */
export interface AccessTokens {
  /**
   * The token to use now.
   * @throws SkillError `TOKEN_MISSING` when there is none.
   */
  readonly current: () => Promise<AccessToken>;
  /**
   * Logs in again because the service refused `failed`, at most once over all processes: who comes late gets the token
   * that somebody else has just fetched. The token that is answered is another one than `failed`.
   * @throws SkillError `TOKEN_MISSING` when no new token can be had, with what to do as its hint; `CANCELLED`.
   */
  readonly renew: (failed: string, wait: Renewal) => Promise<AccessToken>;
}

export const ACCESS_TOKENS = portToken<AccessTokens>("access-tokens");
