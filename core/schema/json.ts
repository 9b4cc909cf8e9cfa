/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text. A byte-order mark is no part of it (RFC 8259, section 8.1). @throws SyntaxError */
export function parsedJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}

/** Equality of JSON values (JSON Schema 2020-12 Core, section 4.2.2): order of properties does not count. */
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
