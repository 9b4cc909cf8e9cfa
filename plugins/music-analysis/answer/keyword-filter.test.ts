import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { filterKeywords } from "./keyword-filter.ts";

const STRICT = { keywords: ["suno"], mode: "strict" } as const;

describe("filterKeywords by words", () => {
  it("takes the keyword out of texts", () => {
    for (const [text, left, removed] of [
      ["Suno", "", 1],
      ["SUNO suno sUnO", "  ", 3],
      ["用Suno生成的歌", "用生成的歌", 1],
      ["ｓｕｎｏ和ＳＵＮＯ", "和", 2],
      ["Suno AI 生成", " 生成", 1],
      ["Suno-AI，SunoAI，sunoai，Suno_ai", "，，，", 4],
      ["Suno ＡＩ。", "。", 1],
      ["Suno AIR", " AIR", 1],
      ["suno.ai 与 Suno.com", " 与 ", 2],
      ["suno.community", ".community", 1],
      ["suno.com/song/1", "/song/1", 1],
      ["SunoSuno", "", 2],
      ["Sunosuno AI!", "!", 2],
      ["《Suno》", "《》", 1],
      ["**Suno**", "****", 1],
      ["my_suno-1", "my_-1", 1],
      ["v5suno", "v5", 1],
      ["a=suno%2B", "a=%2B", 1],
      ["SunoX", "X", 1],
      ["歌曲\r\nSuno\r\n", "歌曲\r\n\r\n", 1],
    ] as const)
      assert.deepEqual(filterKeywords(text), { text: left, removed }, JSON.stringify(text));
  });

  it("keeps texts without the keyword", () => {
    for (const text of [
      "Kusunoki",
      "Tsunoda",
      "Sunohara",
      "sunoair",
      "mysuno",
      "ＴＳＵＮＯ",
      "e\u0301suno",
      "suno\u0301",
      "sun o",
      "https://cdn.example/a.png?Signature=aSuno9%3D",
      "",
    ])
      assert.deepEqual(filterKeywords(text), { text, removed: 0 }, JSON.stringify(text));
  });

  it("takes other keywords, with any sign in them", () => {
    const rules = { keywords: ["某音", "a.b", " "], mode: "words" } as const;
    assert.deepEqual(filterKeywords("x某音y A.B axb", rules), { text: "xy  axb", removed: 2 });
    assert.deepEqual(filterKeywords("Suno", { keywords: [], mode: "words" }), { text: "Suno", removed: 0 });
    assert.deepEqual(filterKeywords("A]B a^b\\c", { keywords: ["a]b", "^b\\"], mode: "words" }), {
      text: " a^b\\c",
      removed: 1,
    });
  });
});

describe("filterKeywords strictly", () => {
  it("takes the bare letters out of texts", () => {
    for (const [text, left, removed] of [
      ["Kusunoki", "Kuki", 1],
      ["SUNOＳｕｎＯ", "", 2],
      ["sususunonono", "", 3],
      ["Suno AI", " AI", 1],
      ["sun o", "sun o", 0],
    ] as const)
      assert.deepEqual(filterKeywords(text, STRICT), { text: left, removed }, JSON.stringify(text));
  });
});

describe("filterKeywords", () => {
  const piece = fc.constantFrom(
    "su",
    "no",
    "Suno",
    "ＳＵＮＯ",
    "AI",
    ".ai",
    " ",
    "s",
    "o",
    "海盐",
    "\r\n",
    "🎵",
    "\ud800",
    "x",
    "A",
    "https://a.b/?c=%2B&d=e",
  );
  const text = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(""));

  it("gives a text without the keyword back byte for byte", () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: "binary" })), (any) => {
        fc.pre(!any.normalize("NFKC").toLowerCase().includes("suno"));
        assert.deepEqual(filterKeywords(any), { text: any, removed: 0 });
        assert.deepEqual(filterKeywords(any, STRICT), { text: any, removed: 0 });
      }),
    );
  });

  it("leaves nothing to remove", () => {
    fc.assert(
      fc.property(text, (any) => {
        assert.equal(filterKeywords(filterKeywords(any).text).removed, 0);
        assert.doesNotMatch(filterKeywords(any, STRICT).text.normalize("NFKC"), /suno/iu);
      }),
    );
  });

  it("only deletes: what is left is the text with pieces missing", () => {
    fc.assert(
      fc.property(text, (any) => {
        for (const { text: left } of [filterKeywords(any), filterKeywords(any, STRICT)]) {
          let at = 0;
          for (let place = 0; place < any.length && at < left.length; place += 1)
            if (any[place] === left[at]) at += 1;
          assert.equal(at, left.length);
        }
      }),
    );
  });
});
