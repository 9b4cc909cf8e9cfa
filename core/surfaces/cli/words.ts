import { parseArgs } from "node:util";
import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";
import { GLOBAL_FLAGS } from "./global-options.ts";

/** What a flag takes: `text` a value, `switch` none or `=true`, `=false`. */
export type FlagKind = "text" | "switch";

/** Words sorted into flags and the rest. */
export interface ReadWords {
  /** Values by flag, in the order given. A switch without a value is "true". */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

const NUMBER_LIKE = /^-\.?\d/;

/**
 * Sorts words by the flags that are known; node:util finds the words' borders. `see` is where the flags are listed.
 * @throws SkillError `USAGE` for an unknown flag, a missing value and a switch with a strange one.
 */
export function readWords(
  words: readonly string[],
  known: ReadonlyMap<string, FlagKind>,
  see: string,
): ReadWords {
  const options = Object.fromEntries(
    [...known].map(([name, kind]) => [
      name,
      { type: kind === "text" ? ("string" as const) : ("boolean" as const) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...words],
    options,
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
    // -5 is a number and no group of short flags; the tokens of one group have one index.
    last = token.index;
    if (NUMBER_LIKE.test(word)) {
      positionals.push(word);
      continue;
    }
    const kind = word.startsWith("--") ? known.get(token.name) : undefined;
    if (kind === undefined) throw unknownFlag(word, known, see);
    const value = kind === "text" ? textOf(token, see) : switchOf(token, see);
    flags.set(token.name, [...(flags.get(token.name) ?? []), value]);
  }
  return { flags, positionals };
}

/** The one value of a flag that may be given once. @throws SkillError `USAGE` */
export function single(read: ReadWords, name: string): string | undefined {
  const values = read.flags.get(name) ?? [];
  if (values.length > 1)
    throw new SkillError("USAGE", `--${name} is given ${values.length} times.`, { hint: "Give it once." });
  return values[0];
}

/** A USAGE error for words that nothing takes. They are not repeated: one may be a token that was pasted there. */
export function superfluous(see: string, hint?: string): SkillError {
  return new SkillError("USAGE", "There is one word too many.", { hint: hint ?? `See: ${see}` });
}

interface Option {
  readonly name: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function textOf({ name, value, inlineValue }: Option, see: string): string {
  if (value === undefined) throw new SkillError("USAGE", `--${name} needs a value.`, { hint: `See: ${see}` });
  // Without `=` such a word is more likely the next flag than a value.
  if (!inlineValue && value.length > 1 && value.startsWith("-") && !NUMBER_LIKE.test(value)) {
    throw new SkillError("USAGE", `--${name} needs a value, and "${value}" looks like a flag.`, {
      hint: `A value that starts with a dash is written --${name}=${value}`,
    });
  }
  return value;
}

function switchOf({ name, value }: Option, see: string): string {
  if (value === undefined) return "true";
  if (value === "true" || value === "false") return value;
  throw new SkillError("USAGE", `--${name} is on or off, not "${value}".`, { hint: `See: ${see}` });
}

function unknownFlag(word: string, known: ReadonlyMap<string, FlagKind>, see: string): SkillError {
  const flag = word.split("=", 1)[0] as string;
  const guess = nearest(
    flag,
    [...known.keys(), ...GLOBAL_FLAGS].map((name) => `--${name}`),
  );
  const dash = word.startsWith("--") ? "" : " Text that starts with a dash goes after --.";
  return new SkillError("USAGE", `There is no flag ${flag}.`, {
    hint: guess ? `Did you mean ${guess}?` : `See: ${see}.${dash}`,
  });
}
