const MOST_FIELDS = 64;
const MOST_DEPTH = 4;

/** The fields of an event's data by path, such as `user.name`, each with its value as JSON text. */
export function dataFields(event: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const { data } = event;
  if (data !== undefined) collect(data, "", 0, fields);
  return fields;
}

/** The names of an event's data, sorted: what its shape is told by. */
export function dataShape({ data }: Readonly<Record<string, unknown>>): string {
  if (data === undefined) return "no data";
  if (typeof data !== "object" || data === null) return typeof data;
  return Array.isArray(data) ? `list` : Object.keys(data).sort().join(", ");
}

function collect(value: unknown, path: string, depth: number, fields: Map<string, string>): void {
  if (fields.size >= MOST_FIELDS) return;
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isPlain || depth === MOST_DEPTH) {
    fields.set(path === "" ? "data" : path, JSON.stringify(value));
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    collect(inner, path === "" ? name : `${path}.${name}`, depth + 1, fields);
  }
}
