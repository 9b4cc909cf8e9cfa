import { hasSubstance, isWordLimit, type NameMap } from "./containment.ts";
import type { Folded } from "./keys.ts";

/** Many folded names in one form, searchable as a whole. */
export interface NameList extends NameMap<readonly number[]> {
  readonly names: readonly Folded[];
  /** The numbers of the names that contain a key between word limits. */
  readonly containing: (key: string) => readonly number[];
}

/** Builds the maps and the joined strings once; a name's number is its place in the list. */
export function nameList(names: readonly Folded[]): NameList {
  const byKey = new Map<string, number[]>();
  for (const [number, { key }] of names.entries()) {
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [number]);
    else same.push(number);
  }
  const lengths = [...new Set(Array.from(byKey.keys(), (key) => key.length))]
    .filter((size) => size > 0)
    .toSorted((left, right) => right - left);
  const numbers = [...names.keys()];
  const isNarrow = (number: number): boolean => NARROW.test(names[number]?.key ?? "");
  const narrow = joined(names, numbers.filter(isNarrow));
  const wide = joined(
    names,
    numbers.filter((number) => !isNarrow(number)),
  );
  const containing = (key: string): readonly number[] =>
    hasSubstance(key) ? [...found(narrow, key), ...found(wide, key)] : [];
  return { names, byKey, lengths, containing };
}

/** One byte a character: the engine searches such a string several times faster, so they have one of their own. */
const NARROW = /^[\u0000-\u00ff]*$/u;

interface Joined {
  readonly names: readonly Folded[];
  /** The numbers of the names that are joined. */
  readonly numbers: readonly number[];
  /** Where each of them starts in the text, rising. */
  readonly starts: Int32Array;
  readonly text: string;
}

function joined(names: readonly Folded[], numbers: readonly number[]): Joined {
  const keys = numbers.map((number) => names[number]?.key ?? "");
  const starts = new Int32Array(keys.length);
  let length = 1;
  for (const [place, key] of keys.entries()) {
    starts[place] = length;
    length += key.length + 1;
  }
  return { names, numbers, starts, text: `\n${keys.join("\n")}\n` };
}

function found({ names, numbers, starts, text }: Joined, key: string): readonly number[] {
  const found: number[] = [];
  let at = text.indexOf(key);
  while (at !== -1) {
    const place = lastAtOrBefore(starts, at);
    const number = numbers[place] ?? -1;
    const name = names[number];
    const start = at - (starts[place] ?? 0);
    if (name !== undefined && isWordLimit(name, start) && isWordLimit(name, start + key.length)) {
      found.push(number);
      at = text.indexOf(key, starts[place + 1] ?? text.length);
    } else at = text.indexOf(key, at + 1);
  }
  return found;
}

function lastAtOrBefore(starts: Int32Array, place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
