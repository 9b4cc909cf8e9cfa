import {
  CLOCK,
  ENVIRONMENT,
  FILES,
  LOG,
  SkillError,
  inject,
  injectable,
  token,
  type Clock,
  type Environment,
  type Files,
  type Log,
} from "skillctl";
import type { DeviceAuthorizationResponse } from "openid-client";
import { isSafeAddress } from "../token-text.ts";
import { LOGIN_FOLDER, type LoginFolder } from "../login-folder.ts";
import type { OAuthClient } from "./settings.ts";
import type { LoginWait } from "../../ports.ts";

/** A login that a person is to confirm somewhere else (RFC 8628 3.2), as it can be shown and kept. */
export interface DeviceCode {
  /** A secret: goes to the login server and nowhere else. */
  readonly device_code: string;
  /** Printable ASCII, at most 64 characters. */
  readonly user_code: string;
  /** Where the code is typed in. */
  readonly verification_uri: string;
  /** The same with the code in it, where the server offers that. */
  readonly verification_uri_complete?: string | undefined;
  /** Seconds between two questions. */
  readonly interval: number;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A device code that is kept over several processes, and when it may be asked about again (milliseconds since the epoch). */
export interface KeptCode {
  readonly code: DeviceCode;
  readonly askedNextAt: number;
}

/** RFC 8628 3.2: "If no value is provided, clients MUST use 5 as the default." */
const DEFAULT_INTERVAL_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 3_600;
const A_DAY_MS = 86_400_000;
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
    const code = usable(kept["code"] ?? {});
    if (code === undefined || code.expiresAt <= this.clock.now()) return undefined;
    const { askedNextAt } = kept;
    return { code, askedNextAt: typeof askedNextAt === "number" ? askedNextAt : 0 };
  }

  /** Keeps a code that has just been issued or asked about. @throws SkillError `FILE_UNWRITABLE` */
  async keep({ issuer, clientId }: OAuthClient, code: DeviceCode): Promise<void> {
    const askedNextAt = this.clock.now() + code.interval * 1000;
    await this.folder.write(NAME, { issuer: issuer.href, clientId, code, askedNextAt });
  }

  /** Milliseconds until a code may be asked about again; 0 when it may. A clock that was set back does not count. */
  earlyMs({ code, askedNextAt }: KeptCode): number {
    const left = askedNextAt - this.clock.now();
    return left > 0 && left <= code.interval * 1000 ? left : 0;
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

/** What a login server answers as a code; undefined when it cannot be shown or used. */
export function deviceCodeOf(answer: DeviceAuthorizationResponse, now: number): DeviceCode | undefined {
  const { interval = DEFAULT_INTERVAL_SECONDS } = answer;
  return usable({ ...answer, interval, expiresAt: now + Math.min(answer.expires_in * 1000, A_DAY_MS) });
}

/** Unchecked parts of a code, of an answer or a file. Addresses come out in ASCII, so that no terminal obeys them. */
function usable(parts: Readonly<Partial<Record<keyof DeviceCode, unknown>>>): DeviceCode | undefined {
  const { device_code, user_code, interval, expiresAt } = parts;
  const verification_uri = shownAddress(parts.verification_uri);
  if (typeof device_code !== "string" || device_code === "" || verification_uri === undefined)
    return undefined;
  if (typeof user_code !== "string" || !/^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/.test(user_code))
    return undefined;
  if (typeof interval !== "number" || !(interval > 0)) return undefined;
  if (typeof expiresAt !== "number" || !Number.isFinite(expiresAt)) return undefined;
  return {
    device_code,
    user_code,
    verification_uri,
    verification_uri_complete: shownAddress(parts.verification_uri_complete),
    interval: Math.min(interval, LONGEST_INTERVAL_SECONDS),
    expiresAt,
  };
}

function shownAddress(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  return isSafeAddress(url) && url.href.length <= 2_000 ? url.href : undefined;
}

/** The light edge that a QR code needs around it, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** The light blocks white, whatever the colours of the terminal. */
const WHITE_ON_BLACK = "\u001B[38;5;231;48;5;16m";
const RESET = "\u001B[0m";

export const LOGIN_NOTICE = token<LoginNotice>("login-proxy/login-notice");

/** Shows a person, or the program in front of one, where to confirm a login. The code is always shown as text too. */
@injectable()
export class LoginNotice {
  constructor(
    @inject(LOG) private readonly log: Log,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** For somebody who sits there. */
  async show(code: DeviceCode, { columns, qrFile }: LoginWait): Promise<void> {
    const { user_code: userCode, verification_uri: verificationUri } = code;
    const minutes = Math.max(1, Math.round((code.expiresAt - this.clock.now()) / 60_000));
    const span = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
    // With the QR code below it fits on a terminal of 24 lines.
    const lines = [
      `To log in, open this address on any device and confirm the code ${userCode}:`,
      `  ${addressOf(code)}`,
      `It is good for ${span}, until ${endOf(code)}, and can also be typed in at ${verificationUri}`,
    ];
    // The QR code needs its colours; who wants none gets the address alone.
    if (columns !== undefined && this.environment.variable("NO_COLOR") === undefined)
      lines.push(...(await qrLines(addressOf(code), columns)));
    for (const line of lines) this.log.notice(line);
    await this.#picture(code, qrFile);
  }

  /**
   * For an agent host: one line of JSON after the word LOGIN_REQUIRED, and an error that says the same in a sentence
   * (docs/login.md, Without a terminal).
   */
  async required(code: DeviceCode, { qrFile }: LoginWait): Promise<SkillError> {
    await this.#picture(code, qrFile);
    const url = addressOf(code);
    const { user_code: userCode, verification_uri: verificationUri } = code;
    const line = { url, code: userCode, verificationUri, expiresAt: endOf(code) };
    this.log.notice(`LOGIN_REQUIRED ${JSON.stringify(line)}`);
    return new SkillError(
      "LOGIN_REQUIRED",
      `Log in at ${url} with the code ${userCode} until ${endOf(code)}.`,
      { hint: "Confirm the code there, then run the same command again: it goes on with this code." },
    );
  }

  async #picture(code: DeviceCode, qrFile: string | undefined): Promise<void> {
    if (qrFile === undefined) return;
    const { renderSVG } = await import("uqr");
    try {
      await this.files.replace(qrFile, renderSVG(addressOf(code), { border: QUIET_ZONE }));
    } catch (caught) {
      // Only the picture is missing: the address has been shown.
      if (!(caught instanceof SkillError)) throw caught;
      this.log.notice(`There is no QR code: ${caught.message}`);
    }
  }
}

/** A text as a QR code of half blocks, a line an element; none when the terminal is too narrow for it. */
async function qrLines(text: string, columns: number): Promise<readonly string[]> {
  const { renderUnicodeCompact } = await import("uqr");
  const lines = renderUnicodeCompact(text, { border: QUIET_ZONE }).split("\n");
  return (lines[0]?.length ?? 0) > columns ? [] : lines.map((line) => WHITE_ON_BLACK + line + RESET);
}

function addressOf(code: DeviceCode): string {
  return code.verification_uri_complete ?? code.verification_uri;
}

function endOf({ expiresAt }: DeviceCode): string {
  return new Date(expiresAt).toISOString().replace(/\.\d+Z$/, "Z");
}
