import { contains, hasSubstance, isWordLimit } from "../plugins/music-analysis/songs/containment.ts";
import { foldClose, foldExact, type Folded } from "../plugins/music-analysis/songs/keys.ts";
import type { Tier } from "../plugins/music-analysis/songs/ladder.ts";
import type { SongEntry } from "../plugins/music-analysis/songs/mapping.ts";
import { bareName } from "../plugins/music-analysis/songs/marks.ts";
import type { Found } from "../plugins/music-analysis/songs/name-list.ts";
import { Shortlist } from "../plugins/music-analysis/songs/shortlist.ts";
import type { SongLookUps } from "../plugins/music-analysis/songs/song-index.ts";

/** A mapping that is searched name by name; what an index has to beat. */
export interface LinearScan extends SongLookUps {
  /** The same as classify of the index (docs/music-analysis.md, Song names). */
  readonly tierOf: (name: string) => Tier;
}

interface Name {
  readonly entry: SongEntry;
  readonly exact: Folded;
  /** The same object as the exact form where both are one. */
  readonly close: Folded;
}

/** Folds every name once, beforehand. */
export function linearScan(entries: readonly SongEntry[]): LinearScan {
  const names = entries.map((entry): Name => {
    const exact = foldExact(bareName(entry.name));
    return { entry, exact, close: foldClose(exact) };
  });
  return {
    entries,
    exact: { equal: (key) => equalTo(names, key), within: (text) => allWithin(names, text) },
    tierOf: (name) => tierAmong(names, foldExact(bareName(name))),
  };
}

function tierAmong(names: readonly Name[], asked: Folded): Tier {
  if (asked.key === "") return { tier: "C" };
  const equal = new Map<number, SongEntry>();
  for (const { entry, exact } of names) {
    if (exact.key !== asked.key) continue;
    const other = equal.get(entry.songId);
    if (other === undefined || entry.name < other.name) equal.set(entry.songId, entry);
  }
  const [only, second] = equal.values();
  if (only !== undefined && second === undefined) return { tier: "A", entry: only };
  const close = foldClose(asked);
  const list = new Shortlist(asked);
  for (const name of names) {
    const signal = signalOf(name, asked, close);
    if (signal !== -1) list.offer({ entry: name.entry, name: name.exact, signal });
  }
  return list.entries.length === 0 ? { tier: "C" } : { tier: "B", candidates: list.entries };
}

function signalOf({ exact, close }: Name, asked: Folded, askedClose: Folded): number {
  if (exact.key === asked.key) return 0;
  if (eitherWay(exact, asked)) return 1;
  if (close === exact && askedClose === asked) return -1;
  if (close.key === askedClose.key) return 2;
  return eitherWay(close, askedClose) ? 3 : -1;
}

/** Looks for the longer in the shorter text first: for nearly every name that is all. */
function eitherWay(name: Folded, asked: Folded): boolean {
  return name.key.length < asked.key.length
    ? asked.key.includes(name.key) && hasSubstance(name.key) && contains(asked, name.key)
    : name.key.includes(asked.key) && hasSubstance(asked.key) && contains(name, asked.key);
}

function equalTo(names: readonly Name[], key: string): readonly number[] {
  const numbers: number[] = [];
  for (const [number, { exact }] of names.entries()) if (exact.key === key) numbers.push(number);
  return numbers;
}

function allWithin(names: readonly Name[], text: Folded): readonly Found[] {
  const named = new Map<string, number[]>();
  for (const [number, { exact }] of names.entries()) {
    if (!text.key.includes(exact.key)) continue;
    const same = named.get(exact.key);
    if (same === undefined) named.set(exact.key, [number]);
    else same.push(number);
  }
  return [...named].flatMap(([key, numbers]) =>
    placesOf(text, key).map((start) => ({ start, end: start + key.length, named: numbers })),
  );
}

function placesOf(text: Folded, key: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.key.indexOf(key); at !== -1; at = text.key.indexOf(key, at + 1))
    if (isWordLimit(text, at) && isWordLimit(text, at + key.length)) places.push(at);
  return places;
}
