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
import { LOGIN_FOLDER, tolerated, type LoginFolder } from "../login-folder.ts";
import type { LoginWait } from "../../ports.ts";

/** The client to which the code was issued; no other client can use it. */
export interface CodeOwner {
  /** The issuer in the server's metadata. */
  readonly issuer: URL;
  readonly clientId: string;
}

/** A device code for a person to confirm (RFC 8628 3.2). */
export interface DeviceCode {
  /** Secret: sent to the login server only. */
  readonly device_code: string;
  /** Printable ASCII, at most 64 characters. */
  readonly user_code: string;
  /** The address at which the code is entered. */
  readonly verification_uri: string;
  /** The address with the code included, if the server provides it. */
  readonly verification_uri_complete?: string | undefined;
  /** Seconds between polls. */
  readonly interval: number;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A device code that several processes use, and the time of the next allowed poll (milliseconds since the epoch). */
export interface StoredCode {
  readonly code: DeviceCode;
  readonly askedNextAt: number;
}

/** RFC 8628 3.2: "If no value is provided, clients MUST use 5 as the default." */
const DEFAULT_INTERVAL_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 3_600;
const A_DAY_MS = 86_400_000;
const NAME = "device.json";
/** A failure only costs a new code. */
const UNUSED = "The pending login is not used";

export const PENDING_LOGIN = token<PendingLogin>("login-proxy/pending-login");

/**
 * A login that waits for confirmation without a process: `~/.svc-login/device.json`. The next process continues with the
 * same code until it expires.
 */
@injectable()
export class PendingLogin {
  constructor(
    @inject(LOGIN_FOLDER) private readonly folder: LoginFolder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** The pending code of this client; `undefined` if it does not exist or has expired. */
  async read({ issuer, clientId }: CodeOwner): Promise<StoredCode | undefined> {
    const kept = (await tolerated(this.log, UNUSED, () => this.folder.object(NAME))) ?? {};
    if (kept["issuer"] !== issuer.href || kept["clientId"] !== clientId) return undefined;
    const code = usable(kept["code"] ?? {});
    if (code === undefined || code.expiresAt <= this.clock.now()) return undefined;
    const { askedNextAt } = kept;
    return { code, askedNextAt: typeof askedNextAt === "number" ? askedNextAt : 0 };
  }

  /** Keeps a code that was just issued or polled. @throws SkillError `FILE_UNWRITABLE` */
  async keep({ issuer, clientId }: CodeOwner, code: DeviceCode): Promise<void> {
    const askedNextAt = this.clock.now() + code.interval * 1000;
    await this.folder.write(NAME, { issuer: issuer.href, clientId, code, askedNextAt });
  }

  /** Milliseconds until the next allowed poll, or 0. Ignores a clock that was set back. */
  earlyMs({ code, askedNextAt }: StoredCode): number {
    const left = askedNextAt - this.clock.now();
    return left > 0 && left <= code.interval * 1000 ? left : 0;
  }

  async forget(): Promise<void> {
    await tolerated(this.log, UNUSED, () => this.folder.remove(NAME));
  }
}

/** The device code in a response; undefined if it is unsuitable for display or use. */
export function deviceCodeOf(answer: DeviceAuthorizationResponse, now: number): DeviceCode | undefined {
  const { interval = DEFAULT_INTERVAL_SECONDS } = answer;
  return usable({ ...answer, interval, expiresAt: now + Math.min(answer.expires_in * 1000, A_DAY_MS) });
}

/** Validates a code from a response or a file. Addresses become ASCII, so that they contain no terminal sequences. */
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

/** The light border that a QR code needs, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** Colours of the light blocks: white, whatever the terminal's colours are. */
const WHITE_ON_BLACK = "\u001B[38;5;231;48;5;16m";
const RESET = "\u001B[0m";

export const LOGIN_NOTICE = token<LoginNotice>("login-proxy/login-notice");

/** Shows a person, directly or through a program, where to confirm a login. The code is always shown as text too. */
@injectable()
export class LoginNotice {
  constructor(
    @inject(LOG) private readonly log: Log,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** For a person at the terminal. */
  async show(code: DeviceCode, { columns, qrFile }: LoginWait): Promise<void> {
    const { user_code: userCode, verification_uri: verificationUri } = code;
    const minutes = Math.max(1, Math.round((code.expiresAt - this.clock.now()) / 60_000));
    const span = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
    // With the QR code these lines fit on a terminal of 24 lines.
    const lines = [
      `To log in, open this address on any device and confirm the code ${userCode}:`,
      `  ${addressOf(code)}`,
      `It is valid for ${span}, until ${endOf(code)}, and can also be typed in at ${verificationUri}`,
    ];
    // The QR code needs its colours; with NO_COLOR only the address is shown.
    if (columns !== undefined && this.environment.variable("NO_COLOR") === undefined)
      lines.push(...(await qrLines(addressOf(code), columns)));
    for (const line of lines) this.log.notice(line);
    await this.#picture(code, qrFile);
  }

  /**
   * For an agent host: one line of JSON after the word LOGIN_REQUIRED, and an error with the same information as a sentence
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
      { hint: "Confirm the code there, then run the same command again: it continues with this code." },
    );
  }

  async #picture(code: DeviceCode, qrFile: string | undefined): Promise<void> {
    if (qrFile === undefined) return;
    const { renderSVG } = await import("uqr");
    // Only the picture is missing then: the address was shown.
    await tolerated(this.log, "The QR code could not be written", () =>
      this.files.replace(qrFile, renderSVG(addressOf(code), { border: QUIET_ZONE })),
    );
  }
}

/** The lines of a QR code in half blocks; empty if the terminal is too narrow. */
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
