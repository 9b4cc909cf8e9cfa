import { maskedAccount } from "./oauth/account-mask.ts";
import { claimsOf, expiryOf } from "./token-text.ts";

const A_DAY_MS = 86_400_000;

/** Until when a token says that it is good, as ISO 8601. */
export function untilOf(token: string): string | undefined {
  const expiry = expiryOf(token);
  return expiry === undefined ? undefined : new Date(expiry).toISOString();
}

/** Whole days that a token has left by what it says; negative once it has run out. */
export function daysLeftOf(token: string, now: number): number | undefined {
  const expiry = expiryOf(token);
  return expiry === undefined ? undefined : Math.floor((expiry - now) / A_DAY_MS);
}

/** Whose token it is, masked: what the cache file says, else what the token claims. */
export function ownerOf(token: string, account?: string): string | undefined {
  return maskedAccount(account === undefined ? claimsOf(token) : { name: account });
}
