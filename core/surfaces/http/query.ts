import { SkillError } from "../../errors/skill-error.ts";
import { isObject } from "../../schema/json.ts";
import { referred } from "../../schema/references.ts";
import type { Check, JsonSchema, Schemas } from "../../schema/schemas.ts";

/** Reads the text of a query into the values that a route's schema asks for. */
export type QueryReader = (given: Readonly<Record<string, unknown>>) => unknown;

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A query is text, so its values are coerced to the type of the property, when they state such a value exactly;
 * else they stay text, and the check says what is wrong. A list is given by repeating the name.
 * Without a schema a route takes no query, and what is given is left unread.
 */
export async function queryReader(schemas: Schemas, name: string | undefined): Promise<QueryReader> {
  if (name === undefined) return () => ({});
  const document = await schemas.document(name);
  const check = await schemas.check(name);
  const properties = (document["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return (given) => {
    const query: Record<string, unknown> = {};
    for (const key of Object.keys(given)) {
      if (key === "__proto__") throw misfit("/query/__proto__ is not a known property.", "/query/__proto__");
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      query[key] = property ? coerced(given[key], resolved(property, document), document) : given[key];
    }
    refuseMisfit(check, query);
    return query;
  };
}

function refuseMisfit(check: Check, query: unknown): void {
  const fault = check(query);
  if (!fault) return;
  const sentence =
    fault.pointer === "" ? fault.sentence.replace(/^The value/, "The query") : `/query${fault.sentence}`;
  throw misfit(sentence, `/query${fault.pointer}`);
}

function misfit(sentence: string, pointer: string): SkillError {
  return new SkillError("INPUT_INVALID", sentence, { pointer, hint: "The parameters are in /openapi.json." });
}

function coerced(value: unknown, schema: JsonSchema, document: JsonSchema): unknown {
  const types = typesOf(schema);
  if (types.includes("array")) {
    const item = resolved((schema["items"] ?? {}) as JsonSchema, document);
    return (Array.isArray(value) ? value : [value]).map((one) => scalar(one, typesOf(item)));
  }
  return scalar(value, types);
}

function scalar(value: unknown, types: readonly unknown[]): unknown {
  if (typeof value !== "string") return value;
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
  if (!types.includes("number") && !types.includes("integer")) return value;
  const number = Number(value);
  const exact =
    NUMBER.test(value) &&
    Number.isFinite(number) &&
    (!Number.isInteger(number) || Number.isSafeInteger(number));
  return exact ? number : value;
}

/** The declared types; those of the listed values when only they are given. */
function typesOf({ type, enum: values, const: fixed }: JsonSchema): readonly unknown[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  const listed = Array.isArray(values) ? values : fixed === undefined ? [] : [fixed];
  return listed.map((value) => typeof value);
}

/** Follows a reference within the same document, once for each step. */
function resolved(schema: JsonSchema, document: JsonSchema, steps = 8): JsonSchema {
  const { $ref: reference } = schema;
  const target = typeof reference === "string" ? referred(reference, document) : undefined;
  return isObject(target) && steps > 0 ? resolved(target, document, steps - 1) : schema;
}
