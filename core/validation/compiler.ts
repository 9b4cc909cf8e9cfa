import { described } from "../errors/skill-error.ts";
import { nearest } from "../nearest.ts";
import { type Fault, faultOf, pointerOf, type ValidatorError } from "../schema/fault.ts";
import type * as validators from "../schema/ajv.ts";
import { MOST_PATTERN_MS, within } from "../schema/bounded.ts";
import { isObject } from "../schema/json.ts";
import { DIALECT, type JsonSchema } from "../schema/schemas.ts";
import { quotedName } from "../quoted-name.ts";
import { schemasIn } from "./schema-rules.ts";

/** The faults of a value; empty if it is valid. */
export type FullCheck = (value: unknown, whole: string) => readonly Fault[];

/** A compiled schema, or the faults that prevent that. */
export type CompiledSchema = { readonly check: FullCheck } | { readonly faults: readonly Fault[] };

/** Compiles schemas as the host does, but reports every error instead of the first. */
export type Compiler = (schema: JsonSchema) => CompiledSchema;

/** One for the process: the schema of schemas takes longer to compile than most others. */
let known: ReturnType<typeof validators.createAjv> | undefined;

/** Loads Ajv. Each schema is compiled alone: references to other schemas are refused, as in a host. */
export async function createCompiler(): Promise<Compiler> {
  const { createAjv } = await import("../schema/ajv.ts");
  const ajv = (known ??= createAjv({ allErrors: true, verbose: true, logger: false }));
  let leftMs = MOST_PATTERNS_MS;
  return (schema) => {
    const document = { $schema: DIALECT, ...schema, $id: "schema" };
    if (document.$schema !== DIALECT) {
      return {
        faults: [{ pointer: "/$schema", keyword: "const", sentence: `/$schema must be "${DIALECT}".` }],
      };
    }
    try {
      if (ajv.validateSchema(document) !== true)
        return { faults: allFaults(errorsOf(ajv), "The schema").map(withRemedy) };
      const validator = ajv.compile(document);
      const check: FullCheck = (value, whole) => {
        if (leftMs <= 0) return [{ pointer: "", keyword: "pattern", sentence: UNCHECKED }];
        let isValid = false;
        const begun = Date.now();
        if (!within(MOST_PATTERN_MS, () => (isValid = validator(value)))) {
          leftMs -= Date.now() - begun;
          return [slowFault(schema, value)];
        }
        return isValid ? [] : allFaults(errorsOf(validator), whole);
      };
      return { check };
    } catch (caught) {
      const reason = caught instanceof Error ? caught.message : String(caught);
      const unknown = /unknown keyword: "([^"]+)"/.exec(reason)?.[1];
      const misspelt =
        unknown === undefined ? [] : unknownKeyword(schema, unknown, Object.keys(ajv.RULES.keywords));
      const unusable = [...misspelt, ...brokenPatterns(schema), ...unknownFormats(schema, reason)];
      if (unusable.length > 0) return { faults: unusable };
      const place = /(?:at|from id) "?schema#?([^"\s]*)"?/.exec(reason)?.[1] ?? "";
      const pointer = place.startsWith("/") ? place : "";
      return {
        faults: [{ pointer, keyword: "", sentence: `The schema cannot be used: ${plainReason(reason)}.` }],
      };
    } finally {
      ajv.removeSchema("schema");
    }
  };
}

/** `"required": true` in a property, as drafts before the fourth had it. */
function withRemedy(fault: Fault): Fault {
  const isOld = fault.keyword === "type" && fault.pointer.endsWith("/required");
  const remedy = "of names: a property is required by its name in required of the object around it.";
  return isOld ? { ...fault, sentence: fault.sentence.replace(/\.$/, ` ${remedy}`) } : fault;
}

/** Time limit for all values with slow patterns together. */
const MOST_PATTERNS_MS = 3 * MOST_PATTERN_MS;
const SLOW_MS = 100;
const UNCHECKED = "it is not checked, because patterns have taken too long already.";

/** Names the slow pattern of a value. */
function slowFault(schema: JsonSchema, value: unknown): Fault {
  const texts = textsIn(value);
  const slow = patternsIn(schema).find(([, source]) => {
    const pattern = new RegExp(source, "u");
    return !within(SLOW_MS, () => texts.forEach((text) => pattern.test(text)));
  });
  const cause = slow
    ? `the pattern ${quotedName(slow[1])} (${slow[0]}) takes too long`
    : "its patterns take too long";
  return { pointer: "", keyword: "pattern", sentence: `it cannot be checked, because ${cause}.` };
}

/** The regular expressions of a schema, each with its place. */
export function patternsIn(schema: JsonSchema): readonly (readonly [pointer: string, source: string])[] {
  return [...schemasIn(schema)].flatMap(({ pointer, part: { pattern, patternProperties } }) => [
    ...(typeof pattern === "string" ? [[pointer + pointerOf("pattern"), pattern] as const] : []),
    ...Object.keys(isObject(patternProperties) ? patternProperties : {}).map(
      (name) => [pointer + pointerOf("patternProperties", name), name] as const,
    ),
  ]);
}

function brokenPatterns(schema: JsonSchema): readonly Fault[] {
  return patternsIn(schema).flatMap(([pointer, source]) => {
    try {
      void new RegExp(source, "u");
      return [];
    } catch (caught) {
      const reason = described(caught).replace(/^.*: /s, "");
      const sentence = `The pattern ${quotedName(source)} is not a regular expression: ${reason}.`;
      return [{ pointer, keyword: "pattern", sentence }];
    }
  });
}

function unknownFormats(schema: JsonSchema, reason: string): readonly Fault[] {
  const unknown = /unknown format "([^"]+)"/.exec(reason)?.[1];
  return [...schemasIn(schema)]
    .filter(({ part }) => unknown !== undefined && part["format"] === unknown)
    .map(({ pointer }) => ({
      pointer: pointer + pointerOf("format"),
      keyword: "format",
      sentence: `There is no format ${quotedName(unknown ?? "")}; use a pattern instead.`,
    }));
}

/** All strings in a JSON value, including property names. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(textsIn)] : [];
}

/** The places of an unknown keyword, which Ajv does not report. */
function unknownKeyword(schema: JsonSchema, keyword: string, known: readonly string[]): readonly Fault[] {
  const guess = nearest(keyword, known);
  const sentence = `There is no keyword ${keyword}${guess ? `; did you mean ${guess}?` : "."}`;
  return [...schemasIn(schema)]
    .filter(({ part }) => Object.hasOwn(part, keyword))
    .map(({ pointer }) => ({ pointer: pointer + pointerOf(keyword), keyword: "unknown", sentence }));
}

/** Narrows the type of Ajv's errors, which is too wide for `verbose`. */
function errorsOf({ errors }: { readonly errors?: readonly unknown[] | null }): readonly FullError[] {
  return (errors ?? []) as readonly FullError[];
}

function plainReason(reason: string): string {
  return reason
    .replace(/^strict mode: /, "")
    .replace(/ at "schema#([^"]*)"( \(strictTypes\))?$/, "$2")
    .replaceAll(" (strictTypes)", "");
}

/** An error of a validator with `allErrors` and `verbose`. */
interface FullError extends ValidatorError {
  readonly schemaPath: string;
  readonly parentSchema?: JsonSchema;
}

/** All errors as faults, one for each mistake. */
function allFaults(errors: readonly FullError[], whole: string): readonly Fault[] {
  const own = errors.filter(isOwnMistake);
  const isEcho = ({ keyword, instancePath }: FullError): boolean =>
    keyword === "anyOf" &&
    own.some((other) => other.keyword !== keyword && other.instancePath === instancePath);
  const faults = own.filter((error) => !isEcho(error)).map((error) => faultOf([error], whole));
  return faults.filter(
    (fault, index) => faults.findIndex((other) => other.sentence === fault.sentence) === index,
  );
}

/** False for branches of a choice, and for the outer error of a property name, which accompany a clearer error. */
function isOwnMistake({ keyword, schemaPath }: FullError): boolean {
  return !["if", "propertyNames"].includes(keyword) && !/\/(oneOf|anyOf)\/\d+\//.test(schemaPath);
}
