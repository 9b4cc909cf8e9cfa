import { portToken } from "../container/token.ts";

/** A login token, and where it was found. */
export interface AccessToken {
  /** Printable ASCII without spaces, at most 8 KiB. Goes into one request header to one origin and nowhere else. */
  readonly value: string;
  readonly source: "cache" | "environment";
  /** Names the account, when the login skill knows it; the same over new logins. */
  readonly account?: string;
  /** What `HttpRequest.viaEnvironment` is for requests with this token. Default false. */
  readonly viaEnvironment?: boolean;
}

/** Who waits for a token. */
export interface Renewal {
  readonly signal: AbortSignal;
  /** A positive sentence about what is going on. */
  readonly progress: (sentence: string) => void;
  /** Whether a person sits at a terminal. Without, only what needs nobody is tried. */
  readonly interactive: boolean;
}

/** Lent by the skill that owns the login. A token belongs to one origin, such as `https://music.example`. */
export interface AccessTokens {
  /**
   * The token for an origin. One that is kept without an origin is bound to the first one it is asked for, where a person
   * or the user's own configuration stands behind that.
   * @throws SkillError `TOKEN_MISSING` when there is none, `TOKEN_ELSEWHERE` when there is one for another origin only.
   */
  readonly current: (origin: string, wait: Renewal) => Promise<AccessToken>;
  /**
   * Logs in again because the service at an origin refused `failed`, at most once over all processes: who comes late gets
   * the token that somebody else has just fetched. The token that is answered is another one than `failed`.
   * @throws SkillError `TOKEN_MISSING` when no new token can be had, with what to do as its hint; `TOKEN_ELSEWHERE`;
   * `CANCELLED`.
   */
  readonly renew: (origin: string, failed: string, wait: Renewal) => Promise<AccessToken>;
  /** The values of all tokens that are there now, so that they can be kept out of what is written down. Sent nowhere. */
  readonly held: () => Promise<readonly string[]>;
}

export const ACCESS_TOKENS = portToken<AccessTokens>("access-tokens");
