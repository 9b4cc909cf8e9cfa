import addFormats from "ajv-formats";
import { Ajv2020, str, type CodeKeywordDefinition, type Options } from "ajv/dist/2020.js";

type Keywords = Readonly<Record<string, unknown>>;

/**
 * The one kind of Ajv that every surface, the build and the tests use: strict, JSON Schema 2020-12. As Ajv does by itself, it
 * turns nothing into another type and fills in no defaults.
 */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, ...options });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // Ajv finds what a name leads to, and does not count it among its keywords.
  ajv.addKeyword({ keyword: "$anchor", schemaType: "string" });
  return worded(countingContains(ajv));
}

/** A regular expression says nothing to a reader: its errors quote the schema's description, else its title or an example. */
function worded(ajv: Ajv2020): Ajv2020 {
  const pattern = ajv.getKeyword("pattern") as CodeKeywordDefinition;
  const not = ajv.getKeyword("not") as CodeKeywordDefinition;
  ajv.removeKeyword("pattern").addKeyword({
    ...pattern,
    error: { ...pattern.error, message: ({ parentSchema }) => str`${formOf(parentSchema as Keywords)}` },
  });
  return ajv.removeKeyword("not").addKeyword({
    ...not,
    error: { message: ({ schema }) => str`${exclusionOf(schema as Keywords)}` },
  });
}

function formOf({ description, title, examples }: Keywords): string {
  const told = [description, title].find((text) => typeof text === "string");
  if (told !== undefined) return `does not fit: ${firstSentence(told)}`;
  const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  return example === undefined
    ? "does not have the form that is asked for"
    : `must have the form of ${JSON.stringify(example)}`;
}

/** Without its full stop, since the sentence goes on around it. */
function firstSentence(text: string): string {
  return text.replace(/\.\s.*$/s, "").replace(/\.$/, "");
}

function exclusionOf({ enum: values, const: value }: Keywords): string {
  const excluded = Array.isArray(values)
    ? (values as readonly unknown[])
    : value === undefined
      ? []
      : [value];
  if (excluded.length === 0) return "has a value that is not allowed";
  return `must not be ${excluded.length > 1 ? "one of " : ""}${excluded.map((one) => JSON.stringify(one)).join(", ")}`;
}

/**
 * Compiles the `when` of a rule, whose keywords `core/skill-manifest` has looked at. It says what holds of a property without
 * saying what the whole is. As a condition: below `if` Ajv makes no errors, which nobody would read.
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
 * In a loop over items or properties Ajv 8 takes an empty list to contain what the list before it contained:
 * `{ items: { contains: { type: "string" } } }` lets `[["a"], []]` pass. Where there is an upper bound it counts, and begins
 * with each list anew.
 */
function countingContains(ajv: Ajv2020): Ajv2020 {
  const contains = ajv.getKeyword("contains") as CodeKeywordDefinition;
  return ajv.removeKeyword("contains").addKeyword({
    ...contains,
    error: {
      message: ({ params: { min, max } }) =>
        max === undefined || max === Infinity
          ? str`must contain at least ${min} valid item(s)`
          : str`must contain at least ${min} and no more than ${max} valid item(s)`,
    },
    code: (context) => {
      const { minContains = 1, maxContains = minContains === 0 ? undefined : Infinity } =
        context.parentSchema;
      contains.code(Object.assign(context, { parentSchema: { ...context.parentSchema, maxContains } }));
    },
  });
}
