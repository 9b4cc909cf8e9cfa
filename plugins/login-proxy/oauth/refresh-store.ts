import { LOG, inject, injectable, storeIn, token, type KeyRing, type Log } from "skillctl";
import { LOGIN_FOLDER, tolerated, type LoginFolder } from "../login-folder.ts";
import { objectOf } from "../token-text.ts";

export const KEY_RING = token<KeyRing>("login-proxy/key-ring");

/** A refresh token with its issuer and client; it is sent to no other server. */
export interface StoredLogin {
  readonly issuer: string;
  readonly clientId: string;
  readonly refreshToken: string;
  /** The account, since a refresh may return no id token. */
  readonly account?: string | undefined;
}

const NAME = "refresh.json";

export const REFRESH_STORE = token<RefreshStore>("login-proxy/refresh-store");

/**
 * Keeps the refresh token in the system's key ring if that works, else in `~/.svc-login/refresh.json`, which also records
 * the place. Failures are reported to the person and not thrown, since a login that cannot be kept is still valid.
 */
@injectable()
export class RefreshStore {
  constructor(
    @inject(LOGIN_FOLDER) private readonly folder: LoginFolder,
    @inject(LOG) private readonly log: Log,
    @inject(KEY_RING) private readonly keyRing: KeyRing,
  ) {}

  async read(): Promise<StoredLogin | undefined> {
    const record = await this.#record();
    if (record["store"] !== "keyring") return storedLogin(record);
    const text = await tolerated(this.log, "The key ring cannot be read", () =>
      this.keyRing(this.#entry, (entry, signal) => entry.getPassword(signal)),
    );
    return storedLogin(objectOf(text ?? ""));
  }

  /** Replaces the stored login. */
  async save(login: StoredLogin): Promise<void> {
    const { store } = await this.#record();
    if (store === "keyring") {
      const inKeyRing = (): Promise<true> => this.#saveInKeyRing(login);
      if (await tolerated(this.log, "The key ring did not accept the refresh token", inKeyRing)) return;
    } else if (store !== "file") {
      // Not reported, since many machines have no key ring.
      if (await this.#saveInKeyRing(login).catch(() => false)) return;
    }
    const saved = await tolerated(this.log, "The refresh token cannot be kept", async () => {
      await this.folder.write(NAME, { store: "file", ...login });
      return true;
    });
    if (!saved) this.log.notice("The login is valid, but when it expires a person must log in again.");
  }

  /** Removes the login from both places: a key ring may have stored it after its time limit. */
  async erase(): Promise<void> {
    const erased = (): Promise<unknown> =>
      this.keyRing(this.#entry, (entry, signal) => entry.deletePassword(signal));
    if ((await this.#record())["store"] === "keyring")
      await tolerated(this.log, "The refresh token cannot be deleted from the key ring", erased);
    // Usually there is no key ring, or no entry in it.
    else await erased().catch(() => undefined);
    await tolerated(this.log, "The refresh token cannot be deleted", () => this.folder.remove(NAME));
  }

  /** The name of the key ring entry. */
  get #entry(): string {
    return this.folder.file(NAME);
  }

  async #saveInKeyRing(login: StoredLogin): Promise<true> {
    await storeIn(this.keyRing, this.#entry, JSON.stringify(login));
    await this.folder.write(NAME, { store: "keyring" });
    return true;
  }

  async #record(): Promise<Readonly<Record<string, unknown>>> {
    return (
      (await tolerated(this.log, "The refresh token cannot be read", () => this.folder.object(NAME))) ?? {}
    );
  }
}

function storedLogin(value: Readonly<Record<string, unknown>> = {}): StoredLogin | undefined {
  const { issuer, clientId, refreshToken, account } = value;
  return typeof issuer === "string" && typeof clientId === "string" && typeof refreshToken === "string"
    ? { issuer, clientId, refreshToken, ...(typeof account === "string" && { account }) }
    : undefined;
}
