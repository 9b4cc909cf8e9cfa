import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { classify } from "./ladder.ts";
import { songEntry, type SongEntry } from "./mapping.ts";
import { songIndex } from "./song-index.ts";

/** Songs as `name#id`, or by their places. */
function songs(...names: readonly string[]): readonly SongEntry[] {
  return names.flatMap((text, place) => {
    const [, name = text, id] = /^(.*)#(\d+)$/su.exec(text) ?? [];
    return songEntry(name, id === undefined ? place + 1 : Number(id)) ?? [];
  });
}

/** A tier as one line: `A 1`, `B 4, 5`, `C`. */
function tierLine(name: string, entries: readonly SongEntry[]): string {
  const tier = classify(name, songIndex(entries));
  if (tier.tier === "A") return `A ${tier.entry.songId}`;
  return tier.tier === "B" ? `B ${tier.candidates.map(({ songId }) => songId).join(", ")}` : "C";
}

type Row = readonly [asked: string, known: readonly string[], tier: string];

const PUBLIC: readonly Row[] = [
  ["海盐", ["海盐#1", "风筝#2"], "A 1"],
  [" 海盐 ", ["海盐#1"], "A 1"],
  ["blue river", ["Blue River#3"], "A 3"],
  ["BlueRiver", ["Blue River#3"], "A 3"],
  ["海盐", ["《海盐》#1"], "A 1"],
  ["海盐", ["海盐#1", "海盐(伴奏)#4"], "A 1"],
  ["海盐", ["海盐(伴奏)#4", "海盐(Live)#5"], "B 4, 5"],
  ["海盐？", ["海盐#1"], "B 1"],
  ["海盐", ["海盐#1", "海盐#6"], "B 1, 6"],
  ["星图", ["海盐#1", "风筝#2"], "C"],
  ["星图", [], "C"],
];

const EXACT: readonly Row[] = [
  ["《海盐》", ["海盐"], "A 1"],
  ["《《海盐》》", ["海盐"], "A 1"],
  ["“海盐”", ["海盐"], "A 1"],
  ["海盐", ["“海盐”"], "A 1"],
  ["海盐", ["「海盐」"], "A 1"],
  ["海盐", ["海盐#7", "海盐#7"], "A 7"],
  ["海盐", ["海盐#7", "《海盐》#7"], "A 7"],
  ["海盐", ["海盐#7", "海盐 Live#7"], "A 7"],
  ["GOLDEN HOUR", ["golden hour"], "A 1"],
  ["golden　hour", ["Golden Hour"], "A 1"],
  ["STRASSE", ["Straße"], "A 1"],
  ["cafe\u0301", ["café"], "A 1"],
  ["后来", ["后来", "後來"], "A 1"],
  ["後來", ["后来", "後來"], "A 2"],
  ["！！！", ["！！！"], "A 1"],
  ["🌙", ["🌙", "月亮"], "A 1"],
  ["夜に駆ける", ["夜に駆ける"], "A 1"],
  ["Pretender", ["PRETENDER", "Lemon"], "A 1"],
  ["１９８９", ["１９８９", "1989"], "A 1"],
  ["1989", ["１９８９", "1989"], "A 2"],
  ["爱", ["爱", "爱你"], "A 1"],
  ["봄날", ["봄날"], "A 1"],
  ["7 Rings", ["7rings"], "A 1"],
  ["海盐〈Live〉", ["海盐Live"], "A 1"],
  ["constructor", ["constructor"], "A 1"],
  ["__proto__", ["__proto__", "海盐"], "A 1"],
];

const SIMILAR: readonly Row[] = [
  ["夜曲", ["夜曲！"], "B 1"],
  ["夜曲。", ["夜曲！"], "B 1"],
  ["golden hour", ["golden hour (live)"], "B 1"],
  ["文艺复兴", ["文艺复兴(Remix)"], "B 1"],
  ["文艺复兴（Remix）", ["文艺复兴"], "B 1"],
  ["后来", ["後來"], "B 1"],
  ["後來的我們", ["后来的我们"], "B 1"],
  ["cafe", ["café"], "B 1"],
  ["Café", ["cafe"], "B 1"],
  ["ABC", ["ＡＢＣ"], "B 1"],
  ["ｱｲﾄﾞﾙ", ["アイドル"], "B 1"],
  ["アイドル", ["アイドル(TV size)"], "B 1"],
  ["ラブ", ["ラブソング"], "B 1"],
  ["夜に", ["夜に駆ける"], "B 1"],
  ["爱", ["爱你", "海盐"], "B 1"],
  ["上海盐", ["海盐"], "B 1"],
  ["海盐之歌", ["海"], "B 1"],
  ["K歌", ["K"], "B 1"],
  ["爱Love爱", ["Love"], "B 1"],
  ["blue", ["Blue River"], "B 1"],
  ["river", ["Blue River"], "B 1"],
  ["Blue River Live", ["BlueRiver"], "B 1"],
  ["BlueRiver", ["Blue River Live"], "B 1"],
  ["blue-river", ["Blue River"], "B 1"],
  ["Blue River!", ["Blue River"], "B 1"],
  ["dont stop", ["Don't Stop"], "B 1"],
  ["Don’t Stop", ["Don't Stop"], "B 1"],
  ["Dont Stop", ["Don't Stop (Remix)"], "B 1"],
  ["No 1", ["No.1"], "B 1"],
  ["夜曲2", ["夜曲"], "B 1"],
  ["月光", ["月光🌙"], "B 1"],
  ["🌙", ["🌙月光"], "B 1"],
  ["봄", ["봄날"], "B 1"],
  ["海盐 feat. 某某", ["海盐"], "B 1"],
  ["海盐", ["海盐DJ版", "海盐(Live)", "海盐(伴奏)"], "B 1, 3, 2"],
  ["海盐", ["海盐(Live)", "海盐之歌"], "B 2, 1"],
  ["海盐Live", ["海盐(伴奏)", "海盐(Live)", "海盐"], "B 3, 2"],
  ["海盐", ["海盐！#3", "海盐#6", "海盐#1"], "B 1, 6, 3"],
  ["夜曲！", ["夜曲。#1", "夜曲！(Live)#2"], "B 2, 1"],
  ["爱", ["爱一", "爱二", "爱三", "爱四", "爱五", "爱六"], "B 1, 3, 2, 5, 6"],
  ["海盐", ["海盐(Live)#5", "海盐（Live）#5"], "B 5"],
  ["後來", ["后来(Live)"], "B 1"],
  ["Beyoncé", ["Beyonce Live"], "B 1"],
  ["ТЕНЬ", ["тень прошлого"], "B 1"],
  ["《海盐》（伴奏）", ["海盐(伴奏)"], "B 1"],
  ["《海盐》", ["《海盐》（Live）"], "B 1"],
  ["海盐", ["海盐DJ", "海盐之歌呀"], "B 2, 1"],
  ["海盐Live", ["海盐Live版", "海"], "B 1, 2"],
  ["夜曲？！", ["夜曲。。。。。。", "夜曲之一"], "B 1, 2"],
  ["！！！", ["！！！#1", "！！！#2"], "B 1, 2"],
];

const NOTHING_SIMILAR: readonly Row[] = [
  ["helo world", ["hello world"], "C"],
  ["晚安", ["晚按"], "C"],
  ["Love", ["Glove"], "C"],
  ["Love", ["Lovely", "Beloved"], "C"],
  ["Blue River", ["Blue Rivers"], "C"],
  ["ue riv", ["Blue River"], "C"],
  ["Track 1", ["Track 10"], "C"],
  ["9", ["1989"], "C"],
  ["a", ["海盐", "banana"], "C"],
  ["тен", ["тень"], "C"],
  ["が", ["か"], "C"],
  ["", ["海盐"], "C"],
  ["《》", ["海盐"], "C"],
  ["   ", ["海盐"], "C"],
  ["？", ["海盐？"], "C"],
  ["！！！", ["海盐！！！"], "C"],
  ["风争", ["风筝"], "C"],
  ["fengzheng", ["风筝"], "C"],
  ["kite", ["风筝"], "C"],
  ["盐海", ["海盐"], "C"],
  ["海的盐", ["海盐"], "C"],
  ["river blue", ["Blue River"], "C"],
  ["rock and roll", ["rock & roll"], "C"],
  ["toString", ["海盐"], "C"],
  ["\ud800", ["𠀀"], "C"],
  ["海\ud840", ["海𠀀"], "C"],
  ["海", ["海\u20dd"], "C"],
  ["e", ["e\u0301tude"], "C"],
  ["Deja", ["De\u0301ja\u0300vu"], "C"],
];

describe("classify", () => {
  for (const [title, rows] of Object.entries({
    "the public examples": PUBLIC,
    "one equal name": EXACT,
    "similar names": SIMILAR,
    "nothing similar": NOTHING_SIMILAR,
  }))
    it(`answers with the tier of ${title}`, () => {
      for (const [asked, known, expected] of rows)
        assert.equal(
          tierLine(asked, songs(...known)),
          expected,
          `${JSON.stringify(asked)} among ${known.join(" | ")}`,
        );
    });

  const letter = fc.constantFrom(..."海盐风後后é e!！(Live) ab《》'".split(""));
  const name = fc.string({ unit: letter, maxLength: 7 });
  const mapping = fc
    .array(fc.tuple(name, fc.integer({ min: 1, max: 12 })), { maxLength: 12 })
    .map((pairs) => pairs.flatMap(([text, id]) => songEntry(text, id) ?? []));

  it("does not depend on the order of the mapping", () => {
    const shuffled = mapping.chain((entries) =>
      fc.tuple(
        fc.constant(entries),
        fc.shuffledSubarray([...entries], { minLength: entries.length, maxLength: entries.length }),
      ),
    );
    fc.assert(
      fc.property(name, shuffled, (asked, [entries, others]) => {
        assert.deepEqual(classify(asked, songIndex(entries)), classify(asked, songIndex(others)));
      }),
    );
  });

  it("shows one of two spellings of one song, whichever comes first in the mapping", () => {
    const [plain, marked] = songs("海盐#7", "《海盐》#7");
    assert.ok(plain !== undefined && marked !== undefined);
    for (const entries of [
      [plain, marked],
      [marked, plain],
    ])
      assert.deepEqual(classify("海盐", songIndex(entries)), { tier: "A", entry: marked });
  });

  it("answers the same each time it is asked with one index", () => {
    fc.assert(
      fc.property(name, name, mapping, (asked, other, entries) => {
        const index = songIndex(entries);
        const first = classify(asked, index);
        classify(other, index);
        assert.deepEqual(classify(asked, index), first);
      }),
    );
  });

  it("offers 1 to 5 candidates with different ids", () => {
    fc.assert(
      fc.property(name, mapping, (asked, entries) => {
        const tier = classify(asked, songIndex(entries));
        if (tier.tier !== "B") return;
        const ids = new Set(tier.candidates.map(({ songId }) => songId));
        assert.ok(ids.size >= 1 && ids.size <= 5 && ids.size === tier.candidates.length);
      }),
    );
  });

  it("is exact where one id alone bears the asked key, and never otherwise", () => {
    fc.assert(
      fc.property(name, mapping, (asked, entries) => {
        const key = songEntry(asked, 1)?.key;
        const ids = new Set(entries.filter((entry) => entry.key === key).map(({ songId }) => songId));
        assert.equal(classify(asked, songIndex(entries)).tier === "A", ids.size === 1);
      }),
    );
  });

  it("never throws, for any name and any mapping", () => {
    const any = fc.string({ unit: "binary", maxLength: 30 });
    fc.assert(
      fc.property(any, fc.array(any, { maxLength: 8 }), (asked, names) => {
        classify(asked, songIndex(songs(...names.map((each) => each.replaceAll("#", "")), asked.slice(1))));
      }),
    );
  });
});
