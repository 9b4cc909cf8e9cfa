import { wordLimits } from "./containment.ts";
import { bucketBits, gramHash, grams, WIDEST } from "./grams.ts";
import type { Folded } from "./keys.ts";
import { once } from "./once.ts";

/** Known names inside a text, by their place in the text's key. */
export interface Found {
  readonly start: number;
  readonly end: number;
  /** The numbers of the names that are written so, rising; at least one. */
  readonly named: readonly number[];
}

/** The look-ups that a question needs among many names; a name's number is its place. */
export interface KnownNames {
  /** The numbers of the names with exactly this key, rising. */
  readonly equal: (key: string) => readonly number[];
  /** Every known name inside a text, between word limits, in no promised order; names may overlap. */
  readonly within: (text: Folded) => readonly Found[];
}

/** Many names in one folded form, each look-up prepared when it is first made. */
export interface NameList extends KnownNames {
  readonly folded: () => readonly Folded[];
  /** Numbers of the names that may contain a key, and perhaps a few others, the shortest exact names first. */
  readonly mayContain: (key: string) => Int32Array;
}

/** What a list is made of. */
export interface NameListParts {
  readonly keys: readonly string[];
  readonly folded: () => readonly Folded[];
  /** All numbers, in the order mayContain keeps. */
  readonly order: () => Int32Array;
}

const NONE: readonly number[] = [];

/** Builds the map of keys at once, the rest at its first use. */
export function nameList({ keys, folded, order }: NameListParts): NameList {
  const first = new Map<string, number>();
  /** For each number the next one of the same key; -1 after the last. */
  const next = new Int32Array(keys.length);
  for (let number = keys.length - 1; number >= 0; number -= 1) {
    const key = keys[number] ?? "";
    next[number] = first.get(key) ?? -1;
    first.set(key, number);
  }
  const equal = (key: string): readonly number[] => {
    const start = first.get(key);
    if (start === undefined) return NONE;
    const numbers: number[] = [];
    for (let number = start; number >= 0; number = next[number] ?? -1) numbers.push(number);
    return numbers;
  };
  const heads = once(() => headsOf(keys));
  const byWidth = Array.from({ length: WIDEST }, (_, place) =>
    once(() => grams(folded(), order(), place + 1)),
  );
  const within = (text: Folded): readonly Found[] => {
    const { key } = text;
    const found: Found[] = [];
    const limits = wordLimits(text);
    const sizesAt = heads();
    for (let start = 0; start < key.length; start += 1) {
      const sizes = limits[start] === 1 ? sizesAt(key, start) : 0;
      for (let end = start + 1; end <= key.length && sizes >>> Math.min(end - start, MOST) !== 0; end += 1) {
        if (limits[end] === 0 || (sizes & sizeBit(end - start)) === 0) continue;
        const named = equal(key.slice(start, end));
        if (named.length > 0) found.push({ start, end, named });
      }
    }
    return found;
  };
  let searches = 0;
  const mayContain = (key: string): Int32Array => {
    searches += 1;
    if (searches <= FEW) return order();
    return byWidth[Math.min(key.length, WIDEST) - 1]?.()(key) ?? order();
  };
  return { equal, within, folded, mayContain };
}

/** So many searches are done name by name: the lists of grams cost as much as ten of them. */
const FEW = 2;

/** Lengths from here on share the last bit. */
const MOST = 31;

function sizeBit(length: number): number {
  return 1 << Math.min(length, MOST);
}

/** For the two characters at a place of a text, the lengths of the names that may begin with them, one bit each. */
function headsOf(keys: readonly string[]): (key: string, at: number) => number {
  const bits = bucketBits(keys.length);
  const shift = 32 - bits;
  const sizes = new Int32Array(1 << bits);
  for (const key of keys) {
    const bucket = gramHash(key, 0, Math.min(key.length, 2)) >>> shift;
    if (key !== "") sizes[bucket] = (sizes[bucket] ?? 0) | sizeBit(key.length);
  }
  return (key, at) => {
    const single = (sizes[gramHash(key, at, 1) >>> shift] ?? 0) & sizeBit(1);
    return single | (sizes[gramHash(key, at, 2) >>> shift] ?? 0);
  };
}
