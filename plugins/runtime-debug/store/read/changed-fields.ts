import { shortened } from "./budget.ts";
import { fieldValues } from "./probe-data.ts";
import type { Samples } from "./sample.ts";

const MOST_NAME = 120;
const MOST_VALUES = 4;
const MOST_VALUE = 60;

/** A field of a probe's data that has other values in one run than in the other. */
export interface ChangedField {
  /** Path, such as `user.name`. */
  readonly field: string;
  /** Different values as JSON, in the order in which they came; at most four and a count of the others. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Fields whose values in one run are not those in the other; only where both runs have hit the probe. */
export function changedFields(before: Samples[number], after: Samples[number]): readonly ChangedField[] {
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
