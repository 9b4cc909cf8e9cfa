/** Every date shape, each with the one measure of which nobody can doubt the meaning: plays of the account. */
import { month, type Period, SEPTEMBER } from "./days.ts";
import { EVER, family, last, plays, type Question, shown } from "./expectation.ts";
import { extremes, figure, playsOf } from "./truth.ts";

const day = (date: string): Period => [date, date];
const WEEKEND = ["sat", "sun"] as const;
const WORKDAYS = ["mon", "tue", "wed", "thu", "fri"] as const;
const { best, worst } = extremes(EVER);
const dayFigure = (date: string): string => figure(playsOf(day(date)));

export const dateQuestions: readonly Question[] = [
  ...family("days", [
    ["今天的播放量", plays(day("2026-10-31"))],
    ["How many plays today?", plays(day("2026-10-31"))],
    ["昨天播放了多少次？", plays(day("2026-10-30"))],
    ["plays yesterday", plays(day("2026-10-30"))],
    ["previous day's plays pls", plays(day("2026-10-30"))],
    ["前天播放多少", plays(day("2026-10-29"))],
    ["plays the day before yesterday", plays(day("2026-10-29"))],
    ["10月15日播放了多少", plays(day("2026-10-15"))],
    ["10月15号那天的总播放", plays(day("2026-10-15"))],
    ["How many plays did I get on October 15?", plays(day("2026-10-15"))],
    ["plays on 2026-09-02", plays(day("2026-09-02"))],
    ["2025年12月31日的播放次数是多少", plays(day("2025-12-31"))],
  ]),
  ...family("weeks", [
    ["这周播放量怎么样", plays(["2026-10-26", "2026-10-31"])],
    ["plays this week", plays(["2026-10-26", "2026-10-31"])],
    ["上周的播放量", plays(["2026-10-19", "2026-10-25"])],
    ["how many plays last week?", plays(["2026-10-19", "2026-10-25"])],
    ["the previous week: total plays?", plays(["2026-10-19", "2026-10-25"])],
    ["上上周呢，播放多少", plays(["2026-10-12", "2026-10-18"])],
    ["plays the week before last", plays(["2026-10-12", "2026-10-18"])],
    ["11月第一周的播放量", plays(["2025-11-01", "2025-11-07"])],
    ["plays in the first week of November", plays(["2025-11-01", "2025-11-07"])],
    ["6月第一周播放了多少", plays(["2026-06-01", "2026-06-07"])],
    ["上周末的播放量", plays(["2026-10-24", "2026-10-25"])],
    ["Plays last weekend?", plays(["2026-10-24", "2026-10-25"])],
  ]),
  ...family("months", [
    ["这个月的播放量", plays(month("2026-10"))],
    ["plays this month", plays(month("2026-10"))],
    ["上个月一共播放了多少次", plays(SEPTEMBER)],
    ["How many plays did I get last month?", plays(SEPTEMBER)],
    ["请问上上个月的总播放量是多少？谢谢", plays(month("2026-08"))],
    ["plays in the month before last", plays(month("2026-08"))],
    ["3月的播放量", plays(month("2026-03"))],
    ["total plays in March", plays(month("2026-03"))],
    ["去年12月播放了多少", plays(month("2025-12"))],
    ["plays in Dec 2025", plays(month("2025-12"))],
    ["10月中旬的播放量", plays(["2026-10-11", "2026-10-20"])],
    ["plays in mid October", plays(["2026-10-11", "2026-10-20"])],
    ["9月上旬播放多少？", plays(["2026-09-01", "2026-09-10"])],
    ["9月下旬的播放", plays(["2026-09-21", "2026-09-30"])],
    ["2026年5月的播放次数", plays(month("2026-05"))],
  ]),
  ...family("long-periods", [
    ["这个季度的播放量", plays(month("2026-10"))],
    ["plays this quarter", plays(month("2026-10"))],
    ["上季度播放总数", plays(["2026-07-01", "2026-09-30"])],
    ["last quarter's plays", plays(["2026-07-01", "2026-09-30"])],
    ["2026年二季度播放量", plays(["2026-04-01", "2026-06-30"])],
    ["Total plays in Q2 2026", plays(["2026-04-01", "2026-06-30"])],
    ["今年上半年的播放量有多少", plays(["2026-01-01", "2026-06-30"])],
    ["plays in the first half of 2026", plays(["2026-01-01", "2026-06-30"])],
    ["How many plays in the previous half-year?", plays(["2026-01-01", "2026-06-30"])],
    ["下半年到目前为止的播放量", plays(["2026-07-01", "2026-10-31"])],
    ["今年的总播放量", plays(["2026-01-01", "2026-10-31"])],
    ["plays this year so far", plays(["2026-01-01", "2026-10-31"])],
    ["去年的播放量是多少", plays(["2025-11-01", "2025-12-31"])],
    ["what were my plays last year", plays(["2025-11-01", "2025-12-31"])],
    ["历史总播放量", plays(EVER)],
    ["all time plays", plays(EVER)],
  ]),
  ...family("ranges", [
    ["最近10天的播放量", plays(last(10))],
    ["plays in the last 10 days", plays(last(10))],
    ["近两周播放多少", plays(last(14))],
    ["past two weeks, how many plays?", plays(last(14))],
    ["过去90天的播放总量", plays(last(90))],
    ["past 3 months plays", plays(["2026-08-01", "2026-10-31"])],
    ["最近三个月播放量", plays(["2026-08-01", "2026-10-31"])],
    ["9月5日到9月18日的播放量", plays(["2026-09-05", "2026-09-18"])],
    ["plays from Sep 5 to Sep 18", plays(["2026-09-05", "2026-09-18"])],
    ["2026-09-05至2026-09-18播放", plays(["2026-09-05", "2026-09-18"])],
    ["plays between July 20 and August 20", plays(["2026-07-20", "2026-08-20"])],
    ["8月以来的播放量", plays(["2026-08-01", "2026-10-31"])],
    ["plays since September 10", plays(["2026-09-10", "2026-10-31"])],
    ["2025年11月到2026年2月一共播放了多少", plays(["2025-11-01", "2026-02-28"])],
    ["《Lantern》发布以来的播放量", plays(["2026-05-08", "2026-10-31"], { song: "Lantern" })],
    ["plays of Lantern since release", plays(["2026-05-08", "2026-10-31"], { song: "Lantern" })],
  ]),
  ...family("some-weekdays", [
    ["9月周末的播放量", plays(SEPTEMBER, { on: WEEKEND })],
    ["plays on weekends in September", plays(SEPTEMBER, { on: WEEKEND })],
    ["9月工作日一共播放多少", plays(SEPTEMBER, { on: WORKDAYS })],
    ["How many plays on weekdays in September?", plays(SEPTEMBER, { on: WORKDAYS })],
    ["9月每个周日加起来播放多少", plays(SEPTEMBER, { on: ["sun"] })],
    ["plays on Mondays in Q2", plays(["2026-04-01", "2026-06-30"], { on: ["mon"] })],
    ["《Blue River》9月周末的播放量", plays(SEPTEMBER, { song: "Blue River", on: WEEKEND })],
    [
      "Blue River on Fridays last quarter: plays",
      plays(["2026-07-01", "2026-09-30"], { song: "Blue River", on: ["fri"] }),
    ],
  ]),
  ...family("extremes", [
    ["历史上播放最高的一天是哪天？", { has: [...EVER, best, dayFigure(best)] }],
    ["What was my best day ever?", { has: [...EVER, best, dayFigure(best)] }],
    ["历史上播放最少的一天", { has: [...EVER, worst, dayFigure(worst)] }],
    ["worst day ever for plays?", { has: [...EVER, worst, dayFigure(worst)] }],
    [
      "10月播放最差的是哪天",
      { has: [...shown(month("2026-10")), extremes(month("2026-10")).worst, dayFigure("2026-10-14")] },
    ],
    [
      "best day of Blue River in July",
      (({ best: top }) => ({
        has: [...month("2026-07"), top, figure(playsOf(day(top), { song: "Blue River" }))],
      }))(extremes(month("2026-07"), { song: "Blue River" })),
    ],
  ]),
];
