import type { LogEvent } from "../log/log-lines.ts";
import { shortened } from "../event/inert-text.ts";

/** Some events of each probe. */
type Samples = ReadonlyMap<string, readonly LogEvent[]>;

const MOST_FIELDS = 64;
const MOST_DEPTH = 4;
/** Of names and values in a summary, in characters. */
const MOST_NAME = 60;
const MOST_VALUE = 40;
/** The same in a comparison, and how many different values. */
const MOST_COMPARED_NAME = 120;
const MOST_COMPARED_VALUE = 60;
const MOST_VALUES = 4;

/** The different shapes of a probe's data. */
export interface ProbeShape {
  readonly probe: string;
  /** Sets of names, the commonest first. */
  readonly shapes: readonly string[];
}

/** A field of a probe's data that did not stay the same. */
export interface ProbeChange {
  readonly probe: string;
  readonly field: string;
  /** How many different values were seen in the events that were looked into. */
  readonly values: number;
  readonly first: string;
  readonly last: string;
}

/** A field of a probe's data that has other values in one run than in the other. */
export interface ChangedField {
  /** Path, such as `user.name`. */
  readonly field: string;
  /** Different values as JSON, in the order in which they came; at most four and a count of the others. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Shapes by probe, in the order of the probes. */
export function shapes(probes: readonly string[], events: Samples): readonly ProbeShape[] {
  return probes.map((probe) => {
    const counts = new Map<string, number>();
    for (const event of events.get(probe) ?? []) {
      const shape = shapeOf(event);
      counts.set(shape, (counts.get(shape) ?? 0) + 1);
    }
    const sorted = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, 3);
    return {
      probe: shortened(probe, MOST_NAME),
      shapes: sorted.map(([shape]) => shortened(shape, MOST_NAME)),
    };
  });
}

/** Fields that changed, those with the most values first. */
export function changes(probes: readonly string[], events: Samples): readonly ProbeChange[] {
  const rows = probes.flatMap((probe) =>
    [...fieldValues(events.get(probe) ?? [])].flatMap(([field, seen]) => {
      const values = new Set(seen).size;
      if (values < 2) return [];
      const first = shortened(seen[0] ?? "", MOST_VALUE);
      const last = shortened(seen.at(-1) ?? "", MOST_VALUE);
      return [
        { probe: shortened(probe, MOST_NAME), field: shortened(field, MOST_NAME), values, first, last },
      ];
    }),
  );
  return rows.toSorted((a, b) => b.values - a.values);
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
    return isSame ? [] : [{ field: shortened(field, MOST_COMPARED_NAME), before: few(a), after: few(b) }];
  });
}

function few(values: ReadonlySet<string>): readonly string[] {
  const shown = [...values].slice(0, MOST_VALUES).map((value) => shortened(value, MOST_COMPARED_VALUE));
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

/** The names of an event's data, sorted: what its shape is told by. */
function shapeOf({ data }: LogEvent): string {
  if (data === undefined) return "no data";
  if (typeof data !== "object" || data === null) return typeof data;
  return Array.isArray(data) ? `list` : Object.keys(data).sort().join(", ");
}
