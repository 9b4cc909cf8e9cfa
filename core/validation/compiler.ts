import { nearest } from "../nearest.ts";
import { type Fault, faultOf, pointerOf, type ValidatorError } from "../schema/fault.ts";
import { MOST_PATTERN_MS, within } from "../schema/bounded.ts";
import { isObject } from "../schema/json.ts";
import { DIALECT, type JsonSchema } from "../schema/schemas.ts";
import { quotedName } from "../quoted-name.ts";
import { schemasIn } from "./schema-rules.ts";

/** What is wrong with a value; empty when nothing is. */
export type FullCheck = (value: unknown, whole: string) => readonly Fault[];

/** A compiled schema, or why it cannot be compiled. */
export type Compiled = { readonly check: FullCheck } | { readonly faults: readonly Fault[] };

/** Compiles schemas as the host does, and reports every error instead of the first. */
export type Compiler = (schema: JsonSchema) => Compiled;

/** Loads Ajv. Each schema is compiled by itself: one that needs another is refused, as it is in a host. */
export async function createCompiler(): Promise<Compiler> {
  const { createAjv } = await import("../schema/ajv.ts");
  const ajv = createAjv({ allErrors: true, verbose: true, logger: false });
  let leftMs = MOST_PATTERNS_MS;
  return (schema) => {
    const document = { $schema: DIALECT, ...schema, $id: "schema" };
    if (document.$schema !== DIALECT) {
      return {
        faults: [{ pointer: "/$schema", keyword: "const", sentence: `/$schema must be "${DIALECT}".` }],
      };
    }
    try {
      if (ajv.validateSchema(document) !== true) return { faults: allFaults(errorsOf(ajv), "The schema") };
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
      if (misspelt.length > 0) return { faults: misspelt };
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

/** How long values may keep patterns busy that do not come to an end, all together. */
const MOST_PATTERNS_MS = 3 * MOST_PATTERN_MS;
const SLOW_MS = 100;
const UNCHECKED = "it is not checked, because patterns have taken too long already.";

/** Names the pattern that takes too long on a value. */
function slowFault(schema: JsonSchema, value: unknown): Fault {
  const texts = textsIn(value);
  const patterns = [...schemasIn(schema)].flatMap(({ pointer, part: { pattern, patternProperties } }) => [
    ...(typeof pattern === "string" ? [[pointer + pointerOf("pattern"), pattern] as const] : []),
    ...Object.keys(isObject(patternProperties) ? patternProperties : {}).map(
      (name) => [pointer + pointerOf("patternProperties", name), name] as const,
    ),
  ]);
  const slow = patterns.find(([, source]) => {
    const pattern = new RegExp(source, "u");
    return !within(SLOW_MS, () => texts.some((text) => pattern.test(text)));
  });
  const cause = slow
    ? `the pattern ${quotedName(slow[1])} (${slow[0]}) takes too long`
    : "its patterns take too long";
  return { pointer: "", keyword: "pattern", sentence: `it cannot be checked, because ${cause}.` };
}

/** All texts in a value of JSON, names of properties too. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(textsIn)] : [];
}

/** Where a keyword stands that there is not, which Ajv does not tell. */
function unknownKeyword(schema: JsonSchema, keyword: string, known: readonly string[]): readonly Fault[] {
  const guess = nearest(keyword, known);
  const sentence = `There is no keyword ${keyword}${guess ? `; did you mean ${guess}?` : "."}`;
  return [...schemasIn(schema)]
    .filter(({ part }) => Object.hasOwn(part, keyword))
    .map(({ pointer }) => ({ pointer: pointer + pointerOf(keyword), keyword: "unknown", sentence }));
}

/** Ajv types the schema around an error too widely for what `verbose` puts there. */
function errorsOf({ errors }: { readonly errors?: readonly unknown[] | null }): readonly FullError[] {
  return (errors ?? []) as readonly FullError[];
}

function plainReason(reason: string): string {
  return reason
    .replace(/^strict mode: /, "")
    .replace(/ at "schema#([^"]*)"( \(strictTypes\))?$/, "$2")
    .replaceAll(" (strictTypes)", "");
}

/** An error of a validator that was made with `allErrors` and `verbose`. */
interface FullError extends ValidatorError {
  readonly schemaPath: string;
  readonly propertyName?: string;
  readonly parentSchema?: JsonSchema;
}

/** All errors as faults, one a mistake. */
function allFaults(errors: readonly FullError[], whole: string): readonly Fault[] {
  const own = errors.filter(isOwnMistake);
  const isEcho = ({ keyword, instancePath }: FullError): boolean =>
    keyword === "anyOf" &&
    own.some((other) => other.keyword !== keyword && other.instancePath === instancePath);
  const faults = own
    .filter((error) => !isEcho(error))
    .map((error) => {
      const fault = faultOf([error], whole);
      const guess = guessFor(error);
      return guess === undefined
        ? fault
        : { ...fault, sentence: fault.sentence.replace(/\.$/, `; did you mean ${guess}?`) };
    });
  return faults.filter(
    (fault, index) => faults.findIndex((other) => other.sentence === fault.sentence) === index,
  );
}

/** Branches of a choice and the inner checks of a key's name come beside an error that says the same better. */
function isOwnMistake({ keyword, schemaPath, propertyName }: FullError): boolean {
  return keyword !== "if" && propertyName === undefined && !/\/(oneOf|anyOf)\/\d+\//.test(schemaPath);
}

function guessFor({ params, parentSchema, keyword }: FullError): string | undefined {
  if (keyword !== "additionalProperties") return undefined;
  return nearest(String(params["additionalProperty"]), Object.keys(parentSchema?.["properties"] ?? {}));
}
