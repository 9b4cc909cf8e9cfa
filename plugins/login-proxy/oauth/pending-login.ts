import { CLOCK, LOG, SkillError, inject, injectable, token, type Clock, type Log } from "skillctl";
import { LOGIN_FOLDER, type LoginFolder } from "../login-folder.ts";
import { shownCode, type DeviceCode } from "./device-code.ts";
import type { OAuthClient } from "./settings.ts";

/** A device code that is kept over several processes, and when it may be asked about again (milliseconds since the epoch). */
export interface KeptCode {
  readonly code: DeviceCode;
  readonly askedNextAt: number;
}

const NAME = "device.json";

export const PENDING_LOGIN = token<PendingLogin>("login-proxy/pending-login");

/**
 * A login that somebody is to confirm while no process waits for it: `~/.svc-login/device.json`. The next process goes
 * on with the same code until it expires.
 */
@injectable()
export class PendingLogin {
  constructor(
    @inject(LOGIN_FOLDER) private readonly folder: LoginFolder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** The code that this client is waiting for; `undefined` when there is none or it has expired. */
  async read({ issuer, clientId }: OAuthClient): Promise<KeptCode | undefined> {
    const kept = (await this.#tried(() => this.folder.object(NAME))) ?? {};
    if (kept["issuer"] !== issuer.href || kept["clientId"] !== clientId) return undefined;
    const code = shownCode(kept["code"] ?? {});
    if (code === undefined || code.expiresAt <= this.clock.now()) return undefined;
    const { askedNextAt } = kept;
    return { code, askedNextAt: typeof askedNextAt === "number" ? askedNextAt : 0 };
  }

  /** Keeps a code that has just been issued or asked about. @throws SkillError `FILE_UNWRITABLE` */
  async keep({ issuer, clientId }: OAuthClient, code: DeviceCode): Promise<void> {
    const askedNextAt = this.clock.now() + code.intervalSeconds * 1000;
    await this.folder.write(NAME, { issuer: issuer.href, clientId, code, askedNextAt });
  }

  /** Milliseconds until a code may be asked about again; 0 when it may. A clock that was set back does not count. */
  earlyMs({ code, askedNextAt }: KeptCode): number {
    const left = askedNextAt - this.clock.now();
    return left > 0 && left <= code.intervalSeconds * 1000 ? left : 0;
  }

  async forget(): Promise<void> {
    await this.#tried(() => this.folder.remove(NAME));
  }

  /** A code that was used is of no use, so a file that cannot be read or removed only costs a new code. */
  async #tried<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      this.log.notice(`The pending login is left alone: ${caught.message}`);
      return undefined;
    }
  }
}
