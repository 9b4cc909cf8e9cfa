import { changedSchema } from "../../schema/references.ts";
import type { JsonSchema, Schemas } from "../../schema/schemas.ts";

/** The schemas that a document refers to, under `components.schemas`. */
export class Components {
  readonly #schemas: Schemas;
  readonly #used = new Map<string, JsonSchema>();

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /** A reference to a schema `<skill>/<name>`, which is added. @throws SkillError `SCHEMA_INVALID`. */
  async reference(name: string): Promise<JsonSchema> {
    const key = keyOf(name);
    return this.#used.has(key) ? referenceTo(key) : this.put(key, await this.#schemas.document(name));
  }

  /** The schema for use in the document. @throws SkillError `SCHEMA_INVALID`. */
  async inside(name: string): Promise<JsonSchema> {
    return adjusted(await this.#schemas.document(name), keyOf(name));
  }

  put(key: string, schema: JsonSchema): JsonSchema {
    this.#used.set(key, adjusted(schema, key));
    return referenceTo(key);
  }

  /** All added schemas, sorted by name. */
  sorted(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function keyOf(name: string): string {
  return name.replace("/", ".");
}

function referenceTo(key: string): JsonSchema {
  return { $ref: `#/components/schemas/${key}` };
}

/** A schema without `$id`, with inner references that begin at its component. */
function adjusted({ $schema: _dialect, $id: _address, ...schema }: JsonSchema, key: string): JsonSchema {
  return changedSchema(schema, (part) => {
    const { $ref, ...rest } = alternatives(part) ?? part;
    const isInner = typeof $ref === "string" && $ref.startsWith("#");
    const told = isInner ? `#/components/schemas/${key}${$ref.slice(1)}` : $ref;
    return { ...($ref !== undefined && { $ref: told }), ...rest };
  }) as JsonSchema;
}

/** Keywords that constrain values of one type alone. */
const KEYWORDS = {
  object: [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
  ],
  array: ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"],
  string: ["minLength", "maxLength", "pattern", "contentMediaType", "contentEncoding"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};

/** The keywords of a schema that can constrain values of a type. */
function keywordsOf(type: unknown, schema: JsonSchema): JsonSchema {
  const own = type === "integer" ? "number" : type;
  const others = Object.entries(KEYWORDS).flatMap(([of, keywords]) => (of === own ? [] : keywords));
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !others.includes(keyword)));
}

/** A value of several types as `anyOf` with one type each: client generators fail for lists of types and mixed values. */
function alternatives({
  type,
  enum: values,
  title,
  description,
  examples,
  ...rest
}: JsonSchema): JsonSchema | undefined {
  const told = { title, description, examples };
  const about = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  const named = Array.isArray(values) ? (values as readonly unknown[]) : undefined;
  const types = Array.isArray(type)
    ? type.filter((one) => named?.some((value) => isOfType(value, one)) ?? true)
    : [...new Set(named?.map(typeOf))];
  if (!Array.isArray(type) && types.length < 2) return undefined;
  return {
    ...about,
    anyOf: types.map((one) => ({
      ...keywordsOf(one, rest),
      type: one,
      ...(named && one !== "null" && { enum: named.filter((value) => isOfType(value, one)) }),
    })),
  };
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function isOfType(value: unknown, type: unknown): boolean {
  return type === "integer" ? Number.isInteger(value) : typeOf(value) === type;
}
