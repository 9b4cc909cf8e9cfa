import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addDays, addMonths, lengthOf, readDay } from "./day.ts";
import { readNumeral } from "./numerals.ts";
import { readRange } from "./ranges.ts";
import { effort } from "../../contract-tests/effort.ts";

const DATA = { from: "2026-04-01", to: "2026-10-31" };

/** The last day with data is Saturday, 2026-10-31. */
const READ: readonly (readonly [question: string, from: string, to: string])[] = [
  ["最近7天播放量", "2026-10-25", "2026-10-31"],
  ["最近７天播放量", "2026-10-25", "2026-10-31"],
  ["最近七天", "2026-10-25", "2026-10-31"],
  ["近30天", "2026-10-02", "2026-10-31"],
  ["近三十天的趋势", "2026-10-02", "2026-10-31"],
  ["过去两周", "2026-10-18", "2026-10-31"],
  ["過去兩週的播放", "2026-10-18", "2026-10-31"],
  ["過去一週", "2026-10-25", "2026-10-31"],
  ["过去一个月", "2026-10-01", "2026-10-31"],
  ["近三个月", "2026-08-01", "2026-10-31"],
  ["近半年", "2026-05-01", "2026-10-31"],
  ["最近半个月", "2026-10-17", "2026-10-31"],
  ["昨天", "2026-10-30", "2026-10-30"],
  ["今天", "2026-10-31", "2026-10-31"],
  ["前天的播放量", "2026-10-29", "2026-10-29"],
  ["上周", "2026-10-19", "2026-10-25"],
  ["上週", "2026-10-19", "2026-10-25"],
  ["上一周", "2026-10-19", "2026-10-25"],
  ["上上周", "2026-10-12", "2026-10-18"],
  ["上个星期", "2026-10-19", "2026-10-25"],
  ["本周", "2026-10-26", "2026-10-31"],
  ["这周怎么样", "2026-10-26", "2026-10-31"],
  ["上个月", "2026-09-01", "2026-09-30"],
  ["上個月", "2026-09-01", "2026-09-30"],
  ["上月", "2026-09-01", "2026-09-30"],
  ["本月", "2026-10-01", "2026-10-31"],
  ["这个月", "2026-10-01", "2026-10-31"],
  ["上季度", "2026-07-01", "2026-09-30"],
  ["上一季度", "2026-07-01", "2026-09-30"],
  ["上个季度", "2026-07-01", "2026-09-30"],
  ["本季度", "2026-10-01", "2026-10-31"],
  ["今年", "2026-01-01", "2026-10-31"],
  ["今年以来", "2026-01-01", "2026-10-31"],
  ["去年", "2025-01-01", "2025-12-31"],
  ["今年7月", "2026-07-01", "2026-07-31"],
  ["去年12月", "2025-12-01", "2025-12-31"],
  ["2026年7月", "2026-07-01", "2026-07-31"],
  ["二零二六年七月", "2026-07-01", "2026-07-31"],
  ["2026年", "2026-01-01", "2026-12-31"],
  ["7月", "2026-07-01", "2026-07-31"],
  ["七月份的播放量", "2026-07-01", "2026-07-31"],
  ["12月", "2025-12-01", "2025-12-31"],
  ["7月1日", "2026-07-01", "2026-07-01"],
  ["7月1日到7月15日", "2026-07-01", "2026-07-15"],
  ["七月一日至七月十五日", "2026-07-01", "2026-07-15"],
  ["7月1日到15日", "2026-07-01", "2026-07-15"],
  ["7月1号-7月15号", "2026-07-01", "2026-07-15"],
  ["7月到9月", "2026-07-01", "2026-09-30"],
  ["12月20日到1月5日", "2025-12-20", "2026-01-05"],
  ["2026-07-01至2026-07-15", "2026-07-01", "2026-07-15"],
  ["2026/7/1 ~ 2026/7/15", "2026-07-01", "2026-07-15"],
  ["2026-07-01-2026-07-15", "2026-07-01", "2026-07-15"],
  ["7月1日以来", "2026-07-01", "2026-10-31"],
  ["从7月至今", "2026-07-01", "2026-10-31"],
  ["第二季度", "2026-04-01", "2026-06-30"],
  ["第四季度", "2026-10-01", "2026-12-31"],
  ["2026年第2季度", "2026-04-01", "2026-06-30"],
  ["去年第三季度", "2025-07-01", "2025-09-30"],
  ["Q2 2026", "2026-04-01", "2026-06-30"],
  ["2026Q2", "2026-04-01", "2026-06-30"],
  ["2026年Q2", "2026-04-01", "2026-06-30"],
  ["上半年", "2026-01-01", "2026-06-30"],
  ["last 7 days", "2026-10-25", "2026-10-31"],
  ["past 30 days", "2026-10-02", "2026-10-31"],
  ["last two weeks", "2026-10-18", "2026-10-31"],
  ["last three months", "2026-08-01", "2026-10-31"],
  ["past week", "2026-10-25", "2026-10-31"],
  ["last week", "2026-10-19", "2026-10-25"],
  ["this week", "2026-10-26", "2026-10-31"],
  ["this month", "2026-10-01", "2026-10-31"],
  ["last month", "2026-09-01", "2026-09-30"],
  ["last quarter", "2026-07-01", "2026-09-30"],
  ["this year", "2026-01-01", "2026-10-31"],
  ["last year", "2025-01-01", "2025-12-31"],
  ["year to date", "2026-01-01", "2026-10-31"],
  ["plays YTD", "2026-01-01", "2026-10-31"],
  ["yesterday", "2026-10-30", "2026-10-30"],
  ["July 2026", "2026-07-01", "2026-07-31"],
  ["plays in July", "2026-07-01", "2026-07-31"],
  ["plays in May", "2026-05-01", "2026-05-31"],
  ["July 1 to July 15", "2026-07-01", "2026-07-15"],
  ["July 1st to 15th", "2026-07-01", "2026-07-15"],
  ["from 1 July to 15 July 2026", "2026-07-01", "2026-07-15"],
  ["between July 1, 2026 and July 15, 2026", "2026-07-01", "2026-07-15"],
  ["since July 1", "2026-07-01", "2026-10-31"],
  ["since last month", "2026-09-01", "2026-10-31"],
  ["all time", "2026-04-01", "2026-10-31"],
];

const NONE = [
  "我的播放量怎么样",
  "哪首歌最火",
  "最近怎么样",
  "How may I see my plays?",
  "《昨天》这首歌",
  'plays of "July 2026"',
  "第一名是哪首",
  "",
  "top 10 songs",
];

const IMPOSSIBLE: readonly (readonly [question: string, fault: string])[] = [
  ["2026-02-30的播放量", "no-such-day"],
  ["2月30日", "no-such-day"],
  ["13月", "no-such-day"],
  ["February 30", "no-such-day"],
  ["第五季度", "no-such-day"],
  ["最近0天", "no-such-day"],
  ["2026-07-15到2026-07-01", "reversed"],
  ["7月15日到7月1日", "reversed"],
  ["July 15 to July 1", "reversed"],
];

test("a date range is read from Chinese and English words", () => {
  for (const [question, from, to] of READ) {
    assert.deepEqual(readRange(question, DATA), { kind: "range", range: { from, to } }, question);
  }
});

test("a question without a date range has none, and song names are not read", () => {
  for (const question of NONE) assert.deepEqual(readRange(question, DATA), { kind: "none" }, question);
});

test("an impossible date range is told apart by what is wrong with it", () => {
  for (const [question, fault] of IMPOSSIBLE) {
    assert.deepEqual(readRange(question, DATA), { kind: "impossible", fault }, question);
  }
});

test("any text gives none, an impossible range, or real days in order", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.nat({ max: 99_999 }).map(String),
    fc.tuple(fc.nat({ max: 13 }), fc.nat({ max: 32 })).map(([month, date]) => `${month}月${date}日`),
    fc
      .tuple(fc.integer({ min: 1899, max: 2101 }), fc.nat({ max: 13 }), fc.nat({ max: 32 }))
      .map((parts) => parts.join("-")),
    fc.constantFrom(
      ..."最近 过去 上 本 年 月 日 天 周 季度 到 至 - 以来 last past since to july q2 第 个 〇 十 百".split(
        " ",
      ),
    ),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
      (question) => {
        const reading = readRange(question, DATA);
        if (reading.kind !== "range") return;
        assert.ok(
          readDay(reading.range.from) !== undefined && readDay(reading.range.to) !== undefined,
          question,
        );
        assert.ok(reading.range.from <= reading.range.to, question);
      },
    ),
    { numRuns: effort(500, 9_000) },
  );
});

test("最近N天 always has N days and ends on the last day with data", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3660 }), (count) => {
      const reading = readRange(`最近${count}天`, DATA);
      assert.ok(reading.kind === "range");
      assert.equal(lengthOf(reading.range), count);
      assert.equal(reading.range.to, DATA.to);
    }),
  );
});

test("Chinese numerals are read", () => {
  const values = {
    七: 7,
    十: 10,
    十五: 15,
    三十: 30,
    九十九: 99,
    一百二十: 120,
    一百零五: 105,
    二零二六: 2026,
    两: 2,
  };
  for (const [numeral, value] of Object.entries(values)) assert.equal(readNumeral(numeral), value, numeral);
});

test("a day moved by any number of days or months is a real day", () => {
  const day = fc
    .date({ min: new Date("1900-01-01"), max: new Date("2100-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, fc.integer({ min: -4000, max: 4000 }), (start, count) => {
      for (const moved of [addDays(start, count), addMonths(start, count)]) {
        assert.ok(readDay(moved) !== undefined, moved);
        assert.ok(count < 0 ? moved <= start : moved >= start, moved);
      }
    }),
  );
});

test("two days joined by 到 are the range between them, or reversed", () => {
  const day = fc
    .date({ min: new Date("1950-01-01"), max: new Date("2050-12-31"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, day, (from, to) => {
      const expected =
        from <= to ? { kind: "range", range: { from, to } } : { kind: "impossible", fault: "reversed" };
      assert.deepEqual(readRange(`${from}到${to}的播放量`, DATA), expected);
    }),
  );
});
