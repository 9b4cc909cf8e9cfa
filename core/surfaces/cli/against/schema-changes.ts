import { changedSchema } from "../../../schema/references.ts";
import { equal } from "../../../schema/json.ts";
import { pointerOf } from "../../../schema/fault.ts";
import { secretNames } from "../../../secrets.ts";
import { Schemas, type Check, type JsonSchema } from "../../../schema/schemas.ts";
import { inputForm } from "../form.ts";
import { gapsBetween, type Gap } from "./schema-gaps.ts";

/** `breaking`: a call or reader that keeps to the earlier contract fails, or gets something else. */
export type Verdict = "breaking" | "unknown" | "not breaking";

/** A change to a schema. */
export interface SchemaChange {
  readonly verdict: Verdict;
  /** JSON pointer into the value; `*` stands for every item or every further property. */
  readonly pointer: string;
  readonly keyword: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly sentence: string;
  /** A value that was valid and no longer is or, for an output, one that is valid and was not. */
  readonly witness?: unknown;
}

/** `query`: an input whose values are texts. `output`: a value that readers get. */
export type Role = "input" | "query" | "output";

const MOST_SHOWN = 80;

/** A value in a sentence. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 3)}...`;
}

/**
 * The changes to a schema. Inputs may only become wider and outputs only narrower; a reader ignores properties that it
 * does not know. Values derived from the schema of the side that calls or answers are given to the other side's validator: a
 * refused value proves the change.
 */
export async function schemaChanges(
  name: string,
  subject: string,
  role: Role,
  before: JsonSchema,
  after: JsonSchema,
): Promise<readonly SchemaChange[]> {
  if (equal(before, after)) return [];
  const isOutput = role === "output";
  const [given, wanted] = isOutput ? [after, openedUp(before)] : [before, after];
  const harm = gapsBetween(given, wanted).map((gap) => ({
    gap,
    witness: undefined as unknown,
    isSure: gap.isProved,
  }));
  const check = await new Schemas({ read: () => Promise.resolve(wanted) }).check(name);
  for (const { value, pointer, keyword } of await refusedValues(given, check)) {
    // Texts become numbers where a number is required.
    if (role === "query" && keyword === "type") continue;
    const known =
      harm.find(({ gap }) => isAt(gap.at, pointer) && gap.keyword === keyword) ??
      harm.find(({ gap }) => isAt(gap.at, pointer) || pointer.startsWith(`${gap.at}/`));
    const gap = { at: pointer, keyword, given: undefined, wanted: undefined, isProved: true };
    if (!known) harm.push({ gap, witness: value, isSure: true });
    else if (known.witness === undefined) Object.assign(known, { witness: value, isSure: true });
  }
  const changes = harm.map(({ gap, witness, isSure }): SchemaChange => {
    const isText = role === "query" && gap.keyword === "type" && [gap.wanted].flat().includes("string");
    const isTaken =
      isText &&
      takesAnyNumber(inputForm(after).fields.find((one) => isAt(gap.at, pointerOf(one.name)))?.schema);
    const verdict = isTaken ? "not breaking" : isSure && !isText ? "breaking" : "unknown";
    return { ...told(subject, role, gap, isOutput, verdict), ...(witness !== undefined && { witness }) };
  });
  const others = [
    ...gapsBetween(after, before).map((gap) => ({ gap, isGivenNew: true })),
    ...(isOutput ? gapsBetween(before, after).map((gap) => ({ gap, isGivenNew: false })) : []),
  ];
  for (const { gap, isGivenNew } of others)
    if (!changes.some((one) => isAt(one.pointer, gap.at) || isAt(gap.at, one.pointer)))
      changes.push(told(subject, role, gap, isGivenNew, "not breaking"));
  return isOutput ? changes : [...changes, ...defaultChanges(subject, before, after)];
}

/** Whether a text in a query may be any number; a number has at most 24 characters. */
function takesAnyNumber({
  minLength = 0,
  maxLength = Infinity,
  pattern,
  format,
  enum: values,
  not,
}: JsonSchema = {}): boolean {
  const isOpen = [pattern, format, values, not].every((one) => one === undefined);
  return isOpen && Number(minLength) <= 1 && Number(maxLength) >= 24;
}

/** The schema for a reader that ignores properties that the schema does not name. */
function openedUp(schema: JsonSchema): JsonSchema {
  return changedSchema(schema, (part) => {
    const { oneOf, ...rest } = part;
    const branches = oneOf === undefined ? {} : rest["anyOf"] === undefined ? { anyOf: oneOf } : { oneOf };
    const entries = Object.entries({ ...rest, ...branches });
    const isClosing = (keyword: string, value: unknown): boolean =>
      value === false && ["additionalProperties", "unevaluatedProperties"].includes(keyword);
    return Object.fromEntries(entries.filter(([keyword, value]) => !isClosing(keyword, value)));
  }) as JsonSchema;
}

/** Values derived from one schema and refused by the check of another, the first for each place and keyword. */
async function refusedValues(
  schema: JsonSchema,
  check: Check,
): Promise<readonly { readonly value: unknown; readonly pointer: string; readonly keyword: string }[]> {
  const { derive } = await import("../../../testing/derive.ts");
  const first = new Map<string, { value: unknown; pointer: string; keyword: string }>();
  for (const { value } of derive(schema).accepts) {
    const fault = check(value);
    const key = `${fault?.keyword} ${fault?.pointer}`;
    if (fault && !first.has(key)) first.set(key, { value, pointer: fault.pointer, keyword: fault.keyword });
  }
  return [...first.values()];
}

/** Whether a pointer is at a place, in which `*` stands for any key. */
function isAt(place: string, pointer: string): boolean {
  const [one, other] = [place.split("/"), pointer.split("/")];
  return one.length === other.length && one.every((key, index) => key === "*" || key === other[index]);
}

/** The defaults of an input determine the meaning of a call that omits a property. */
function defaultChanges(subject: string, before: JsonSchema, after: JsonSchema): readonly SchemaChange[] {
  const newFields = new Map(inputForm(after).fields.map((field) => [field.name, field]));
  return inputForm(before).fields.flatMap(({ name, schema }) => {
    const field = newFields.get(name);
    const [one, other] = [schema["default"], field?.schema["default"]];
    if (!field || equal(one, other)) return [];
    const isKept = one !== undefined && other !== undefined;
    const pointer = pointerOf(name);
    const sentence = `${subject}: the default of ${pointer} was ${shown(one)} and is ${shown(other)}, ${isKept ? "so a call without it means something else" : "and the effect on a call without it is unknown"}.`;
    const verdict = isKept ? "breaking" : "unknown";
    return [{ verdict, pointer, keyword: "default", before: one, after: other, sentence }];
  });
}

/** A secret comes from a variable or the key ring, any other setting from files: the change loses a value that was set. */
export function secretChanges(before: JsonSchema, after: JsonSchema): readonly SchemaChange[] {
  const [was, is] = [secretNames(before), secretNames(after)];
  const kept = inputForm(after).fields.map(({ name }) => name);
  return inputForm(before)
    .fields.filter(({ name }) => kept.includes(name) && was.includes(name) !== is.includes(name))
    .map(({ name }): SchemaChange => {
      const pointer = pointerOf(name);
      const what = is.includes(name)
        ? "it is a secret now, so a skillctl.json that holds it is refused"
        : "it is no longer a secret, so its variable and the key ring are no longer read";
      const sentence = `The settings, ${pointer}: ${what}.`;
      const sides = { before: was.includes(name), after: is.includes(name) };
      return { verdict: "breaking", pointer, keyword: "secret", ...sides, sentence };
    });
}

const RESULTS: Readonly<Record<"input" | "output", Readonly<Record<Verdict, string>>>> = {
  input: {
    breaking: "a call that was accepted is refused",
    unknown: "it is unknown whether a call that was accepted is refused",
    "not breaking": "every call that was accepted still is",
  },
  output: {
    breaking: "a reader gets values that the earlier contract excludes",
    unknown: "it is unknown whether a reader gets values that the earlier contract excludes",
    "not breaking": "readers that ignore unknown properties are not affected",
  },
};

function told(subject: string, role: Role, gap: Gap, isGivenNew: boolean, verdict: Verdict): SchemaChange {
  const { at: pointer, keyword, given, wanted } = gap;
  // A refused property has no schema on that side.
  const missing = keyword === "additionalProperties" ? undefined : wanted;
  const [before, after] = isGivenNew ? [missing, given] : [given, missing];
  const place = pointer.replace(/\/\*$/, "") === "" ? subject : `${subject}, ${pointer.replace(/\/\*$/, "")}`;
  const sentence = `${place}: ${whatChanged(gap, isGivenNew)}; ${RESULTS[role === "output" ? "output" : "input"][verdict]}.`;
  return { verdict, pointer, keyword, before, after, sentence };
}

function whatChanged({ at, keyword, given, wanted }: Gap, isGivenNew: boolean): string {
  const [before, after] = isGivenNew ? [wanted, given] : [given, wanted];
  if (keyword === "required") return isGivenNew ? "it is no longer required" : "it is required now";
  if (keyword === "additionalProperties" && at.endsWith("/*"))
    return isGivenNew ? "it may have further properties" : "it has no further properties now";
  if (keyword === "additionalProperties") return isGivenNew ? "the property is new" : "the property is gone";
  if (keyword === "type")
    return `it was ${[before].flat().join(" or ")} and is ${[after].flat().join(" or ")}`;
  if (keyword === "enum" && given !== undefined)
    return `${isGivenNew ? "added" : "removed"} ${(given as readonly unknown[]).map(shown).join(", ")}`;
  if (before === undefined && after === undefined) return `\`${keyword}\` has a different effect`;
  if (before === undefined) return `\`${keyword}\` is new: ${shown(after)}`;
  if (after === undefined) return `\`${keyword}\` is gone: ${shown(before)}`;
  return `\`${keyword}\` was ${shown(before)} and is ${shown(after)}`;
}
