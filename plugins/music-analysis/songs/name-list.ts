import { hasSubstance, isWordLimit, type NameMap } from "./containment.ts";
import type { Folded } from "./keys.ts";

/** Many folded names in one form, searchable as a whole (design/performance.md 9: maps and one joined string). */
export interface NameList extends NameMap<readonly number[]> {
  readonly names: readonly Folded[];
  /** The numbers of the names that contain a key between word limits. */
  readonly containing: (key: string) => readonly number[];
}

/** Builds the maps and the joined string once; a name's number is its place in the list. */
export function nameList(names: readonly Folded[]): NameList {
  const byKey = new Map<string, number[]>();
  const starts = new Int32Array(names.length);
  let length = 1;
  for (const [number, { key }] of names.entries()) {
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [number]);
    else same.push(number);
    starts[number] = length;
    length += key.length + 1;
  }
  const joined = `\n${names.map(({ key }) => key).join("\n")}\n`;
  const lengths = [...new Set([...byKey.keys()].map((key) => key.length))]
    .filter((size) => size > 0)
    .toSorted((left, right) => right - left);
  return { names, byKey, lengths, containing: (key) => containing({ names, starts, joined }, key) };
}

interface Joined {
  readonly names: readonly Folded[];
  /** Where each name starts in the joined string, rising. */
  readonly starts: Int32Array;
  readonly joined: string;
}

function containing({ names, starts, joined }: Joined, key: string): readonly number[] {
  const found: number[] = [];
  if (!hasSubstance(key)) return found;
  let at = joined.indexOf(key);
  while (at !== -1) {
    const number = lastAtOrBefore(starts, at);
    const name = names[number];
    const place = at - (starts[number] ?? 0);
    if (name !== undefined && isWordLimit(name, place) && isWordLimit(name, place + key.length)) {
      found.push(number);
      at = joined.indexOf(key, starts[number + 1] ?? joined.length);
    } else at = joined.indexOf(key, at + 1);
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
