import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { foldClose, foldExact, keyA, keyB } from "./keys.ts";
import { simplified } from "./script.ts";

const anyText = fc.string({ unit: "binary", maxLength: 60 });

describe("keyA", () => {
  const same: readonly (readonly [string, string])[] = [
    ["海盐", "《海盐》"],
    ["海盐", "〈海盐〉"],
    ["海盐", " 海 盐 "],
    ["海盐", "海　盐"],
    ["海盐", "海\u00a0盐"],
    ["海盐", "海\u200b盐"],
    ["海盐", "海\u2060盐"],
    ["海盐", "\ufeff海盐"],
    ["海盐", "海\t\n盐"],
    ["Blue River", "blueRIVER"],
    ["café", "cafe\u0301"],
    ["ガ", "カ\u3099"],
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ", "οδος"],
    ["ΟΔΟΣ ΜΟΥ", "οδοσμου"],
    ["\u2329海盐\u232a", "海盐"],
    ["İzmir", "i\u0307zmir"],
    ["ＡＢＣ", "ａｂｃ"],
  ];
  it("makes names that are alike one", () => {
    for (const [left, right] of same)
      assert.equal(keyA(left), keyA(right), `${JSON.stringify(left)} and ${JSON.stringify(right)}`);
  });

  const apart: readonly (readonly [string, string])[] = [
    ["海盐", "海盐！"],
    ["海盐", "海鹽"],
    ["cafe", "café"],
    ["ABC", "ＡＢＣ"],
    ["海盐", "“海盐”"],
    ["海盐", "【海盐】"],
    ["rock n roll", "rock'n'roll"],
    ["1", "１"],
    ["ア", "ｱ"],
  ];
  it("keeps other names apart", () => {
    for (const [left, right] of apart)
      assert.notEqual(keyA(left), keyA(right), `${JSON.stringify(left)} and ${JSON.stringify(right)}`);
  });

  it("gives pinned keys", () => {
    assert.equal(keyA("《Blue River (Live)》"), "blueriver(live)");
    assert.equal(keyA(" 后来 的我们。"), "后来的我们。");
  });

  it("changes nothing the second time, for any text", () => {
    fc.assert(fc.property(anyText, (text) => keyA(keyA(text)) === keyA(text)));
  });

  it("holds no white space and no title marks, for any text", () => {
    fc.assert(fc.property(anyText, (text) => !/[\s\u200b\u2060《》〈〉]/u.test(keyA(text))));
  });

  it("gives up a gap that would split a composed character", () => {
    assert.deepEqual(foldExact("e \u0301a b"), { key: "éab", spaced: "éab" });
  });

  it("is the spaced form without its spaces, for any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { key, spaced } = foldExact(text);
        assert.equal(spaced.replaceAll(" ", ""), key);
      }),
    );
  });
});

describe("keyB", () => {
  const same: readonly (readonly [string, string])[] = [
    ["夜曲", "夜曲！"],
    ["后来", "後來"],
    ["后来", "後 來 。"],
    ["cafe", "Café"],
    ["cafe", "cafe\u0301"],
    ["Ελλαδα", "Ελλάδα"],
    ["елка", "ёлка"],
    ["ABC", "ＡＢＣ"],
    ["アイ", "ｱｲ"],
    ["ガ", "ｶﾞ"],
    ["Golden Hour (Live)", "golden-hour live"],
    ["don't", "dont"],
    ["don’t", "dont"],
    ["rock 'n' roll", "rock n roll"],
    ["月光🌙", "月光"],
    ["海盐❤️", "海盐"],
    ["No. 1", "no1"],
    ["２０２６", "2026"],
    ["为你", "為妳"],
    ["ﬁre", "fire"],
    ["A·B", "ab"],
  ];
  it("makes names that are alike one", () => {
    for (const [left, right] of same)
      assert.equal(keyB(left), keyB(right), `${JSON.stringify(left)} and ${JSON.stringify(right)}`);
  });

  const apart: readonly (readonly [string, string])[] = [
    ["が", "か"],
    ["パ", "ハ"],
    ["й", "и"],
    ["晚安", "晚按"],
    ["hello", "helo"],
    ["海盐", "海盐2"],
    ["rock and roll", "rock & roll"],
  ];
  it("keeps other names apart", () => {
    for (const [left, right] of apart)
      assert.notEqual(keyB(left), keyB(right), `${JSON.stringify(left)} and ${JSON.stringify(right)}`);
  });

  it("falls back to keyA where only punctuation is left", () => {
    assert.equal(keyB("！！！"), "！！！");
    assert.equal(keyB("…"), "…");
  });

  it("is equal wherever keyA is equal, for any text", () => {
    fc.assert(fc.property(anyText, (text) => keyB(keyA(text)) === keyB(` ${text} `)));
  });
});

describe("usual titles, which take a shorter way", () => {
  const usual = fc.string({
    unit: fc.constantFrom(..."aZé09 海後ァがー가힣()!'-~·（！～Ａ。「…・", "  "),
    maxLength: 12,
  });

  it("are folded like any text: a letter behind them that takes the long way changes nothing else", () => {
    fc.assert(
      fc.property(usual, (title) => {
        const exact = foldExact(title);
        assert.deepEqual(foldExact(`${title} ж`), {
          key: `${exact.key}ж`,
          spaced: `${exact.spaced} ж`.trim(),
        });
      }),
    );
  });

  it("have the close form of any text", () => {
    fc.assert(
      fc.property(usual, (title) => {
        const long = foldClose(foldExact(`${title} ж`));
        const { key, spaced } = foldClose(foldExact(`${title} a`));
        assert.deepEqual(long, { key: `${key.slice(0, -1)}ж`, spaced: `${spaced.slice(0, -1)}ж` });
      }),
    );
  });
});

describe("simplified", () => {
  it("changes single characters and nothing else", () => {
    assert.equal(simplified("後來的我們 feat. 愛麗絲 ラブ"), "后来的我们 feat. 爱丽丝 ラブ");
  });

  it("keeps the length and changes nothing the second time, for any text", () => {
    const characters = fc.string({
      unit: fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCodePoint(code)),
    });
    fc.assert(
      fc.property(fc.oneof(characters, anyText), (text) => {
        assert.equal(simplified(text).length, text.length);
        assert.equal(simplified(simplified(text)), simplified(text));
      }),
    );
  });
});
