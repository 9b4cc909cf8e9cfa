import { foldClose, foldExact, type Folded } from "./keys.ts";
import type { SongEntry } from "./mapping.ts";
import { bareName } from "./marks.ts";
import { nameList, type KnownNames, type NameList } from "./name-list.ts";
import { once } from "./once.ts";

/** What reading a question needs of a mapping. */
export interface SongLookUps {
  readonly entries: readonly SongEntry[];
  /** The names under keyA; a name's number is its entry's place. */
  readonly exact: KnownNames;
}

/** A mapping made ready for look-ups; built once for a mapping, then only read. */
export interface SongIndex extends SongLookUps {
  readonly exact: NameList;
  /** The names under keyB. Built at the first question that no exact rule answers. */
  readonly close: () => NameList;
}

/** Prepares a mapping for classify, readQuestion and readConfirmation: the map of exact keys at once, the rest on demand. */
export function songIndex(entries: readonly SongEntry[]): SongIndex {
  const keys = entries.map(({ key }) => key);
  const order = once(() => shortestFirst(keys));
  const exactNames = once(() => entries.map(({ name }): Folded => foldExact(bareName(name))));
  const close = once(() => {
    const closeNames = exactNames().map(foldClose);
    return nameList({ keys: closeNames.map(({ key }) => key), folded: () => closeNames, order });
  });
  return { entries, exact: nameList({ keys, folded: exactNames, order }), close };
}

/** The entries whose keyA equals that of a name, one for each id (docs/music-analysis.md, Song names step 3). */
export function exactEntries({ entries, exact }: SongLookUps, key: string): readonly SongEntry[] {
  const byId = new Map<number, SongEntry>();
  for (const number of exact.equal(key)) {
    const entry = entries[number];
    if (entry === undefined) continue;
    const other = byId.get(entry.songId);
    if (other === undefined || entry.name < other.name) byId.set(entry.songId, entry);
  }
  return [...byId.values()];
}

/** The numbers of keys, by the length of the key and then by number. */
function shortestFirst(keys: readonly string[]): Int32Array {
  const byLength: number[][] = [];
  for (let number = 0; number < keys.length; number += 1)
    (byLength[keys[number]?.length ?? 0] ??= []).push(number);
  const order = new Int32Array(keys.length);
  let place = 0;
  for (const numbers of byLength) {
    if (numbers === undefined) continue;
    order.set(numbers, place);
    place += numbers.length;
  }
  return order;
}
