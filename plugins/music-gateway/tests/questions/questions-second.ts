/** A second table, in other words and mixes than the first. */
import { daysOf, month, monthsOf, type Period } from "./days.ts";
import { sales, type Title, TITLES } from "./exports.ts";
import {
  both,
  country,
  declined,
  type Expectation,
  family,
  income,
  last,
  type OneOf,
  plays,
  type Question,
  shown,
  unknownSong,
  units,
  USUAL,
} from "./expectation.ts";
import {
  audienceOn,
  audienceSum,
  extremes,
  figure,
  followersGained,
  incomeOf,
  incomes,
  mean,
  playsOf,
  ranked,
  type SaleFilter,
  songsByPlays,
  subscribers,
  unitsOf,
  viewsOf,
  watchHours,
} from "./truth.ts";

const JUNE = month("2026-06");
const JULY = month("2026-07");
const AUGUST = month("2026-08");
const SEPTEMBER = month("2026-09");
const OCTOBER = month("2026-10");
const Q1: Period = ["2026-01-01", "2026-03-31"];
const Q2: Period = ["2026-04-01", "2026-06-30"];
const Q3: Period = ["2026-07-01", "2026-09-30"];
const YEAR: Period = ["2026-01-01", "2026-10-31"];
const COUNTRIES = [...new Set(sales.map((sale) => sale.country))];
const STORES = [...new Set(sales.map((sale) => sale.store))];

const on = (day: string): Period => [day, day];

/** The last of the ranking, the very last first. */
function least(count: number, period: Period): Expectation {
  const order = songsByPlays(period).toReversed();
  const figures = order.map((song) => figure(playsOf(period, { song })));
  return {
    has: [...shown(period), ...figures.slice(0, count)],
    hasNot: figures.slice(count, count + 1),
    rows: count,
    order: order.slice(0, count),
  };
}

function bestDay(period: Period, of: { song?: Title } = {}): Expectation {
  const { best } = extremes(period, of);
  return { has: [...shown(period), best, figure(playsOf(on(best), of))] };
}

function compared(one: Period, other: Period): Expectation {
  const [days, otherDays] = [daysOf(one).length, daysOf(other).length];
  const [total, otherTotal] = [playsOf(one), playsOf(other)];
  const means = days === otherDays ? [] : [mean(total, days), mean(otherTotal, otherDays)];
  return { has: [...one, ...other, figure(total), figure(otherTotal), ...means] };
}

function topSongs(count: number, period: Period, of: SaleFilter = {}): Expectation {
  const order = ranked(TITLES, (song) => unitsOf(period, { ...of, song }));
  const figures = order.map((song) => figure(unitsOf(period, { ...of, song })));
  return {
    has: [...period, ...figures.slice(0, count)],
    hasNot: figures.slice(count, count + 1),
    rows: count,
    order: order.slice(0, count),
  };
}

const amounts = (
  period: Period,
  parts: readonly SaleFilter[],
  order: readonly OneOf[] = [],
): Expectation => ({
  has: [...period, ...parts.flatMap((part) => incomes(period, part))],
  ...(order.length > 0 ? { order } : {}),
});
const storesByIncome = ranked(STORES, (store) => incomeOf(SEPTEMBER, "USD", { store }));
const countriesByIncome = ranked(COUNTRIES, (code) => incomeOf(AUGUST, "USD", { country: code }));
const SINCE_RELEASE: Period = ["2026-05-08", "2026-10-31"];
const soldInGermany = monthsOf(SINCE_RELEASE).map((one) =>
  figure(unitsOf(month(one), { song: "Lantern", country: "DE" })),
);
const withoutTheTop = playsOf(SEPTEMBER) - playsOf(SEPTEMBER, { song: "海盐" });

export const secondQuestions: readonly Question[] = [
  ...family("second-plays", [
    ["八月份总共播放多少次", plays(AUGUST)],
    ["最近一周播放情况", plays(last(7))],
    ["第一季度的播放总量", plays(Q1)],
    ["今年前三季度播放量", plays(["2026-01-01", "2026-09-30"])],
    ["9/10到9/20播放多少", plays(["2026-09-10", "2026-09-20"])],
    ["十月下旬播放", plays(["2026-10-21", "2026-10-31"])],
    ["9月的周五加起来有多少播放", plays(SEPTEMBER, { on: ["fri"] })],
    ["过去四周的播放量", plays(last(28))],
    ["上周五播放多少", plays(on("2026-10-23"))],
    ["夜に咲く这首歌6月哪天播放最高", bestDay(JUNE, { song: "夜に咲く" })],
    ["9月播放最少的两首歌", least(2, SEPTEMBER)],
    [
      "海盐和夜に咲く十月谁的播放多",
      both(plays(OCTOBER, { song: "海盐" }), plays(OCTOBER, { song: "夜に咲く" })),
    ],
    [
      "9月哪首歌跌得最狠",
      { has: [...SEPTEMBER, figure(playsOf(SEPTEMBER, { song: "Paper Planes" }))], order: ["Paper Planes"] },
    ],
    ["10月14号播放怎么少了那么多", { has: ["2026-10-14", figure(playsOf(on("2026-10-14"))), "海盐", USUAL] }],
    [
      "上个月播放，不算海盐",
      { has: [...SEPTEMBER, figure(withoutTheTop)], mayDecline: true, names: [["不算", "海盐"]] },
    ],
    ["streams in August?", plays(AUGUST)],
    ["How many streams over the past 28 days", plays(last(28))],
    ["YTD plays", plays(YEAR)],
    ["plays between 2026-02-10 and 2026-02-20", plays(["2026-02-10", "2026-02-20"])],
    ["early July plays", plays(["2026-07-01", "2026-07-10"])],
    ["late August, how many plays", plays(["2026-08-21", "2026-08-31"])],
    ["plays on Saturdays in May", plays(month("2026-05"), { on: ["sat"] })],
    ["Lantern: total plays since it came out", plays(SINCE_RELEASE, { song: "Lantern" })],
    ["plays since Lantern came out", plays(SINCE_RELEASE, { song: "Lantern" })],
    ["How many plays since Lantern was released?", plays(SINCE_RELEASE, { song: "Lantern" })],
    ["the three least played songs in August", least(3, AUGUST)],
    [
      "Paper Planes vs Golden Hour (Remix) in July",
      both(plays(JULY, { song: "Paper Planes" }), plays(JULY, { song: "Golden Hour (Remix)" })),
    ],
    [
      "Compare plays of the first and the second week of September",
      compared(["2026-09-01", "2026-09-07"], ["2026-09-08", "2026-09-14"]),
    ],
    ["June compared to February, plays", compared(JUNE, month("2026-02"))],
    ["best day in September", bestDay(SEPTEMBER)],
    [
      "Were there strange days in June?",
      { has: [...JUNE, "2026-06-20", figure(playsOf(on("2026-06-20"))), "夜に咲く", USUAL] },
    ],
    ["plays last month excluding weekends", plays(SEPTEMBER, { on: ["mon", "tue", "wed", "thu", "fri"] })],
  ]),
  ...family("second-sales", [
    ["五月的版税收入", income(month("2026-05"))],
    ["上半年在法国的收入", income(["2026-01-01", "2026-06-30"], { country: "FR" })],
    [
      "Deezer 和 TIDAL 哪个8月收入高",
      both(income(AUGUST, { store: "Deezer" }), income(AUGUST, { store: "TIDAL" })),
    ],
    [
      "《Golden Hour (Remix)》今年各月收入",
      {
        has: [
          ...YEAR,
          ...monthsOf(YEAR).flatMap((one) => incomes(month(one), { song: "Golden Hour (Remix)" })),
        ],
      },
    ],
    ["韩国第三季度卖出多少", units(Q3, { country: "KR" })],
    ["8月在巴西，哪三首歌销量最高", topSongs(3, AUGUST, { country: "BR" })],
    ["royalties in July", income(JULY)],
    [
      "Which store paid me the most in September?",
      amounts(SEPTEMBER, [{ store: storesByIncome[0] ?? "" }], storesByIncome.slice(0, 1)),
    ],
    [
      "revenue by country for Blue River in Q3",
      amounts(
        Q3,
        COUNTRIES.map((code) => ({ song: "Blue River", country: code })),
      ),
    ],
    ["How much from Spotify in Mexico in August?", income(AUGUST, { store: "Spotify", country: "MX" })],
    ["units per song in July, best five", topSongs(5, JULY)],
    [
      "Where do I earn the least? August, by country",
      amounts(
        AUGUST,
        [{ country: countriesByIncome.at(-1) ?? "" }],
        [country(countriesByIncome.at(-1) ?? "")],
      ),
    ],
    ["units of Lantern in Germany month by month this year", { has: soldInGermany }],
  ]),
  ...family("second-audience", [
    ["十月新增多少收藏", { has: [...OCTOBER, figure(audienceSum(OCTOBER, "saves"))] }],
    [
      "上上周加入歌单的次数",
      {
        has: ["2026-10-12", "2026-10-18", figure(audienceSum(["2026-10-12", "2026-10-18"], "playlistAdds"))],
      },
    ],
    ["8月31日的粉丝数", { has: ["2026-08-31", figure(audienceOn("2026-08-31", "followers"))] }],
    [
      "第二季度视频观看次数按月",
      { has: [...Q2, ...monthsOf(Q2).map((one) => figure(viewsOf(month(one))))], rows: 3 },
    ],
    ["Blue River 这个视频的观看时长", { has: [watchHours("Blue River")] }],
    [
      "did I gain followers in May, how many",
      { has: [...month("2026-05"), figure(followersGained(month("2026-05")))] },
    ],
    [
      "saves and playlist adds in August",
      {
        has: [
          ...shown(AUGUST),
          ...(["saves", "playlistAdds"] as const).map((one) => figure(audienceSum(AUGUST, one))),
        ],
      },
    ],
    [
      "monthly views of the 海盐 video this year",
      { has: [...YEAR, ...monthsOf(YEAR).map((one) => figure(viewsOf(month(one), "海盐")))], rows: 10 },
    ],
    ["subscribers from the Lantern video", { has: [figure(subscribers("Lantern"))] }],
  ]),
  ...family("second-declined", [
    ["小红书上个月涨了多少粉", declined("小红书")],
    ["我的歌适合在什么场合听", declined(["场合", "适合"])],
    ["9月每天的收入", declined(["每天", "日"])],
    ["月球上个月的销量", declined("月球")],
    ["2023年播放多少", declined("2023")],
    ["《空房间》8月收入", unknownSong("空房间")],
    ["sentiment of my fans last month", declined("sentiment")],
    ["income in Atlantis", declined("Atlantis")],
    ["plays at parties in August", declined("parties")],
    ["What will I earn in 2027?", declined("2027")],
  ]),
];
