import { wordLimits } from "./containment.ts";
import type { Folded } from "./keys.ts";

/** The names that may hold a key, and perhaps a few others, in order; a name may come twice. */
export type Grams = (key: string) => Int32Array;

/** Keys of so many characters or more are looked for by grams of that width; shorter ones are grams themselves. */
export const WIDEST = 3;

/**
 * Lists for every gram (so many neighbouring characters) the names that hold it, in the given order, so that a search
 * looks at the names of its rarest gram alone. A narrow gram, which is a whole key, counts between word limits only:
 * nearly every Latin name holds a given letter. Grams share buckets, hence the few others. Takes up to 4 bytes a
 * character of all names.
 */
export function grams(names: readonly Folded[], order: Int32Array, width: number): Grams {
  const shift = 32 - bucketBits(names.length);
  const ends = new Int32Array(2 ** (32 - shift));
  for (const name of names) forEachGram(name, width, (hash) => countUp(ends, hash >>> shift));
  let total = 0;
  for (let bucket = 0; bucket < ends.length; bucket += 1) {
    const size = ends[bucket] ?? 0;
    ends[bucket] = total;
    total += size;
  }
  const lists = new Int32Array(total);
  for (const number of order) {
    const name = names[number];
    if (name === undefined) continue;
    forEachGram(name, width, (hash) => {
      lists[countUp(ends, hash >>> shift)] = number;
    });
  }
  return (key) => {
    let [from, to] = [0, total];
    for (let at = key.length - width; at >= 0; at -= 1) {
      const bucket = gramHash(key, at, width) >>> shift;
      const [start, end] = [ends[bucket - 1] ?? 0, ends[bucket] ?? 0];
      if (end - start < to - from) [from, to] = [start, end];
    }
    return lists.subarray(from, to);
  };
}

function forEachGram(name: Folded, width: number, take: (hash: number) => void): void {
  const { key } = name;
  const limits = width < WIDEST ? wordLimits(name) : undefined;
  for (let at = key.length - width; at >= 0; at -= 1)
    if (limits === undefined || (limits[at] === 1 && limits[at + width] === 1))
      take(gramHash(key, at, width));
}

/** 32 bits of so many characters at a place, the upper ones well mixed; beyond the end they count as 0. */
export function gramHash(key: string, at: number, width: number): number {
  let hash = 0;
  for (let place = at; place < at + width; place += 1)
    hash = Math.imul(hash ^ key.charCodeAt(place), 0x9e37_79b1);
  return hash;
}

/** How many bits of a hash give each of so many names a few buckets: 6 to 16. */
export function bucketBits(names: number): number {
  return Math.min(16, Math.max(6, 34 - Math.clz32(names)));
}

/** Counts one up and answers what it was before. */
function countUp(counts: Int32Array, place: number): number {
  const before = counts[place] ?? 0;
  counts[place] = before + 1;
  return before;
}
