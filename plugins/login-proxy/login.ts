import { isAbsolute } from "node:path";
import {
  LOG,
  PROGRAMS,
  SkillError,
  config,
  inject,
  injectable,
  token,
  type Log,
  type Programs,
} from "skillctl";
import { LOGIN_PROGRAM, type LoginProgram } from "../ports.ts";
import type { Config } from "./contract.ts";
import { ExternalProgram } from "./external-program.ts";
import { DEVICE_LOGIN, type DeviceLogin } from "./oauth/device-login.ts";
import { sentence } from "./texts.ts";

/** The name that a login program has on PATH. */
const NAME = "svc-login";

export const LOGIN = token<Login>("login");

/** Finds the login program: configured, lent by another skill, on PATH, in the box (docs/login.md, Login programs). */
@injectable()
export class Login {
  constructor(
    @inject(config<Config>()) private readonly settings: Config,
    @inject(LOGIN_PROGRAM) private readonly lent: LoginProgram | undefined,
    @inject(PROGRAMS) private readonly programs: Programs,
    @inject(LOG) private readonly log: Log,
    @inject(DEVICE_LOGIN) private readonly device: DeviceLogin,
  ) {}

  /** @throws SkillError `CONFIG_INVALID` */
  async find(): Promise<LoginProgram | undefined> {
    const found = this.#configured() ?? this.lent ?? (await this.#onPath());
    return found ?? (this.device.configured ? this.device : undefined);
  }

  /** The device login in the box keeps no token of its own: its token is the one in the cache file. */
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
    const { program } = this.settings;
    if (program === undefined) return undefined;
    const [path = "", ...args] = typeof program === "string" ? [program] : program;
    if (isAbsolute(path)) return new ExternalProgram(path, args, this.programs, this.log);
    throw new SkillError("CONFIG_INVALID", "The login program of login-proxy is no absolute path.", {
      pointer: "/config/login-proxy/program",
      hint: "A relative path would let the working folder choose the program.",
    });
  }

  async #onPath(): Promise<LoginProgram | undefined> {
    const path = await this.programs.find(NAME);
    return path === undefined ? undefined : new ExternalProgram(path, [], this.programs, this.log);
  }
}
