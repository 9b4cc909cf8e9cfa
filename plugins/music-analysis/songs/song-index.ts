import { foldClose, foldExact, type Folded } from "./keys.ts";
import type { SongEntry } from "./mapping.ts";
import { bareName } from "./marks.ts";
import { nameList, type NameList } from "./name-list.ts";

/** A mapping made ready for look-ups; built once for a mapping, then only read. */
export interface SongIndex {
  readonly entries: readonly SongEntry[];
  /** The names under keyA; a name's number is its entry's place. */
  readonly exact: NameList;
  /** The names under keyB. Built at the first question that no exact rule answers. */
  readonly close: () => NameList;
}

/** Prepares a mapping for classify, readQuestion and readConfirmation. */
export function songIndex(entries: readonly SongEntry[]): SongIndex {
  const exactNames: readonly Folded[] = entries.map(({ name }) => foldExact(bareName(name)));
  let close: NameList | undefined;
  return {
    entries,
    exact: nameList(exactNames),
    close: () => (close ??= nameList(exactNames.map(foldClose))),
  };
}

/** The entries whose keyA equals that of a name, one for each id (docs/music-analysis.md, Song names step 3). */
export function exactEntries(index: SongIndex, key: string): readonly SongEntry[] {
  const byId = new Map<number, SongEntry>();
  for (const number of index.exact.byKey.get(key) ?? []) {
    const entry = index.entries[number];
    if (entry === undefined) continue;
    const other = byId.get(entry.songId);
    if (other === undefined || entry.name < other.name) byId.set(entry.songId, entry);
  }
  return [...byId.values()];
}
