import { nearest } from "../nearest.ts";
import { isObject } from "../schema/predicate.ts";
import { referred, withPointers } from "../schema/references.ts";
import { pointerOf } from "../schema/fault.ts";
import { type Complain } from "./json-file.ts";

/** Keywords whose schemas only add to the one around them, which states the object's properties. */
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
  "unevaluatedProperties",
];
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAPS = ["$defs", "dependentSchemas", "patternProperties", "properties"];

/** The house rules for a schema document: its id, title, description, examples, closed or open objects, bounds. */
export function checkSchemaRules(
  document: Readonly<Record<string, unknown>>,
  id: string,
  complain: Complain,
): void {
  if (document["$id"] !== id) complain("/$id", `$id must be "${id}", the path of the file.`);
  for (const key of ["title", "description"]) {
    if (typeof document[key] !== "string" || document[key] === "")
      complain(pointerOf(key), `The schema needs a ${key}.`);
  }
  const { examples } = document;
  if (!Array.isArray(examples) || examples.length === 0)
    complain("/examples", "The schema needs at least one example.");
  checkPart(document, "", true, complain);
}

function checkPart(part: unknown, pointer: string, whole: boolean, complain: Complain): void {
  if (!isObject(part)) return;
  const types = [part["type"]].flat();
  const closed = Object.hasOwn(part, "additionalProperties") || Object.hasOwn(part, "unevaluatedProperties");
  if (whole && types.includes("object") && !closed) {
    complain(pointer, "An object must say additionalProperties: false, or what else it may hold.");
  }
  if (whole && (types.includes("number") || types.includes("integer")) && !isListed(part)) {
    if (!hasAny(part, "minimum", "exclusiveMinimum"))
      complain(pointer, "A number needs a lower bound: minimum or exclusiveMinimum.");
    if (!hasAny(part, "maximum", "exclusiveMaximum"))
      complain(pointer, "A number needs an upper bound: maximum or exclusiveMaximum.");
  }
  const below = (key: string, child: unknown, ...keys: readonly (string | number)[]): void =>
    checkPart(child, pointer + pointerOf(key, ...keys), whole && !ADDING.has(key), complain);
  for (const key of ONE) below(key, part[key]);
  for (const key of LISTS) {
    const list = part[key];
    if (Array.isArray(list)) list.forEach((child, index) => below(key, child, index));
  }
  for (const key of MAPS) {
    const map = part[key];
    if (isObject(map)) for (const [name, child] of Object.entries(map)) below(key, child, name);
  }
}

function isListed(part: Readonly<Record<string, unknown>>): boolean {
  return hasAny(part, "enum", "const");
}

function hasAny(part: Readonly<Record<string, unknown>>, ...keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(part, key));
}

/** References that lead nowhere, each with its place and the nearest one that leads somewhere. */
export function lostReferences(
  document: Readonly<Record<string, unknown>>,
): readonly { readonly pointer: string; readonly sentence: string }[] {
  const root = withPointers(document);
  const definitions = isObject(root["$defs"]) ? Object.keys(root["$defs"]) : [];
  const found: { pointer: string; sentence: string }[] = [];
  const look = (part: unknown, pointer: string): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      const at = pointer + pointerOf(key);
      if (key !== "$ref" || typeof value !== "string") look(value, at);
      else if (!value.startsWith("#") || referred(value, root) === undefined) {
        const guess = nearest(
          value,
          definitions.map((name) => `#/$defs/${name}`),
        );
        const hint = guess === undefined ? "it must lead into this file." : `did you mean ${guess}?`;
        found.push({ pointer: at, sentence: `${value} leads nowhere; ${hint}` });
      }
    }
  };
  look(root, "");
  return found;
}
