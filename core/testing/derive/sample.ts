import { isObject } from "../../schema/json.ts";
import { referred } from "../../schema/references.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { FORMATS } from "./formats.ts";

/** The limit for the length of texts and the number of members of lists and objects. */
export const MOST_CHARACTERS = 100_000;
export const MOST_MEMBERS = 2_000;

const DEEPEST = 8;
/** Words that together match most patterns in the files of skills. */
const WORDS = ["text", "a", "A", "a-b", "a/b", "/a", "./a.js", "AB", "A_B", "7", "1.0.0", "2026-07-01", "歌"];

/** The parts of a schema for the same value: itself, its reference, and the schemas in it. */
export function partsOf(schema: unknown, root: JsonSchema, followed: readonly string[] = []): JsonSchema[] {
  if (!isObject(schema)) return [];
  const { $ref: reference, allOf, anyOf, oneOf, then, else: otherwise } = schema;
  const below = [allOf, anyOf, oneOf, then, otherwise].flat();
  if (typeof reference === "string" && !followed.includes(reference)) below.push(referred(reference, root));
  const known = typeof reference === "string" ? [...followed, reference] : followed;
  return [schema, ...below.flatMap((part) => partsOf(part, root, known))];
}

/** A value that probably fits a schema, or undefined. */
export function sample(schema: unknown, root: JsonSchema, depth = 0): unknown {
  if (depth > DEEPEST) return undefined;
  // Always the first branch, so that the parts belong together.
  const first = isObject(schema) ? { ...schema, ...firstBranches(schema) } : schema;
  const all: JsonSchema = Object.assign({}, ...partsOf(first, root).toReversed());
  if ("const" in all) return all["const"];
  for (const key of ["examples", "enum"] as const) if (Array.isArray(all[key])) return all[key][0] as unknown;
  if ("default" in all) return all["default"];
  switch (typesOf(all)[0]) {
    case "null":
      return null;
    case "boolean":
      return true;
    case "integer":
    case "number":
      return numberIn(all);
    case "array":
      return listOf(Number(all["minItems"] ?? 0), [], all, root, depth + 1);
    case "object":
      return objectIn(all, root, depth);
    default:
      return textIn(all);
  }
}

/** A list of a given length that begins with the given items, or undefined. */
export function listOf(
  count: number,
  given: readonly unknown[],
  schema: JsonSchema,
  root: JsonSchema,
  depth = 0,
): readonly unknown[] | undefined {
  if (count < 0 || count > MOST_MEMBERS) return undefined;
  const item = given.length > 0 ? given[0] : sample(schema["items"] ?? {}, root, depth);
  if (item === undefined && count > 0) return undefined;
  return Array.from({ length: count }, (_, index) =>
    index < given.length ? given[index] : varied(item, schema["uniqueItems"] ? index : 0),
  );
}

function firstBranches({ anyOf, oneOf }: JsonSchema): JsonSchema {
  const first = (arms: unknown): unknown => (Array.isArray(arms) ? arms.slice(0, 1) : undefined);
  return { anyOf: first(anyOf), oneOf: first(oneOf) };
}

function objectIn(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const names = new Set((schema["required"] ?? []) as readonly string[]);
  for (const name of Object.keys(properties))
    if (names.size < Number(schema["minProperties"] ?? 0)) names.add(name);
  const members = [...names].map((name) => [name, sample(properties[name] ?? {}, root, depth + 1)] as const);
  return Object.fromEntries(members.filter(([, part]) => part !== undefined));
}

function numberIn(schema: JsonSchema): number {
  const unit = unitOf(schema);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema as Record<string, number>;
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + unit);
  const most = maximum ?? (exclusiveMaximum === undefined ? undefined : exclusiveMaximum - unit);
  return Math.ceil((least ?? Math.min(0, most ?? 0)) / unit) * unit;
}

function textIn({ format, pattern, minLength, maxLength }: JsonSchema): string | undefined {
  if (typeof format === "string" && FORMATS[format]) return FORMATS[format].fit[0];
  const fits = typeof pattern === "string" ? new RegExp(pattern, "u") : undefined;
  return WORDS.map((word) => textOf(word, Number(minLength ?? 0), Number(maxLength ?? MOST_CHARACTERS))).find(
    (word) => !fits || fits.test(word),
  );
}

/** A text of a given length in code points: truncated, or with its last character repeated. */
export function textOf(text: string, least: number, most = least): string {
  const characters = [...text].slice(0, most);
  return characters.join("") + (characters.at(-1) ?? "x").repeat(Math.max(0, least - characters.length));
}

/** A similar value, for lists with unique items; 0 is the value itself. */
function varied(value: unknown, index: number): unknown {
  if (index === 0) return value;
  if (typeof value === "string") return `${value}${index}`;
  if (typeof value === "number") return value + index;
  if (!isObject(value)) return value;
  const [key, part] = Object.entries(value).find(([, one]) => typeof one === "string") ?? [];
  return key === undefined ? value : { ...value, [key]: varied(part, index) };
}

const IMPLIED: readonly (readonly [string, RegExp])[] = [
  ["object", /^(?:properties|required|additionalProperties|propertyNames|m(?:in|ax)Properties)$/],
  ["array", /^(?:items|contains|uniqueItems|m(?:in|ax)Items)$/],
  ["number", /^(?:minimum|maximum|exclusiveM\w+|multipleOf)$/],
];

/** The types of a schema: declared, or implied by its keywords; otherwise a string. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  if (type !== undefined) return (Array.isArray(type) ? type : [type]) as readonly string[];
  const implied = IMPLIED.filter(([, keyword]) => Object.keys(schema).some((key) => keyword.test(key)));
  return implied.length > 0 ? implied.map(([name]) => name) : ["string"];
}

/** The step from a number to the next: the divisor, 1 for integers, otherwise a thousandth or the precision of the number. */
export function unitOf(schema: JsonSchema, from = 0): number {
  const { multipleOf } = schema;
  if (typeof multipleOf === "number") return multipleOf;
  return typesOf(schema).includes("integer") ? 1 : Math.max(0.001, Math.abs(from) * 2 ** -51);
}
