import { token } from "skillctl";
import type { AsyncEntry } from "@napi-rs/keyring";

/** A key ring answers within this time, or it counts as none: some ask somebody who is not there. */
const LIMIT_MS = 2_000;
const SERVICE = "svc-login";

/**
 * The key ring of the user's system. Reading, writing and erasing fail when there is none, when it is locked, or when it does
 * not answer within 2 s.
 */
export interface KeyRing {
  readonly read: (account: string) => Promise<string | undefined>;
  readonly write: (account: string, secret: string) => Promise<void>;
  readonly erase: (account: string) => Promise<void>;
  /** Writes, reads and deletes an entry, all within 2 s: false where there is no key ring, or one that is locked. */
  readonly works: (account: string) => Promise<boolean>;
}

export const KEY_RING = token<KeyRing>("login-proxy/key-ring");

/** What is asked of the package `@napi-rs/keyring`; it is optional. */
export type LoadKeyring = () => Promise<{ readonly AsyncEntry: EntryClass }>;
type EntryClass = new (...parameters: ConstructorParameters<typeof AsyncEntry>) => Entry;
type Entry = Pick<AsyncEntry, "getPassword" | "setPassword" | "deletePassword">;

/**
 * Key chain, Credential Manager, or Secret Service. Not the kernel's key ring of Linux: that forgets with the next start
 * of the machine, or after three days, and a refresh token is first needed when the access token has run out.
 */
export function systemKeyRing(
  load: LoadKeyring = () => import("@napi-rs/keyring"),
  limitMs = LIMIT_MS,
): KeyRing {
  const limited = <T>(action: (signal: AbortSignal) => Promise<T>): Promise<T> => inTime(action, limitMs);
  const entry = async (account: string): Promise<Entry> => {
    const { AsyncEntry: Class } = await load();
    return new Class(SERVICE, account, { linux: { store: "secret-service" } });
  };
  return {
    read: (account) =>
      limited(async (signal) => (await (await entry(account)).getPassword(signal)) ?? undefined),
    write: (account, secret) => limited(async (signal) => (await entry(account)).setPassword(secret, signal)),
    erase: (account) =>
      limited(async (signal) => {
        await (await entry(account)).deletePassword(signal);
      }),
    works: (account) =>
      limited(async (signal) => {
        const [probe, secret] = [await entry(account), crypto.randomUUID()];
        await probe.setPassword(secret, signal);
        const same = (await probe.getPassword(signal)) === secret;
        return (await probe.deletePassword(signal)) && same;
      }).catch(() => false),
  };
}

async function inTime<T>(action: (signal: AbortSignal) => Promise<T>, limitMs: number): Promise<T> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(new Error(`The key ring did not answer within ${limitMs / 1000} s.`));
    }, limitMs);
  });
  try {
    return await Promise.race([action(late.signal), limit]);
  } finally {
    clearTimeout(timer);
  }
}
