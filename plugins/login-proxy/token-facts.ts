import { maskedAccount } from "./oauth/account-mask.ts";
import { sentence } from "./texts.ts";
import { claimsOf, expiryOf } from "./token-text.ts";

const A_DAY_MS = 86_400_000;

/** Until when a token is good, in milliseconds since the epoch: what it says, else what the login said of it. */
export function endOf(token: string, said?: number): number | undefined {
  return expiryOf(token) ?? said;
}

/** The same as ISO 8601. */
export function untilOf(token: string, said?: number): string | undefined {
  const expiry = endOf(token, said);
  return expiry === undefined ? undefined : new Date(expiry).toISOString();
}

/** Whole days that are left until then; negative once it has run out. */
export function daysLeftOf(token: string, now: number, said?: number): number | undefined {
  const expiry = endOf(token, said);
  return expiry === undefined ? undefined : Math.floor((expiry - now) / A_DAY_MS);
}

/** Whose token it is, masked: what the cache file says, else what the token claims. */
export function ownerOf(token: string, account?: string): string | undefined {
  return maskedAccount(account === undefined ? claimsOf(token) : { name: account });
}

/** Says that a token has run out; undefined while it lasts, or says nothing. */
export function ranOut(token: string, now: number, said?: number): string | undefined {
  const end = endOf(token, said);
  return end === undefined || end > now
    ? undefined
    : sentence("ran-out", { TIME: new Date(end).toISOString() });
}
