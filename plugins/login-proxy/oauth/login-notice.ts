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
import type { LoginWait } from "../../ports.ts";
import type { DeviceCode } from "./pending-login.ts";

/** The light edge that a QR code needs around it, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** Black on white, whatever the colours of the terminal. */
const DARK_ON_LIGHT = "\u001B[38;5;16;48;5;231m";
const RESET = "\u001B[0m";
/** Two modules, one above the other, as one character; the first is the upper. */
const HALVES = [" ", "▄", "▀", "█"] as const;

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
  const { encode } = await import("uqr");
  const { size, data } = encode(text, { border: QUIET_ZONE });
  if (size > columns) return [];
  const dark = (x: number, y: number): number => (data[y]?.[x] === true ? 1 : 0);
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) => {
    const cell = (__: unknown, x: number) => HALVES[2 * dark(x, 2 * line) + dark(x, 2 * line + 1)];
    return `${DARK_ON_LIGHT}${Array.from({ length: size }, cell).join("")}${RESET}`;
  });
}

function addressOf(code: DeviceCode): string {
  return code.verification_uri_complete ?? code.verification_uri;
}

function endOf({ expiresAt }: DeviceCode): string {
  return new Date(expiresAt).toISOString().replace(/\.\d+Z$/, "Z");
}
