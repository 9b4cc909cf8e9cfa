import { setTimeout } from "node:timers/promises";
import { LOG, inject, injectable, token, type Log } from "skillctl";
import { LOGIN_FOLDER, type LoginFolder } from "../login-folder.ts";
import { objectOf } from "../token-text.ts";
import type { AsyncEntry } from "@napi-rs/keyring";

/** A key ring answers within this time, or it counts as none: some ask somebody who is not there. */
const LIMIT_MS = 2_000;
const SERVICE = "svc-login";

type Entry = Pick<AsyncEntry, "getPassword" | "setPassword" | "deletePassword">;
/** What is asked of the package `@napi-rs/keyring`; it is optional. */
export type LoadKeyring = () => Promise<{
  readonly AsyncEntry: new (...parameters: ConstructorParameters<typeof AsyncEntry>) => Entry;
}>;

/** Does something with an entry of the user's key ring. Fails when there is none, it is locked, or does not answer within 2 s. */
type KeyRing = <T>(account: string, action: (entry: Entry, signal: AbortSignal) => Promise<T>) => Promise<T>;

export const KEY_RING = token<KeyRing>("login-proxy/key-ring");

/**
 * Key chain, Credential Manager, or Secret Service. Not the kernel's key ring of Linux: that forgets with the next start
 * of the machine, or after three days, and a refresh token is first needed when the access token has run out.
 */
export function systemKeyRing(
  load: LoadKeyring = () => import("@napi-rs/keyring"),
  limitMs = LIMIT_MS,
): KeyRing {
  return async (account, action) => {
    const { AsyncEntry: Class } = await load();
    const entry = new Class(SERVICE, account, { linux: { store: "secret-service" } });
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

/** A refresh token, and who issued it to whom: it is never shown to anybody else. */
export interface KeptLogin {
  readonly issuer: string;
  readonly clientId: string;
  readonly refreshToken: string;
  /** Whose it is: a refresh may bring no id token. */
  readonly account?: string | undefined;
}

const NAME = "refresh.json";

export const REFRESH_STORE = token<RefreshStore>("login-proxy/refresh-store");

/**
 * Keeps the refresh token: in the key ring of the system where one works, else in `~/.svc-login/refresh.json`. That file
 * also remembers which of the two it was. No failure of a place gets out as an error: a login that cannot be kept is
 * still a login, so the person is told instead.
 */
@injectable()
export class RefreshStore {
  constructor(
    @inject(LOGIN_FOLDER) private readonly folder: LoginFolder,
    @inject(LOG) private readonly log: Log,
    @inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  async read(): Promise<KeptLogin | undefined> {
    const record = await this.#record();
    if (record["store"] !== "keyring") return keptLogin(record);
    const text = await this.#tried("The key ring cannot be read", () =>
      this.keyRing(this.#entry, (entry, signal) => entry.getPassword(signal)),
    );
    return keptLogin(objectOf(text ?? ""));
  }

  /** Replaces what is kept. */
  async save(login: KeptLogin): Promise<void> {
    const { store } = await this.#record();
    if (store === "keyring") {
      const inKeyRing = (): Promise<true> => this.#saveInKeyRing(login);
      if (await this.#tried("The key ring did not take the refresh token", inKeyRing)) return;
    } else if (store !== "file") {
      // Many machines have no key ring: nobody has to be told.
      if (await this.#saveInKeyRing(login).catch(() => false)) return;
    }
    const saved = await this.#tried("The refresh token cannot be kept", async () => {
      await this.folder.write(NAME, { store: "file", ...login });
      return true;
    });
    if (!saved) this.log.notice("The login is good now, but when it runs out somebody has to log in again.");
  }

  /** Forgets what is kept, in both places: a key ring may have taken what it was too slow to say that it took. */
  async erase(): Promise<void> {
    const erased = (): Promise<unknown> =>
      this.keyRing(this.#entry, (entry, signal) => entry.deletePassword(signal));
    if ((await this.#record())["store"] === "keyring")
      await this.#tried("The refresh token cannot be deleted from the key ring", erased);
    // Most often there is no key ring, or nothing of ours in it.
    else await erased().catch(() => undefined);
    await this.#tried("The refresh token cannot be deleted", () => this.folder.remove(NAME));
  }

  /** The name of the entry in the key ring. */
  get #entry(): string {
    return this.folder.file(NAME);
  }

  /** What a key ring takes and does not give back, as a locked one may do, is not kept there. */
  async #saveInKeyRing(login: KeptLogin): Promise<true> {
    const secret = JSON.stringify(login);
    const kept = await this.keyRing(this.#entry, async (entry, signal) => {
      await entry.setPassword(secret, signal);
      return entry.getPassword(signal);
    });
    if (kept !== secret) throw new Error("The key ring does not give back what it took.");
    await this.folder.write(NAME, { store: "keyring" });
    return true;
  }

  async #record(): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#tried("The refresh token cannot be read", () => this.folder.object(NAME))) ?? {};
  }

  /** Does it, or tells the person why not. */
  async #tried<T>(what: string, action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (caught) {
      this.log.notice(`${what}: ${caught instanceof Error ? caught.message : String(caught)}`);
      return undefined;
    }
  }
}

function keptLogin(value: Readonly<Record<string, unknown>> = {}): KeptLogin | undefined {
  const { issuer, clientId, refreshToken, account } = value;
  return typeof issuer === "string" && typeof clientId === "string" && typeof refreshToken === "string"
    ? { issuer, clientId, refreshToken, ...(typeof account === "string" && { account }) }
    : undefined;
}
