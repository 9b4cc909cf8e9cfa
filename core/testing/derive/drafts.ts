import { INSTRUCTIONS, isObject } from "../../schema/json.ts";
import { pointerOf } from "../../schema/fault.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { FORMATS } from "./formats.ts";
import { MOST_CHARACTERS, MOST_MEMBERS, listOf, sample, textOf, typesOf, unitOf } from "./sample.ts";

/** A value that is probably right or wrong at its place, before confirmation. */
export interface Draft {
  readonly keyword: string;
  /** The change, e.g. `one character too many`. The first confirmed draft with the same keyword and note is used. */
  readonly note: string;
  readonly value: unknown;
  /** The pointer of the fault, from the place on: to the missing or superfluous property itself. */
  readonly pointer: string;
}

function draft(keyword: string, note: string, value: unknown, pointer = ""): Draft {
  return { keyword, note, value, pointer };
}

/** Derives drafts from the value of a keyword, the value at its place, and the schema. */
type Break = (given: never, value: unknown, schema: JsonSchema, root: JsonSchema) => Iterable<Draft>;

const LOOKALIKES = { null: null, string: "7", number: 7, boolean: true, array: [], object: {} } as const;
/** Additional characters, of which at least one breaks nearly any pattern. */
const ODD = [" ", "!", "\u0000", "A", "a", "0", "歌", "\n"];

/** For each keyword, values that break it and, as far as possible, nothing else. */
const BREAKS: Readonly<Record<string, Break>> = {
  *type(_given, _value, schema) {
    const allowed = typesOf(schema);
    for (const [name, odd] of Object.entries(LOOKALIKES)) {
      if (allowed.includes(name) || (name === "number" && allowed.includes("integer"))) continue;
      yield draft("type", `${JSON.stringify(odd)} instead of ${allowed.join(" or ")}`, odd);
    }
    if (allowed.includes("integer")) yield draft("type", "0.5 instead of integer", 0.5);
  },
  *enum(values: readonly unknown[]) {
    for (const value of values) for (const odd of beside(value)) yield draft("enum", "off the list", odd);
  },
  *const(given) {
    for (const odd of beside(given)) yield draft("const", "another value", odd);
  },
  minimum: (least: number, _, schema) => [draft("minimum", "just below", least - unitOf(schema, least))],
  maximum: (most: number, _, schema) => [draft("maximum", "just above", most + unitOf(schema, most))],
  exclusiveMinimum: (bound: number) => [draft("exclusiveMinimum", "the bound itself", bound)],
  exclusiveMaximum: (bound: number) => [draft("exclusiveMaximum", "the bound itself", bound)],
  *multipleOf(unit: number, value) {
    for (const off of [1, unit / 2])
      yield draft("multipleOf", "between two multiples", (typeof value === "number" ? value : 0) + off);
  },
  *minLength(least: number, value) {
    if (least > 0)
      for (const text of [value, "x"].filter(isText))
        yield draft("minLength", "one character too few", textOf(text, least - 1));
  },
  *maxLength(most: number, value) {
    if (most < MOST_CHARACTERS)
      for (const text of [value, "x"].filter(isText))
        yield draft("maxLength", "one character too many", textOf(text, most + 1));
  },
  *pattern(_given, value) {
    const text = isText(value) ? value : "";
    for (const odd of ODD)
      for (const bent of [text + odd, odd + text, odd]) yield draft("pattern", "against the pattern", bent);
    yield draft("pattern", "against the pattern", "");
  },
  *format(format: string) {
    for (const text of FORMATS[format]?.misfit ?? []) yield draft("format", `no ${format}`, text);
  },
  *minItems(least: number, value, schema, root) {
    yield draft("minItems", "one item too few", listOf(least - 1, itemsOf(value), schema, root));
  },
  *maxItems(most: number, value, schema, root) {
    yield draft("maxItems", "one item too many", listOf(most + 1, itemsOf(value), schema, root));
  },
  *uniqueItems(_given, value, schema, root) {
    const [item] = listOf(1, itemsOf(value), schema, root) ?? [];
    if (item !== undefined) yield draft("uniqueItems", "an item twice", [item, item]);
  },
  contains: () => [draft("contains", "no item", [])],
  *required(keys: readonly string[], value) {
    // If two are missing, a validator may name either.
    if (isObject(value) && keys.every((key) => Object.hasOwn(value, key)))
      for (const key of keys) yield draft("required", `without ${key}`, without(value, key), pointerOf(key));
  },
  *additionalProperties(given, value) {
    if (given === false && isObject(value)) yield superfluous("additionalProperties", value);
  },
  *unevaluatedProperties(given, value) {
    if (given === false && isObject(value)) yield superfluous("unevaluatedProperties", value);
  },
  *propertyNames(_given, value) {
    const [part = null] = isObject(value) ? Object.values(value) : [];
    for (const key of ["", "no name!", "x".repeat(300)])
      if (isObject(value))
        yield draft("propertyNames", "a name that is not allowed", { ...value, [key]: part }, pointerOf(key));
  },
  *minProperties(least: number, value) {
    if (least > 0 && isObject(value))
      yield draft(
        "minProperties",
        "one too few",
        Object.fromEntries(Object.entries(value).slice(0, least - 1)),
      );
  },
  *maxProperties(most: number, value) {
    if (!isObject(value) || most >= MOST_MEMBERS) return;
    const [part = null] = Object.values(value);
    const more = Array.from({ length: most + 1 }, (_, index) => [`more-${index}`, part]);
    const all = [...Object.entries(value), ...more].slice(0, most + 1);
    yield draft("maxProperties", "one property too many", Object.fromEntries(all));
  },
  anyOf: (_given, value) => branchless("anyOf", value),
  oneOf: (_given, value) => branchless("oneOf", value),
  *not(schema, _value, _schema, root) {
    yield draft("not", "what is excluded", sample(schema, root));
  },
};

/** Keywords that refuse values and that no draft breaks. */
const UNBROKEN = ["patternProperties", "prefixItems", "dependentRequired", "minContains", "maxContains"];

/** The keywords of a schema that refuse some value. */
export function refusing(schema: JsonSchema): readonly string[] {
  return Object.entries(schema)
    .filter(([keyword, given]) => {
      if (UNBROKEN.includes(keyword)) return true;
      if (!Object.hasOwn(BREAKS, keyword) || given === 0 || given === INSTRUCTIONS) return false;
      if (keyword.endsWith("Properties") && keyword !== "minProperties" && keyword !== "maxProperties")
        return given === false;
      return !(keyword === "uniqueItems" && given === false) && !(Array.isArray(given) && given.length === 0);
    })
    .map(([keyword]) => keyword);
}

/** Wrong values for each keyword of a schema, with several drafts if the first may be unsuitable. */
export function* wrong(schema: JsonSchema, value: unknown, root: JsonSchema): Generator<Draft> {
  for (const [keyword, given] of Object.entries(schema))
    if (Object.hasOwn(BREAKS, keyword)) yield* BREAKS[keyword]?.(given as never, value, schema, root) ?? [];
}

const SCRIPTS = { accented: "é", Chinese: "歌", astral: "😀" };

/** Right values: the value itself, each entry and type, and values at each bound. */
export function* right(schema: JsonSchema, value: unknown, root: JsonSchema): Generator<Draft> {
  yield draft("example", "as it is", value);
  for (const entry of [schema["enum"] ?? []].flat()) yield draft("enum", JSON.stringify(entry), entry);
  const types = typesOf(schema);
  if (types.includes("boolean")) for (const one of [true, false]) yield draft("type", String(one), one);
  if (types.length > 1)
    for (const type of types) yield draft("type", `a ${type}`, sample({ ...schema, type }, root));
  for (const arm of [schema["anyOf"] ?? [], schema["oneOf"] ?? []].flat())
    yield draft("branch", JSON.stringify(sample(arm, root)), sample(arm, root));
  if (types.includes("integer") || types.includes("number")) yield* rightNumbers(schema);
  if (isText(value) && types.includes("string")) yield* rightTexts(schema, value);
  if (Array.isArray(value))
    for (const [keyword, step] of [
      ["minItems", 1],
      ["maxItems", -1],
    ] as const)
      for (const count of boundsOf(schema[keyword], step))
        yield draft(keyword, `${count} items`, listOf(count, value, schema, root));
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) yield draft("required", `without ${key}`, without(value, key));
  if (schema["additionalProperties"] === undefined) yield superfluous("additionalProperties", value);
}

function boundsOf(bound: unknown, step: number): readonly number[] {
  return typeof bound === "number" ? [bound, bound + step] : [];
}

function* rightNumbers(schema: JsonSchema): Generator<Draft> {
  for (const [keyword, sign] of [
    ["minimum", 1],
    ["maximum", -1],
    ["exclusiveMinimum", 1],
    ["exclusiveMaximum", -1],
  ] as const)
    for (const number of boundsOf(schema[keyword], 0).slice(0, 1)) {
      if (!keyword.startsWith("exclusive")) yield draft(keyword, "the bound itself", number);
      yield draft(keyword, "one step inside", number + sign * unitOf(schema, number));
    }
}

/** Texts with the length of each bound, in scripts of one to four bytes; for a format, known values. */
function* rightTexts(schema: JsonSchema, value: string): Generator<Draft> {
  const { minLength, maxLength, format } = schema;
  for (const text of FORMATS[String(format)]?.fit ?? []) yield draft("format", text, text);
  for (const [keyword, bound, step] of [
    ["minLength", minLength, 1],
    ["maxLength", maxLength, -1],
  ] as const)
    for (const length of boundsOf(bound, step))
      if (length <= MOST_CHARACTERS)
        yield draft(keyword, `${length} characters`, textOf(value === "" ? "x" : value, length));
  const longest = Math.min(Number(maxLength ?? 8), 1_000);
  for (const [script, character] of Object.entries(SCRIPTS))
    yield draft("maxLength", `${longest} ${script} characters`, character.repeat(longest));
}

function superfluous(keyword: string, value: object): Draft {
  return draft(keyword, "a further property", { ...value, superfluous: true }, pointerOf("superfluous"));
}

function* branchless(keyword: string, value: unknown): Generator<Draft> {
  const odd = isObject(value) ? [{}, ...Object.keys(value).map((key) => without(value, key))] : beside(value);
  for (const one of odd) yield draft(keyword, "fits no branch", one);
}

/** Values of the same type close to a value. */
function beside(value: unknown): readonly unknown[] {
  if (isText(value)) return [`${value}-`, value.toUpperCase(), value.toLowerCase(), ""];
  if (typeof value === "number") return [value + 1, value - 1];
  return typeof value === "boolean" ? [!value] : [null];
}

function without(object: Readonly<Record<string, unknown>>, key: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
