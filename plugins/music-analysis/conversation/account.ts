import { createHash } from "node:crypto";
import type { AccessToken } from "../../ports.ts";

/** Identifies the account of a conversation. Both values are hashes: no token or account number is stored. */
export interface Account {
  /** Identifies the current login. Known before the first answer. */
  readonly login: string;
  /** Identifies the account that the service names in its answers; remains the same after a new login. */
  readonly id?: string;
}

/**
 * Identifies a login at a service: the hash of the service, a dash, and the hash of the account's name, if the login
 * skill or the token states one (`sub` of a JWT, which is not verified: a wrong one only discards a conversation),
 * otherwise of the token itself.
 */
export function loginOf(origin: string, { value, account }: Pick<AccessToken, "value" | "account">): string {
  return `${hash(origin)}-${hash(account ?? subjectOf(value) ?? value)}`;
}

/** Whether it is a login at the embedded service, which has no quota. */
export function isEmbedded(login: string): boolean {
  return login.startsWith(`${hash("embedded")}-`);
}

/**
 * The account that an answer names: the segment before the date of `<prefix>:<prefix>:<account_id>:<yyyymmdd>`
 * (specification, Response body), hashed together with its service. Undefined for any other text.
 */
export function withSession(account: Account, sessionId: string): Account {
  const parts = sessionId.split(":");
  const date = parts.pop() ?? "";
  if (parts.length < 2 || !/^\d{8}$/.test(date) || parts.at(-1) === "") return account;
  const [service = ""] = account.login.split("-");
  return { ...account, id: hash(`${service}\n${parts.join(":")}`) };
}

/** Whether both identify the same account: by the service's name for it if both have one, otherwise by login. */
export function isSameAccount(one: Account, other: Account): boolean {
  const named = one.id !== undefined && other.id !== undefined;
  return named ? one.id === other.id : one.login === other.login;
}

/** 64 bits, enough to distinguish the accounts of one machine. */
function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function subjectOf(token: string): string | undefined {
  const payload = token.split(".")[1];
  if (payload === undefined) return undefined;
  try {
    const { sub } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as {
      readonly sub?: unknown;
    };
    return (typeof sub === "string" && sub !== "") || typeof sub === "number" ? `sub:${sub}` : undefined;
  } catch {
    // Not a JWT: the token itself identifies the login.
    return undefined;
  }
}

/** Runs an action of the store, and reports its failure to `say`: an error would lose a counted answer. */
export async function tried<T>(
  action: () => Promise<T>,
  say: (reason: string) => void,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (caught) {
    say(caught instanceof Error ? caught.message : String(caught));
    return undefined;
  }
}
