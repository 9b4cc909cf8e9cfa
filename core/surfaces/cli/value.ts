import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";
import { pointerOf } from "../../schema/fault.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import type { Field, ValueType } from "./form.ts";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The field as the person typed it, and where its values are listed. */
export interface Typed {
  readonly called: string;
  readonly see: string;
}

/**
 * One word as a value of a field.
 * @throws SkillError `USAGE` when the word is no value of the field's type; bounds are the schema's affair.
 */
export function readValue(field: Field, word: string, typed: Typed): unknown {
  const choices = choicesOf(field);
  if (choices) {
    const index = choices.findIndex((choice) => spelled(choice) === word);
    if (index >= 0) return choices[index];
    const names = choices.map(spelled);
    throw wrong(field, typed, word, `must be one of ${names.join(", ")}`, guessed(word, names));
  }
  const { types } = field;
  if ((types.includes("integer") || types.includes("number")) && NUMBER.test(word)) {
    const value = Number(word);
    const whole = !types.includes("number");
    if (!whole ? Number.isFinite(value) : Number.isSafeInteger(value)) return value;
    if (!types.includes("string")) {
      const broken = whole && !Number.isInteger(value);
      throw wrong(field, typed, word, broken ? "must be a whole number" : "must be nearer to 0");
    }
  }
  if (types.includes("boolean") && (word === "true" || word === "false")) return word === "true";
  if (types.includes("object") || types.includes("array")) {
    if (!types.includes("string") || /^\s*[[{]/.test(word)) return json(field, typed, word);
  }
  if (types.includes("null") && word === "null" && !types.includes("string")) return null;
  if (types.includes("string")) return word;
  throw wrong(field, typed, word, `must be ${types.map((type) => ARTICLES[type]).join(" or ")}`);
}

/** Of single letters each is as near as any other: a guess would be an answer that nobody has given. */
function guessed(word: string, names: readonly string[]): string | undefined {
  return nearest(
    word,
    names.filter((name) => [...name].length > 1 || name.toLowerCase() === word.toLowerCase()),
  );
}

/** Whether a field can only be a number, so that an empty word is no value but none. */
export function onlyNumeric({ types }: Field): boolean {
  return types.every((type) => type === "integer" || type === "number" || type === "null");
}

/** The values a field is limited to; of a list, its items. */
export function choicesOf(field: Field): readonly unknown[] | undefined {
  const schema = field.list ? ((field.schema["items"] ?? {}) as JsonSchema) : field.schema;
  if (Array.isArray(schema["enum"])) return schema["enum"] as readonly unknown[];
  return Object.hasOwn(schema, "const") ? [schema["const"]] : undefined;
}

/** A value as a word. */
export function spelled(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const ARTICLES: Readonly<Record<ValueType, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list as JSON",
  object: "an object as JSON",
  null: "null",
};

function json(field: Field, typed: Typed, word: string): unknown {
  try {
    return JSON.parse(word);
  } catch (cause) {
    throw wrong(field, typed, word, `must be JSON (${(cause as Error).message})`);
  }
}

function wrong(
  field: Field,
  { called, see }: Typed,
  word: string,
  complaint: string,
  guess?: string,
): SkillError {
  // A bare word in the wrong place may be a token that was pasted there; after a flag somebody has said what it is.
  const shown = word.length > 60 ? `${word.slice(0, 57)}...` : word;
  const given = called.startsWith("-") ? `, not "${shown}"` : "";
  return new SkillError("USAGE", `${called} ${complaint}${given}.`, {
    pointer: pointerOf(field.name),
    hint: guess === undefined ? `See: ${see}` : `Did you mean ${guess}?`,
  });
}
