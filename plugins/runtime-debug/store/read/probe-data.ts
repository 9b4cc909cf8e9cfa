import { shortened } from "./budget.ts";
import { dataFields, dataShape } from "./data-fields.ts";
import type { Samples } from "./sample.ts";

const MOST_NAME = 60;
const MOST_VALUE = 40;

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

/** Shapes by probe, in the order of the probes. */
export function shapes(probes: readonly string[], events: Samples): readonly ProbeShape[] {
  return probes.map((probe, group) => {
    const counts = new Map<string, number>();
    for (const event of events[group] ?? []) {
      const shape = dataShape(event);
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
  const rows = probes.flatMap((probe, group) =>
    [...fieldValues(events[group] ?? [])].flatMap(([field, seen]) => {
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

/** The values of each field of data in the order of the events. */
export function fieldValues(events: Samples[number]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const event of events) {
    for (const [field, value] of dataFields(event)) values.set(field, [...(values.get(field) ?? []), value]);
  }
  return values;
}
