/** The statements: units and income by month, country, store and song, and filters on top of each other. */
import { AUGUST, month, monthsOf, type Period, Q2, Q3, SEPTEMBER, THIS_YEAR } from "./days.ts";
import { sales, TITLES, TUNECORE_MONTHS } from "./exports.ts";
import {
  both,
  country,
  type Expectation,
  family,
  income,
  last,
  type OneOf,
  type Question,
  topUnits,
  units,
} from "./expectation.ts";
import { amount, figure, incomeOf, incomes, mixedIncome, ranked, type SaleFilter, unitsOf } from "./truth.ts";

/** Of a year that was asked for, what the statements hold. */
const LAST_YEAR: Period = ["2025-09-01", "2025-12-31"];
const THREE_MONTHS: Period = ["2026-08-01", last(1)[1]];

const COUNTRIES = [...new Set(sales.map((sale) => sale.country))];
const STORES = [...new Set(sales.map((sale) => sale.store))];

/** The amounts of each part, a currency each, and never one sum of both. */
function incomeBy(period: Period, parts: readonly SaleFilter[], order?: readonly OneOf[]): Expectation {
  return {
    has: [...period, ...parts.flatMap((part) => incomes(period, part))],
    hasNot: [mixedIncome(period)],
    ...(order === undefined ? {} : { order }),
  };
}

function incomeByMonth(period: Period): Expectation {
  const months = monthsOf(period);
  const inEuro = months.some((one) => TUNECORE_MONTHS.includes(one));
  return {
    has: [...period, ...months.flatMap((one) => incomes(month(one)))],
    hasNot: inEuro ? [mixedIncome(period)] : [],
  };
}

const dollars = (period: Period, of: SaleFilter): string => amount(incomeOf(period, "USD", of));
const bySong = ranked(TITLES, (song) => incomeOf(AUGUST, "USD", { song }));
const storesByIncome = ranked(STORES, (store) => incomeOf(SEPTEMBER, "USD", { store }));
const poorest = ranked(COUNTRIES, (code) => incomeOf(AUGUST, "USD", { country: code })).at(-1) ?? "";
const unitsByMonth = (period: Period, of: SaleFilter): readonly string[] =>
  monthsOf(period).map((one) => figure(unitsOf(month(one), of)));

export const saleQuestions: readonly Question[] = [
  ...family("income", [
    ["上个月收入多少", income(SEPTEMBER)],
    ["How much money did I make last month?", income(SEPTEMBER)],
    ["今年一共赚了多少钱", income(THIS_YEAR)],
    ["total earnings this year", income(THIS_YEAR)],
    ["五月的版税收入", income(month("2026-05"))],
    ["royalties in July", income(month("2026-07"))],
    ["去年的收入", income(LAST_YEAR)],
    ["what did I earn last year", income(LAST_YEAR)],
    ["二季度的收入是多少？", income(Q2)],
    ["income in the past 3 months", income(THREE_MONTHS)],
    ["今年每个月的收入", incomeByMonth(THIS_YEAR)],
    ["income by month this year", incomeByMonth(THIS_YEAR)],
    ["2025年每月收入明细", incomeByMonth(LAST_YEAR)],
    ["8月哪首歌最赚钱", incomeBy(AUGUST, [{ song: bySong[0] ?? "海盐" }], bySong.slice(0, 1))],
    [
      "Which song earned the most in August?",
      incomeBy(AUGUST, [{ song: bySong[0] ?? "海盐" }], bySong.slice(0, 1)),
    ],
    [
      "8月按歌曲看收入",
      incomeBy(
        AUGUST,
        TITLES.map((song) => ({ song })),
      ),
    ],
    [
      "income by store last quarter",
      incomeBy(
        Q3,
        STORES.map((store) => ({ store })),
      ),
    ],
    [
      "上季度各平台收入",
      incomeBy(
        Q3,
        STORES.map((store) => ({ store })),
      ),
    ],
    [
      "9月各个国家的收入",
      incomeBy(
        SEPTEMBER,
        COUNTRIES.map((code) => ({ country: code })),
      ),
    ],
    [
      "Which store paid me the most in September?",
      incomeBy(SEPTEMBER, [{ store: storesByIncome[0] ?? "" }], storesByIncome.slice(0, 1)),
    ],
    [
      "Where do I earn the least? August, by country",
      incomeBy(AUGUST, [{ country: poorest }], [country(poorest)]),
    ],
    ["Which country paid the most in August?", incomeBy(AUGUST, [{ country: "US" }], [country("US")])],
    ["《Blue River》今年的收入", income(THIS_YEAR, { song: "Blue River" })],
    ["earnings of Paper Planes last month", income(SEPTEMBER, { song: "Paper Planes" })],
    ["Spotify上个月给了我多少钱", income(SEPTEMBER, { store: "Spotify" })],
    ["How much did Apple Music pay in August?", income(AUGUST, { store: "Apple Music" })],
    ["日本9月的收入", income(SEPTEMBER, { country: "JP" })],
    ["income from the UK in Q2", income(Q2, { country: "GB" })],
  ]),
  ...family("countries", [
    ["8月销量最高的3个国家", topUnits(COUNTRIES, 3, AUGUST, "country")],
    ["top 3 countries by units in August", topUnits(COUNTRIES, 3, AUGUST, "country")],
    ["上个月各国销量排行", topUnits(COUNTRIES, 9, SEPTEMBER, "country")],
    ["units by country last month", topUnits(COUNTRIES, 9, SEPTEMBER, "country")],
    [
      "Where was Blue River sold in August? top 5 countries by units",
      topUnits(COUNTRIES, 5, AUGUST, "country", { song: "Blue River" }),
    ],
    [
      "《海盐》8月在哪个国家销量第一，只要第一名",
      topUnits(COUNTRIES, 1, AUGUST, "country", { song: "海盐" }),
    ],
    ["9月德国的销量", units(SEPTEMBER, { country: "DE" })],
    ["units in Brazil this year", units(THIS_YEAR, { country: "BR" })],
    ["法国和德国9月销量对比", both(units(SEPTEMBER, { country: "FR" }), units(SEPTEMBER, { country: "DE" }))],
    [
      "Japan vs Korea: units in August",
      both(units(AUGUST, { country: "JP" }), units(AUGUST, { country: "KR" })),
    ],
    ["上个月日本播放多少", { ...units(SEPTEMBER, { country: "JP" }), mayDecline: true, names: ["日本"] }],
    [
      "plays in Germany in August",
      { ...units(AUGUST, { country: "DE" }), mayDecline: true, names: ["Germany"] },
    ],
  ]),
  ...family("stores", [
    ["8月各平台销量", topUnits(STORES, 6, AUGUST, "store")],
    ["units by store in August", topUnits(STORES, 6, AUGUST, "store")],
    ["top 2 stores by units last quarter", topUnits(STORES, 2, Q3, "store")],
    ["上季度销量前两名的平台", topUnits(STORES, 2, Q3, "store")],
    ["TIDAL 9月卖了多少", units(SEPTEMBER, { store: "TIDAL" })],
    ["units on Deezer in Q2", units(Q2, { store: "Deezer" })],
    [
      "Amazon Music 今年每个月的销量",
      { has: [...THIS_YEAR, ...unitsByMonth(THIS_YEAR, { store: "Amazon Music" })], rows: 10 },
    ],
    [
      "monthly units on YouTube Music this year",
      { has: [...THIS_YEAR, ...unitsByMonth(THIS_YEAR, { store: "YouTube Music" })], rows: 10 },
    ],
    [
      "Spotify和Apple Music上个月的销量",
      both(units(SEPTEMBER, { store: "Spotify" }), units(SEPTEMBER, { store: "Apple Music" })),
    ],
  ]),
  ...family("combined", [
    ["《Blue River》8月在日本的销量", units(AUGUST, { song: "Blue River", country: "JP" })],
    [
      "How many units did Blue River sell in Japan in August?",
      units(AUGUST, { song: "Blue River", country: "JP" }),
    ],
    ["上半年在法国的收入", income(["2026-01-01", "2026-06-30"], { country: "FR" })],
    [
      "Deezer 和 TIDAL 哪个8月收入高",
      both(income(AUGUST, { store: "Deezer" }), income(AUGUST, { store: "TIDAL" })),
    ],
    ["8月在巴西，哪三首歌销量最高", topUnits(TITLES, 3, AUGUST, "song", { country: "BR" })],
    ["units per song in July, best five", topUnits(TITLES, 5, month("2026-07"), "song")],
    [
      "revenue by country for Blue River in Q3",
      incomeBy(
        Q3,
        COUNTRIES.map((code) => ({ song: "Blue River", country: code })),
      ),
    ],
    ["How much from Spotify in Mexico in August?", income(AUGUST, { store: "Spotify", country: "MX" })],
    [
      "units of Lantern in Germany month by month this year",
      {
        has: monthsOf(["2026-05-08", "2026-10-31"]).map((one) =>
          figure(unitsOf(month(one), { song: "Lantern", country: "DE" })),
        ),
      },
    ],
    ["海盐上个月在德国Spotify的收入", income(SEPTEMBER, { song: "海盐", country: "DE", store: "Spotify" })],
    [
      "income of Lantern on Apple Music in the US last quarter",
      income(Q3, { song: "Lantern", store: "Apple Music", country: "US" }),
    ],
    ["Apple Music 9月日本的收入", income(SEPTEMBER, { store: "Apple Music", country: "JP" })],
    [
      "units of Paper Planes in France on Spotify in September",
      units(SEPTEMBER, { song: "Paper Planes", country: "FR", store: "Spotify" }),
    ],
    [
      "Deezer上8月各国的收入",
      incomeBy(
        AUGUST,
        COUNTRIES.map((code) => ({ country: code, store: "Deezer" })),
      ),
    ],
    [
      "top 3 countries for Lantern on Spotify in July, by units",
      topUnits(COUNTRIES, 3, month("2026-07"), "country", { song: "Lantern", store: "Spotify" }),
    ],
    [
      "《Paper Planes》今年在英国每个月的收入",
      {
        has: [
          ...THIS_YEAR,
          ...monthsOf(THIS_YEAR).flatMap((one) =>
            incomes(month(one), { song: "Paper Planes", country: "GB" }),
          ),
        ],
      },
    ],
    [
      "Golden Hour (Remix) income in Canada in August",
      { has: [...AUGUST, dollars(AUGUST, { song: "Golden Hour (Remix)", country: "CA" })] },
    ],
    [
      "《风筝》和《Lantern》8月在美国的销量",
      both(units(AUGUST, { song: "风筝", country: "US" }), units(AUGUST, { song: "Lantern", country: "US" })),
    ],
  ]),
];
