import { SkillError } from "../../errors/skill-error.ts";
import { resolved } from "../../schema/references.ts";
import type { Check, JsonSchema, Schemas } from "../../schema/schemas.ts";

/** Converts a query to the types of a route's schema. */
export type QueryReader = (given: Readonly<Record<string, unknown>>) => unknown;

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * Query values are text and are coerced to the type of their property if they represent such a value exactly; otherwise
 * they stay text and fail validation. A list is a repeated name. The query of a route without a schema is ignored.
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

/** The declared types, or those of the listed values. */
function typesOf({ type, enum: values, const: fixed }: JsonSchema): readonly unknown[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  const listed = Array.isArray(values) ? values : fixed === undefined ? [] : [fixed];
  return listed.map((value) => typeof value);
}
