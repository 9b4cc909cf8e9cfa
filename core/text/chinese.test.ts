import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, languageOf, simplified } from "skillctl";

test("the language of a text is that of its words outside of names", () => {
  const rows: readonly (readonly [text: string, language: string, names?: readonly string[]])[] = [
    ["我的播放量", "zh"],
    ["How are my plays?", "en"],
    ["How did 《海盐》 do?", "en"],
    ['"海盐" plays', "en"],
    ["《Home》怎么样", "zh"],
    ["How is 海盐 doing?", "zh"],
    ["How is 海盐 doing?", "en", ["海", "海盐"]],
    ["海盐怎么样", "zh", ["海盐"]],
    ["海盐", "zh", ["海盐"]],
    ["《海盐》", "zh"],
    ["これは", "zh"],
    ["2", "zh"],
    ["", "zh"],
  ];
  for (const [text, language, names] of rows) assert.equal(languageOf(text, names), language, text);
});

test("traditional characters become simplified ones, and texts that differ in width and case become equal", () => {
  assert.equal(simplified("瀏覽與週末 abc 𠮷"), "浏览与周末 abc 𠮷");
  assert.equal(comparable("ＰＬＡＹＳ 聽眾"), "plays 听众");
});
