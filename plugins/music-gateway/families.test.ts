import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bucketOf, familyOf, languageOf, type Family, type Language } from "./families.ts";

const TABLE: readonly (readonly [question: string, family: Family, language: Language])[] = [
  ["我最近30天播放量怎么样", "plays", "zh"],
  ["How many plays did I have last month?", "plays", "en"],
  ["How is my performance this week?", "plays", "en"],
  ["最近一个月的播放趋势", "trend", "zh"],
  ["每天播放量的變化", "trend", "zh"],
  ["Show the weekly trend of my streams", "trend", "en"],
  ["哪首歌最火", "ranking", "zh"],
  ["歌曲排行榜", "ranking", "zh"],
  ["播放量最高的歌曲", "ranking", "zh"],
  ["哪些歌播放最多", "ranking", "zh"],
  ["Top 10 songs in July", "ranking", "en"],
  ["Which of my songs grew most?", "ranking", "en"],
  ["What is my most played track?", "ranking", "en"],
  ["播放量的地区分布", "regions", "zh"],
  ["聽眾主要在哪個國家", "regions", "zh"],
  ["Which countries do my plays come from?", "regions", "en"],
  ["我的粉丝增长趋势", "fans", "zh"],
  ["听众画像", "fans", "zh"],
  ["How many followers do I have?", "fans", "en"],
  ["上个月收入多少", "income", "zh"],
  ["How much did I earn?", "income", "en"],
  ["看看我的整体歌曲表现", "overview", "zh"],
  ["看看我最近的整体歌曲表现", "overview", "zh"],
  ["Give me an overview", "overview", "en"],
  ["How is my music doing?", "overview", "en"],
  ["分析歌曲《播放趋势》的表现", "overview", "zh"],
  ['How is "Top Fans" doing?', "overview", "en"],
  ["今天天气好吗", "unknown", "zh"],
  ["What is the meaning of life?", "unknown", "en"],
  ["《海盐》", "unknown", "zh"],
  ["", "unknown", "en"],
];

test("a question is put into its family and language by its words", () => {
  for (const [question, family, language] of TABLE) {
    assert.equal(familyOf(question), family, question);
    assert.equal(languageOf(question), language, question);
  }
});

test("a bucket size is taken when the question names one", () => {
  assert.equal(bucketOf("每周播放趋势"), 7);
  assert.equal(bucketOf("daily trend"), 1);
  assert.equal(bucketOf("播放趋势"), undefined);
});

test("any text has a family and a language", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      (question) => familyOf(question) !== undefined && /zh|en/.test(languageOf(question)),
    ),
  );
});
