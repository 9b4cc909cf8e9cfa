import {
  closeKeyOf,
  foldClose,
  foldExact,
  bareName,
  contains,
  hasSubstance,
  keyPattern,
  type Folded,
} from "./fold.ts";
import { mergeEntries, type SongEntry } from "./song.ts";

/** The tier of a named song among the known ones (specification, States and transitions 3). */
export type Tier =
  | { readonly tier: "A"; readonly entry: SongEntry }
  /** 1 to 5 candidates in the order they are shown. */
  | { readonly tier: "B"; readonly candidates: readonly SongEntry[] }
  | { readonly tier: "C" };

/** The maximum number of candidates that are offered (docs/music-analysis.md, Confirmation). */
export const MOST_CANDIDATES = 5;
const MOST_OFFERED = 200;

const VERSION_WORDS =
  /live|remix|remaster|acoustic|instrumental|inst\b|karaoke|cover|demo|edit|mix|feat|\bft\b|dj|现场|現場|伴奏|翻唱|混音|纯音乐|純音樂|版/u;

/** A similar song. The fields determine its position, in this order. */
interface Candidate {
  /** The number of its rule in docs/music-analysis.md, Song names 5; lower comes first. */
  readonly rule: number;
  /** Whether it contains a version word that the requested name lacks. */
  readonly isVersion: boolean;
  /** The difference between the lengths of both names, in UTF-16 units. */
  readonly apart: number;
  readonly entry: SongEntry;
}

/** The folded names of a list by position, computed on first use. */
interface PreparedNames {
  readonly exact: (Folded | undefined)[];
  readonly close: (Folded | undefined)[];
  readonly closeKeys: (string | undefined)[];
}

const prepared = new WeakMap<readonly SongEntry[], PreparedNames>();

/**
 * Determines the tier of a named song by exact rules: no score, no sound, no translation (docs/music-analysis.md, Song
 * names). Scans the folded names; the result does not depend on their order.
 */
export function classify(name: string, songs: readonly SongEntry[]): Tier {
  const asked = foldExact(bareName(name));
  if (asked.key === "") return { tier: "C" };
  const equal = songs.filter(({ key }) => key === asked.key).toSorted(byName);
  const [only, second] = mergeEntries(equal);
  if (only !== undefined && second === undefined) return { tier: "A", entry: only };
  const candidates = similar(asked, songs);
  return candidates.length === 0 ? { tier: "C" } : { tier: "B", candidates };
}

function similar(asked: Folded, songs: readonly SongEntry[]): readonly SongEntry[] {
  const names = prepared.get(songs) ?? { exact: [], close: [], closeKeys: [] };
  prepared.set(songs, names);
  const exactOf = (entry: SongEntry, place: number): Folded =>
    (names.exact[place] ??= foldExact(bareName(entry.name)));
  const isVersionAsked = VERSION_WORDS.test(asked.spaced);
  let found: Candidate[] = [];
  const offer = (entry: SongEntry, { key, spaced }: Folded, rule: number): void => {
    const isVersion = !isVersionAsked && VERSION_WORDS.test(spaced);
    found.push({ rule, isVersion, apart: Math.abs(key.length - asked.key.length), entry });
    // A single letter occurs in nearly every name: most of those are discarded on the way.
    if (found.length > MOST_OFFERED) found = shortlist(found);
  };
  const holds = holder(asked);
  songs.forEach((entry, place) => {
    const rule = holds(entry.key, () => exactOf(entry, place));
    if (rule !== undefined) offer(entry, exactOf(entry, place), rule);
  });
  found = shortlist(found);
  if (found.length === MOST_CANDIDATES) return found.map(({ entry }) => entry);
  const close = foldClose(asked);
  const closeHolds = holder(close);
  songs.forEach((entry, place) => {
    const key = (names.closeKeys[place] ??= closeKeyOf(entry));
    // If both forms are equal, this was decided above.
    if (key === entry.key && close === asked) return;
    const rule = closeHolds(key, () => (names.close[place] ??= foldClose(exactOf(entry, place))));
    if (rule !== undefined) offer(entry, exactOf(entry, place), rule + 2);
  });
  return shortlist(found).map(({ entry }) => entry);
}

/** The relation of a name to the requested one: 0 for the same key, 1 if one contains the other as whole words. */
function holder(asked: Folded): (key: string, name: () => Folded) => 0 | 1 | undefined {
  const pattern = keyPattern(asked.key);
  const isSearched = hasSubstance(asked.key);
  return (key, name) => {
    if (key === asked.key) return 0;
    if (key.length <= asked.key.length)
      return asked.key.includes(key) && hasSubstance(key) && contains(asked, key) ? 1 : undefined;
    if (!isSearched || !key.includes(asked.key)) return undefined;
    return contains(name(), asked.key, pattern) ? 1 : undefined;
  };
}

/** The best candidates in order, one for each id. */
function shortlist(found: readonly Candidate[]): Candidate[] {
  const byId = new Map<number, Candidate>();
  for (const one of found.toSorted(byPlace)) if (!byId.has(one.entry.songId)) byId.set(one.entry.songId, one);
  return [...byId.values()].slice(0, MOST_CANDIDATES);
}

function byPlace(left: Candidate, right: Candidate): number {
  return (
    left.rule - right.rule ||
    Number(left.isVersion) - Number(right.isVersion) ||
    left.apart - right.apart ||
    byName(left.entry, right.entry) ||
    left.entry.songId - right.entry.songId
  );
}

function byName(left: SongEntry, right: SongEntry): number {
  return left.name < right.name ? -1 : Number(left.name > right.name);
}
