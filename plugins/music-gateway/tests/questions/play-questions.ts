/** Plays: over time, of songs, of songs and periods side by side, and days that leave the pattern. */
import {
  AUGUST,
  daysOf,
  LAST_WEEK,
  month,
  monthsOf,
  OCTOBER,
  on,
  type Period,
  SEPTEMBER,
  THIS_YEAR,
  type Weekday,
} from "./days.ts";
import { DROP, PEAK, type Title } from "./exports.ts";
import {
  both,
  EVER,
  type Expectation,
  family,
  last,
  periods,
  plays,
  type Question,
  SATURDAY,
  shown,
  split,
  top,
  unknownSong,
  USUAL,
} from "./expectation.ts";
import { figure, mean, playsOf, songsByGrowth, songsByPlays } from "./truth.ts";

const MID_OCTOBER: Period = ["2026-10-11", "2026-10-20"];
/** The last four weeks whole: every weekday four times. */
const FOUR_WEEKS = last(28);

const byDay = (period: Period, song?: Title): readonly string[] =>
  daysOf(period).map((day) => figure(playsOf([day, day], song === undefined ? {} : { song })));
const byMonth = (period: Period, song?: Title): readonly string[] =>
  monthsOf(period).map((one) => figure(playsOf(month(one), song === undefined ? {} : { song })));
const SEPTEMBER_WEEKS: readonly Period[] = [
  ["2026-09-07", "2026-09-13"],
  ["2026-09-14", "2026-09-20"],
  ["2026-09-21", "2026-09-27"],
];
/** The plays of a weekday in four weeks, as a sum or a mean. */
const onWeekday = (on: Weekday): readonly string[] => {
  const total = playsOf(FOUR_WEEKS, { on: [on] });
  return [figure(total), ...mean(total, 4)];
};
const WEEKDAYS = (["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const).map(onWeekday);
const WEEKEND_AND_WORKDAYS = [["sat", "sun"] as const, ["mon", "tue", "wed", "thu", "fri"] as const].map(
  (on) => {
    const total = playsOf(FOUR_WEEKS, { on });
    return [figure(total), ...mean(total, on.length * 4)];
  },
);

function first(order: readonly Title[], period: Period): Expectation {
  const [song] = order;
  if (song === undefined) throw new Error("There is no song.");
  return { has: [...shown(period), figure(playsOf(period, { song }))], order: [song] };
}

const grown = songsByGrowth(AUGUST, SEPTEMBER);
const reversed = songsByPlays(SEPTEMBER).toReversed();

/** Days that leave the pattern of their weekday, with their plays, and the song that carried them. */
const change = (period: Period, days: readonly string[], title: Title): Expectation => ({
  has: [...new Set([...period, ...days]), ...days.map((day) => figure(playsOf([day, day]))), title, USUAL],
});

export const playQuestions: readonly Question[] = [
  ...family("trend", [
    ["最近7天每天的播放量", split(last(7), byDay(last(7)), 7)],
    ["daily plays for the last 7 days", split(last(7), byDay(last(7)), 7)],
    ["上周每天播放多少", split(LAST_WEEK, byDay(LAST_WEEK), 7)],
    [
      "9月每周的播放量",
      split(
        SEPTEMBER,
        SEPTEMBER_WEEKS.map((week) => figure(playsOf(week))),
      ),
    ],
    [
      "weekly plays in September",
      split(
        SEPTEMBER,
        SEPTEMBER_WEEKS.map((week) => figure(playsOf(week))),
      ),
    ],
    ["今年每个月的播放量", split(THIS_YEAR, byMonth(THIS_YEAR), 10)],
    ["plays by month this year", split(THIS_YEAR, byMonth(THIS_YEAR), 10)],
    ["《风筝》今年按月播放", split(THIS_YEAR, byMonth(THIS_YEAR, "风筝"), 10)],
    ["daily plays of Paper Planes last week", split(LAST_WEEK, byDay(LAST_WEEK, "Paper Planes"), 7)],
    ["最近28天星期几播放最多", { has: [...FOUR_WEEKS, onWeekday("sat")], order: [SATURDAY] }],
    [
      "Which weekday is my best over the last 28 days?",
      { has: [...FOUR_WEEKS, onWeekday("sat")], order: [SATURDAY] },
    ],
    ["最近28天按星期几统计播放", split(FOUR_WEEKS, WEEKDAYS, 7)],
    ["plays by weekday, last 28 days", split(FOUR_WEEKS, WEEKDAYS, 7)],
    ["最近28天周末和工作日的播放对比", split(FOUR_WEEKS, WEEKEND_AND_WORKDAYS)],
    ["weekends vs weekdays in the last 28 days", split(FOUR_WEEKS, WEEKEND_AND_WORKDAYS)],
  ]),
  ...family("ranking", [
    ["8月播放前三的歌曲", top(3, AUGUST)],
    ["Top 3 songs in August", top(3, AUGUST)],
    ["上个月播放最高的5首歌", top(5, SEPTEMBER)],
    ["my top 5 songs last month please", top(5, SEPTEMBER)],
    ["9月冠军歌曲，就第一名", top(1, SEPTEMBER)],
    ["top 1 song this month", top(1, OCTOBER)],
    ["今年的歌曲播放排行", top(8, THIS_YEAR)],
    ["Rank all my songs by plays in October", top(8, OCTOBER)],
    ["What did people play most in October?", top(8, OCTOBER)],
    ["上个月播放垫底的是哪首歌", first(reversed, SEPTEMBER)],
    ["which song had the fewest plays in September", first(reversed, SEPTEMBER)],
    ["the three least played songs in August", top(3, AUGUST, "least")],
    ["9月哪首歌跌得最狠", first([grown.last], SEPTEMBER)],
    ["上个月哪首歌涨得最多", first([grown.first], SEPTEMBER)],
    ["Which song grew the most in September?", first([grown.first], SEPTEMBER)],
    ["9月播放下降最多的歌", first([grown.last], SEPTEMBER)],
    ["Which song fell the most in September compared with August?", first([grown.last], SEPTEMBER)],
    ["各歌曲历史播放量", top(8, EVER)],
    ["9月比8月涨幅前三的歌", { ...first([grown.first], SEPTEMBER), rows: 3 }],
  ]),
  ...family("one-song", [
    ["《海盐》上个月播放多少", plays(SEPTEMBER, { song: "海盐" })],
    ["海盐8月的播放量", plays(AUGUST, { song: "海盐" })],
    ["单曲风筝 9月播放", plays(SEPTEMBER, { song: "风筝" })],
    ["分析歌曲《风筝》最近10天的播放量", plays(last(10), { song: "风筝" })],
    ["《风筝 (伴奏)》上周播放量", plays(LAST_WEEK, { song: "风筝 (伴奏)" })],
    ["夜に咲く 9月的播放怎么样", plays(SEPTEMBER, { song: "夜に咲く" })],
    ["How did Blue River do in August?", plays(AUGUST, { song: "Blue River" })],
    ['plays of "Paper Planes" last month', plays(SEPTEMBER, { song: "Paper Planes" })],
    ["What about the song Lantern, plays in July?", plays(month("2026-07"), { song: "Lantern" })],
    ["the track Golden Hour (Remix): plays last week", plays(LAST_WEEK, { song: "Golden Hour (Remix)" })],
    ["blue river plays yesterday", plays(["2026-10-30", "2026-10-30"], { song: "Blue River" })],
    ["Lantern 5月的播放量", plays(month("2026-05"), { song: "Lantern" })],
  ]),
  ...family("two-songs", [
    [
      "《海盐》和《Blue River》上个月播放对比",
      both(plays(SEPTEMBER, { song: "海盐" }), plays(SEPTEMBER, { song: "Blue River" })),
    ],
    [
      "Compare Blue River and Paper Planes in September",
      both(plays(SEPTEMBER, { song: "Blue River" }), plays(SEPTEMBER, { song: "Paper Planes" })),
    ],
    [
      "海盐跟风筝上周谁播放更高",
      both(plays(LAST_WEEK, { song: "海盐" }), plays(LAST_WEEK, { song: "风筝" })),
    ],
    [
      "Lantern vs Blue River, plays last week",
      both(plays(LAST_WEEK, { song: "Lantern" }), plays(LAST_WEEK, { song: "Blue River" })),
    ],
    [
      "《风筝》和《风筝 (伴奏)》8月播放各多少",
      both(plays(AUGUST, { song: "风筝" }), plays(AUGUST, { song: "风筝 (伴奏)" })),
    ],
    [
      'plays of "Lantern" and "Paper Planes" on October 15',
      both(
        plays(["2026-10-15", "2026-10-15"], { song: "Lantern" }),
        plays(["2026-10-15", "2026-10-15"], { song: "Paper Planes" }),
      ),
    ],
  ]),
  ...family("two-periods", [
    ["7月和8月的播放对比", periods(month("2026-07"), AUGUST)],
    ["这个月和上个月比播放怎么样", periods(OCTOBER, SEPTEMBER)],
    ["compare plays this month and last month", periods(OCTOBER, SEPTEMBER)],
    ["上周对比上上周的播放量", periods(LAST_WEEK, ["2026-10-12", "2026-10-18"])],
    ["plays last week vs the week before", periods(LAST_WEEK, ["2026-10-12", "2026-10-18"])],
    [
      "9月1日到10日与9月11日到30日的播放量相比",
      periods(["2026-09-01", "2026-09-10"], ["2026-09-11", "2026-09-30"]),
    ],
    [
      "plays from Sep 1 to Sep 10 compared with Oct 1 to Oct 5",
      periods(["2026-09-01", "2026-09-10"], ["2026-10-01", "2026-10-05"]),
    ],
    [
      "Compare plays of the first and the second week of September",
      periods(["2026-09-01", "2026-09-07"], ["2026-09-08", "2026-09-14"]),
    ],
    ["April versus June, total plays", periods(month("2026-04"), month("2026-06"))],
    ["《Blue River》9月和10月对比", periods(SEPTEMBER, OCTOBER, "Blue River")],
    ["Blue River: September vs October plays", periods(SEPTEMBER, OCTOBER, "Blue River")],
    ["2025年12月比2026年4月的播放", periods(month("2025-12"), month("2026-04"))],
  ]),
  ...family("changes", [
    ["Why did plays drop in mid October?", change(MID_OCTOBER, DROP.days, DROP.title)],
    ["10月中旬播放为什么掉了", change(MID_OCTOBER, DROP.days, DROP.title)],
    ["10月14号播放怎么少了那么多", change(on("2026-10-14"), ["2026-10-14"], DROP.title)],
    ["10月有哪些异常的日子", change(OCTOBER, DROP.days, DROP.title)],
    ["any unusual days in October?", change(OCTOBER, DROP.days, DROP.title)],
    ["What happened on June 20?", change([PEAK.day, PEAK.day], [PEAK.day], PEAK.title)],
    ["6月20日为什么播放暴涨", change([PEAK.day, PEAK.day], [PEAK.day], PEAK.title)],
    ["哪首歌导致10月14日到16日播放下跌", change(["2026-10-14", "2026-10-16"], DROP.days, DROP.title)],
    ["why the spike in June?", change(month("2026-06"), [PEAK.day], PEAK.title)],
  ]),
  ...family("unknown-songs", [
    ["《星尘》上个月播放多少", unknownSong("星尘")],
    ['How is "Velvet Moon" doing?', unknownSong("Velvet Moon")],
    ["单曲《没有这首歌》的收入", unknownSong("没有这首歌")],
  ]),
];
