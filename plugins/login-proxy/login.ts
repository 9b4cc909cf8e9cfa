import {
  LOG,
  PROGRAMS,
  SkillError,
  inject,
  injectable,
  optional,
  token,
  type Log,
  type OptionalPort,
  type ProgramEnd,
  type ProgramRun,
  type Programs,
} from "skillctl";
import { LOGIN_PROGRAM, type LoginProgram, type FreshToken, type LoginWait } from "../ports.ts";
import { CONFIGURED_PROGRAM, type ConfiguredProgram } from "./configured-program.ts";
import { DEVICE_LOGIN, type DeviceLogin } from "./oauth/device-login.ts";
import { sentence } from "./texts.ts";
import { maskedAccount, objectOf, tokenOf, withoutTokens } from "./token-text.ts";

/** Time limit for words that involve no person (docs/login.md, Time-outs). */
const UNATTENDED_MS = 60_000;
/** Time limit for a person's login. */
const ATTENDED_MS = 300_000;
/** Exit statuses of the protocol (docs/login.md, Protocol). */
const REFUSED = 77;
const TOO_LATE = 75;

/** A login program on the machine, controlled by words and exit statuses. A token is never among the words. */
class ExternalProgram implements LoginProgram {
  readonly label: string;

  /** `path` is absolute; `args` precede the words of the protocol. */
  constructor(
    private readonly path: string,
    private readonly args: readonly string[],
    private readonly programs: Programs,
    private readonly log: Log,
  ) {
    this.label = `login program (${path})`;
  }

  readonly quiet: LoginProgram["quiet"] = async ({ signal, refused }) => {
    const force = refused === undefined ? [] : ["--force"];
    for (const words of [["token"], ["check", "--no-login", ...force]]) {
      const end = await this.#run(words, { timeoutMs: UNATTENDED_MS, signal, note: this.#detail(refused) });
      const fresh = end.status === 0 ? freshOf(end) : undefined;
      if (fresh && fresh.value !== refused) return fresh;
      this.log.detail(`${this.label}: ${words.join(" ")} returned no token (${statusOf(end)}).`);
    }
    return undefined;
  };

  readonly interactive: LoginProgram["interactive"] = async ({ signal, qrFile, refused }: LoginWait) => {
    const picture = qrFile === undefined ? [] : ["--qr-file", qrFile];
    const note = (line: string): void => this.log.notice(withoutTokens(line, refused));
    const words = ["login", "--mode", "device", ...picture];
    const end = await this.#run(words, { timeoutMs: ATTENDED_MS, signal, note });
    if (end.status === REFUSED)
      throw new SkillError("LOGIN_REFUSED", "The login was refused.", { hint: "Log in again." });
    if (end.status === TOO_LATE || end.status === undefined)
      throw new SkillError("LOGIN_EXPIRED", "The login was not finished in time.", { hint: "Log in again." });
    const fresh = end.status === 0 ? freshOf(end) : undefined;
    if (fresh) return fresh;
    const what = end.status === 0 ? "printed no usable token" : `ended with ${statusOf(end)}`;
    throw this.#failed(`${what} instead of logging in`);
  };

  readonly verify: LoginProgram["verify"] = async (token, signal) => {
    const note = this.#detail(token);
    const end = await this.#run(["verify"], { timeoutMs: UNATTENDED_MS, signal, note, input: `${token}\n` });
    if (end.status === 0) {
      // Masked again here, since the program may not have done so.
      return { state: "valid", account: maskedAccount({ name: objectOf(end.out)?.["account"] }) };
    }
    if (end.status === 1) return { state: "invalid" };
    if (end.status === 3)
      return { state: "unreachable", reason: `${this.label} could not reach the service.` };
    this.log.detail(`${this.label}: verify gave no result (${statusOf(end)}).`);
    return undefined;
  };

  readonly forget: LoginProgram["forget"] = async (signal) => {
    const end = await this.#run(["logout"], { timeoutMs: UNATTENDED_MS, signal, note: this.#detail() });
    if (end.status !== 0) throw this.#failed(`ended with ${statusOf(end)} instead of logging out`);
  };

  #run(
    words: readonly string[],
    how: Pick<ProgramRun, "timeoutMs" | "note" | "input"> & { signal: AbortSignal },
  ): Promise<ProgramEnd> {
    // The address is not secret; SVC_HEADER_TOKEN is not passed on.
    const variables = ["SVC_BASE_URL"];
    return this.programs.run({ program: this.path, args: [...this.args, ...words], variables, ...how });
  }

  #detail(token?: string): (line: string) => void {
    return (line) => this.log.detail(withoutTokens(line, token));
  }

  #failed(what: string): SkillError {
    return new SkillError("PROGRAM_FAILED", `The ${this.label} ${what}.`, {
      file: this.path,
      hint: "Run it directly to see the reason, or log in by pasting: skillctl run login-proxy login --mode paste",
    });
  }
}

/** The token is the last line that is not blank; lines before it are ignored. */
function freshOf({ out }: ProgramEnd): FreshToken | undefined {
  const value = tokenOf(out.trimEnd().split("\n").at(-1) ?? "");
  return value === undefined ? undefined : { value };
}

function statusOf({ status }: ProgramEnd): string {
  return status === undefined ? "no exit status because it was killed" : `exit status ${status}`;
}

const NAME = "svc-login";

export const LOGIN = token<Login>("login");

/** Finds the login program: configured, provided by another skill, on PATH, or built in (docs/login.md, Login programs). */
@injectable()
export class Login {
  constructor(
    @inject(CONFIGURED_PROGRAM) private readonly configured: ConfiguredProgram,
    @inject(optional(LOGIN_PROGRAM)) private readonly lent: OptionalPort<LoginProgram> | undefined,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(LOG) private readonly log: Log,
    @inject(DEVICE_LOGIN) private readonly device: DeviceLogin,
  ) {}

  /** @throws SkillError `CONFIG_INVALID` */
  async find(): Promise<LoginProgram | undefined> {
    const found = this.#configured() ?? (await this.lent?.()) ?? (await this.#onPath());
    return found ?? (this.device.configured ? this.device : undefined);
  }

  /** The built-in device login keeps no token of its own: its token is the one in the cache file. */
  isBuiltIn(program: LoginProgram): boolean {
    return program === this.device;
  }

  /** @throws SkillError `LOGIN_MISSING`, `CONFIG_INVALID` */
  async need(): Promise<LoginProgram> {
    const found = await this.find();
    if (found === this.device) this.device.assertUsable();
    if (found) return found;
    throw new SkillError("LOGIN_MISSING", sentence("no-program"), { hint: sentence("install-program") });
  }

  #configured(): LoginProgram | undefined {
    const [path, ...args] = this.configured.words ?? [];
    return path === undefined ? undefined : new ExternalProgram(path, args, this.programs, this.log);
  }

  async #onPath(): Promise<LoginProgram | undefined> {
    const path = await this.programs.find(NAME);
    return path === undefined ? undefined : new ExternalProgram(path, [], this.programs, this.log);
  }
}
