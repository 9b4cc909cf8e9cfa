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
  type LoginWait,
} from "skillctl";
import type { DeviceCode } from "./device-code.ts";

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
    const { userCode, verificationUri } = code;
    const minutes = Math.max(1, Math.round((code.expiresAt - this.clock.now()) / 60_000));
    const span = `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
    // With the QR code below it fits on a terminal of 24 lines.
    const lines = [
      `To log in, open this address on any device and confirm the code ${userCode}:`,
      `  ${addressOf(code)}`,
      `It is good for ${span}, until ${endOf(code)}, and can also be typed in at ${verificationUri}`,
    ];
    for (const line of lines) this.log.notice(line);
    // The code needs its colours; who wants none gets the address alone.
    if (columns !== undefined && this.environment.variable("NO_COLOR") === undefined) {
      const { qrLines } = await import("./qr-code.ts");
      for (const line of qrLines(addressOf(code), columns) ?? []) this.log.notice(line);
    }
    await this.#picture(code, qrFile);
  }

  /**
   * For an agent host: one line of JSON after the word LOGIN_REQUIRED, and an error that says the same in a sentence
   * (docs/login.md, Without a terminal).
   */
  async required(code: DeviceCode, { qrFile }: LoginWait): Promise<SkillError> {
    await this.#picture(code, qrFile);
    const url = addressOf(code);
    const { userCode, verificationUri } = code;
    const line = { url, code: userCode, verificationUri, expiresAt: endOf(code) };
    this.log.notice(`LOGIN_REQUIRED ${JSON.stringify(line)}`);
    return new SkillError(
      "LOGIN_REQUIRED",
      `Log in at ${url} with the code ${userCode} until ${endOf(code)}.`,
      {
        hint: "Confirm the code there, then run the same command again: it goes on with this code.",
      },
    );
  }

  async #picture(code: DeviceCode, qrFile: string | undefined): Promise<void> {
    if (qrFile === undefined) return;
    const { qrPicture } = await import("./qr-code.ts");
    try {
      await this.files.replace(qrFile, qrPicture(addressOf(code)));
    } catch (caught) {
      // Only the picture is missing: the address has been shown.
      if (!(caught instanceof SkillError)) throw caught;
      this.log.notice(`There is no QR code: ${caught.message}`);
    }
  }
}

function addressOf({ completeUri, verificationUri }: DeviceCode): string {
  return completeUri ?? verificationUri;
}

function endOf({ expiresAt }: DeviceCode): string {
  return new Date(expiresAt).toISOString().replace(/\.\d+Z$/, "Z");
}
