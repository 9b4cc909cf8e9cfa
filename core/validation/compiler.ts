import { described } from "../errors/skill-error.ts";
import { nearest } from "../nearest.ts";
import { type Fault, faultOf, pointerOf, type ValidatorError } from "../schema/fault.ts";
import type * as validators from "../schema/ajv.ts";
import { MOST_PATTERN_MS, within } from "../schema/bounded.ts";
import { isObject, hasType } from "../schema/json.ts";
import { DIALECT, type JsonSchema } from "../schema/schemas.ts";
import { resolved } from "../schema/references.ts";
import { quotedName, shownJson } from "../quoted-name.ts";
import { schemasIn } from "./schema-rules.ts";

/** The faults of a value; empty if it is valid. */
export type FullCheck = (value: unknown, whole: string) => readonly FullFault[];

/** A fault, with the pattern that the value does not match, if that is its fault. */
export interface FullFault extends Fault {
  readonly pattern?: string;
}

/** A compiled schema, or the faults that prevent that. */
export type CompiledSchema = { readonly check: FullCheck } | { readonly faults: readonly Fault[] };

/** Compiles schemas as the host does, but reports every error instead of the first. */
export type Compiler = (schema: JsonSchema) => CompiledSchema;

type Ajv2020 = ReturnType<typeof validators.createAjv>;

/** One for the process: the schema of schemas takes longer to compile than most others. */
let known: Ajv2020 | undefined;

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
        return { faults: allFaults(errorsOf(ajv), "The schema", {}).map(withRemedy) };
      const validator = ajv.compile(document);
      const check: FullCheck = (value, whole) => {
        if (leftMs <= 0) return [{ pointer: "", keyword: "pattern", sentence: UNCHECKED }];
        let isValid = false;
        const begun = Date.now();
        if (!within(MOST_PATTERN_MS, () => (isValid = validator(value)))) {
          leftMs -= Date.now() - begun;
          return [slowFault(schema, value)];
        }
        return isValid ? [] : allFaults(errorsOf(validator), whole, schema);
      };
      return { check };
    } catch (caught) {
      const reason = caught instanceof Error ? caught.message : String(caught);
      const unknown = /unknown keyword: "([^"]+)"/.exec(reason)?.[1];
      const misspelt =
        unknown === undefined ? [] : unknownKeyword(schema, unknown, Object.keys(ajv.RULES.keywords));
      const formats = Object.keys(ajv.formats);
      const unusable = [...misspelt, ...brokenPatterns(schema), ...unknownFormats(schema, reason, formats)];
      if (unusable.length > 0) return { faults: unusable };
      const place = /(?:at path|at|from id) "?(?:schema)?#?([^"\s]*)"?/.exec(reason)?.[1] ?? "";
      const pointer = place.startsWith("/") ? place : placeOf(schema, reason, ajv);
      return {
        faults: [{ pointer, keyword: "", sentence: `The schema cannot be used: ${plainReason(reason)}.` }],
      };
    } finally {
      ajv.removeSchema("schema");
    }
  };
}

/** The place of the innermost part that cannot be compiled for the same reason, which Ajv does not report; its keyword too. */
function placeOf(schema: JsonSchema, reason: string, ajv: Ajv2020): string {
  const failing = [...schemasIn(schema)].findLast(({ part }) => {
    try {
      ajv.compile({ ...part, $id: "part" });
      return false;
    } catch (caught) {
      return described(caught) === reason;
    } finally {
      ajv.removeSchema("part");
    }
  });
  const [keyword = ""] = /^[\w$-]+/.exec(reason) ?? [];
  if (!failing) return "";
  return failing.pointer + (Object.hasOwn(failing.part, keyword) ? pointerOf(keyword) : "");
}

/** The remedies for keywords with a value of a wrong type, as in older drafts or in frequent mistakes. */
const REMEDIES: Readonly<Record<string, string>> = {
  required: " of names: a property is required by its name in required of the object around it.",
  items: "; for a list of schemas, one for each place, use prefixItems.",
  examples: ": put the example in [ ].",
};

function withRemedy(fault: Fault): Fault {
  const [, keyword = ""] = /(?<!\/properties)\/([^/]+)$/.exec(fault.pointer) ?? [];
  const remedy = fault.keyword === "type" && Object.hasOwn(REMEDIES, keyword) ? REMEDIES[keyword] : undefined;
  return remedy === undefined ? fault : { ...fault, sentence: fault.sentence.replace(/\.$/, remedy) };
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
    const sentence = patternFault(source);
    return sentence === undefined ? [] : [{ pointer, keyword: "pattern", sentence }];
  });
}

function patternFault(source: string): string | undefined {
  try {
    void new RegExp(source, "u");
    return undefined;
  } catch (caught) {
    const reason = described(caught).replace(/^.*: /s, "");
    return `The pattern ${quotedName(source)} is not a regular expression of JavaScript: ${reason}.`;
  }
}

function unknownFormats(schema: JsonSchema, reason: string, known: readonly string[]): readonly Fault[] {
  const unknown = /unknown format "([^"]+)"/.exec(reason)?.[1];
  const guess = nearest(unknown ?? "", known);
  const remedy = guess === undefined ? "use a pattern instead." : `did you mean ${guess}?`;
  return [...schemasIn(schema)]
    .filter(({ part }) => unknown !== undefined && part["format"] === unknown)
    .map(({ pointer }) => ({
      pointer: pointer + pointerOf("format"),
      keyword: "format",
      sentence: `There is no format ${quotedName(unknown ?? "")}; ${remedy}`,
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
    .replace(/^enum must have non-empty array$/, "enum needs at least one value")
    .replace(
      /^"prefixItems" is (\d+)-tuple.*$/,
      'a list with prefixItems needs "minItems": $1 and "items": false',
    )
    .replace(/ at "schema#([^"]*)"( \(strictTypes\))?$/, "$2")
    .replaceAll(" (strictTypes)", "");
}

/** An error of a validator with `allErrors` and `verbose`. */
interface FullError extends ValidatorError {
  readonly schemaPath: string;
  readonly data?: unknown;
}

/** An error as a fault, with the reason or the description that the schema has for the value. */
function fullFault(error: FullError, whole: string, schema: JsonSchema): FullFault {
  const fault = faultOf([error], whole);
  const { keyword, params, data, schemaPath } = error;
  const pattern = params["format"] === "regex" ? patternFault(String(data)) : undefined;
  if (keyword === "additionalProperties" && error.instancePath === "") {
    const isOfRoot = schemaPath === `#/${keyword}`;
    const isBeside = propertiesOf(schema, schema).includes(String(params["additionalProperty"]));
    const whole = `${isOfRoot ? "" : "set that to true, and "}use "unevaluatedProperties": false instead of "additionalProperties" at the root.`;
    const sentence = `${quotedName(fault.pointer)} is refused by ${quotedName(schemaPath.slice(1))}, which sees only the properties beside it: ${whole}`;
    if (isBeside) return { ...fault, sentence };
  }
  const both = keyword === "oneOf" ? params["passingSchemas"] : null;
  if (Array.isArray(both)) {
    const branches = both.map((index) => quotedName(`${schemaPath.slice(1)}/${String(index)}`)).join(" and ");
    const sentence = `${fault.pointer === "" ? whole : quotedName(fault.pointer)} fits ${branches}, but oneOf allows exactly one: make them exclude each other, or use anyOf.`;
    return { ...fault, sentence };
  }
  const told = TOLD.has(keyword) ? toldAt(schema, fault.pointer, params) : "";
  return {
    ...fault,
    ...(keyword === "pattern" && { pattern: String(params["pattern"]) }),
    sentence: pattern ?? fault.sentence.replace(/\.$/, () => `${told}.`),
  };
}

/** The properties that a schema, its references and its allOf state for one object. */
function propertiesOf(part: JsonSchema, root: JsonSchema, depth = 0): readonly string[] {
  const { properties, allOf } = resolved(part, root);
  const parts = depth < 8 && Array.isArray(allOf) ? allOf.filter(isObject) : [];
  return [...Object.keys(Object(properties)), ...parts.flatMap((one) => propertiesOf(one, root, depth + 1))];
}

/** Keywords whose faults show an example or the description. */
const TOLD = new Set(["type", "enum", "minItems"]);
const LONGEST_EXAMPLE = 60;

/** The example, otherwise the description, that a schema has for a place of its value, as the end of a sentence. */
function toldAt(root: JsonSchema, pointer: string, { type, allowedValues }: FullError["params"]): string {
  const { examples = [] } = root;
  let [schema, example]: [JsonSchema, unknown] = [root, (examples as readonly unknown[])[0]];
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const { properties, additionalProperties, items } = schema;
    const isNamed = Object.hasOwn(Object(properties), key);
    const next: unknown = isNamed ? Object(properties)[key] : (items ?? additionalProperties);
    if (!isObject(next)) return "";
    schema = resolved(next, root);
    example = isNamed
      ? Object(example)[key]
      : typeof example === "object"
        ? Object.values(Object(example))[0]
        : undefined;
  }
  // An example that does not fit itself, often the one that is checked, is not suggested.
  const shown = !hasType(example, type) ? "" : shownJson(example, LONGEST_EXAMPLE + 1);
  if (shown !== "" && shown.length <= LONGEST_EXAMPLE) return `, such as ${shown}`;
  const { description } = schema;
  const isOfUse =
    !Array.isArray(allowedValues) ||
    allowedValues.some((value) => String(description).includes(String(value)));
  return typeof description === "string" && isOfUse ? `: ${description.replace(/\.$/, "")}` : "";
}

/** All errors as faults, one for each mistake. */
function allFaults(errors: readonly FullError[], whole: string, schema: JsonSchema): readonly FullFault[] {
  const own = errors.filter(isOwnMistake);
  const isEcho = ({ keyword, instancePath }: FullError): boolean =>
    keyword === "anyOf" &&
    own.some((other) => other.keyword !== keyword && other.instancePath === instancePath);
  const faults = own.filter((error) => !isEcho(error)).map((error) => fullFault(error, whole, schema));
  return faults.filter(
    (fault, index) => faults.findIndex((other) => other.sentence === fault.sentence) === index,
  );
}

/** False for branches of a choice, and for the outer error of a property name, which accompany a clearer error. */
function isOwnMistake({ keyword, schemaPath }: FullError): boolean {
  return !["if", "propertyNames"].includes(keyword) && !/\/(oneOf|anyOf)\/\d+\//.test(schemaPath);
}
