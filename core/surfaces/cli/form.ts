import { kebab } from "../../schema/json.ts";
import { resolved } from "../../schema/references.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { GLOBAL_FLAGS } from "./words.ts";

/** The JSON types of a word. */
type ValueType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

/** One property of an input on the command line. */
export interface Field {
  readonly name: string;
  /** Without dashes; undefined if the name is not usable as a flag: the property is positional or given by --input. */
  readonly flag: string | undefined;
  /** Whether --no-<flag> exists: it means false or, for a list, an empty one. */
  readonly negatable: boolean;
  /** Whether its flag needs no value. */
  readonly isSwitch: boolean;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** The allowed types; for a list, those of its items. */
  readonly types: readonly ValueType[];
  /** The allowed values if they are enumerated; for a list, those of its items. */
  readonly choices: readonly unknown[] | undefined;
  readonly list: boolean;
}

/** An input as flags and positional words. */
export interface InputForm {
  readonly fields: readonly Field[];
  readonly positional: readonly Field[];
  /** Whether other properties are refused. */
  readonly closed: boolean;
}

const FLAG_NAME = /^[A-Za-z\d][\w.-]*$/;
const EVERY_TYPE: readonly ValueType[] = ["string", "number", "boolean", "array", "object", "null"];

/** Derives the form of an input from its schema. Positional names without a property are left out. */
export function inputForm(schema: JsonSchema, positional: readonly string[] = []): InputForm {
  const properties = new Map<string, JsonSchema>();
  const required = new Set<string>();
  gather(schema, schema, properties, required, true);
  // Flags of the command line itself.
  const taken = new Set<string>([...GLOBAL_FLAGS, "input"]);
  const flags = new Map<string, string>();
  for (const name of properties.keys()) {
    const flag = [kebab(name), name].find((one) => FLAG_NAME.test(one) && !taken.has(one));
    if (flag === undefined) continue;
    flags.set(name, flag);
    taken.add(flag);
  }
  const fields = [...properties].map(([name, given]): Field => {
    const own = resolved(given, schema);
    const all = typesOf(own, schema);
    const list = all.includes("array") && all.every((type) => type === "array" || type === "null");
    const values = list ? resolved((own["items"] ?? {}) as JsonSchema, schema) : own;
    const types = list ? typesOf(values, schema) : all;
    const flag = flags.get(name);
    const isSwitch = !list && types.length === 1 && types[0] === "boolean";
    const negatable = flag !== undefined && (list || isSwitch) && !taken.has(`no-${flag}`);
    const choices = choicesOf(values);
    return {
      name,
      flag,
      negatable,
      isSwitch,
      required: required.has(name),
      schema: own,
      types,
      choices,
      list,
    };
  });
  const inOrder = positional.map((name) => fields.find((field) => field.name === name));
  const closed = [schema["additionalProperties"], schema["unevaluatedProperties"]].includes(false);
  return { fields, positional: inOrder.filter((field) => field !== undefined), closed };
}

/** A field as it is typed: its placeholder if it is positional, otherwise its flag. */
export function label(field: Field, form: InputForm): string {
  if (form.positional.includes(field) || field.flag === undefined) return placeholder(field);
  return `--${field.flag}`;
}

/** `songId` -> `SONG_ID` */
export function placeholder({ name }: Field): string {
  return kebab(name).replaceAll("-", "_").toUpperCase();
}

/** A value as a word. */
export function spelled(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function gather(
  node: JsonSchema,
  root: JsonSchema,
  properties: Map<string, JsonSchema>,
  required: Set<string>,
  always: boolean,
): void {
  const schema = resolved(node, root);
  for (const [name, property] of Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>)) {
    if (!properties.has(name)) properties.set(name, property);
  }
  if (always) for (const name of (schema["required"] ?? []) as readonly string[]) required.add(name);
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    for (const branch of (schema[keyword] ?? []) as readonly JsonSchema[])
      gather(branch, root, properties, required, always && keyword === "allOf");
  }
}

function choicesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if (Array.isArray(schema["enum"])) return schema["enum"] as readonly unknown[];
  return Object.hasOwn(schema, "const") ? [schema["const"]] : undefined;
}

function typesOf(schema: JsonSchema, root: JsonSchema): readonly ValueType[] {
  const { type } = schema;
  if (type !== undefined) return (Array.isArray(type) ? type : [type]) as readonly ValueType[];
  const choices = choicesOf(schema);
  if (choices) return [...new Set(choices.map(typeOf))];
  const branches = (schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"] ?? []) as readonly JsonSchema[];
  if (branches.length === 0) return EVERY_TYPE;
  return [...new Set(branches.flatMap((branch) => typesOf(resolved(branch, root), root)))];
}

function typeOf(value: unknown): ValueType {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as ValueType);
}
