type Fields = Readonly<Record<string, unknown>>;

/** An object of the input of a tool; empty for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The first text among members of these names, in lower case and without `_` and `-`: agents spell them differently. */
export function textAt(fields: Fields, ...names: readonly string[]): string | undefined {
  const plain = new Map(Object.entries(fields).map(([name, value]) => [plainName(name), value]));
  for (const name of names) {
    const value = plain.get(name);
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The same for truth values. */
export function isSet(fields: Fields, ...names: readonly string[]): boolean {
  return Object.entries(fields).some(([name, value]) => value === true && names.includes(plainName(name)));
}

export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
