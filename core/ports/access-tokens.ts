import { portToken } from "../container/token.ts";

/** A login token, and where it was found. */
export interface AccessToken {
  /** Printable ASCII without spaces, at most 8 KiB. Goes into one request header and nowhere else. */
  readonly value: string;
  readonly source: "cache" | "environment";
}

/** Lent by the skill that owns the login. */
export interface AccessTokens {
  /**
   * The token to use now.
   * @throws SkillError `TOKEN_MISSING` when there is none.
   */
  readonly current: () => Promise<AccessToken>;
}

export const ACCESS_TOKENS = portToken<AccessTokens>("access-tokens");
