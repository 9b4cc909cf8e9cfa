import type { JsonSchema, Schemas } from "../../schema/schemas.ts";

/** Keywords whose values are maps of schemas, so that their keys are not keywords. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);
/** Keywords whose values are data. */
const DATA = new Set(["examples", "const", "enum", "default"]);

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
    return moved(schema, `#/components/schemas/${keyOf(name)}`) as JsonSchema;
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

function moved(schema: unknown, home: string): unknown {
  if (Array.isArray(schema)) return schema.map((one) => moved(one, home));
  if (typeof schema !== "object" || schema === null) return schema;
  const several = alternatives(schema as JsonSchema);
  if (several) return moved(several, home);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "$ref" && typeof value === "string" && value.startsWith("#"))
        return [keyword, home + value.slice(1)];
      if (DATA.has(keyword)) return [keyword, value];
      if (!MAPS.has(keyword)) return [keyword, moved(value, home)];
      const named = Object.entries(value as object).map(([name, inner]) => [name, moved(inner, home)]);
      return [keyword, Object.fromEntries(named)];
    }),
  );
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
  if (Array.isArray(type))
    return { ...about, anyOf: type.map((one) => (one === "null" ? { type: one } : { ...rest, type: one })) };
  const kinds = [...new Set((Array.isArray(values) ? values : []).map((value) => typeof value))];
  if (kinds.length < 2) return undefined;
  const ofKind = (kind: string) => (values as readonly unknown[]).filter((value) => typeof value === kind);
  return { ...about, ...rest, anyOf: kinds.map((kind) => ({ enum: ofKind(kind) })) };
}
