import calendar from "./calendar.json" with { type: "json" };
import { addDays, monthOf, weekdayOf, yearOf } from "./day.ts";
import {
  back,
  calendarUnit,
  monthsFrom,
  single,
  spanOf,
  yearSaid,
  type Days,
  type Part,
  type Said,
  type Unit,
} from "./period.ts";

/** What a phrase says of time: a period, or a part of the period beside it. */
export type DateWord =
  | {
      readonly is: "period";
      readonly days: Days;
      /** A plain date, which may take its month or year from another. */
      readonly said?: Said;
      /** "previous 7 days": beside another period it is what lies before that one. */
      readonly before?: { readonly count: number; readonly unit: Unit };
    }
  | { readonly is: "part"; readonly part: Part };

type Groups = readonly (string | undefined)[];
type Rule = readonly [RegExp, (groups: Groups) => DateWord | undefined];

const MONTH_NAMES = new Map(
  Object.entries(calendar.months).flatMap(([month, names]) => names.map((name) => [name, Number(month)])),
);
const WEEKDAY_NAMES = new Map(
  Object.entries(calendar.weekdays).flatMap(([day, names]) => names.map((name) => [name, Number(day)])),
);
const ORDINALS = new Map(
  Object.entries(calendar.ordinals).flatMap(([count, names]) => names.map((name) => [name, Number(count)])),
);
const YEAR_WORDS = ["今年", "去年", "前年"];

const either = (names: Iterable<string>): string => [...names].sort((a, b) => b.length - a.length).join("|");
// May is a verb as well: it counts after a preposition or before a number.
const MONTH = `(${either([...MONTH_NAMES.keys()].filter((name) => name !== "may"))}|may(?=\\.? \\d)|(?<=(?:^|[ (,])(?:in|of|during|for|since|from|to|until|through|and|vs|versus|with|than|this|last|mid|early|late|before|after|between|by|or) )may)(?![a-z])\\.?`;
const DAY_OF_WEEK = either([...WEEKDAY_NAMES.keys()].filter((name) => /^[a-z]/.test(name)));
const ORDINAL = either(ORDINALS.keys());
const YEAR = "((?:19|20)\\d\\d)(?!\\d)";
const ZH_YEAR = "(?:(\\d{4})年的?|(今年|去年|前年)的?)?";
const ZH_UNIT = "(天|日|周|星期|礼拜|个星期|个礼拜|个月|月|个?季度?|个?半年|年)";
const ZH_COUNTED = "(天|日|周|星期|礼拜|个星期|个礼拜|个月|个?季度|个?半年|年)";
const EN_UNIT = "(days?|weeks?|months?|quarters?|years?)(?![a-z])";

const RULES: readonly Rule[] = [
  // Dates.
  [/(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)[日号]?/y, ([year, month, date]) => said(year, month, date)],
  [/(\d{4})[-/](\d{1,2})(?![\d/-])/y, ([year, month]) => said(year, month)],
  [
    rule(`${ZH_YEAR}(\\d{1,2})月(?:份)?的?(\\d{1,2})(?:日|号)?(?!\\d|天|个|周|首)`),
    ([year, word, month, date]) => saidZh(year, word, month, date),
  ],
  [rule(`${ZH_YEAR}(\\d{1,2})月(?:份)?`), ([year, word, month]) => saidZh(year, word, month)],
  [/(\d{4})年/y, ([year]) => said(year)],
  [/(\d{1,2})[日号](?!\d)/y, ([date]) => said(undefined, undefined, date)],
  [
    rule(`${MONTH} (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,? ${YEAR})?`),
    ([month, date, year]) => said(year, monthOfName(month), date),
  ],
  [
    rule(`(?:the )?(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? ${YEAR})?`),
    ([date, month, year]) => said(year, monthOfName(month), date),
  ],
  [
    rule(
      `${MONTH} (?:the )?(\\d{1,2})(?:st|nd|rd|th)? ?(?:-|–|to|until|till|through) ?(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,? ${YEAR})?`,
    ),
    ([month, first, last, year]) => daySpan(year, monthOfName(month), first, last),
  ],
  [
    rule(
      `(\\d{1,2})(?:st|nd|rd|th)? ?(?:-|–|to|until|till|through) ?(?:the )?(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? ${YEAR})?`,
    ),
    ([first, last, month, year]) => daySpan(year, monthOfName(month), first, last),
  ],
  [
    rule(
      `(?<=between (?:the )?)(\\d{1,2})(?:st|nd|rd|th)? and (?:the )?(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? ${YEAR})?`,
    ),
    ([first, last, month, year]) => daySpan(year, monthOfName(month), first, last),
  ],
  [
    rule(
      `(?<=between )${MONTH} (\\d{1,2})(?:st|nd|rd|th)? and (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,? ${YEAR})?`,
    ),
    ([month, first, last, year]) => daySpan(year, monthOfName(month), first, last),
  ],
  [
    rule(`(?:(\\d{4})年的?)?(\\d{1,2})月(\\d{1,2})[日号]?(?:-|–|~|到|至)(\\d{1,2})(?:日|号)?(?!\\d|月|天)`),
    ([year, month, first, last]) => daySpan(year, month, first, last),
  ],
  [
    rule(`(?:(\\d{4})年的?)?(\\d{1,2})月?(?:-|–|~|到|至)(\\d{1,2})月(?:份)?(?!\\d)`),
    ([year, first, last]) => monthSpan(year, first, last),
  ],
  [rule(`${MONTH}(?:,| of)? ${YEAR}`), ([month, year]) => said(year, monthOfName(month))],
  [
    rule(`${MONTH}(?: of)? (this|last) year`),
    ([month, which]) => saidZh(undefined, which === "this" ? "今年" : "去年", monthOfName(month)),
  ],
  [
    rule(`last ${MONTH}`),
    ([month]) => period(({ data }) => lastMonthNamed(Number(monthOfName(month)), data.to)),
  ],
  [rule(MONTH), ([month]) => said(undefined, monthOfName(month))],
  [rule(`(?:the year )?${YEAR}`), ([year]) => said(year)],
  [/(?:the )?(\d{1,2})(?:st|nd|rd|th)(?![a-z])/y, ([date]) => said(undefined, undefined, date)],
  // Quarters and halves.
  [rule(`${ZH_YEAR}第?(\\d{1,3})季度?`), ([year, word, count]) => quarter(year, word, count)],
  [rule(`${ZH_YEAR}q(\\d)(?!\\d)`), ([year, word, count]) => quarter(year, word, count)],
  [rule(`q(\\d)(?!\\d)(?:,? (?:of )?${YEAR})?`), ([count, year]) => quarter(year, undefined, count)],
  [rule(`${YEAR}[ -/]?q(\\d)(?!\\d)`), ([year, count]) => quarter(year, undefined, count)],
  [
    rule(`(?:the )?(${ORDINAL}) quarter(?: (?:of )?${YEAR})?`),
    ([word, year]) => quarter(year, undefined, String(ORDINALS.get(word ?? ""))),
  ],
  [
    rule(`(?:the )?(${ORDINAL}) quarter of (this|last) year`),
    ([word, which]) =>
      quarter(undefined, which === "this" ? "今年" : "去年", String(ORDINALS.get(word ?? ""))),
  ],
  [rule(`${ZH_YEAR}([上下])半年`), ([year, word, half]) => halfYear(year, word, half === "上" ? 1 : 2)],
  [
    rule(`h([12])(?![a-z\\d])(?: (?:of )?${YEAR})?`),
    ([half, year]) => halfYear(year, undefined, Number(half)),
  ],
  [/(?:this|the current) half(?: year)?/y, () => calendarPeriod(0, "half")],
  [/(?:last|previous|the previous) half(?: year)?/y, () => calendarPeriod(1, "half")],
  // Counted back from the last day.
  [
    /(?:最近|近|过去)的?这?(半)个?(年|月)/y,
    ([, unit]) => rolling(unit === "年" ? 6 : 15, unit === "年" ? "month" : "day"),
  ],
  [
    rule(`(?:最近|近|过去|近来|这)的?这?(\\d+)${ZH_UNIT}(?!份)(?:以|之)?(?:内|来)?`),
    ([count, unit]) => rolling(Number(count), unitOf(unit)),
  ],
  [
    rule(`(?:之前|此前|再之前|再往前|再前|前|上)的?这?(\\d+)${ZH_COUNTED}`),
    ([count, unit]) => rolling(Number(count), unitOf(unit), true),
  ],
  [rule(`(\\d+)${ZH_UNIT}(?:以|之)?内`), ([count, unit]) => rolling(Number(count), unitOf(unit))],
  [rule(`(?:最近|近|过去)的?1?${ZH_UNIT}`), ([unit]) => rolling(1, unitOf(unit))],
  [
    rule(
      `(?:in |over |during |for )?(?:the )?(?:last|past|latest|most recent|recent|trailing) (\\d{1,5}) ${EN_UNIT}`,
    ),
    ([count, unit]) => rolling(Number(count), unitOf(unit)),
  ],
  [
    rule(`(?:the )?(?:previous|prior|preceding) (\\d{1,5}) ${EN_UNIT}`),
    ([count, unit]) => rolling(Number(count), unitOf(unit), true),
  ],
  [
    rule(`(?:the )?(\\d{1,5}) ${EN_UNIT} (?:before(?: that| then| those)?|earlier|prior)`),
    ([count, unit]) => rolling(Number(count), unitOf(unit), true),
  ],
  [rule(`(?:the )?past ${EN_UNIT}`), ([unit]) => rolling(1, unitOf(unit))],
  [rule(`(\\d{1,5}) ${EN_UNIT} ago`), ([count, unit]) => calendarPeriod(Number(count), unitOf(unit))],
  // Named by the calendar around the last day.
  [/(大{0,3})前[天日]/y, ([more]) => calendarPeriod(2 + (more?.length ?? 0), "day")],
  [/(?:the )?day before yesterday/y, () => calendarPeriod(2, "day")],
  [/昨[天日]|yesterday/y, () => calendarPeriod(1, "day")],
  [/今[天日]|today/y, () => calendarPeriod(0, "day")],
  [
    /(上{1,6})1?个?(?:周(?!年)|星期|礼拜)([一二三四五六日天])/y,
    ([ups, day]) => weekdayIn(ups?.length ?? 1, day),
  ],
  [/(?:本|这1?个?)(?:周(?!年)|星期|礼拜)([一二三四五六日天])/y, ([day]) => weekdayIn(0, day)],
  [
    rule(`(?:the )?(?:last|past|previous) (${DAY_OF_WEEK})(?![a-z])`),
    ([day]) =>
      period(({ data }) =>
        single(addDays(data.to, -(((weekdayOf(data.to) - (WEEKDAY_NAMES.get(day ?? "") ?? 0) + 6) % 7) + 1))),
      ),
  ],
  [rule(`this (${DAY_OF_WEEK})(?![a-z])`), ([day]) => weekdayIn(0, day)],
  [/(上{1,6})1?个?周末|(?:the )?last weekend|previous weekend/y, ([ups]) => weekend(ups?.length ?? 1)],
  [/(?:本|这1?个?)周末|this weekend/y, () => weekend(0)],
  [/(上{1,6})1?个?(?:周(?!年|末)|星期|礼拜)/y, ([ups]) => calendarPeriod(ups?.length ?? 1, "week")],
  [/(上{1,6})1?个?月(?!旬)/y, ([ups]) => calendarPeriod(ups?.length ?? 1, "month")],
  [/(上{1,6})1?个?季度?/y, ([ups]) => calendarPeriod(ups?.length ?? 1, "quarter")],
  [/(?:本|这1?个?|当)(?:周(?!年|末)|星期(?![一二三四五六日天])|礼拜)/y, () => calendarPeriod(0, "week")],
  [/(?:本|这1?个?|当)月/y, () => calendarPeriod(0, "month")],
  [/(?:本|这1?个?|当)季度?/y, () => calendarPeriod(0, "quarter")],
  [/今年(?:以来|至今)?|本年度?|年初至今|这1?年|今年年初(?:以来|至今)/y, () => calendarPeriod(0, "year")],
  [/去年|上1?年/y, () => calendarPeriod(1, "year")],
  [/前年/y, () => calendarPeriod(2, "year")],
  [
    rule(`(?:the )?(?:this|current) (week|month|quarter|year)(?: so far| to date)?(?![a-z])`),
    ([unit]) => calendarPeriod(0, unitOf(unit)),
  ],
  [rule(`(?:the )?(week|month|quarter|year) to date`), ([unit]) => calendarPeriod(0, unitOf(unit))],
  [
    /([mqyw])td(?![a-z])/y,
    ([sign]) => calendarPeriod(0, { m: "month", q: "quarter", y: "year", w: "week" }[sign ?? "m"] as Unit),
  ],
  [
    rule(`(?:the )?(?:last|previous) (?:calendar )?(week|month|quarter|year)(?![a-z])`),
    ([unit]) => calendarPeriod(1, unitOf(unit)),
  ],
  [/(?:the )?previous day(?![a-z])/y, () => calendarPeriod(1, "day")],
  [
    rule(`(?:the )?(week|month|quarter|year) before last(?![a-z])`),
    ([unit]) => calendarPeriod(2, unitOf(unit)),
  ],
  [
    rule(`(?:the )?(week|month|quarter|year|day) before(?: that)?(?![a-z])(?! \\d| last)`),
    ([unit]) => rolling(1, unitOf(unit), true),
  ],
  // Parts of a period that stands beside.
  [/(?:the )?(?:middle|mid) (?:of )?(?:the )?|mid/y, () => part({ at: "mid" })],
  [
    /early(?: in)?(?: the)?(?![a-z])|(?:the )?(?:beginning|start) of(?: the)?(?![a-z])/y,
    () => part({ at: "early" }),
  ],
  [/late(?: in)?(?: the)?(?![a-z])|(?:the )?end of(?: the)?(?![a-z])/y, () => part({ at: "late" })],
  [/中旬/y, () => part({ at: "mid" })],
  [/上旬|初(?![次始])/y, () => part({ at: "early" })],
  [/下旬|月?[底末]/y, () => part({ at: "late" })],
  [
    rule(`(?:the )?(${ORDINAL}|last|final) (week|half)(?: (?:of|in))?(?: the)?(?![a-z])`),
    ([word, unit]) => nth(word, unit),
  ],
  [
    rule(`(?:the |its )?first (\\d{1,4}) ${EN_UNIT}(?: (?:of|in))?(?: the)?(?![a-z])`),
    ([count, unit]) => part({ at: "first", count: Number(count), unit: unitOf(unit) }),
  ],
  [
    rule(`(?:the |its )?first (day|month|quarter|year)(?: of)?(?![a-z])`),
    ([unit]) => part({ at: "first", count: 1, unit: unitOf(unit) }),
  ],
  [
    rule(`(?:the )?last (\\d{1,4}) ${EN_UNIT} (?:of|in)(?: the)?(?![a-z])`),
    ([count, unit]) => part({ at: "last", count: Number(count), unit: unitOf(unit) }),
  ],
  [/(?:the )?last (day|month) of(?![a-z])/y, ([unit]) => part({ at: "last", count: 1, unit: unitOf(unit) })],
  [/(?:the )?week of(?: the)?(?= [a-z]* ?\d{1,2}(?!\d))/y, () => part({ at: "week-of" })],
  [/(?:那|所在的?|当)1?[周星]期?(?![一二三四五六日天])/y, () => part({ at: "week-of" })],
  [/第(\d)个?(?:周|星期|礼拜)(?!末)/y, ([count]) => part({ at: "nth", count: Number(count), unit: "week" })],
  [/第1个?(天|日|月|年)/y, ([unit]) => part({ at: "first", count: 1, unit: unitOf(unit) })],
  [/首(周|月|日|天|年)/y, ([unit]) => part({ at: "first", count: 1, unit: unitOf(unit) })],
  [/最后1?个?(周|星期|天|日)/y, ([unit]) => part({ at: "last", count: 1, unit: unitOf(unit) })],
  [
    /最后(\d{1,4})(天|日|周|个星期|个月)/y,
    ([count, unit]) => part({ at: "last", count: Number(count), unit: unitOf(unit) }),
  ],
  [
    /(?:首|头)(\d{1,4})(天|日|周|个星期|个月)/y,
    ([count, unit]) => part({ at: "first", count: Number(count), unit: unitOf(unit) }),
  ],
  [/[上前]半个?月/y, () => part({ at: "nth", count: 1, unit: "half" })],
  [/[下后]半个?月/y, () => part({ at: "nth", count: 2, unit: "half" })],
];

/** The longest date phrase that begins at a place of a levelled text. */
export function dateWordAt(
  text: string,
  at: number,
): { readonly length: number; readonly word?: DateWord } | undefined {
  let longest = 0;
  let found: DateWord | undefined;
  for (const [pattern, read] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null || match[0].length <= longest) continue;
    const word = read(match.slice(1));
    longest = match[0].length;
    found = word;
  }
  return longest === 0 ? undefined : { length: longest, ...(found === undefined ? {} : { word: found }) };
}

function rule(source: string): RegExp {
  return new RegExp(source, "y");
}

function said(year?: string, month?: string, date?: string): DateWord {
  const point: Said = { year: whole(year), month: whole(month), date: whole(date) };
  return { is: "period", said: point, days: () => undefined };
}

function daySpan(year?: string, month?: string, first?: string, last?: string): DateWord {
  const from: Said = { year: whole(year), month: whole(month), date: whole(first) };
  return period(({ data }) => spanOf(from, { ...from, date: whole(last) }, data.to));
}

function monthSpan(year?: string, first?: string, last?: string): DateWord {
  return period(({ data }) =>
    spanOf({ year: whole(year), month: whole(first) }, { month: whole(last) }, data.to),
  );
}

function saidZh(year?: string, word?: string, month?: string, date?: string): DateWord {
  if (word === undefined) return said(year, month, date);
  return period(({ data }) => {
    const point: Said = {
      year: yearOf(data.to) - YEAR_WORDS.indexOf(word),
      month: whole(month),
      date: whole(date),
    };
    return daysIn(point);
  });
}

function daysIn({ year = 0, month = 1, date }: Said) {
  const days = monthsFrom(year, month, 1);
  if (date === undefined || days === undefined) return days;
  const day = addDays(days.from, date - 1);
  return day <= days.to && date > 0 ? single(day) : undefined;
}

function period(days: Days): DateWord {
  return { is: "period", days };
}

function part(value: Part): DateWord {
  return { is: "part", part: value };
}

function calendarPeriod(before: number, unit: Unit): DateWord {
  return period(({ data }) => calendarUnit(before, unit, data.to));
}

function rolling(count: number, unit: Unit, isBefore = false): DateWord {
  const days: Days = ({ data }) => back(count, unit, data.to);
  return { is: "period", days, ...(isBefore ? { before: { count, unit } } : {}) };
}

function quarter(year: string | undefined, word: string | undefined, count: string | undefined): DateWord {
  const first = Number(count) * 3 - 2;
  return period(({ data }) =>
    monthsFrom(yearSaid(yearNumber(year, word, data.to), first, data.to), first, 3),
  );
}

function halfYear(year: string | undefined, word: string | undefined, half: number): DateWord {
  const first = half * 6 - 5;
  return period(({ data }) =>
    monthsFrom(yearSaid(yearNumber(year, word, data.to), first, data.to), first, 6),
  );
}

function yearNumber(year: string | undefined, word: string | undefined, today: string): number | undefined {
  return word === undefined ? whole(year) : yearOf(today) - YEAR_WORDS.indexOf(word);
}

function lastMonthNamed(month: number, today: string) {
  return monthsFrom(yearOf(today) - (month >= monthOf(today) ? 1 : 0), month, 1);
}

function weekdayIn(weeks: number, day: string | undefined): DateWord {
  return period(({ data }) => {
    const monday = calendarUnit(weeks, "week", data.to)?.from ?? data.to;
    return single(addDays(monday, WEEKDAY_NAMES.get(day ?? "") ?? 0));
  });
}

function weekend(weeks: number): DateWord {
  return period(({ data }) => {
    const monday = calendarUnit(weeks, "week", data.to)?.from ?? data.to;
    return { from: addDays(monday, 5), to: addDays(monday, 6) };
  });
}

function nth(word: string | undefined, unit: string | undefined): DateWord {
  const count = ORDINALS.get(word ?? "");
  if (unit === "half") return part({ at: "nth", count: count ?? 2, unit: "half" });
  return part(
    count === undefined ? { at: "last", count: 1, unit: "week" } : { at: "nth", count, unit: "week" },
  );
}

function unitOf(word: string | undefined): Unit {
  const text = word ?? "";
  if (/[周星礼]|week/u.test(text)) return "week";
  if (/半年/u.test(text)) return "half";
  if (/季|quarter/u.test(text)) return "quarter";
  if (/月|month/u.test(text)) return "month";
  return /年|year/u.test(text) ? "year" : "day";
}

function monthOfName(name: string | undefined): string {
  return String(MONTH_NAMES.get(name ?? "") ?? "");
}

function whole(text: string | undefined): number | undefined {
  return text === undefined || text === "" ? undefined : Number(text);
}
