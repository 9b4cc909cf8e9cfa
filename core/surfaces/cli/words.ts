import { parseArgs } from "node:util";
import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";

/** The words of a command line, split into global flags, verb and the rest. */
export interface GlobalWords {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
  readonly version: boolean;
  readonly progress: boolean;
  /** The paths as typed, in order. */
  readonly plugins: readonly string[];
  /** Undefined without a verb. */
  readonly verb: string | undefined;
  /** The words after the verb without global flags; `--` and all words after it are kept. */
  readonly words: readonly string[];
}

/** The long names that are not available to properties of commands. */
export const GLOBAL_FLAGS = ["json", "verbose", "help", "no-progress", "plugin"] as const;

/**
 * Takes the global flags before `--` out of the words.
 * @throws SkillError `USAGE` for `--plugin` without a path.
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

/** Known flags by name: a `string` needs a value; a `boolean` has none, or `=true` or `=false`. */
export type Flags = Readonly<
  Record<
    string,
    {
      readonly type: "string" | "boolean";
      /** The values that shells complete. */
      readonly values?: readonly string[];
    }
  >
>;

/** The flags of verbs that offer skills. */
export const SERVED_FLAGS = {
  only: { type: "string" },
  without: { type: "string" },
} as const satisfies Flags;

export const TOOLS_FLAG = { type: "string", values: ["all", "compact"] } as const;

/** The row about `--tools` in the help of a verb. */
export const TOOLS_HELP = `  --tools all|compact    One tool for each command (default), or three that
                         find, describe and call commands
`;

/** The rows about these flags in the help of a verb. */
export const SERVED_HELP = `  --only NAMES           Offer only these skills (comma-separated, repeatable)
  --without NAMES        Do not offer these. Default of both: \`skills\` in
                         skillctl.json. The rules of the others still apply
`;

/** Words, split into flags and positional ones. */
export interface ReadWords {
  /** Values by flag, in order. A boolean without a value is "true". */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

const NUMBER_LIKE = /^-\.?\d/;

/**
 * Splits words into known flags and at most `most` positional words, by the tokens of node:util.
 * @throws SkillError `USAGE` for an unknown flag, a missing value, a boolean with a wrong one, or too many words.
 */
export function readWords(words: readonly string[], known: Flags = {}, most = Infinity): ReadWords {
  // The parser of Node is a module that it loads at the first call.
  if (words.length === 0) return { flags: new Map(), positionals: [] };
  const { tokens } = parseArgs({
    args: [...words],
    options: known,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags = new Map<string, string[]>();
  const positionals: string[] = [];
  let last = -1;
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option" || token.index === last) continue;
    const word = words[token.index] as string;
    // -5 is a number, not a group of short flags. The tokens of a group have the same index.
    last = token.index;
    if (NUMBER_LIKE.test(word)) {
      positionals.push(word);
      continue;
    }
    const flag = word.startsWith("--") && Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (flag === undefined) throw unknownFlag(word, Object.keys(known));
    const value = flag.type === "string" ? textOf(token) : switchOf(token);
    flags.set(token.name, [...(flags.get(token.name) ?? []), value]);
  }
  if (positionals.length > most) throw superfluous();
  return { flags, positionals };
}

/** The value of a flag that may be given once. @throws SkillError `USAGE` */
export function single(read: ReadWords, name: string): string | undefined {
  const values = read.flags.get(name) ?? [];
  if (values.length > 1)
    throw new SkillError("USAGE", `--${name} is given ${values.length} times.`, { hint: "Give it once." });
  return values[0];
}

/** Whether `--tools` asks for three tools in place of one for each command. @throws SkillError `USAGE` */
export function wantsCompactTools(read: ReadWords): boolean {
  const form = single(read, "tools") ?? "all";
  if (form === "all" || form === "compact") return form === "compact";
  throw new SkillError("USAGE", "--tools takes all or compact.", { hint: "For example: --tools compact" });
}

/** A USAGE error for too many words. They are not repeated, since one may be a pasted token. */
export function superfluous(hint?: string): SkillError {
  return new SkillError("USAGE", "There is one word too many.", { hint });
}

interface Option {
  readonly name: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function textOf({ name, value, inlineValue }: Option): string {
  if (value === undefined) throw new SkillError("USAGE", `--${name} needs a value.`);
  // Without `=` such a word is probably the next flag.
  if (!inlineValue && value.length > 1 && value.startsWith("-") && !NUMBER_LIKE.test(value)) {
    throw new SkillError("USAGE", `--${name} needs a value, and "${value}" looks like a flag.`, {
      hint: `A value that starts with a dash is written --${name}=${value}`,
    });
  }
  return value;
}

function switchOf({ name, value = "true" }: Option): string {
  if (value === "true" || value === "false") return value;
  throw new SkillError("USAGE", `--${name} must be true or false, not "${value}".`);
}

function unknownFlag(word: string, known: readonly string[]): SkillError {
  const flag = word.split("=", 1)[0] as string;
  const guess = nearest(
    flag,
    [...known, ...GLOBAL_FLAGS].map((name) => `--${name}`),
  );
  const dash = word.startsWith("--") ? undefined : "Text that starts with a dash goes after --.";
  return new SkillError("USAGE", `There is no flag ${flag}.`, {
    hint: guess ? `Did you mean ${guess}?` : dash,
  });
}
