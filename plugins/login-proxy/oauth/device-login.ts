import { CLOCK, LOG, SkillError, inject, injectable, token, type Clock, type Log } from "skillctl";
import type { FreshToken, LoginProgram, LoginWait, TokenVerdict } from "../../ports.ts";
import { pause } from "../login-folder.ts";
import { tokenOf } from "../token-text.ts";
import {
  LOGIN_NOTICE,
  PENDING_LOGIN,
  type LoginNotice,
  type StoredCode,
  type PendingLogin,
} from "./pending-login.ts";
import { LOGIN_SERVER, SLOW_DOWN_SECONDS, type Grant, type LoginServer } from "./login-server.ts";
import { REFRESH_STORE, type StoredLogin, type RefreshStore } from "./refresh-store.ts";

export const DEVICE_LOGIN = token<DeviceLogin>("device-login");

/** Minimum remaining validity of a code that is shown again, so that a person has time to confirm it. */
const LEAST_LEFT_MS = 30_000;

/** The built-in login program: OAuth 2.0 device authorisation (RFC 8628), with refresh (docs/login.md, Device login). */
@injectable()
export class DeviceLogin implements LoginProgram {
  constructor(
    @inject(LOGIN_SERVER) private readonly server: LoginServer,
    @inject(REFRESH_STORE) private readonly store: RefreshStore,
    @inject(PENDING_LOGIN) private readonly pending: PendingLogin,
    @inject(LOGIN_NOTICE) private readonly notice: LoginNotice,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** Whether a login server or a client is configured. Invalid values throw `CONFIG_INVALID` on access. */
  get configured(): boolean {
    return this.server.configured;
  }

  /** @throws SkillError `CONFIG_INVALID` if the configuration is invalid; called before a login is announced. */
  assertUsable(): void {
    void this.server.client;
  }

  get label(): string {
    const { origin } = this.server;
    return origin === undefined ? "device login" : `device login (${origin})`;
  }

  /** Uses the refresh token, otherwise a device code that has since been confirmed. */
  readonly quiet: LoginProgram["quiet"] = async (wait) => {
    const refreshed = await this.#refreshed(wait.signal);
    if (refreshed) return refreshed;
    const kept = await this.pending.read(this.server.client);
    if (!kept || this.pending.earlyMs(kept) > 0) return undefined;
    return this.#collected(kept, wait.signal).catch((caught: unknown) => {
      if (isOver(caught)) return undefined;
      throw caught;
    });
  };

  readonly interactive: LoginProgram["interactive"] = async (wait) => {
    const kept = await this.pending.read(this.server.client);
    return wait.interactive ? this.#attended(kept, wait) : this.#unattended(kept, wait);
  };

  /** Asks only the server of the current login, so that the token is not shown to another configured one. */
  readonly verify: LoginProgram["verify"] = async (text, signal): Promise<TokenVerdict | undefined> => {
    if (!(await this.#kept())) return undefined;
    const value = tokenOf(text);
    if (value === undefined) return { state: "invalid" };
    try {
      return await (await this.server.connect(signal)).userInfo(value);
    } catch (caught) {
      if (!(caught instanceof SkillError) || !caught.code.startsWith("NETWORK_")) throw caught;
      return { state: "unreachable", reason: caught.message };
    }
  };

  /** Revokes the refresh token if the server supports that, and deletes all stored data. */
  readonly forget: LoginProgram["forget"] = async (signal) => {
    try {
      const kept = await this.#kept();
      if (kept) await this.#revoke(kept, signal);
    } finally {
      await this.store.erase();
      await this.pending.forget();
    }
  };

  /** Shows a code and waits for its confirmation. A code that an agent host has shown remains valid. */
  async #attended(kept: StoredCode | undefined, wait: LoginWait): Promise<FreshToken> {
    const server = await this.server.connect(wait.signal);
    const usable = kept && kept.code.expiresAt - this.clock.now() > LEAST_LEFT_MS;
    const code = usable ? kept.code : await server.authorize();
    await this.notice.show(code, wait);
    wait.progress("Waiting for the code to be confirmed.");
    try {
      return await this.#taken(await server.confirmed(code));
    } catch (caught) {
      // An unanswered code stays valid for the next process.
      if (isOver(caught)) await this.pending.forget();
      throw caught;
    }
  }

  /** Polls once for a code that was shown before; without one, says where to confirm a new one. */
  async #unattended(kept: StoredCode | undefined, wait: LoginWait): Promise<FreshToken> {
    if (kept) {
      // Waits for the rest of the interval, so that a person who has just confirmed need not run the command again.
      const earlyMs = this.pending.earlyMs(kept);
      if (earlyMs > 0) await pause(earlyMs, wait.signal);
      try {
        const fresh = await this.#collected(kept, wait.signal);
        if (fresh) return fresh;
        throw await this.notice.required(kept.code, wait);
      } catch (caught) {
        // An expired code is replaced by a new one.
        if (!isOver(caught) || caught.code === "LOGIN_REFUSED") throw caught;
      }
    }
    const server = await this.server.connect(wait.signal);
    const code = await server.authorize();
    await this.pending.keep(this.server.client, code);
    throw await this.notice.required(code, wait);
  }

  /** Polls once for a code. @throws SkillError `LOGIN_REFUSED`, `LOGIN_EXPIRED` if it can no longer be used. */
  async #collected(kept: StoredCode, signal: AbortSignal): Promise<FreshToken | undefined> {
    const server = await this.server.connect(signal);
    try {
      const answer = await server.poll(kept.code);
      if (typeof answer === "object") return await this.#taken(answer);
      const more = answer === "slower" ? SLOW_DOWN_SECONDS : 0;
      const { code } = kept;
      await this.pending.keep(this.server.client, { ...code, interval: code.interval + more });
      return undefined;
    } catch (caught) {
      if (isOver(caught)) await this.pending.forget();
      throw caught;
    }
  }

  /**
   * If the server refuses the refresh token, another process may have replaced it meanwhile: it is read once more, and
   * removed only if it is still the one that failed.
   */
  async #refreshed(signal: AbortSignal): Promise<FreshToken | undefined> {
    let refused: string | undefined;
    for (let attempts = 0; attempts < 2; attempts += 1) {
      const kept = await this.#kept();
      if (!kept || kept.refreshToken === refused) break;
      const grant = await (await this.server.connect(signal)).refresh(kept.refreshToken);
      if (grant)
        return this.#taken({
          ...grant,
          refreshToken: grant.refreshToken ?? kept.refreshToken,
          account: grant.account ?? kept.account,
        });
      refused = kept.refreshToken;
    }
    if (refused !== undefined && (await this.#kept())?.refreshToken === refused) await this.store.erase();
    return undefined;
  }

  /** Keeps the new refresh token first: if it were lost, the next process could not renew the login. */
  async #taken(grant: Grant): Promise<FreshToken> {
    const { issuer, clientId } = this.server.client;
    const { expiresAt, account } = grant;
    if (grant.refreshToken !== undefined)
      await this.store.save({ issuer: issuer.href, clientId, refreshToken: grant.refreshToken, account });
    // The stored token belongs to the previous login, perhaps of another account.
    else await this.store.erase();
    await this.pending.forget();
    const value = tokenOf(grant.accessToken);
    if (value !== undefined) return { value, expiresAt, account };
    throw new SkillError(
      "NETWORK_BROKEN",
      `${issuer.origin} issued a token that cannot be sent in a header.`,
    );
  }

  /** The stored login, only for the server that issued it. */
  async #kept(): Promise<StoredLogin | undefined> {
    const { issuer, clientId } = this.server.client;
    const kept = await this.store.read();
    return kept?.issuer === issuer.href && kept.clientId === clientId ? kept : undefined;
  }

  async #revoke({ refreshToken }: StoredLogin, signal: AbortSignal): Promise<void> {
    const { origin } = this.server.client.issuer;
    try {
      const server = await this.server.connect(signal);
      const revoked = await server.revoke(refreshToken);
      this.log.notice(
        revoked ? `${origin} has ended the login.` : `${origin} cannot revoke a login; it expires by itself.`,
      );
    } catch (caught) {
      if (!(caught instanceof SkillError) || caught.code === "CANCELLED") throw caught;
      this.log.notice(`The login was removed here, but not ended on the server: ${caught.message}`);
    }
  }
}

/** Whether a code was refused or has expired. */
function isOver(caught: unknown): caught is SkillError {
  return caught instanceof SkillError && ["LOGIN_REFUSED", "LOGIN_EXPIRED"].includes(caught.code);
}
