import type { Folded } from "./keys.ts";

/** The names that may hold a key, and perhaps a few others, in order; a name may come twice. */
export type Grams = (key: string) => Int32Array;

/**
 * Lists for every gram (so many neighbouring characters) the names that hold it, in the given order, so that a search
 * looks at the names of its rarest gram alone; a key must be as long as a gram. Grams share buckets, hence the few
 * others. Takes 4 bytes a character of all names.
 */
export function grams(names: readonly Folded[], order: Int32Array, width: number): Grams {
  const shift = 32 - bucketBits(names.length);
  const ends = new Int32Array(2 ** (32 - shift));
  for (const { key } of names)
    for (let at = key.length - width; at >= 0; at -= 1) countUp(ends, gramHash(key, at, width) >>> shift);
  let total = 0;
  for (let bucket = 0; bucket < ends.length; bucket += 1) {
    const size = ends[bucket] ?? 0;
    ends[bucket] = total;
    total += size;
  }
  const lists = new Int32Array(total);
  for (const number of order) {
    const key = names[number]?.key ?? "";
    for (let at = key.length - width; at >= 0; at -= 1)
      lists[countUp(ends, gramHash(key, at, width) >>> shift)] = number;
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
