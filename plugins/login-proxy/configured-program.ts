import { isAbsolute } from "node:path";
import { SkillError, config, inject, injectable, ownConfig, token } from "skillctl";
import type { Config } from "./contract.ts";

export const CONFIGURED_PROGRAM = token<ConfiguredProgram>("login-proxy/configured-program");

/** The login program from the user's own settings, as its absolute path and its fixed arguments. */
@injectable()
export class ConfiguredProgram {
  constructor(
    @inject(config<Config>()) private readonly settings: Config,
    @inject(ownConfig<Config>()) private readonly own: Config,
  ) {}

  /**
   * A login program receives the token, and trust in a project covers neither the program nor what it reads: a project that names
   * one is refused.
   * @throws SkillError `CONFIG_INVALID`
   */
  get words(): readonly string[] | undefined {
    const { program } = this.own;
    if (program === undefined && this.settings.program !== undefined)
      throw invalid(
        "is named by the settings of a project",
        "Remove `program` from the project's skillctl.json; only your own skillctl.json can set one.",
      );
    if (program === undefined) return undefined;
    const words = typeof program === "string" ? [program] : program;
    if (isAbsolute(words[0] ?? "")) return words;
    throw invalid(
      "is not an absolute path",
      "A relative path would let the working folder choose the program.",
    );
  }
}

function invalid(reason: string, hint: string): SkillError {
  return new SkillError("CONFIG_INVALID", `The login program of login-proxy ${reason}.`, {
    pointer: "/config/login-proxy/program",
    hint,
  });
}
