import { isObject } from "../../schema/predicate.ts";
import { type JsonObject } from "./draft.ts";

/** The keywords of one schema object that are read here. Others are kept, so that they can be reported. */
export interface Keywords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: unknown;
  readonly required?: readonly string[];
  readonly properties?: JsonObject;
  readonly additionalProperties?: unknown;
  readonly propertyNames?: unknown;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly [other: string]: unknown;
}

/** `oneOf` or `anyOf` with its arms. */
export interface Choice {
  readonly keyword: "oneOf" | "anyOf";
  readonly arms: readonly unknown[];
}

export interface Condition {
  readonly if: unknown;
  readonly then?: unknown;
  readonly else?: unknown;
}

/** A schema with its references followed and its `allOf` merged; what branches stands apart. */
export interface Flat {
  readonly plain: Keywords;
  readonly choices: readonly Choice[];
  readonly conditions: readonly Condition[];
  readonly nots: readonly unknown[];
}

const EMPTY: Flat = { plain: {}, choices: [], conditions: [], nots: [] };

/** Reads a schema, true and false included. `root` is the document that local references point into. */
export function flat(schema: unknown, root: JsonObject, followed: readonly string[] = []): Flat {
  if (schema === false) return { ...EMPTY, nots: [true] };
  if (!isObject(schema)) return EMPTY;
  const { $ref, $defs: _, allOf, oneOf, anyOf, not, if: condition, then, else: otherwise, ...plain } = schema;
  const choices: Choice[] = [];
  if (Array.isArray(oneOf)) choices.push({ keyword: "oneOf", arms: oneOf });
  if (Array.isArray(anyOf)) choices.push({ keyword: "anyOf", arms: anyOf });
  const conditions: Condition[] = condition === undefined ? [] : [{ if: condition, then, else: otherwise }];
  let result: Flat = { plain, choices, conditions, nots: not === undefined ? [] : [not] };
  if (typeof $ref === "string" && !followed.includes($ref)) {
    result = merged(flat(referred($ref, root), root, [...followed, $ref]), result);
  }
  for (const part of Array.isArray(allOf) ? allOf : []) result = merged(result, flat(part, root, followed));
  return result;
}

/** The schema a local reference names; undefined when it leads nowhere. */
function referred(reference: string, root: JsonObject): unknown {
  let place: unknown = root;
  for (const part of reference.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    place = (place as JsonObject | undefined)?.[key];
  }
  return place;
}

/** Both schemas at once. */
export function merged(a: Flat, b: Flat): Flat {
  return {
    plain: mergedKeywords(a.plain, b.plain),
    choices: [...a.choices, ...b.choices],
    conditions: [...a.conditions, ...b.conditions],
    nots: [...a.nots, ...b.nots],
  };
}

const larger = (a: number, b: number): number => Math.max(a, b);
const smaller = (a: number, b: number): number => Math.min(a, b);
const narrower: Readonly<Record<string, (a: number, b: number) => number>> = {
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
};

function mergedKeywords(a: Keywords, b: Keywords): Keywords {
  const result: Record<string, unknown> = { ...a, ...b };
  for (const [key, narrow] of Object.entries(narrower)) {
    const [left, right] = [a[key], b[key]];
    if (typeof left === "number" && typeof right === "number") result[key] = narrow(left, right);
  }
  if (a.required && b.required) result["required"] = [...new Set([...a.required, ...b.required])];
  if (a.properties && b.properties) {
    const properties: Record<string, unknown> = { ...a.properties };
    for (const [key, schema] of Object.entries(b.properties)) {
      properties[key] = Object.hasOwn(a.properties, key) ? { allOf: [a.properties[key], schema] } : schema;
    }
    result["properties"] = properties;
  }
  return result;
}

/** Every way through the branches of a schema, at most 64, each without branches. */
export function alternatives(schema: Flat, root: JsonObject): readonly Flat[] {
  const [choice, ...choices] = schema.choices;
  const [condition, ...conditions] = schema.conditions;
  const ways: Flat[] = [];
  if (choice) {
    for (const arm of choice.arms) ways.push(merged({ ...schema, choices }, flat(arm, root)));
  } else if (condition) {
    const rest = { ...schema, conditions };
    ways.push(merged(merged(rest, flat(condition.if, root)), flat(condition.then, root)));
    ways.push(merged(rest, flat(condition.else, root)));
  } else {
    return [schema];
  }
  return ways.flatMap((way) => alternatives(way, root)).slice(0, 64);
}
