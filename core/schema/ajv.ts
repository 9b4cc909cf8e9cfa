import addFormats from "ajv-formats";
import {
  _,
  Ajv2020,
  KeywordCxt,
  str,
  type CodeKeywordDefinition,
  type KeywordErrorDefinition,
  type Options,
} from "ajv/dist/2020.js";
import { unescapeFragment } from "ajv/dist/compile/util.js";
import { within } from "./bounded.ts";
import { INSTRUCTIONS } from "./json.ts";

type Keywords = Readonly<Record<string, unknown>>;

/**
 * Creates the Ajv that every surface, the build and the tests use: strict, JSON Schema 2020-12. As by default in Ajv, it
 * converts no types and fills in no defaults.
 */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, ...options });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addFormat(INSTRUCTIONS, true);
  // Ajv resolves anchors, but does not list the keyword among its own.
  ajv.addKeyword({ keyword: "$anchor", schemaType: "string" });
  // A setting that comes from a variable or the key ring (core/secrets.ts).
  ajv.addKeyword({ keyword: "secret", schemaType: "boolean" });
  // Read by clients and servers of MCP.
  ajv.addKeyword({ keyword: "x-mcp-header", schemaType: "string" });
  return worded(countingContains(ajv));
}

/** Adds to errors the parts of sentences: the form instead of a regular expression, and the names of the known properties. */
function worded(ajv: Ajv2020): Ajv2020 {
  for (const [keyword, key, place] of [
    // Checked before `properties`, as in Ajv itself.
    ["additionalProperties", "additionalProperty", { before: "properties" }],
    ["unevaluatedProperties", "unevaluatedProperty", {}],
  ] as const) {
    const known = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    const error: CodeKeywordDefinition["error"] = {
      message: "is not a known property",
      params: ({ params, parentSchema }) =>
        _`{${key}: ${params[key]}, known: ${propertiesIn(parentSchema as Keywords).join("\n")}}`,
    };
    ajv.removeKeyword(keyword).addKeyword({ ...known, error, ...place });
  }
  const pattern = ajv.getKeyword("pattern") as CodeKeywordDefinition;
  const not = ajv.getKeyword("not") as CodeKeywordDefinition;
  ajv.removeKeyword("pattern").addKeyword({
    ...pattern,
    error: {
      ...pattern.error,
      message: ({ parentSchema, it }) => {
        const { schema } = it.schemaEnv.root;
        return str`${formOf(parentSchema as Keywords, exampleAt(schema as Keywords, it.errSchemaPath))}`;
      },
    },
  });
  return ajv.removeKeyword("not").addKeyword({
    ...not,
    error: { message: ({ schema }) => str`${exclusionOf(schema as Keywords)}` },
  });
}

function formOf({ pattern, description, title, examples }: Keywords, inWhole: unknown): string {
  const [example = inWhole] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  if (typeof example === "string" && matches(example, String(pattern)))
    return `it must look like ${JSON.stringify(example)}`;
  const told = [description, title].find((text) => typeof text === "string");
  return told === undefined ? "it does not have the expected form" : firstSentence(told);
}

const MOST_EXAMPLE_MS = 50;

/** Whether an example fits its own pattern, which is not certain. */
function matches(example: string, pattern: string): boolean {
  let fits = false;
  return within(MOST_EXAMPLE_MS, () => (fits = new RegExp(pattern, "u").test(example))) && fits;
}

/** The value, or the name, that the examples of a document have at a place of its schema; undefined below a reference. */
function exampleAt({ examples }: Keywords, place: string): unknown {
  const steps = place.split("/").slice(1).map(unescapeFragment);
  return (Array.isArray(examples) ? (examples as readonly unknown[]) : [])
    .map((example) => valueAt(example, steps))
    .find((value) => value !== undefined);
}

function valueAt(value: unknown, [keyword, ...rest]: readonly string[]): unknown {
  if (keyword === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  if (keyword === "propertyNames") return Object.keys(value)[0];
  if (keyword === "items" || keyword === "additionalProperties")
    return Object.values(value)
      .map((one) => valueAt(one, rest))
      .find((one) => one !== undefined);
  const [name = "", ...further] = rest;
  return keyword === "properties" ? valueAt((value as Keywords)[name], further) : undefined;
}

/** The properties that a schema names, in its branches too. */
function propertiesIn(schema: Keywords): readonly string[] {
  const branches = BRANCHES.flatMap((keyword) => schema[keyword] ?? []);
  return [
    ...Object.keys(Object(schema["properties"])),
    ...branches.flatMap((one) => propertiesIn(Object(one))),
  ];
}

const BRANCHES = ["allOf", "anyOf", "oneOf", "if", "then", "else"];

/** Without its full stop, since it becomes part of a sentence. */
function firstSentence(text: string): string {
  return text.replace(/\.\s.*$/s, "").replace(/\.$/, "");
}

function exclusionOf({ enum: values, const: value, required, ...others }: Keywords): string {
  if (Array.isArray(required) && Object.keys(others).length === 0)
    return `must not have ${required.join(" and ")}${required.length > 1 ? " together" : ""}`;
  const excluded = Array.isArray(values)
    ? (values as readonly unknown[])
    : value === undefined
      ? []
      : [value];
  if (excluded.length === 0) return 'must not fit the schema in "not"';
  return `must not be ${excluded.length > 1 ? "one of " : ""}${excluded.map((one) => JSON.stringify(one)).join(", ")}`;
}

/**
 * Compiles the `when` of a rule, whose keywords `core/skill-manifest` has checked. It can constrain properties without
 * stating the type of the whole. It is compiled below `if`, where Ajv creates no errors.
 */
export function compiledCondition(
  { $defs = {}, ...when }: { readonly $defs?: object },
  code: Options["code"] = {},
) {
  const ajv = createAjv({
    strictTypes: false,
    inlineRefs: false,
    messages: false,
    validateSchema: false,
    code,
  });
  return { ajv, test: ajv.compile({ $defs, if: when, else: false }) };
}

/**
 * In a loop over items or properties, Ajv 8 treats an empty list as if it contained the items of the previous list:
 * `{ items: { contains: { type: "string" } } }` lets `[["a"], []]` pass. With an upper bound, added here, it counts
 * the items of each list. If no item fits, there is one error, without those of the items.
 */
function countingContains(ajv: Ajv2020): Ajv2020 {
  const contains = ajv.getKeyword("contains") as CodeKeywordDefinition;
  return ajv.removeKeyword("contains").addKeyword({
    ...contains,
    error: {
      ...(contains.error as KeywordErrorDefinition),
      message: ({ params: { min, max } }) =>
        max === undefined || max === Infinity
          ? str`must contain at least ${min} valid item(s)`
          : str`must contain at least ${min} and no more than ${max} valid item(s)`,
    },
    code: (context) => {
      const { minContains = 1, maxContains = minContains === 0 ? undefined : Infinity } =
        context.parentSchema;
      const result: typeof context.result = (valid, onPass) => {
        KeywordCxt.prototype.result.call(context, valid, onPass, () => {
          context.reset();
          context.error();
        });
      };
      contains.code(
        Object.assign(context, { parentSchema: { ...context.parentSchema, maxContains }, result }),
      );
    },
  });
}
