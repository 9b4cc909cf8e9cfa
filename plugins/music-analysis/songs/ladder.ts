import { contains, hasSubstance } from "./containment.ts";
import { foldClose, foldExact, type Folded } from "./keys.ts";
import type { SongEntry } from "./mapping.ts";
import { bareName } from "./marks.ts";
import type { NameList } from "./name-list.ts";
import { Shortlist } from "./shortlist.ts";
import { exactEntries, type SongIndex } from "./song-index.ts";

/** What a named song is in the mapping (spec music-analysis, States and transitions 3). */
export type Tier =
  | { readonly tier: "A"; readonly entry: SongEntry }
  /** 1 to 5 candidates in the order they are shown. */
  | { readonly tier: "B"; readonly candidates: readonly SongEntry[] }
  | { readonly tier: "C" };

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

/** The signals in their order; candidates of a later one come later, so they cannot change a list that is full. */
function similar(asked: Folded, { entries, exact, close }: SongIndex): readonly SongEntry[] {
  const list = new Shortlist(asked);
  const offer = (number: number, signal: number): void => {
    const [entry, name] = [entries[number], exact.folded()[number]];
    if (entry !== undefined && name !== undefined) list.offer({ entry, name, signal });
  };
  const equalOrContained = (key: Folded, names: NameList, signal: number): void => {
    for (const number of names.equal(key.key)) offer(number, signal);
    for (const { start, end, named } of names.within(key))
      if (hasSubstance(key.key.slice(start, end))) for (const number of named) offer(number, signal + 1);
    if (!hasSubstance(key.key)) return;
    const [folded, exactly] = [names.folded(), exact.folded()];
    for (const number of names.mayContain(key.key)) {
      if (list.isFull && list.isClosedTo(signal + 1, exactly[number]?.key.length ?? 0)) return;
      const name = folded[number];
      // What has no close form of its own was looked at with the exact forms.
      const isKnown = names !== exact && key === asked && name === exactly[number];
      if (name !== undefined && !isKnown && contains(name, key.key)) offer(number, signal + 1);
    }
  };
  equalOrContained(asked, exact, 0);
  if (!list.isFull) equalOrContained(foldClose(asked), close(), 2);
  return list.entries;
}
