/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value has a type of JSON Schema, or one of several. */
export function hasType(value: unknown, type: unknown): boolean {
  const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return [type].flat().some((one) => one === own || (one === "integer" && Number.isInteger(value)));
}

/**
 * The format of a text that names command lines and flags (`skillctl run SKILL COMMAND --flag …`): a surface without a
 * command line gives them as its own calls and properties.
 */
export const INSTRUCTIONS = "instructions";

/** A property's name as a flag: `songId` and `song_id` -> `song-id`. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

/**
 * The value of a JSON text. A byte-order mark is not part of it (RFC 8259, section 8.1).
 * @throws SyntaxError without the text, unlike that of `JSON.parse`: a file of a project may be a link to another one
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new SyntaxError("it is not valid JSON");
  }
}

/** The value of a JSON text; undefined for a text that is not JSON. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Equality of JSON values (JSON Schema 2020-12 Core, section 4.2.2): the order of properties does not matter. */
export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [left, right] = [one, other] as Readonly<Record<string, unknown>>[];
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equal(left?.[key], right?.[key]))
  );
}
