import { hasSubstance, namesWithin } from "./containment.ts";
import { foldClose, foldExact, type Folded } from "./keys.ts";
import type { SongEntry } from "./mapping.ts";
import { bareName } from "./marks.ts";
import type { NameList } from "./name-list.ts";
import { exactEntries, type SongIndex } from "./song-index.ts";

/** What a named song is in the mapping (spec music-analysis, States and transitions 3). */
export type Tier =
  | { readonly tier: "A"; readonly entry: SongEntry }
  /** 1 to 5 candidates in the order they are shown. */
  | { readonly tier: "B"; readonly candidates: readonly SongEntry[] }
  | { readonly tier: "C" };

/** The most candidates a person is asked to choose from (docs/music-analysis.md, Confirmation). */
export const MOST_CANDIDATES = 5;

const VERSION_MARKERS =
  /live|remix|remaster|acoustic|instrumental|inst\b|karaoke|cover|demo|edit|mix|feat|\bft\b|dj|现场|現場|伴奏|翻唱|混音|纯音乐|純音樂|版/u;

interface Candidate {
  readonly entry: SongEntry;
  /** The place of its signal in docs/music-analysis.md, Song names step 5; lower comes first. */
  readonly signal: number;
  /** Bears a version marker that the asked name lacks. */
  readonly marked: boolean;
  /** Characters that one name has more than the other. */
  readonly apart: number;
}

/**
 * The tier of a named song: a ladder of exact rules, never a score, no sound, no translation
 * (spec music-analysis, States and transitions 3; docs/music-analysis.md, Song names). The answer does not depend on the
 * order of the mapping.
 */
export function classify(name: string, index: SongIndex): Tier {
  const asked = foldExact(bareName(name));
  if (asked.key === "") return { tier: "C" };
  const equal = exactEntries(index, asked.key);
  const [only, second] = equal;
  if (only !== undefined && second === undefined) return { tier: "A", entry: only };
  const candidates = similar(asked, index);
  return candidates.length === 0 ? { tier: "C" } : { tier: "B", candidates };
}

function similar(asked: Folded, index: SongIndex): readonly SongEntry[] {
  const signals = new Map<number, number>();
  const note = (numbers: Iterable<number>, signal: number): void => {
    for (const number of numbers) if (!signals.has(number)) signals.set(number, signal);
  };
  note(index.exact.byKey.get(asked.key) ?? [], 0);
  note(containedEitherWay(asked, index.exact), 1);
  if (hasEnough(signals, index)) return firstOfEach(ordered(signals, asked, index));
  const close = foldClose(asked);
  note(index.close().byKey.get(close.key) ?? [], 2);
  note(containedEitherWay(close, index.close()), 3);
  return firstOfEach(ordered(signals, asked, index));
}

function containedEitherWay(asked: Folded, names: NameList): readonly number[] {
  const inside = namesWithin(asked, names).flatMap(({ start, end, named }) =>
    hasSubstance(asked.key.slice(start, end)) ? named : [],
  );
  return [...names.containing(asked.key), ...inside];
}

/** Later signals come later in the list, so they cannot change one that is full. */
function hasEnough(signals: ReadonlyMap<number, number>, index: SongIndex): boolean {
  const ids = new Set<number | undefined>();
  for (const number of signals.keys()) {
    ids.add(index.entries[number]?.songId);
    if (ids.size >= MOST_CANDIDATES) return true;
  }
  return false;
}

function ordered(
  signals: ReadonlyMap<number, number>,
  asked: Folded,
  index: SongIndex,
): readonly Candidate[] {
  const askedMarked = VERSION_MARKERS.test(asked.spaced);
  const candidates: Candidate[] = [];
  for (const [number, signal] of signals) {
    const entry = index.entries[number];
    const name = index.exact.names[number];
    if (entry === undefined || name === undefined) continue;
    const marked = !askedMarked && VERSION_MARKERS.test(name.spaced);
    candidates.push({ entry, signal, marked, apart: Math.abs(name.key.length - asked.key.length) });
  }
  return candidates.toSorted(byPlace);
}

/** A total order, so that the five shown are the same whatever the order of the mapping. */
function byPlace(left: Candidate, right: Candidate): number {
  return (
    left.signal - right.signal ||
    Number(left.marked) - Number(right.marked) ||
    left.apart - right.apart ||
    (left.entry.name < right.entry.name ? -1 : Number(left.entry.name > right.entry.name)) ||
    left.entry.songId - right.entry.songId
  );
}

/** Entries with one id are one candidate (docs/music-analysis.md, Confirmation). */
function firstOfEach(candidates: readonly Candidate[]): readonly SongEntry[] {
  const byId = new Map<number, SongEntry>();
  for (const { entry } of candidates) {
    if (!byId.has(entry.songId)) byId.set(entry.songId, entry);
    if (byId.size === MOST_CANDIDATES) break;
  }
  return [...byId.values()];
}
