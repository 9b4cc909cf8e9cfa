import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { hasSubstance, isWordLimit } from "./containment.ts";
import { foldClose, foldExact, type Folded } from "./keys.ts";
import { classify, type Tier } from "./ladder.ts";
import { songEntry, type SongEntry } from "./mapping.ts";
import { bareName } from "./marks.ts";
import { songIndex, type SongIndex } from "./song-index.ts";
import { effort } from "../../../contract-tests/effort.ts";

const MARKER =
  /live|remix|remaster|acoustic|instrumental|inst\b|karaoke|cover|demo|edit|mix|feat|\bft\b|dj|现场|現場|伴奏|翻唱|混音|纯音乐|純音樂|版/u;
/** Everything that folding, word limits or the order of candidates treats in its own way. */
const PIECES: readonly string[] = [
  ..."海盐後后爱한글ガカ゛ｶﾞAaéeßΣς1-!！？。・《》「」'\"🌙ﾟ１Ａ",
  ..."love¦Love¦glove¦ love ¦Live¦(Live)¦ DJ版¦ ft ¦ﬁ¦Blue¦ River¦River¦e\u0301¦\u0301¦\u3099¦\u20dd¦𠀀¦\ud840¦\udc00".split(
    "¦",
  ),
  ..."\u{e0100}¦\u0130¦\u1100\u1161¦ ¦  ¦\u3000¦\u200b¦\u2060¦\ufeff¦\t¦".split("¦"),
];
const name = fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((pieces) => pieces.join(""));
const mapping = fc
  .array(fc.tuple(name, fc.integer({ min: 1, max: 9 })), { maxLength: 14 })
  .map((pairs) => pairs.flatMap(([text, id]) => songEntry(text, id) ?? []));

/** The ladder of docs/music-analysis.md (Song names) word for word: every name is looked at, all candidates sorted. */
function tierByRules(text: string, entries: readonly SongEntry[]): Tier {
  const asked = foldExact(bareName(text));
  const close = foldClose(asked);
  if (asked.key === "") return { tier: "C" };
  const candidates = entries.flatMap((entry) => {
    const exact = foldExact(bareName(entry.name));
    const signal = [
      exact.key === asked.key,
      isPart(exact, asked) || isPart(asked, exact),
      foldClose(exact).key === close.key,
      isPart(foldClose(exact), close) || isPart(close, foldClose(exact)),
    ].indexOf(true);
    const isMarked = !MARKER.test(asked.spaced) && MARKER.test(exact.spaced);
    const apart = Math.abs(exact.key.length - asked.key.length);
    return signal === -1 ? [] : [{ entry, order: [signal, Number(isMarked), apart] as const }];
  });
  candidates.sort((left, right) => {
    const place = left.order.findIndex((value, index) => value !== right.order[index]);
    if (place !== -1) return (left.order[place] ?? 0) - (right.order[place] ?? 0);
    if (left.entry.name !== right.entry.name) return left.entry.name < right.entry.name ? -1 : 1;
    return left.entry.songId - right.entry.songId;
  });
  const ids = (signals: number): readonly SongEntry[] => {
    const chosen = candidates.filter(({ order }) => order[0] <= signals).map(({ entry }) => entry);
    return chosen.filter(
      ({ songId }, place) => chosen.findIndex((other) => other.songId === songId) === place,
    );
  };
  const [only, second] = ids(0);
  if (only !== undefined && second === undefined) {
    const names = candidates.filter(({ order }) => order[0] === 0).map(({ entry }) => entry);
    return { tier: "A", entry: names.reduce((best, each) => (each.name < best.name ? each : best)) };
  }
  return candidates.length === 0 ? { tier: "C" } : { tier: "B", candidates: ids(3).slice(0, 5) };
}

function isPart(whole: Folded, part: Folded): boolean {
  return hasSubstance(part.key) && placesOf(whole, part.key).length > 0;
}

function placesOf(whole: Folded, key: string): readonly number[] {
  return Array.from({ length: whole.key.length }, (_, start) => start).filter(
    (start) =>
      whole.key.startsWith(key, start) && isWordLimit(whole, start) && isWordLimit(whole, start + key.length),
  );
}

/** Asked again and again, since an index prepares its lists only after some searches. */
function answersOf(text: string, index: SongIndex): readonly Tier[] {
  return Array.from({ length: 4 }, () => classify(text, index));
}

function fourTimes(tier: Tier): readonly Tier[] {
  return Array.from({ length: 4 }, () => tier);
}

describe("songIndex", () => {
  it("answers like the rules read name by name, for any names", () => {
    fc.assert(
      fc.property(name, mapping, (asked, entries) => {
        assert.deepEqual(answersOf(asked, songIndex(entries)), fourTimes(tierByRules(asked, entries)));
      }),
      { numRuns: effort(250, 4_500) },
    );
  });

  it("answers like the rules for a part of a known name, and for a name with more around it", () => {
    const part = fc.tuple(mapping, fc.nat(), fc.nat(), fc.nat(), name);
    fc.assert(
      fc.property(part, ([entries, which, from, length, more]) => {
        const { name: known } = entries[which % Math.max(1, entries.length)] ?? { name: "" };
        const start = from % (known.length + 1);
        const index = songIndex(entries);
        for (const asked of [known.slice(start, start + 1 + (length % 4)), more + known, known + more])
          assert.deepEqual(answersOf(asked, index), fourTimes(tierByRules(asked, entries)));
      }),
      { numRuns: effort(83, 1_500) },
    );
  });

  it("answers like the rules among thousands of names of many lengths", () => {
    const words = ["love", "Love", "海", "盐", "歌", "glove", "River", "(Live)", "后", "後", "！", "夜"];
    const word = (seed: number): string => words[seed % words.length] ?? "";
    const entries = Array.from({ length: 4000 }, (_, place) => {
      const seed = (place * 7919) % 104_729;
      const text = `${word(seed)} ${word(seed >> 3)}${word(seed >> 5)} ${"歌".repeat(place % 7)}${word(seed >> 7)}`;
      return songEntry(text, 1 + (place % 3000)) ?? [];
    }).flat();
    const index = songIndex(entries);
    for (const asked of [
      "love",
      "Love Live",
      "海",
      "盐歌",
      "love 海！",
      "glove River 夜",
      "ove",
      "夜后",
      "後 海",
      "歌歌歌歌",
    ])
      assert.deepEqual(answersOf(asked, index), fourTimes(tierByRules(asked, entries)), asked);
  });

  it("answers like the rules where many names are alike", () => {
    for (const [asked, names] of [
      ["海", ["海Live#1", "海a#2", "海b#3", "海c#4", "海d#5", "海盐之歌很长#6", "海盐之歌更长#7"]],
      ["海盐后", ["海#1", "海盐后a#1", "盐#2"]],
      ["海盐后", ["海盐后ab#1", "海盐后a#1", "海盐后abc#1"]],
      [
        "love",
        ["love a#1", "love b#1", "love c#2", "love d#2", "love e#3", "love f#4", "love g#5", "love h#6"],
      ],
    ] as const) {
      const entries = names.flatMap((text) => songEntry(text.slice(0, -2), Number(text.slice(-1))) ?? []);
      assert.deepEqual(
        answersOf(asked, songIndex(entries)),
        fourTimes(tierByRules(asked, entries)),
        `${asked} among ${names.join(" | ")}`,
      );
    }
  });

  it("finds every known name inside a text, with all songs of that name", () => {
    fc.assert(
      fc.property(name, name, mapping, (left, right, entries) => {
        const text = foldExact(`${left} ${entries[0]?.name ?? ""}${right}`);
        const { exact } = songIndex(entries);
        const expected = [...new Set(entries.map(({ key }) => key))].flatMap((key) =>
          placesOf(text, key).map((start) => ({
            start,
            end: start + key.length,
            named: entries.flatMap((entry, number) => (entry.key === key ? [number] : [])),
          })),
        );
        const byPlace = (found: readonly { readonly start: number; readonly end: number }[]) =>
          found.toSorted((one, other) => one.start - other.start || one.end - other.end);
        assert.deepEqual(byPlace(exact.within(text)), byPlace(expected));
      }),
      { numRuns: effort(83, 1_500) },
    );
  });
});
