import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";
import { pointerOf } from "../../schema/fault.ts";
import { isObject } from "../../schema/predicate.ts";
import { label, placeholder, type Field, type InputForm } from "./form.ts";
import { onlyNumeric, readValue } from "./value.ts";
import { readWords, single, superfluous, type FlagKind, type ReadWords } from "./words.ts";

/** What parsing needs beside the words. */
export interface ParseOptions {
  /** Where the flags are listed: `skillctl run SKILL COMMAND --help`. */
  readonly see: string;
  /** All of standard input, for `--input -` and for a list of objects given as `-`. */
  readonly readInput: () => Promise<string>;
  /** The text of a file as seen from the working folder, for a list of objects; `undefined` when there is none. */
  readonly readFile?: (path: string) => Promise<string | undefined>;
}

/**
 * The words of a command as its input. Says only what cannot be read; whether the input fits is the runner's affair.
 * @throws SkillError `USAGE` with the property as the person types it.
 */
export async function parseInput(
  form: InputForm,
  words: readonly string[],
  options: ParseOptions,
): Promise<unknown> {
  const read = readWords(words, flagsOf(form), options.see);
  const whole = single(read, "input");
  if (whole !== undefined) return wholeInput(form, whole, read, options);
  const values = new Map<string, unknown>();
  for (const field of form.fields) {
    const given = await byFlag(field, read, options);
    if (given) values.set(field.name, given.value);
  }
  inOrder(form, read.positionals, values, options.see);
  for (const field of form.fields) {
    if (field.required && !values.has(field.name)) throw missing(field, form, options.see);
  }
  return Object.fromEntries(values);
}

function flagsOf({ fields }: InputForm): ReadonlyMap<string, FlagKind> {
  const flags = new Map<string, FlagKind>([["input", "text"]]);
  for (const { flag, negatable, list, types } of fields) {
    if (flag === undefined) continue;
    flags.set(flag, !list && types.length === 1 && types[0] === "boolean" ? "switch" : "text");
    if (negatable) flags.set(`no-${flag}`, "switch");
  }
  return flags;
}

async function byFlag(
  field: Field,
  read: ReadWords,
  options: ParseOptions,
): Promise<{ readonly value: unknown } | undefined> {
  const { see } = options;
  const { flag, list, negatable } = field;
  if (flag === undefined) return undefined;
  const given = read.flags.get(flag);
  const negated = negatable ? single(read, `no-${flag}`) : undefined;
  if (given && negated !== undefined) {
    throw new SkillError("USAGE", `--${flag} and --no-${flag} contradict each other.`, {
      hint: "Give one of them.",
    });
  }
  if (negated !== undefined) return { value: list ? [] : negated === "false" };
  if (!given) return undefined;
  const typed = { called: `--${flag}`, see };
  if (list) {
    const whole = await wholeList(field, given, options);
    return { value: whole ?? given.map((word) => readValue(field, word, typed)) };
  }
  const word = single(read, flag) as string;
  return blank(field, word) ? undefined : { value: readValue(field, word, typed) };
}

/**
 * A list of objects given by one word: as one JSON array (`--hypotheses '[{…},{…}]'`), from standard input (`-`), and where
 * text may stand for an object, one a line; else the word names a file.
 */
async function wholeList(
  { types, flag }: Field,
  [word = "", ...further]: readonly string[],
  { see, readInput, readFile }: ParseOptions,
): Promise<unknown> {
  if (!types.includes("object") || further.length > 0) return undefined;
  const hasText = types.includes("string");
  if (word === "-") return listIn(await readInput(), `--${flag} from standard input`, hasText, see);
  if (/^\s*[[{]/.test(word)) return jsonList(word);
  if (hasText) return word.includes("\n") ? linesIn(word) : undefined;
  const text = await readFile?.(word);
  return text === undefined ? undefined : listIn(text, word, hasText, see);
}

function jsonList(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    // Of what was typed it is told as what it must be: an object.
    return undefined;
  }
}

/** What a file or standard input holds: a JSON array, an object, objects a line, or lines of text where these may stand. */
function listIn(text: string, called: string, hasText: boolean, see: string): unknown {
  if (hasText && !/^\s*[[{]/.test(text)) return linesIn(text);
  const whole = jsonList(text);
  if (whole !== undefined) return whole;
  try {
    return linesIn(text).map((line) => JSON.parse(line) as unknown);
  } catch (cause) {
    throw new SkillError("USAGE", `${called} must hold a JSON array: ${(cause as Error).message}.`, {
      cause,
      hint: `See: ${see}`,
    });
  }
}

function linesIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}

function inOrder(form: InputForm, words: readonly string[], values: Map<string, unknown>, see: string): void {
  const waiting = form.positional.filter(({ name }) => !values.has(name));
  const rest = [...words];
  waiting.forEach((field, index) => {
    const typed = { called: placeholder(field), see };
    if (field.list && index === waiting.length - 1) {
      if (rest.length === 0 && !(field.required && Number(field.schema["minItems"] ?? 0) === 0)) return;
      values.set(
        field.name,
        rest.splice(0).map((word) => readValue(field, word, typed)),
      );
      return;
    }
    const word = rest.shift();
    if (word === undefined || blank(field, word)) return;
    const value = readValue(field, word, typed);
    values.set(field.name, field.list ? [value] : value);
  });
  if (rest.length > 0) throw superfluous(see, quoteHint(form));
}

/** An empty word where only a number can stand means none. */
function blank(field: Field, word: string): boolean {
  return !field.required && word.trim() === "" && onlyNumeric(field);
}

function quoteHint({ positional }: InputForm): string | undefined {
  const last = positional.at(-1);
  return last?.types.includes("string") ? "Text of several words goes in quotes." : undefined;
}

function missing(field: Field, form: InputForm, see: string): SkillError {
  const { description } = field.schema;
  const meaning = typeof description === "string" ? `: ${description.replace(/\.$/, "")}` : "";
  return new SkillError("USAGE", `${label(field, form)} is missing${meaning}.`, {
    pointer: pointerOf(field.name),
    hint: `See: ${see}`,
  });
}

async function wholeInput(
  form: InputForm,
  given: string,
  read: ReadWords,
  { see, readInput }: ParseOptions,
): Promise<unknown> {
  if (read.flags.size > 1 || read.positionals.length > 0) {
    throw new SkillError("USAGE", "--input is the whole input, and there are further words.", {
      hint: `See: ${see}`,
    });
  }
  const text = given === "-" ? await readInput() : given;
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (cause) {
    const where = given === "-" ? "Standard input" : "--input";
    throw new SkillError("USAGE", `${where} must be one JSON document: ${(cause as Error).message}.`, {
      cause,
      hint: `See: ${see}`,
    });
  }
  const names = form.fields.map(({ name }) => name);
  const odd =
    isObject(input) && form.closed ? Object.keys(input).find((key) => !names.includes(key)) : undefined;
  if (odd === undefined) return input;
  // Before what is missing: that is what was meant by it.
  const guess = nearest(odd, names);
  throw new SkillError("INPUT_INVALID", `The input has no property "${odd}".`, {
    pointer: pointerOf(odd),
    hint: guess === undefined ? `See: ${see}` : `Did you mean ${guess}?`,
  });
}
