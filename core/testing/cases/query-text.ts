import { isObject, type JsonObject } from "../derive/json.ts";

/** An object as the query of an address, a list as a name given several times; "" when it is empty. */
export function queryText(query: JsonObject): string {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(key, String(one));
  }
  const text = pairs.toString();
  return text === "" ? "" : `?${text}`;
}

/**
 * Whether a wrong value is still the same wrong value when it has been a query. Numbers and booleans arrive as what
 * their text says, so a number for a string is right; null, objects, and lists of fewer than two do not arrive.
 */
export function travels(query: unknown): query is JsonObject {
  return (
    isObject(query) &&
    Object.values(query).every((value) =>
      Array.isArray(value) ? value.length > 1 && value.every(isText) : isText(value),
    )
  );
}

function isText(value: unknown): boolean {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    Number.isNaN(Number(value)) &&
    value !== "true" &&
    value !== "false"
  );
}
