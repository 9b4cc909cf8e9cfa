import { SkillError } from "../../errors/skill-error.ts";

/** What stands before the verb's own words. */
export interface GlobalWords {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
  readonly version: boolean;
  readonly progress: boolean;
  /** As typed, in order. */
  readonly plugins: readonly string[];
  /** Undefined when no verb was given. */
  readonly verb: string | undefined;
  /** What follows the verb, without global flags; `--` and what follows it untouched. */
  readonly words: readonly string[];
}

/** The long names that no command can use for a property of its own. */
export const GLOBAL_FLAGS = ["json", "verbose", "help", "no-progress", "plugin"] as const;

/**
 * Takes the global flags out of the words, wherever they stand before `--`.
 * @throws SkillError `USAGE` for a flag without its value or with one it does not take.
 */
export function readGlobals(all: readonly string[]): GlobalWords {
  const found = { json: false, verbose: false, help: false, version: false, progress: true };
  const plugins: string[] = [];
  const words: string[] = [];
  let verb: string | undefined;
  for (let index = 0; index < all.length; index += 1) {
    const word = all[index] as string;
    if (word === "--") {
      words.push(...all.slice(index));
      break;
    }
    if (word === "--json") found.json = true;
    else if (word === "--verbose") found.verbose = true;
    else if (word === "--help" || word === "-h") found.help = true;
    else if (word === "--version" && verb === undefined) found.version = true;
    else if (word === "--no-progress") found.progress = false;
    else if (word === "--plugin") plugins.push(pathAfter(all[(index += 1)]));
    else if (word.startsWith("--plugin=")) plugins.push(pathAfter(word.slice("--plugin=".length)));
    else if (verb === undefined && !word.startsWith("-")) verb = word;
    else words.push(word);
  }
  return { ...found, plugins, verb, words };
}

function pathAfter(path: string | undefined): string {
  if (path !== undefined && path !== "" && !path.startsWith("--")) return path;
  throw new SkillError("USAGE", "--plugin needs a path.", { hint: "For example: --plugin ./my-skills" });
}
