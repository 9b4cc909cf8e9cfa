import { inert, shortened } from "../store/event/inert-text.ts";
import type { LogEvent } from "../store/log/log-lines.ts";

/** So many fields of an event are looked at, so deep. */
const MOST_FIELDS = 64;
const MOST_DEPTH = 4;
/** So many different values of a field are told apart in a run, by so many characters. */
const MOST_VALUES = 100;
const MOST_COMPARED = 1_000;
/** So many are shown, and of names and values so many characters. */
const MOST_SHOWN = 4;
const MOST_NAME = 120;
const MOST_VALUE = 60;

type Side = "before" | "after";

/** A field of a probe's data that has other values in one run than in the other; all of it inert. */
interface ChangedField {
  /** Path, such as `user.name`. */
  readonly field: string;
  /** Different values as JSON, in the order in which they came; at most four, of many those first that the other run has not, and a count of the others. */
  readonly before: string[];
  readonly after: string[];
}

/** The values that the data of a probe had in two runs, by field. */
export class FieldValues {
  readonly #fields = new Map<string, Record<Side, Set<string>>>();
  readonly #sides = new Set<Side>();

  add({ data }: LogEvent, side: Side): void {
    this.#sides.add(side);
    if (data !== undefined) this.#collect(data, "", 0, side);
  }

  /** Fields whose values in one run are not those in the other; only where both runs have hit the probe. */
  get changed(): ChangedField[] {
    if (this.#sides.size < 2) return [];
    return [...this.#fields].flatMap(([field, { before, after }]) => {
      const isSame = before.size === after.size && [...before].every((value) => after.has(value));
      return isSame
        ? []
        : [
            {
              field: inert(shortened(field, MOST_NAME)),
              before: few(before, after),
              after: few(after, before),
            },
          ];
    });
  }

  #collect(value: unknown, path: string, depth: number, side: Side): void {
    const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isPlain || depth === MOST_DEPTH) {
      this.#note(path === "" ? "data" : path, side, JSON.stringify(value).slice(0, MOST_COMPARED));
      return;
    }
    for (const [name, inner] of Object.entries(value))
      this.#collect(inner, path === "" ? name : `${path}.${name}`, depth + 1, side);
  }

  #note(field: string, side: Side, value: string): void {
    const values = this.#fields.get(field) ?? { before: new Set(), after: new Set() };
    if (!this.#fields.has(field) && this.#fields.size === MOST_FIELDS) return;
    this.#fields.set(field, values);
    if (values[side].size < MOST_VALUES) values[side].add(value);
  }
}

function few(values: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  const isMany = values.size > MOST_SHOWN;
  const isShared = (value: string): number => (isMany && others.has(value) ? 1 : 0);
  const shown = [...values]
    .toSorted((a, b) => isShared(a) - isShared(b))
    .slice(0, MOST_SHOWN)
    .map((value) => inert(shortened(value, MOST_VALUE)));
  return isMany ? [...shown, `…and ${values.size - MOST_SHOWN} more`] : shown;
}
