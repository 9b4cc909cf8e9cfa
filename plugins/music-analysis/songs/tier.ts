import { foldClose, foldExact, type Folded } from "./fold.ts";
import { mergeEntries, type SongEntry } from "./song.ts";
import { bareName } from "./title-marks.ts";
import { contains, hasSubstance } from "./word-limits.ts";

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

/** Names of a list in both forms, folded when they are first needed. */
interface FoldedNames {
  readonly exact: (Folded | undefined)[];
  readonly close: (Folded | undefined)[];
}

const foldedLists = new WeakMap<readonly SongEntry[], FoldedNames>();

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
  const best: Candidate[] = [];
  const names = foldedLists.get(songs) ?? { exact: [], close: [] };
  foldedLists.set(songs, names);
  const isVersionAsked = VERSION_WORDS.test(asked.spaced);
  const offer = (entry: SongEntry, { key, spaced }: Folded, rule: number): void => {
    const apart = Math.abs(key.length - asked.key.length);
    const last = best[MOST_CANDIDATES - 1];
    if (last && byPlace({ rule, isVersion: false, apart, entry }, last) >= 0) return;
    const candidate = { rule, isVersion: !isVersionAsked && VERSION_WORDS.test(spaced), apart, entry };
    const known = best.findIndex((other) => other.entry.songId === entry.songId);
    if (known !== -1 && byPlace(candidate, best[known] ?? candidate) >= 0) return;
    if (known !== -1) best.splice(known, 1);
    const place = best.findIndex((other) => byPlace(candidate, other) < 0);
    best.splice(place === -1 ? best.length : place, 0, candidate);
    best.length = Math.min(best.length, MOST_CANDIDATES);
  };
  const exactOf = (entry: SongEntry, place: number): Folded =>
    (names.exact[place] ??= foldExact(bareName(entry.name)));
  for (const [place, entry] of songs.entries()) {
    const rule = ruleOf(asked, entry.key, () => exactOf(entry, place));
    if (rule !== undefined) offer(entry, exactOf(entry, place), rule);
  }
  if (best.length < MOST_CANDIDATES) {
    const close = foldClose(asked);
    for (const [place, entry] of songs.entries()) {
      const name = (names.close[place] ??= foldClose(exactOf(entry, place)));
      const rule = ruleOf(close, name.key, () => name);
      if (rule !== undefined) offer(entry, exactOf(entry, place), rule + 2);
    }
  }
  return best.map(({ entry }) => entry);
}

/** 0 for the same key, 1 where one holds the other between word limits. */
function ruleOf(asked: Folded, key: string, name: () => Folded): 0 | 1 | undefined {
  if (key === asked.key) return 0;
  const isLonger = key.length > asked.key.length;
  if (isLonger ? !key.includes(asked.key) : !asked.key.includes(key)) return undefined;
  if (!hasSubstance(isLonger ? asked.key : key)) return undefined;
  return contains(isLonger ? name() : asked, isLonger ? asked.key : key) ? 1 : undefined;
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
