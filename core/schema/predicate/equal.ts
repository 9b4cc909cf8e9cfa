/** Equality of JSON values (JSON Schema 2020-12 Core, section 4.2.2): order of properties does not count. */
export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    keys.length === others.length &&
    keys.every((key) => {
      const [left, right] = [one, other] as Readonly<Record<string, unknown>>[];
      return Object.hasOwn(other, key) && equal(left?.[key], right?.[key]);
    })
  );
}
