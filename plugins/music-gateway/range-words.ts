import {
  addDays,
  addMonths,
  monthOf,
  monthRange,
  weekdayOf,
  yearOf,
  type Day,
  type DayRange,
} from "./day.ts";

/** What a rule makes of its groups; undefined when the calendar has no such thing, such as a fifth quarter. */
type Reader = (groups: readonly (string | undefined)[], data: DayRange) => DayRange | undefined;
type Unit = "day" | "week" | "month" | "quarter" | "year";

/** The most days a counted range goes back: ten years. */
const MOST_DAYS = 3660;
const ORDINALS = ["first", "second", "third", "fourth"];
const UNIT = "(天|日|周|星期|礼拜|个月|月|个?季度|年|days?|weeks?|months?|quarters?|years?)";

/** Counted back from the last day with data: 最近7天, 近3个月, last 2 weeks. */
export const COUNTED_RULES: readonly (readonly [RegExp, Reader])[] = [
  [
    /(?:最近|近|过去|前)的?这?(半)个?(年|月)/u,
    ([, unit], data) => (unit === "年" ? back(6, "month", data.to) : back(15, "day", data.to)),
  ],
  [
    new RegExp(
      `(?:最近|近|过去|前|past|last|previous|latest|recent)\\s*的?这?\\s*(\\d+)\\s*个?\\s*${UNIT}(?!份|\\d)`,
      "u",
    ),
    ([count, unit], data) => back(Number(count), unitOf(unit), data.to),
  ],
  [
    new RegExp(`(\\d+)\\s*个?\\s*${UNIT}(?:以|之)?内`, "u"),
    ([count, unit], data) => back(Number(count), unitOf(unit), data.to),
  ],
  [/\bpast\s+(day|week|month|quarter|year)\b/, ([unit], data) => back(1, unitOf(unit), data.to)],
];

/** Quarters and halves, with or without a year. */
export const QUARTER_RULES: readonly (readonly [RegExp, Reader])[] = [
  [
    /(?:(\d{4})\s*年?\s*|(今年|去年|前年)的?)?第?(?<![上这本近去\d])\s*(\d{1,3})\s*季度?/u,
    ([year, word, quarter], data) => quarterOf(year, word, quarter, data.to),
  ],
  [
    /(?<![\da-z])(\d{4})\s*年?\s*[-/]?\s*q(\d)(?!\d)/,
    ([year, quarter], data) => quarterOf(year, undefined, quarter, data.to),
  ],
  [
    /\bq(\d)(?!\d)(?:\s*(?:of|,|-|\/)?\s*(\d{4})\b)?/,
    ([quarter, year], data) => quarterOf(year, undefined, quarter, data.to),
  ],
  [
    /\b(first|second|third|fourth)\s+quarter(?:\s+(?:of\s+)?(\d{4})\b)?/,
    ([word, year], data) => quarterOf(year, undefined, String(ORDINALS.indexOf(word ?? "") + 1), data.to),
  ],
  [
    /(?:(\d{4})\s*年?\s*|(今年|去年|前年)的?)?([上下])半年/u,
    ([year, word, half], data) => halfOf(year, word, half === "上" ? 1 : 2, data.to),
  ],
  [
    /\bh([12])(?:\s+(?:of\s+)?(\d{4}))?\b/,
    ([half, year], data) => halfOf(year, undefined, Number(half), data.to),
  ],
];

/** Named by the calendar around the last day with data: 上周, 本月, last quarter, YTD. */
export const NAMED_RULES: readonly (readonly [RegExp, Reader])[] = [
  [/大前天/u, (_, { to }) => single(addDays(to, -3))],
  [/前天|前日|day before yesterday/u, (_, { to }) => single(addDays(to, -2))],
  [/昨天|昨日|yesterday/u, (_, { to }) => single(addDays(to, -1))],
  [/今天|今日|\btoday\b/u, (_, { to }) => single(to)],
  [/(上+)\s*1?个?(?:周(?!年)|星期|礼拜)/u, ([ups], { to }) => weekBefore(to, ups?.length ?? 1)],
  [/\b(?:last|previous)\s+week\b/, (_, { to }) => weekBefore(to, 1)],
  [
    /(?:本|这1?个?|当)(?:周(?!年)|星期|礼拜)|\bthis\s+week\b|\bweek\s+to\s+date\b/u,
    (_, { to }) => ({ from: addDays(to, -weekdayOf(to)), to }),
  ],
  [/(上+)\s*1?个?月/u, ([ups], { to }) => monthBefore(to, ups?.length ?? 1)],
  [/\b(?:last|previous)\s+month\b/, (_, { to }) => monthBefore(to, 1)],
  [
    /(?:本|这1?个?|当)月|\bthis\s+month\b|\bmonth\s+to\s+date\b|\bmtd\b/u,
    (_, { to }) => ({ from: `${to.slice(0, 8)}01`, to }),
  ],
  [/(上+)\s*1?个?季度?/u, ([ups], { to }) => quarterBefore(to, ups?.length ?? 1)],
  [/\b(?:last|previous)\s+quarter\b/, (_, { to }) => quarterBefore(to, 1)],
  [
    /(?:本|这1?个?|当)季度?|\bthis\s+quarter\b/u,
    (_, { to }) => ({ from: quarterBefore(to, 0)?.from ?? to, to }),
  ],
  [
    /今年|本年|年初至今|\bthis\s+year\b|\byear[\s-]+to[\s-]+date\b|\bytd\b/u,
    (_, { to }) => ({ from: `${to.slice(0, 5)}01-01`, to }),
  ],
  [/去年|上1?年|\b(?:last|previous)\s+year\b/u, (_, { to }) => wholeYear(yearOf(to) - 1)],
  [/前年/u, (_, { to }) => wholeYear(yearOf(to) - 2)],
  [/有史以来|全部时间|所有时间|全部历史|历史累计|迄今为止|\ball[\s-]+time\b|\bso far\b/u, (_, data) => data],
];

function unitOf(word: string | undefined): Unit {
  const text = word ?? "";
  if (/[周星礼]|week/u.test(text)) return "week";
  if (/季|quarter/u.test(text)) return "quarter";
  if (/月|month/u.test(text)) return "month";
  return /年|year/u.test(text) ? "year" : "day";
}

function back(count: number, unit: Unit, today: Day): DayRange | undefined {
  if (count === 0) return undefined;
  const bounded = Math.min(count, MOST_DAYS);
  if (unit === "day" || unit === "week") {
    return { from: addDays(today, 1 - Math.min(bounded * (unit === "week" ? 7 : 1), MOST_DAYS)), to: today };
  }
  const months = Math.min(bounded * { month: 1, quarter: 3, year: 12 }[unit], 120);
  const before = addMonths(today, -months);
  const isMonthEnd = addDays(today, 1).endsWith("-01");
  return { from: isMonthEnd ? addMonths(addDays(today, 1), -months) : addDays(before, 1), to: today };
}

function single(day: Day): DayRange {
  return { from: day, to: day };
}

function weekBefore(today: Day, weeks: number): DayRange {
  const monday = addDays(today, -weekdayOf(today) - 7 * Math.min(weeks, 500));
  return { from: monday, to: addDays(monday, 6) };
}

function monthBefore(today: Day, months: number): DayRange | undefined {
  const day = addMonths(today, -Math.min(months, 120));
  return monthRange(yearOf(day), monthOf(day));
}

function quarterBefore(today: Day, quarters: number): DayRange | undefined {
  const day = addMonths(today, -3 * Math.min(quarters, 40));
  return months(yearOf(day), Math.floor((monthOf(day) - 1) / 3) * 3 + 1, 3);
}

function wholeYear(year: number): DayRange | undefined {
  return months(year, 1, 12);
}

function quarterOf(
  year: string | undefined,
  word: string | undefined,
  quarter: string | undefined,
  today: Day,
): DayRange | undefined {
  const first = Number(quarter) * 3 - 2;
  return months(yearSaid(year, word, first, today), first, 3);
}

function halfOf(
  year: string | undefined,
  word: string | undefined,
  half: number,
  today: Day,
): DayRange | undefined {
  const first = half * 6 - 5;
  return months(yearSaid(year, word, first, today), first, 6);
}

/** The year as said, or the latest in which the month has begun. */
function yearSaid(year: string | undefined, word: string | undefined, month: number, today: Day): number {
  if (year !== undefined) return Number(year);
  if (word !== undefined) return yearOf(today) - ["今年", "去年", "前年"].indexOf(word);
  return yearOf(today) - (month > monthOf(today) ? 1 : 0);
}

function months(year: number, first: number, count: number): DayRange | undefined {
  const from = monthRange(year, first)?.from;
  const to = monthRange(year, first + count - 1)?.to;
  return from === undefined || to === undefined ? undefined : { from, to };
}
