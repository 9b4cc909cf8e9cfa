import type { LogEvent } from "../log/log-lines.ts";
import { shortened } from "../event/inert-text.ts";

const MOST_FIELDS = 64;
const MOST_DEPTH = 4;
/** Of names and values, in characters, and how many different values. */
const MOST_NAME = 120;
const MOST_VALUE = 60;
const MOST_VALUES = 4;

/** A field of a probe's data that has other values in one run than in the other. */
export interface ChangedField {
  /** Path, such as `user.name`. */
  readonly field: string;
  /** Different values as JSON, in the order in which they came; at most four and a count of the others. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Fields whose values in one run are not those in the other; only where both runs have hit the probe. */
export function changedFields(
  before: readonly LogEvent[],
  after: readonly LogEvent[],
): readonly ChangedField[] {
  if (before.length === 0 || after.length === 0) return [];
  const [old, fresh] = [fieldValues(before), fieldValues(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((field) => {
    const [a, b] = [new Set(old.get(field)), new Set(fresh.get(field))];
    const isSame = a.size === b.size && [...a].every((value) => b.has(value));
    return isSame ? [] : [{ field: shortened(field, MOST_NAME), before: few(a), after: few(b) }];
  });
}

function few(values: ReadonlySet<string>): readonly string[] {
  const shown = [...values].slice(0, MOST_VALUES).map((value) => shortened(value, MOST_VALUE));
  return values.size > MOST_VALUES ? [...shown, `…and ${values.size - MOST_VALUES} more`] : shown;
}

/** The values of each field of data by path, such as `user.name`, in the order of the events, as JSON text. */
function fieldValues(events: readonly LogEvent[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const { data } of events) {
    const fields = new Map<string, string>();
    if (data !== undefined) collect(data, "", 0, fields);
    for (const [field, value] of fields) values.set(field, [...(values.get(field) ?? []), value]);
  }
  return values;
}

function collect(value: unknown, path: string, depth: number, fields: Map<string, string>): void {
  if (fields.size >= MOST_FIELDS) return;
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isPlain || depth === MOST_DEPTH) {
    fields.set(path === "" ? "data" : path, JSON.stringify(value));
    return;
  }
  for (const [name, inner] of Object.entries(value))
    collect(inner, path === "" ? name : `${path}.${name}`, depth + 1, fields);
}
