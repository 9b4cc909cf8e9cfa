import { dirname, join, resolve } from "node:path";
import type { Configuration } from "../contract.ts";
import { SkillError } from "../errors/skill-error.ts";
import type { Check } from "../schema/schemas.ts";

// Not imported: see standard-streams.ts.
const { readFileSync, statSync } = process.getBuiltinModule("node:fs");

/** The name of the file in the working folder. */
const CONFIGURATION_FILE = "skillctl.json";

/** What skillctl.json says, with absolute paths. */
export interface ReadConfiguration {
  /** Folders of foreign skills, absolute. */
  readonly plugins: readonly string[];
  /** Settings by skill, not yet checked against the skills' schemas. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** What counts when there is no skillctl.json. */
export const EMPTY_CONFIGURATION: ReadConfiguration = { plugins: [], config: {} };

/** The configuration file of a folder, absolute, or undefined when there is none. */
export function configurationFile(folder: string): string | undefined {
  const file = join(folder, CONFIGURATION_FILE);
  return statSync(file, { throwIfNoEntry: false }) ? file : undefined;
}

/**
 * Reads a configuration file; relative plugin paths are resolved against the file.
 * @throws SkillError `CONFIG_INVALID` with a pointer, `FILE_UNREADABLE`.
 */
export function readConfiguration(file: string, check: Check): ReadConfiguration {
  const value = parsed(file);
  const fault = check(value);
  if (fault) {
    throw new SkillError("CONFIG_INVALID", `${file}: ${fault.sentence}`, {
      file,
      pointer: fault.pointer,
      hint: "It may have `plugins`, a list of folders, and `config`, settings by skill.",
    });
  }
  const { plugins = [], config = {} } = value as Configuration;
  return { plugins: plugins.map((path) => resolve(dirname(file), path)), config };
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new SkillError(
      "FILE_UNREADABLE",
      `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      {
        cause,
        file,
      },
    );
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new SkillError("CONFIG_INVALID", `${file} is no JSON: ${(cause as Error).message}.`, {
      cause,
      file,
      pointer: "",
      hint: "Mend the file, or move it away.",
    });
  }
}
