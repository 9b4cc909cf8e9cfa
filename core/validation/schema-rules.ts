import { nearest } from "../nearest.ts";
import { quotedName, shownJson } from "../quoted-name.ts";
import { SHORTEST_SECRET, secretNames, secretVariable } from "../secrets.ts";
import { isObject, hasType } from "../schema/json.ts";
import { referred } from "../schema/references.ts";
import { pointerOf } from "../schema/fault.ts";
import { type FaultReporter } from "./json-file.ts";

/** Keywords whose schemas extend the one around them, which states the object's properties. */
const ADDING = new Set(["if", "then", "else", "not", "allOf", "dependentSchemas"]);
const ONE = [
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAPS = ["$defs", "dependentSchemas", "patternProperties", "properties"];

/**
 * Checks the conventions for schemas: id, title, description, examples, closed or open objects, bounds, secrets. `config`: the
 * name of the schema of the settings of the skill; undefined if it is not known.
 */
export function checkSchemaRules(
  document: Readonly<Record<string, unknown>>,
  id: string,
  report: FaultReporter,
  config?: string,
): void {
  if (document["$id"] !== id) report("/$id", `$id must be "${id}", the path of the file.`);
  for (const key of ["title", "description"]) {
    if (typeof document[key] !== "string" || document[key] === "")
      report(pointerOf(key), `The schema needs a ${key}.`);
  }
  const { examples } = document;
  if (examples === undefined || (Array.isArray(examples) && examples.length === 0))
    report("/examples", "The schema needs at least one example.");
  checkPart(document, "", true, report);
  checkSecrets(document, id, config === undefined || id === config, report);
}

/** A secret is found in texts by its value, which is read from a variable or the key ring as a text. */
function checkSecrets(
  document: Readonly<Record<string, unknown>>,
  id: string,
  isConfig: boolean,
  report: FaultReporter,
): void {
  const [skill = ""] = id.split("/");
  const names = secretNames(document);
  for (const [index, name] of names.entries()) {
    const variable = secretVariable(skill, name);
    const owner = names.slice(0, index).find((other) => secretVariable(skill, other) === variable);
    if (owner !== undefined)
      report(
        pointerOf("properties", name),
        `${variable} is already the variable of ${quotedName(owner)}: rename one of them.`,
      );
  }
  for (const { pointer, part } of schemasIn(document)) {
    if (!Object.hasOwn(part, "secret")) continue;
    const { secret, type, minLength } = part;
    if (secret !== true) report(`${pointer}/secret`, "secret must be true, without quotes, or be left out.");
    else if (!isConfig || !/^\/properties\/[^/]+$/.test(pointer))
      report(
        `${pointer}/secret`,
        "Only a property at the top of the settings, in the schema that config of skill.json names, can be secret.",
      );
    else if (type !== "string" || typeof minLength !== "number" || minLength < SHORTEST_SECRET)
      report(
        pointer,
        `A secret needs "type": "string" and a minLength of at least ${SHORTEST_SECRET}: shorter values cannot be redacted.`,
      );
    else if (Object.hasOwn(part, "default"))
      report(`${pointer}/default`, "A secret has no default: everyone could read it here.");
  }
}

function checkPart(part: unknown, pointer: string, whole: boolean, report: FaultReporter): void {
  if (!isObject(part)) return;
  const types = [part["type"]].flat();
  const closed = Object.hasOwn(part, "additionalProperties") || Object.hasOwn(part, "unevaluatedProperties");
  if (whole && types.includes("object") && !closed) {
    report(pointer, 'An object needs "additionalProperties": false, or a schema for further properties.');
  }
  if (whole && (types.includes("number") || types.includes("integer")) && !isListed(part)) {
    if (!hasAny(part, "minimum", "exclusiveMinimum"))
      report(pointer, "A number needs a lower bound: minimum or exclusiveMinimum.");
    if (!hasAny(part, "maximum", "exclusiveMaximum"))
      report(pointer, "A number needs an upper bound: maximum or exclusiveMaximum.");
  }
  if (whole) checkValues(part, pointer, report);
  for (const [keys, child] of partsOf(part))
    checkPart(child, pointer + pointerOf(...keys), whole && !ADDING.has(keys[0]), report);
}

/** Pairs of bounds. */
const BOUNDS = ["Length", "Items", "Properties", "imum"].map((end) => [`min${end}`, `max${end}`] as const);
/** Keywords of other drafts that the validator takes, each with its remedy. */
const FOREIGN = {
  nullable: 'write "type": ["string", "null"], with the type in place of string.',
  dependencies: "write dependentRequired, or dependentSchemas for schemas.",
};

/** Reports bounds and names that no value can meet. */
function checkValues(part: Readonly<Record<string, unknown>>, pointer: string, report: FaultReporter): void {
  for (const [least, most] of BOUNDS)
    if (Number(part[least]) > Number(part[most]))
      report(pointer + pointerOf(least), `${least} is above ${most}, so no value fits.`);
  for (const [keyword, remedy] of Object.entries(FOREIGN))
    if (Object.hasOwn(part, keyword))
      report(pointer + pointerOf(keyword), `There is no keyword ${keyword}; ${remedy}`);
  if (hasIdleFormat(part))
    report(
      `${pointer}/format`,
      `The format ${shownJson(part["format"], 60)} applies to strings only, not to "type": ${shownJson(part["type"], 60)}.`,
      undefined,
      "warning",
    );
  const { type, const: only, enum: listed, properties, additionalProperties: isOpen } = part;
  const [key, values] = Object.hasOwn(part, "const") ? ["const", [only]] : ["enum", listed];
  const isListed = Array.isArray(values) && values.length > 0;
  if (type !== undefined && isListed && !values.some((value) => hasType(value, type)))
    report(pointer + pointerOf(key), `${key} contradicts "type": ${shownJson(type, 60)}, so no value fits.`);
  const names = Object.keys(isObject(properties) ? properties : {});
  if (names.includes("__proto__"))
    report(`${pointer}/properties/__proto__`, "A property cannot have the name __proto__; choose another.");
  if (isOpen !== false || hasAny(part, "$ref", "patternProperties", ...LISTS)) return;
  for (const [at, required] of requiredIn(part))
    for (const [index, name] of required.map(String).entries()) {
      if (names.includes(name)) continue;
      const guess = nearest(name, names);
      const remedy = guess ? `did you mean ${guess}?` : "add it to properties.";
      report(
        pointer + at + pointerOf(index),
        `${quotedName(name)} is required, but properties does not define it; ${remedy}`,
      );
    }
}

/** Whether a format for strings is combined with a type that excludes strings, so that it has no effect. */
function hasIdleFormat({ format, type }: Readonly<Record<string, unknown>>): boolean {
  const isNumeric = ["int32", "int64", "float", "double"].includes(String(format));
  return format !== undefined && !isNumeric && type !== undefined && ![type].flat().includes("string");
}

/** The lists of names that a schema requires of its own object, always or sometimes, each with its place. */
function requiredIn(
  part: Readonly<Record<string, unknown>>,
): readonly (readonly [at: string, required: readonly unknown[]])[] {
  const { required, then: met, else: unmet, dependentRequired } = part;
  const lists = [
    ["/required", required],
    ["/then/required", Object(met)["required"]],
    ["/else/required", Object(unmet)["required"]],
    ...Object.entries(Object(dependentRequired)).map(
      ([name, list]) => [pointerOf("dependentRequired", name), list] as const,
    ),
  ] as const;
  return lists.flatMap(([at, list]) => (Array.isArray(list) ? [[at, list] as const] : []));
}

/** The direct subschemas of a schema, each with its path. */
function* partsOf(
  part: Readonly<Record<string, unknown>>,
): Generator<readonly [keys: readonly [keyword: string, ...(string | number)[]], child: unknown]> {
  for (const key of ONE) yield [[key], part[key]];
  for (const key of LISTS) {
    const list = part[key];
    if (Array.isArray(list)) for (const [index, child] of list.entries()) yield [[key, index], child];
  }
  for (const key of MAPS) {
    const map = part[key];
    if (isObject(map)) for (const [name, child] of Object.entries(map)) yield [[key, name], child];
  }
}

/** A schema and all its subschemas, each with its place. */
export function* schemasIn(
  part: unknown,
  pointer = "",
): Generator<{ readonly pointer: string; readonly part: Readonly<Record<string, unknown>> }> {
  if (!isObject(part)) return;
  yield { pointer, part };
  for (const [keys, child] of partsOf(part)) yield* schemasIn(child, pointer + pointerOf(...keys));
}

function isListed(part: Readonly<Record<string, unknown>>): boolean {
  return hasAny(part, "enum", "const");
}

function hasAny(part: Readonly<Record<string, unknown>>, ...keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(part, key));
}

/** Whether a reference leads only to other references, in a cycle. */
function isCircle(reference: string, document: Readonly<Record<string, unknown>>): boolean {
  const seen = new Set<string>();
  let next: unknown = reference;
  while (typeof next === "string" && next.startsWith("#")) {
    if (seen.has(next)) return true;
    seen.add(next);
    const target = referred(next, document);
    next = isObject(target) ? target["$ref"] : undefined;
  }
  return false;
}

/** Broken references, each with its place and the most similar valid one. */
export function lostReferences(
  document: Readonly<Record<string, unknown>>,
): readonly { readonly pointer: string; readonly sentence: string }[] {
  const places: string[] = [];
  const references: { readonly pointer: string; readonly reference: string }[] = [];
  const look = (part: unknown, pointer: string): void => {
    if (isObject(part) || typeof part === "boolean") places.push(`#${pointer}`);
    if (!isObject(part)) return;
    const { $anchor, $ref } = part;
    if (typeof $anchor === "string") places.push(`#${$anchor}`);
    if (typeof $ref === "string") references.push({ pointer, reference: $ref });
    for (const [keys, child] of partsOf(part)) look(child, pointer + pointerOf(...keys));
  };
  look(document, "");
  const circles = references.filter(({ reference }) => isCircle(reference, document));
  if (circles.length > 0)
    return circles.map(({ pointer, reference }) => ({
      pointer: `${pointer}/$ref`,
      sentence: `${reference} refers to itself and states nothing.`,
    }));
  const anchors = new Set(places.filter((place) => !place.startsWith("#/")));
  return references
    .filter(({ reference }) => !anchors.has(reference))
    .filter(({ reference }) => !reference.startsWith("#") || referred(reference, document) === undefined)
    .map(({ pointer, reference }) => {
      const others = places.filter((place) => place !== `#${pointer}`);
      const guess = nearest(reference, others);
      const hint = guess === undefined ? "it must refer to a place in this file." : `did you mean ${guess}?`;
      return { pointer: `${pointer}/$ref`, sentence: `${reference} refers to nothing; ${hint}` };
    });
}
