import { APPLIED, ofBoolean } from "./predicate/applied.ts";
import { PredicateFault, step } from "./predicate/fault.ts";
import { SCALARS } from "./predicate/scalars.ts";
import { all, isObject, type Check, type Compile, type Test } from "./predicate/test.ts";

export { equal } from "./predicate/equal.ts";
export { isObject } from "./predicate/test.ts";
export { PredicateFault } from "./predicate/fault.ts";

/** What only tells readers something, or is used by `$ref`. */
const SILENT = new Set(["title", "description", "$comment", "$schema", "$defs"]);

/** What leads to further schemas. */
const DEEP = new Set([...Object.keys(APPLIED), "$ref"]);

/** Every keyword that a predicate may use; `$ref` leads to `#` or into its own `$defs`. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...SILENT,
  ...Object.keys(SCALARS),
  ...Object.keys(APPLIED),
  "$ref",
]);

/**
 * Compiles a predicate into closures, without making code. The keywords are a part of JSON Schema 2020-12 (`KEYWORDS`)
 * and mean what they mean there; any other is refused, since to pass over it would let through what the author of the
 * rule has ruled out. A value nested deeper than the stack is a RangeError of the test.
 * @throws PredicateFault
 */
export function compilePredicate(schema: unknown): Test {
  return compiled(schema, false);
}

/**
 * The same, of which each part is compiled when a value comes to it for the first time: most values stop at the first
 * property. A process that judges one request starts sooner by that. What is no predicate is a fault of the test then.
 */
export function latePredicate(schema: unknown): Test {
  return compiled(schema, true);
}

function compiled(schema: unknown, late: boolean): Test {
  const references = new Map<string, { check: Check | undefined }>();
  const definition = (pointer: string, at: string): unknown => {
    if (pointer === "#") return schema;
    const [, name = ""] = /^#\/\$defs\/([^/]+)$/.exec(pointer) ?? [];
    const plain = name.replaceAll("~1", "/").replaceAll("~0", "~");
    const defined = isObject(schema) && isObject(schema["$defs"]) ? schema["$defs"] : {};
    if (Object.hasOwn(defined, plain)) return defined[plain];
    throw new PredicateFault(at, `${pointer} leads nowhere: only # and #/$defs/NAME can be referred to`);
  };
  const refer = (given: unknown, at: string): Check => {
    const pointer = String(given);
    const known = references.get(pointer);
    if (known) return { cost: 2, test: (value) => known.check?.test(value) ?? false };
    const entry: { check: Check | undefined } = { check: undefined };
    references.set(pointer, entry);
    entry.check = compile(definition(pointer, at), pointer.slice(1));
    return entry.check;
  };
  const below: Compile = (part, pointer) => {
    if (!late || !isObject(part) || !Object.keys(part).some((key) => DEEP.has(key)))
      return compile(part, pointer);
    let check: Check | undefined;
    return { cost: 2, test: (value) => (check ??= compile(part, pointer)).test(value) };
  };
  const compile: Compile = (part, pointer) => {
    if (typeof part === "boolean") return ofBoolean(part);
    if (!isObject(part)) throw new PredicateFault(pointer, "it is no schema");
    const checks: Check[] = [];
    for (const [keyword, given] of Object.entries(part)) {
      if (SILENT.has(keyword)) continue;
      // `properties` looks for that itself.
      if (keyword === "type" && given === "object" && isObject(part["properties"])) continue;
      const at = pointer + step(keyword);
      if (keyword === "$ref") checks.push(refer(given, at));
      else if (Object.hasOwn(SCALARS, keyword)) checks.push(made(SCALARS[keyword]?.(given, at)));
      else if (Object.hasOwn(APPLIED, keyword)) checks.push(made(APPLIED[keyword]?.(given, at, below, part)));
      else throw new PredicateFault(at, `${keyword} is no keyword that a rule can use`);
    }
    return all(checks);
  };
  return compile(schema, "").test;
}

/** Why a schema cannot be used as a predicate; undefined when it can. */
export function predicateFault(schema: unknown): PredicateFault | undefined {
  try {
    compilePredicate(schema);
    return undefined;
  } catch (caught) {
    if (caught instanceof PredicateFault) return caught;
    throw caught;
  }
}

function made(check: Check | undefined): Check {
  if (check) return check;
  throw new Error("A keyword has no meaning.");
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
