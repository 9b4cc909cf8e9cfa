import { OTHER, type EventKeys } from "../event/stamped.ts";

/** Beyond so many, keys become `OTHER`. */
const MOST_KEYS = 65_000;

/** Gives equal keys one number, from 0 in the order in which they came. */
export class KeyTable {
  readonly #list: EventKeys[];
  /** Keys are interned, so that nearly always the object itself is known. */
  readonly #byObject = new WeakMap<EventKeys, number>();
  readonly #byValue = new Map<string, number>();
  #lastKeys: EventKeys | undefined;
  #lastNumber = 0;

  /** @param list the keys that have numbers already */
  constructor(list: readonly EventKeys[] = []) {
    this.#list = [...list];
  }

  get list(): readonly EventKeys[] {
    return this.#list;
  }

  numberOf(keys: EventKeys): number {
    if (keys === this.#lastKeys) return this.#lastNumber;
    const number = this.#byObject.get(keys) ?? this.#numberByValue(keys);
    this.#lastKeys = keys;
    this.#lastNumber = number;
    return number;
  }

  #numberByValue(keys: EventKeys): number {
    // Of a log that is only read nobody may ever ask.
    if (this.#byValue.size === 0)
      for (const [known, one] of this.#list.entries()) this.#byValue.set(valueOf(one), known);
    const value = valueOf(keys);
    const known = this.#byValue.get(value);
    const isFull = known === undefined && keys !== OTHER && this.#list.length >= MOST_KEYS;
    const number = isFull ? this.#numberByValue(OTHER) : (known ?? this.#list.push(keys) - 1);
    if (!isFull) this.#byValue.set(value, number);
    this.#byObject.set(keys, number);
    return number;
  }
}

function valueOf(keys: EventKeys): string {
  return keys === OTHER ? "" : JSON.stringify([keys.hypothesis, keys.run, keys.location, keys.probe]);
}
