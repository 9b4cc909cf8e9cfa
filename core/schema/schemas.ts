import type { Ajv2020 } from "ajv/dist/2020.js";
import { SkillError, described } from "../errors/skill-error.ts";
import { MOST_PATTERN_MS, within } from "./bounded.ts";
import { withPointers } from "./references.ts";
import { faultOf, type Fault, type ValidatorError } from "./fault.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns the fault of a value; undefined if it fits. */
export type Check = (value: unknown) => Fault | undefined;

/** A validator as Ajv compiles it. */
export interface Validator {
  (value: unknown): boolean;
  readonly errors?: readonly ValidatorError[] | null;
}

/** Validators of a skill's schemas, made at build time, by name. */
export type Precompiled = (skill: string) => Promise<Readonly<Record<string, Validator>> | undefined>;

export interface SchemaSource {
  /** The document of a schema name; undefined if the schema is missing. */
  readonly read: (name: string) => Promise<JsonSchema | undefined>;
  readonly precompiled?: Precompiled;
}

/** The schemas of a host, each read and compiled once, on first use. A failed one is tried again at the next request. */
export class Schemas {
  readonly #source: SchemaSource;
  readonly #documents = new Map<string, Promise<JsonSchema>>();
  readonly #checks = new Map<string, Promise<Check>>();
  #compiler: Promise<(schema: JsonSchema, label: string) => Validator> | undefined;

  constructor(source: SchemaSource) {
    this.#source = source;
  }

  /** The document, in which all references are pointers. @throws SkillError `SCHEMA_INVALID` when it is missing. */
  document(name: string): Promise<JsonSchema> {
    return remembered(this.#documents, name, async () => {
      try {
        const document = await this.#source.read(name);
        if (document) return withPointers(document);
      } catch (cause) {
        const reason = cause instanceof RangeError ? "it is nested too deep" : described(cause);
        throw cause instanceof SkillError ? cause : unusable(name, reason, SEE_FAULTS, cause);
      }
      throw new SkillError("SCHEMA_INVALID", `There is no schema ${name}.`, {
        hint: `Each schema has a file of its own in the folder schemas: ${name}.json.`,
      });
    });
  }

  /** @throws SkillError `SCHEMA_INVALID` when the schema is missing or not strict. */
  check(name: string): Promise<Check> {
    return remembered(this.#checks, name, async () => {
      const built = await this.#precompiled(name);
      if (built) return asCheck(built);
      const document = await this.document(name);
      const check = asCheck(await this.#compile(document, name));
      return JSON.stringify(document).includes('"pattern') ? bounded(check, name) : check;
    });
  }

  /** The check of a schema without the top-level properties in `left`; only the properties in `needed` are required. */
  checkPart(name: string, left: readonly string[], needed: readonly string[]): Promise<Check> {
    return remembered(this.#checks, [name, ...left, "", ...needed].join(" "), async () => {
      const { properties, required: _, ...rest } = await this.document(name);
      const kept = Object.entries(Object(properties)).filter(([property]) => !left.includes(property));
      const schema = { ...rest, properties: Object.fromEntries(kept), required: needed };
      return bounded(asCheck(await this.#compile(schema, name)), name);
    });
  }

  async #precompiled(name: string): Promise<Validator | undefined> {
    const skill = name.slice(0, name.indexOf("/"));
    return (await this.#source.precompiled?.(skill))?.[name];
  }

  async #compile(schema: JsonSchema, label: string): Promise<Validator> {
    this.#compiler ??= this.#openCompiler().catch((caught: unknown) => {
      this.#compiler = undefined;
      throw caught;
    });
    const compile = await this.#compiler;
    try {
      return compile(schema, label);
    } catch (cause) {
      throw unusable(label, described(cause), SEE_FAULTS, cause);
    }
  }

  /** The schema of schemas is compiled by the build or once per process: that takes longer than everything else. */
  async #openCompiler(): Promise<(schema: JsonSchema, label: string) => Validator> {
    const [{ createAjv }, precompiled] = await Promise.all([
      import("./ajv.ts"),
      this.#precompiled(SCHEMA_OF_SCHEMAS),
    ]);
    const isSchema = precompiled ?? (schemaOfSchemas ??= createAjv().getSchema(DIALECT) as Validator);
    return (document, key) => {
      const text = JSON.stringify(document);
      const known = compiledSchemas.get(text);
      if (known) return known;
      const dialect = document["$schema"] ?? DIALECT;
      if (dialect !== DIALECT) throw new Error(`its $schema is not ${DIALECT}`);
      if (!isSchema(document)) throw new Error(faultOf(isSchema.errors ?? [], "it").sentence.slice(0, -1));
      const validator = compiled((compiler ??= createAjv({ validateSchema: false })), {
        ...document,
        $id: key,
      });
      if (compiledSchemas.size >= MOST_COMPILED) compiledSchemas.clear();
      compiledSchemas.set(text, validator);
      return validator;
    };
  }
}

/** Removes the schema from Ajv, which would otherwise report that its name is taken. */
function compiled(ajv: Ajv2020, schema: JsonSchema & { readonly $id: string }): Validator {
  try {
    return ajv.compile(schema) as Validator;
  } finally {
    ajv.removeSchema(schema.$id);
  }
}

/** Name of the precompiled validator of schemas themselves. */
export const SCHEMA_OF_SCHEMAS = "core/json-schema";

/** The dialect of every schema: JSON Schema 2020-12. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

let schemaOfSchemas: Validator | undefined;
let compiler: Ajv2020 | undefined;

/** Validators by the text of their schema, for all hosts of the process: a schema refers to nothing outside its document. */
const compiledSchemas = new Map<string, Validator>();
const MOST_COMPILED = 1_000;
const SEE_FAULTS = "`skillctl validate DIR`, with the folder of the skill, shows the place";

function asCheck(validator: Validator): Check {
  return (value) => {
    try {
      return validator(value) ? undefined : faultOf(validator.errors ?? []);
    } catch (caught) {
      if (!(caught instanceof RangeError)) throw caught;
      return { pointer: "", keyword: "", sentence: "The value is nested too deep." };
    }
  };
}

/** A check with a time limit, since the patterns of an author can be slow. */
function bounded(check: Check, name: string): Check {
  return (value) => {
    let fault: Fault | undefined;
    if (within(MOST_PATTERN_MS, () => (fault = check(value)))) return fault;
    throw unusable(
      name,
      `one of its patterns took longer than ${MOST_PATTERN_MS} ms`,
      "it has a repetition inside a repetition, such as (a+)+",
    );
  };
}

export function unusable(name: string, reason: string, where = SEE_FAULTS, cause?: unknown): SkillError {
  return new SkillError("SCHEMA_INVALID", `The schema ${name} cannot be used: ${reason}.`, {
    cause,
    hint: `This is a fault of the skill ${name.split("/")[0]}; ${where}.`,
  });
}

function remembered<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = map.get(key);
  if (known) return known;
  const value = make();
  map.set(key, value);
  value.catch(() => map.delete(key));
  return value;
}
