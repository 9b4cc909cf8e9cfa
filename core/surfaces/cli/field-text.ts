import type { JsonSchema } from "../../schema/schemas.ts";
import type { Field } from "./form.ts";
import { choicesOf, spelled } from "./value.ts";

const NAMES = {
  string: "TEXT",
  integer: "INTEGER",
  number: "NUMBER",
  boolean: "true|false",
  array: "JSON",
  object: "JSON",
  null: "null",
} as const;

/** What stands after a flag: `INTEGER`, `fast|slow`. */
export function valueName(field: Field): string {
  const choices = choicesOf(field);
  if (choices && choices.length <= 4) return choices.map(spelled).join("|");
  if (choices) return "CHOICE";
  const types = field.types.filter((type) => type !== "null");
  return [...new Set(types.map((type) => NAMES[type]))].join("|");
}

/** Description, type, bounds, choices and default of a field, as sentences. */
export function fieldText(field: Field): string {
  const { schema, list, required } = field;
  const values = (list ? (schema["items"] ?? {}) : schema) as JsonSchema;
  const facts = [
    ...bounds(values, field),
    ...(list ? [`repeatable${counts(schema)}`] : []),
    ...(choicesOf(field) ? [`one of ${choicesOf(field)?.map(spelled).join(", ")}`] : []),
    ...(Object.hasOwn(schema, "default") ? [`default ${spelled(schema["default"])}`] : []),
    ...(required ? ["required"] : []),
  ];
  const description = typeof schema["description"] === "string" ? schema["description"] : "";
  return `${description} (${[typeText(field), ...facts].join("; ")})`.trim();
}

function typeText({ types }: Field): string {
  const words = {
    string: "text",
    integer: "integer",
    number: "number",
    boolean: "on or off",
    array: "JSON",
    object: "JSON",
  };
  const named = types.filter((type) => type !== "null").map((type) => words[type]);
  return [...new Set(named)].join(" or ") || "null";
}

function bounds(schema: JsonSchema, { types }: Field): readonly string[] {
  const found: string[] = [];
  if (types.includes("integer") || types.includes("number")) found.push(...range(schema));
  if (types.includes("string")) {
    const { minLength: least, maxLength: most, format } = schema;
    if (least !== undefined || most !== undefined) found.push(`${span(least, most)} characters`);
    if (typeof format === "string") found.push(format);
  }
  return found;
}

function range(schema: JsonSchema): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const found: string[] = [];
  if (minimum !== undefined || maximum !== undefined) found.push(span(minimum, maximum));
  if (exclusiveMinimum !== undefined) found.push(`more than ${spelled(exclusiveMinimum)}`);
  if (exclusiveMaximum !== undefined) found.push(`less than ${spelled(exclusiveMaximum)}`);
  return found;
}

function counts({ minItems, maxItems }: JsonSchema): string {
  return minItems === undefined && maxItems === undefined ? "" : ` ${span(minItems, maxItems)} times`;
}

function span(least: unknown, most: unknown): string {
  if (least === undefined) return `at most ${spelled(most)}`;
  if (most === undefined) return `at least ${spelled(least)}`;
  return least === most ? spelled(least) : `${spelled(least)} to ${spelled(most)}`;
}
