import { closeKeyOf, foldClose, foldExact, type Folded } from "./fold.ts";
import { mergeEntries, type SongEntry } from "./song.ts";
import { bareName } from "./title-marks.ts";
import { contains, hasSubstance, keyPattern } from "./word-limits.ts";

/** What a named song is among the known ones (specification, States and transitions 3). */
export type Tier =
  | { readonly tier: "A"; readonly entry: SongEntry }
  /** 1 to 5 candidates in the order they are shown. */
  | { readonly tier: "B"; readonly candidates: readonly SongEntry[] }
  | { readonly tier: "C" };

/** The most candidates a person is asked to choose from (docs/music-analysis.md, Confirmation). */
export const MOST_CANDIDATES = 5;

const VERSION_WORDS =
  /live|remix|remaster|acoustic|instrumental|inst\b|karaoke|cover|demo|edit|mix|feat|\bft\b|dj|现场|現場|伴奏|翻唱|混音|纯音乐|純音樂|版/u;

/** A similar song; the fields in the order in which they decide its place. */
interface Candidate {
  /** The place of its rule in docs/music-analysis.md, Song names 5; lower comes first. */
  readonly rule: number;
  /** Bears a version word that the asked name lacks. */
  readonly isVersion: boolean;
  /** Characters that one name has more than the other. */
  readonly apart: number;
  readonly entry: SongEntry;
}

/** What was made of the names of a list when it was first needed, by their place. */
interface PreparedNames {
  readonly exact: (Folded | undefined)[];
  readonly close: (Folded | undefined)[];
  readonly closeKeys: (string | undefined)[];
}

const prepared = new WeakMap<readonly SongEntry[], PreparedNames>();

/**
 * The tier of a named song: exact rules, never a score, no sound, no translation (docs/music-analysis.md, Song names). A
 * scan over the folded names; the answer does not depend on their order.
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
  const best = new Shortlist(asked);
  const holds = holder(asked);
  songs.forEach((entry, place) => {
    const rule = holds(entry.key, () => exactOf(entry, place));
    if (rule !== undefined) best.offer(entry, exactOf(entry, place), rule);
  });
  if (best.isFull) return best.entries;
  const close = foldClose(asked);
  const closeHolds = holder(close);
  songs.forEach((entry, place) => {
    const key = (names.closeKeys[place] ??= closeKeyOf(entry));
    // Where both forms are one, it was decided above.
    if (key === entry.key && close === asked) return;
    const rule = closeHolds(key, () => (names.close[place] ??= foldClose(exactOf(entry, place))));
    if (rule !== undefined) best.offer(entry, exactOf(entry, place), rule + 2);
  });
  return best.entries;
}

/** How a name relates to the asked one: 0 for the same key, 1 where one holds the other between word limits. */
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

/** The best of the similar songs that are offered, one for each id; their order does not depend on that of the offers. */
class Shortlist {
  readonly #best: Candidate[] = [];
  readonly #asked: Folded;
  readonly #isVersionAsked: boolean;

  constructor(asked: Folded) {
    this.#asked = asked;
    this.#isVersionAsked = VERSION_WORDS.test(asked.spaced);
  }

  get entries(): readonly SongEntry[] {
    return this.#best.map(({ entry }) => entry);
  }

  get isFull(): boolean {
    return this.#best.length === MOST_CANDIDATES;
  }

  offer(entry: SongEntry, { key, spaced }: Folded, rule: number): void {
    const best = this.#best;
    const apart = Math.abs(key.length - this.#asked.key.length);
    const last = best[MOST_CANDIDATES - 1];
    if (last && byPlace({ rule, isVersion: false, apart, entry }, last) >= 0) return;
    const candidate = { rule, isVersion: !this.#isVersionAsked && VERSION_WORDS.test(spaced), apart, entry };
    const same = best.findIndex((other) => other.entry.songId === entry.songId);
    if (same !== -1 && byPlace(candidate, best[same] ?? candidate) >= 0) return;
    if (same !== -1) best.splice(same, 1);
    const place = best.findIndex((other) => byPlace(candidate, other) < 0);
    best.splice(place === -1 ? best.length : place, 0, candidate);
    best.length = Math.min(best.length, MOST_CANDIDATES);
  }
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
