import { setTimeout } from "node:timers/promises";
import type { AsyncEntry } from "@napi-rs/keyring";

/** Time limit for a key ring, since some wait for a person. */
const LIMIT_MS = 2_000;

type Entry = Pick<AsyncEntry, "getPassword" | "setPassword" | "deletePassword">;
/** The part of the optional package `@napi-rs/keyring` that is used. */
export type KeyringLoader = () => Promise<{
  readonly AsyncEntry: new (...parameters: ConstructorParameters<typeof AsyncEntry>) => Entry;
}>;

/** Runs an action on an entry of the user's key ring. Fails if the key ring is missing, locked, or slower than 2 s. */
export type KeyRing = <T>(
  account: string,
  action: (entry: Entry, signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/**
 * Keychain, Credential Manager, or Secret Service. Not the kernel key ring of Linux, which loses its entries on reboot or
 * after three days, while a secret may be needed later.
 */
export function systemKeyRing(
  service: string,
  load: KeyringLoader = () => import("@napi-rs/keyring"),
  limitMs = LIMIT_MS,
): KeyRing {
  return async (account, action) => {
    const { AsyncEntry: Class } = await load();
    const entry = new Class(service, account, { linux: { store: "secret-service" } });
    const over = new AbortController();
    const late = setTimeout(limitMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`The key ring did not answer within ${limitMs / 1000} s.`);
    });
    try {
      return await Promise.race([action(entry, over.signal), late]);
    } finally {
      over.abort();
    }
  };
}

/** Stores a text and reads it back, because a locked key ring may accept an entry and not return it. */
export async function storeIn(keyRing: KeyRing, account: string, text: string): Promise<void> {
  const kept = await keyRing(account, async (entry, signal) => {
    await entry.setPassword(text, signal);
    return entry.getPassword(signal);
  });
  if (kept !== text) throw new Error("The key ring does not return the stored entry.");
}

/** The entry of a secret setting in the service `skillctl`. */
export function secretAccount(skill: string, setting: string): string {
  return `${skill}/${setting}`;
}

/** Reads secret settings. */
export function secretReader(keyRing: KeyRing = settingsKeyRing()) {
  return async (skill: string, setting: string): Promise<string | undefined> =>
    (await keyRing(secretAccount(skill, setting), (entry, signal) => entry.getPassword(signal))) ?? undefined;
}

export function settingsKeyRing(): KeyRing {
  return systemKeyRing("skillctl");
}
