import { pointerOf } from "./fault.ts";
import { isObject } from "./json.ts";

/** A document of JSON Schema, or a part of one. */
type Schema = Readonly<Record<string, unknown>>;

const ANCHORS = new Set(["$anchor", "$dynamicAnchor"]);
const REFERENCES = new Set(["$ref", "$dynamicRef"]);
/** Keywords whose values are data. */
const DATA = new Set(["const", "enum", "examples", "default", "dependentRequired"]);
/** Keywords whose values are maps of schemas, so that their keys are not keywords. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);

/** A copy of a schema in which `change` has been applied to every schema, the outer ones first. */
export function changedSchema(schema: unknown, change: (schema: Schema) => Schema): unknown {
  const inner = (part: unknown): unknown => changedSchema(part, change);
  if (Array.isArray(schema)) return schema.map(inner);
  if (!isObject(schema)) return schema;
  return mapValues(change(schema), (value, keyword) => {
    if (DATA.has(keyword)) return value;
    return MAPS.has(keyword) && isObject(value) ? mapValues(value, inner) : inner(value);
  });
}

function mapValues(object: Schema, change: (value: unknown, key: string) => unknown): Schema {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

/**
 * A schema whose references are all JSON pointers, without anchors. A document is one resource, so that a dynamic
 * reference leads where a plain one does. Code that makes help, OpenAPI, types or values from schemas reads only pointers.
 */
export function withPointers(document: Schema): Schema {
  const places = new Map<string, string>();
  const find = (part: unknown, at: string): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries(part) as [string, unknown][]) {
      if (ANCHORS.has(key) && typeof value === "string") places.set(`#${value}`, `#${at}`);
      else if (!DATA.has(key)) find(value, at + encodeURI(pointerOf(key)));
    }
  };
  find(document, "");
  const pointed = (schema: Schema): Schema => {
    const entries = Object.entries(schema).map(([key, value]) => {
      const place = REFERENCES.has(key) ? places.get(String(value)) : undefined;
      return place === undefined ? ([key, value] as const) : (["$ref", place] as const);
    });
    return Object.fromEntries(entries.filter(([key]) => !ANCHORS.has(key)));
  };
  return places.size === 0 ? document : (changedSchema(document, pointed) as Schema);
}

/** A schema merged with the local definition that it refers to; its own keywords win. Follows at most 8 references. */
export function resolved(schema: Schema, root: Schema): Schema {
  let seen = schema;
  for (let depth = 0; depth < 8 && typeof seen["$ref"] === "string"; depth += 1) {
    const { $ref, ...rest } = seen;
    seen = { ...(referred($ref, root) as Schema | undefined), ...rest };
  }
  return seen;
}

/** The target of a local reference that is a pointer; undefined if it leads nowhere. */
export function referred(reference: string, root: Schema): unknown {
  let part: unknown = root;
  for (const key of decoded(reference.replace(/^#\/?/, "")).split("/").filter(Boolean)) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return undefined;
    part = (part as Schema)[name];
  }
  return part;
}

/** A percent sign that begins no escape stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
