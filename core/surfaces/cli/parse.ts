import { jsonFault } from "../../adapters/json-fault.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";
import { pointerOf } from "../../schema/fault.ts";
import { isObject } from "../../schema/json.ts";
import { label, placeholder, spelled, type Field, type InputForm } from "./form.ts";
import { readWords, single, superfluous, type Flags, type ReadWords } from "./words.ts";

/** The sources that words can refer to. */
export interface Sources {
  /** All of standard input, for `--input -` and for a list of objects given as `-`. */
  readonly readInput: () => Promise<string>;
  /** Reads a file, relative to the working folder, for a list of objects; `undefined` if it does not exist. */
  readonly readFile: (path: string) => Promise<string | undefined>;
}

/**
 * Parses the words of a command into its input. Refuses only words that cannot be read; the runner validates the input.
 * @throws SkillError `USAGE` with the property as it is typed.
 */
export async function parseInput(
  form: InputForm,
  words: readonly string[],
  sources: Sources,
): Promise<unknown> {
  const read = readWords(words, flagsOf(form));
  const whole = single(read, "input");
  if (whole !== undefined) return wholeInput(form, whole, read, sources);
  const [document, ...more] = read.positionals;
  // A command without arguments takes one JSON object as its input.
  const isAlone = form.positional.length === 0 && more.length === 0 && read.flags.size === 0;
  if (isAlone && document?.trimStart().startsWith("{") === true)
    return wholeInput(form, document, { ...read, positionals: [] }, sources);
  const values = new Map<string, unknown>();
  for (const field of form.fields) {
    const value = await byFlag(field, read, sources);
    if (value !== undefined) values.set(field.name, value);
  }
  inOrder(form, read.positionals, values);
  for (const field of form.fields) {
    if (field.required && !values.has(field.name)) throw missing(field, form);
  }
  return Object.fromEntries(values);
}

function flagsOf({ fields }: InputForm): Flags {
  const flags: Record<string, Flags[string]> = { input: { type: "string" } };
  for (const { flag, negatable, isSwitch } of fields) {
    if (flag === undefined) continue;
    flags[flag] = { type: isSwitch ? "boolean" : "string" };
    if (negatable) flags[`no-${flag}`] = { type: "boolean" };
  }
  return flags;
}

async function byFlag(field: Field, read: ReadWords, sources: Sources): Promise<unknown> {
  const { flag, list, negatable } = field;
  if (flag === undefined) return undefined;
  const given = read.flags.get(flag);
  const negated = negatable ? single(read, `no-${flag}`) : undefined;
  if (given && negated !== undefined) {
    throw new SkillError("USAGE", `--${flag} and --no-${flag} contradict each other.`, {
      hint: "Give only one of them.",
    });
  }
  if (negated !== undefined) return list ? [] : negated === "false";
  if (!given) return undefined;
  const called = `--${flag}`;
  if (list)
    return (await wholeList(field, given, sources)) ?? given.map((word) => valueOf(field, word, called));
  const word = single(read, flag) as string;
  return isBlank(field, word) ? undefined : valueOf(field, word, called);
}

/**
 * Reads a list of objects from one word: a JSON array (`--hypotheses '[{…},{…}]'`) or standard input (`-`). If items may be text,
 * each line is one item; otherwise the word names a file.
 */
async function wholeList(
  { types, flag }: Field,
  [word = "", ...further]: readonly string[],
  { readInput, readFile }: Sources,
): Promise<readonly unknown[] | undefined> {
  if (!types.includes("object") || further.length > 0) return undefined;
  const hasText = types.includes("string");
  const isTyped = /^\s*[[{]/.test(word) || (hasText && word.includes("\n"));
  const text = word === "-" ? await readInput() : isTyped ? word : hasText ? undefined : await readFile(word);
  if (text === undefined) return undefined;
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  if (hasText && !/^\s*[[{]/.test(text)) return lines;
  try {
    return [JSON.parse(text) as unknown].flat();
  } catch (cause) {
    try {
      return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      throw new SkillError("USAGE", `--${flag} must be JSON, a list of objects (${jsonFault(text)}).`, {
        cause,
      });
    }
  }
}

function inOrder(form: InputForm, words: readonly string[], values: Map<string, unknown>): void {
  const waiting = form.positional.filter(({ name }) => !values.has(name));
  const rest = [...words];
  waiting.forEach((field, index) => {
    const called = placeholder(field);
    if (field.list && index === waiting.length - 1) {
      if (rest.length === 0 && !(field.required && Number(field.schema["minItems"] ?? 0) === 0)) return;
      values.set(
        field.name,
        rest.splice(0).map((word) => valueOf(field, word, called)),
      );
      return;
    }
    const word = rest.shift();
    if (word === undefined || isBlank(field, word)) return;
    const value = valueOf(field, word, called);
    values.set(field.name, field.list ? [value] : value);
  });
  const takesText = form.positional.at(-1)?.types.includes("string");
  if (rest.length > 0) throw superfluous(takesText ? "Put text of several words in quotes." : undefined);
}

/** Whether an empty word means that an optional number is not given. */
function isBlank({ required, types }: Field, word: string): boolean {
  const isNumeric = types.every((type) => ["integer", "number", "null"].includes(type));
  return !required && word.trim() === "" && isNumeric;
}

function missing(field: Field, form: InputForm): SkillError {
  const { description } = field.schema;
  const meaning = typeof description === "string" ? `: ${description.replace(/\.$/, "")}` : "";
  return new SkillError("USAGE", `${label(field, form)} is missing${meaning}.`, {
    pointer: pointerOf(field.name),
  });
}

async function wholeInput(
  { fields, closed }: InputForm,
  given: string,
  read: ReadWords,
  { readInput }: Sources,
): Promise<unknown> {
  if (read.flags.size > 1 || read.positionals.length > 0)
    throw new SkillError("USAGE", "--input gives the whole input, but there are further words.");
  let input: unknown;
  const text = given === "-" ? await readInput() : given;
  try {
    input = JSON.parse(text);
  } catch (cause) {
    const where = given === "-" ? "Standard input" : "--input";
    throw new SkillError("USAGE", `${where} must be one JSON document: ${jsonFault(text)}.`, { cause });
  }
  const names = fields.map(({ name }) => name);
  const odd = isObject(input) && closed ? Object.keys(input).find((key) => !names.includes(key)) : undefined;
  if (odd === undefined) return input;
  // An unknown property is reported before missing ones, since it is probably one of them, misspelt.
  const guess = nearest(odd, names);
  throw new SkillError("INPUT_INVALID", `The input has no property "${odd}".`, {
    pointer: pointerOf(odd),
    hint: guess === undefined ? undefined : `Did you mean ${guess}?`,
  });
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const ARTICLES: Readonly<Record<Field["types"][number], string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list as JSON",
  object: "an object as JSON",
  null: "null",
};

/**
 * Parses one word as a value of a field. `called`: the field as it was typed.
 * @throws SkillError `USAGE` if the word does not match the type of the field. The schema checks bounds.
 */
function valueOf(field: Field, word: string, called: string): unknown {
  const { types, choices } = field;
  if (choices) {
    const names = choices.map(spelled);
    const index = names.indexOf(word);
    if (index >= 0) return choices[index];
    // Single letters are all equally near, so a guess could suggest a wrong answer.
    const guess = word.length > 1 ? nearest(word, names) : undefined;
    throw wrong(field, word, called, `must be one of ${names.join(", ")}`, guess);
  }
  if (NUMBER.test(word)) {
    const value = Number(word);
    if (types.includes("number") && Number.isFinite(value)) return value;
    if (types.includes("integer") && Number.isSafeInteger(value)) return value;
  }
  if (types.includes("boolean") && (word === "true" || word === "false")) return word === "true";
  const isText = types.includes("string");
  if ((types.includes("object") || types.includes("array")) && (!isText || /^\s*[[{]/.test(word))) {
    try {
      return JSON.parse(word);
    } catch {
      throw wrong(field, word, called, `must be JSON (${jsonFault(word)})`);
    }
  }
  if (types.includes("null") && word === "null" && !isText) return null;
  if (isText) return word;
  throw wrong(field, word, called, `must be ${types.map((type) => ARTICLES[type]).join(" or ")}`);
}

function wrong(field: Field, word: string, called: string, complaint: string, guess?: string): SkillError {
  // A positional word may be a pasted token, so it is not repeated. A word after a flag is safe to show.
  const shown = word.length > 60 ? `${word.slice(0, 57)}...` : word;
  const given = called.startsWith("-") ? `, not "${shown}"` : "";
  return new SkillError("USAGE", `${called} ${complaint}${given}.`, {
    pointer: pointerOf(field.name),
    hint: guess === undefined ? undefined : `Did you mean ${guess}?`,
  });
}
