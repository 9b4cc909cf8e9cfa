import { isObject } from "../../schema/json.ts";
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
    if (!this.#used.has(key)) this.#used.set(key, await this.inside(name));
    return { $ref: `#/components/schemas/${key}` };
  }

  /** The schema for use in the document: without `$id` and with adjusted inner references. */
  async inside(name: string): Promise<JsonSchema> {
    const { $schema: _dialect, $id: _address, ...schema } = await this.#schemas.document(name);
    const home = `#/components/schemas/${keyOf(name)}`;
    return changedSchema(schema, (part) => {
      const { $ref, ...rest } = alternatives(part) ?? part;
      const isInner = typeof $ref === "string" && $ref.startsWith("#");
      return { ...($ref !== undefined && { $ref: isInner ? home + $ref.slice(1) : $ref }), ...rest };
    }) as JsonSchema;
  }

  put(key: string, schema: JsonSchema): JsonSchema {
    this.#used.set(key, schema);
    return { $ref: `#/components/schemas/${key}` };
  }

  /** All added schemas, sorted by name. */
  sorted(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function keyOf(name: string): string {
  return name.replace("/", ".");
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
  if (Array.isArray(type)) {
    const types = type.filter((one) => named?.some((value) => isOfType(value, one)) ?? true);
    return {
      ...about,
      anyOf: types.map((one) => ({
        ...(one !== "null" && rest),
        type: one,
        ...(named && one !== "null" && { enum: named.filter((value) => isOfType(value, one)) }),
      })),
    };
  }
  const kinds = [...new Set(named?.map((value) => typeof value))];
  if (!named || kinds.length < 2) return undefined;
  return {
    ...about,
    ...rest,
    anyOf: kinds.map((kind) => ({ enum: named.filter((value) => typeof value === kind) })),
  };
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "null" ? value === null : typeof value === type;
}
