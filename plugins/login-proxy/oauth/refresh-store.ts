import { LOG, inject, injectable, token, type Log } from "skillctl";
import { LOGIN_FOLDER, type LoginFolder } from "../login-folder.ts";
import { objectOf } from "../token-text.ts";
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
    const text = await this.#tried("The key ring cannot be read", () => this.keyRing.read(this.#entry));
    return keptLogin(objectOf(text ?? ""));
  }

  /** Replaces what is kept. */
  async save(login: KeptLogin): Promise<void> {
    const store = (await this.#record())["store"];
    const probe = `${this.#entry} probe`;
    const inKeyRing = store !== "file" && (store === "keyring" || (await this.keyRing.works(probe)));
    if (inKeyRing && (await this.#saveInKeyRing(login))) return;
    const saved = await this.#tried("The refresh token cannot be kept", async () => {
      await this.folder.write(NAME, { store: "file", ...login });
      return true;
    });
    if (!saved) this.log.notice("The login is good now, but when it runs out somebody has to log in again.");
  }

  /** Forgets what is kept, in both places: a key ring may have taken what it was too slow to say that it took. */
  async erase(): Promise<void> {
    const erased = (): Promise<void> => this.keyRing.erase(this.#entry);
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

  async #saveInKeyRing(login: KeptLogin): Promise<boolean> {
    const saved = await this.#tried("The key ring did not take the refresh token", async () => {
      await this.keyRing.write(this.#entry, JSON.stringify(login));
      await this.folder.write(NAME, { store: "keyring" });
      return true;
    });
    return saved === true;
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
