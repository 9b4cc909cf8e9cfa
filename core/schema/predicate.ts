import { pointerOf } from "./fault.ts";

/** Whether a value fits. */
type Test = (value: unknown) => boolean;
type Schema = Readonly<Record<string, unknown>>;
/** Makes the test of a keyword. `compile` is for schemas below it; `schema` is what it stands in. */
type Make = (
  given: unknown,
  at: string,
  compile: (part: unknown, at: string) => Test,
  schema: Schema,
) => Test;

/** Why a schema cannot be used as a predicate, and where in it. */
export class PredicateFault extends Error {
  override readonly name = "PredicateFault";
  /** JSON pointer into the schema; "" is all of it. */
  readonly pointer: string;

  constructor(pointer: string, sentence: string) {
    super(sentence);
    this.pointer = pointer;
  }
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Equality of JSON values (JSON Schema 2020-12 Core, section 4.2.2): order of properties does not count. */
export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one, other] as Schema[];
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equal(left?.[key], right?.[key]))
  );
}

const TYPES: Readonly<Record<string, Test>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

/** Length is counted in code points (JSON Schema 2020-12 Validation, section 6.3). */
const lengthOf = (text: string): number => Array.from(text).length;

/** The keywords, as JSON Schema 2020-12 means them (Validation, section 6; Core, section 10). */
const MAKERS: Readonly<Record<string, Make>> = {
  type: (given, at) => {
    const tests = [given].flat().map((name) => {
      const test = typeof name === "string" && Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
      if (!test) throw new PredicateFault(at, `${JSON.stringify(name)} is no type`);
      return test;
    });
    return (value) => tests.some((test) => test(value));
  },
  const: (given) => (value) => equal(value, given),
  enum: (given, at) => {
    const values = listOf(given, at, "it must list values");
    return (value) => values.some((one) => equal(value, one));
  },
  pattern: (given, at) => {
    if (typeof given !== "string") throw new PredicateFault(at, "it must be a text");
    let pattern: RegExp;
    try {
      pattern = new RegExp(given, "u");
    } catch (cause) {
      throw new PredicateFault(at, `it is no regular expression: ${(cause as Error).message}`);
    }
    return (value) => typeof value !== "string" || pattern.test(value);
  },
  minLength: bound((value, limit) => typeof value !== "string" || lengthOf(value) >= limit),
  maxLength: bound((value, limit) => typeof value !== "string" || lengthOf(value) <= limit),
  minItems: bound((value, limit) => !Array.isArray(value) || value.length >= limit),
  maxItems: bound((value, limit) => !Array.isArray(value) || value.length <= limit),
  minProperties: bound((value, limit) => !isObject(value) || Object.keys(value).length >= limit),
  maxProperties: bound((value, limit) => !isObject(value) || Object.keys(value).length <= limit),
  minimum: bound((value, limit) => typeof value !== "number" || value >= limit),
  maximum: bound((value, limit) => typeof value !== "number" || value <= limit),
  exclusiveMinimum: bound((value, limit) => typeof value !== "number" || value > limit),
  exclusiveMaximum: bound((value, limit) => typeof value !== "number" || value < limit),
  properties: (given, at, compile) => {
    if (!isObject(given)) throw new PredicateFault(at, "it must be an object");
    const members = Object.entries(given).map(
      ([key, part]) => [key, compile(part, at + pointerOf(key))] as const,
    );
    return (value) =>
      !isObject(value) || members.every(([key, test]) => !has(value, key) || test(value[key]));
  },
  required: (given, at) => {
    if (!Array.isArray(given) || given.some((key) => typeof key !== "string"))
      throw new PredicateFault(at, "it must list names");
    const keys = given as readonly string[];
    return (value) => !isObject(value) || keys.every((key) => has(value, key));
  },
  additionalProperties: (given, at, compile, { properties }) => {
    const known = new Set(isObject(properties) ? Object.keys(properties) : []);
    const test = compile(given, at);
    return (value) =>
      !isObject(value) ||
      Object.keys(value).every((key) => known.has(key) || !has(value, key) || test(value[key]));
  },
  items: (given, at, compile) => {
    const test = compile(given, at);
    return (value) => !Array.isArray(value) || value.every(test);
  },
  contains: (given, at, compile) => {
    const test = compile(given, at);
    return (value) => !Array.isArray(value) || value.some(test);
  },
  not: (given, at, compile) => {
    const test = compile(given, at);
    return (value) => !test(value);
  },
  allOf: (given, at, compile) => {
    const tests = partsOf(given, at, compile);
    return (value) => tests.every((test) => test(value));
  },
  anyOf: (given, at, compile) => {
    const tests = partsOf(given, at, compile);
    return (value) => tests.some((test) => test(value));
  },
};

/** What only tells readers something, or is used by `$ref`. */
const SILENT = new Set(["title", "description", "$comment", "$schema", "$defs"]);

/** Every keyword that a predicate may use; `$ref` leads to `#` or into its own `$defs`. */
export const KEYWORDS: ReadonlySet<string> = new Set([...SILENT, ...Object.keys(MAKERS), "$ref"]);

/**
 * Compiles a predicate into closures, without making code. The keywords are a part of JSON Schema 2020-12 (`KEYWORDS`)
 * and mean what they mean there; any other is refused, since to pass over it would let through what the author of the
 * rule has ruled out. A value nested deeper than the stack is a RangeError of the test. `late`: each part is compiled when a
 * value comes to it for the first time, and what is no predicate is a fault of the test then.
 * @throws PredicateFault
 */
export function compilePredicate(schema: unknown, late = false): Test {
  const references = new Map<string, { test: Test | undefined }>();
  const definition = (pointer: string, at: string): unknown => {
    if (pointer === "#") return schema;
    const [, name = ""] = /^#\/\$defs\/([^/]+)$/.exec(pointer) ?? [];
    const plain = name.replaceAll("~1", "/").replaceAll("~0", "~");
    const defined = isObject(schema) && isObject(schema["$defs"]) ? schema["$defs"] : {};
    if (Object.hasOwn(defined, plain)) return defined[plain];
    throw new PredicateFault(at, `${pointer} leads nowhere: only # and #/$defs/NAME can be referred to`);
  };
  const refer = (pointer: string, at: string): Test => {
    const known = references.get(pointer);
    if (known) return (value) => known.test?.(value) ?? false;
    const entry: { test: Test | undefined } = { test: undefined };
    references.set(pointer, entry);
    return (entry.test = compile(definition(pointer, at), pointer.slice(1)));
  };
  const below = (part: unknown, pointer: string): Test => {
    let test: Test | undefined;
    return (value) => (test ??= compile(part, pointer))(value);
  };
  const compile = (part: unknown, pointer: string): Test => {
    if (typeof part === "boolean") return () => part;
    if (!isObject(part)) throw new PredicateFault(pointer, "it is no schema");
    const tests = Object.entries(part)
      .filter(([keyword]) => !SILENT.has(keyword))
      .map(([keyword, given]) => {
        const at = pointer + pointerOf(keyword);
        if (keyword === "$ref") return refer(String(given), at);
        const make = Object.hasOwn(MAKERS, keyword) ? MAKERS[keyword] : undefined;
        if (!make) throw new PredicateFault(at, `${keyword} is no keyword that a rule can use`);
        return make(given, at, late ? below : compile, part);
      });
    return (value) => tests.every((test) => test(value));
  };
  return compile(schema, "");
}

/** Why a schema cannot be used as a predicate; undefined when it can. */
export function predicateFault(schema: unknown): PredicateFault | undefined {
  try {
    compilePredicate(schema);
    return undefined;
  } catch (caught) {
    if (caught instanceof PredicateFault) return caught;
    if (caught instanceof RangeError) return new PredicateFault("", "it is nested too deep");
    throw caught;
  }
}

/** The properties of a subject that a predicate looks at, wherever it names them: a schema of the whole, not of parts. */
export function propertiesOf(schema: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const look = (part: unknown): void => {
    if (!isObject(part) || seen.has(part)) return;
    seen.add(part);
    for (const key of isObject(part["properties"]) ? Object.keys(part["properties"]) : []) found.add(key);
    if (Array.isArray(part["required"])) for (const key of part["required"]) found.add(String(key));
    for (const list of [part["allOf"], part["anyOf"]]) if (Array.isArray(list)) list.forEach(look);
    look(part["not"]);
    if (typeof part["$ref"] === "string" && isObject(schema)) {
      const defined = isObject(schema["$defs"]) ? schema["$defs"] : {};
      look(part["$ref"] === "#" ? schema : defined[part["$ref"].replace("#/$defs/", "")]);
    }
  };
  look(schema);
  return found;
}

function bound(holds: (value: unknown, limit: number) => boolean): Make {
  return (limit, at) => {
    if (typeof limit !== "number") throw new PredicateFault(at, "it must be a number");
    return (value) => holds(value, limit);
  };
}

function listOf(given: unknown, at: string, sentence: string): readonly unknown[] {
  if (!Array.isArray(given) || given.length === 0) throw new PredicateFault(at, sentence);
  return given;
}

function partsOf(given: unknown, at: string, compile: (part: unknown, at: string) => Test): readonly Test[] {
  return listOf(given, at, "it must list schemas").map((part, index) => compile(part, at + pointerOf(index)));
}

/**
 * `undefined` counts as missing: JSON has none, and subjects that are made in code have. What every object inherits is no
 * property of it.
 */
function has(value: Schema, key: string): boolean {
  return value[key] !== undefined && Object.hasOwn(value, key);
}
