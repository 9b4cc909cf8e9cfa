import { isAbsolute, resolve, sep } from "node:path";
import {
  ENVIRONMENT,
  FILES,
  SkillError,
  config,
  inject,
  injectable,
  ownConfig,
  token,
  type Environment,
  type Files,
} from "skillctl";
import type { Config } from "./contract.ts";

export const CONFIGURED_PROGRAM = token<ConfiguredProgram>("login-proxy/configured-program");

/** The login program that the settings name, as its absolute path and the arguments that it always gets. */
@injectable()
export class ConfiguredProgram {
  constructor(
    @inject(config<Config>()) private readonly settings: Config,
    @inject(ownConfig<Config>()) private readonly own: Config,
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(FILES) private readonly files: Files,
  ) {}

  /**
   * A program that the settings of a project name lies outside the project: trust covers the settings, and a file that they name
   * can change afterwards.
   * @throws SkillError `CONFIG_INVALID`
   */
  async words(): Promise<readonly string[] | undefined> {
    const { program } = this.settings;
    if (program === undefined) return undefined;
    const words = typeof program === "string" ? [program] : program;
    if (!isAbsolute(words[0] ?? ""))
      throw invalid(
        "is not an absolute path",
        "A relative path would let the working folder choose the program.",
      );
    if (this.own.program !== undefined) return words;
    const { workingFolder } = this.environment;
    for (const word of words) {
      const path = resolve(workingFolder, word);
      if (path.startsWith(`${workingFolder}${sep}`) && (await this.files.facts(path)) !== undefined)
        throw invalid(
          "lies in the project whose skillctl.json names it",
          "Name a program outside of it, or set `program` in your own skillctl.json.",
        );
    }
    return words;
  }
}

function invalid(reason: string, hint: string): SkillError {
  return new SkillError("CONFIG_INVALID", `The login program of login-proxy ${reason}.`, {
    pointer: "/config/login-proxy/program",
    hint,
  });
}
