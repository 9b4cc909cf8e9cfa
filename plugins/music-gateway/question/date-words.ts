import calendar from "./calendar.json" with { type: "json" };
import { dateRules } from "./date-rules.ts";
import {
  addDays,
  monthOf,
  weekdayOf,
  yearOf,
  back,
  calendarUnit,
  daysOf,
  monthsFrom,
  single,
  spanOf,
  yearOrLatest,
  type Days,
  type Part,
  type PartialDate,
  type Unit,
} from "./day.ts";
import { holidayDays, holidayNames } from "./holidays.ts";

/** A calendar unit, counted back from the current one. */
export interface CalendarUnit {
  readonly unit: Unit;
  readonly count: number;
}

/** The meaning of a time phrase: a period, or a part of the period next to it. */
export type DateWord =
  | {
      readonly is: "period";
      readonly days: Days;
      /** A plain date, which may take its month or year from another date. */
      readonly partial?: PartialDate;
      /** The days in a year that is named elsewhere: "9月播放 2026". */
      readonly inYear?: ((year: number) => Days) | undefined;
      /** "previous 7 days": next to another period, the days before that period. */
      readonly before?: { readonly count: number; readonly unit: Unit };
      /** "This month", "last month": a calendar unit, counted back from the current one. */
      readonly calendar?: CalendarUnit;
      /** For a phrase that is only a year: the year, which also applies to a month next to it. */
      readonly year?: ((today: string) => number) | undefined;
    }
  | { readonly is: "part"; readonly part: Part };

type Groups = Readonly<Record<string, string | undefined>>;

const numbered = (names: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(names).flatMap(([number, words]) => words.map((word) => [word, Number(number)])));
const MONTHS = numbered(calendar.months);
const WEEKDAYS = numbered(calendar.weekdays);
const ORDINALS = numbered(calendar.ordinals);
/** Phrases whose year may be missing. */
const YEARLESS: ReadonlySet<string> = new Set(["date", "holiday", "days", "months", "quarter", "half"]);
const YEARS: Readonly<Record<string, number>> = { 今年: 0, this: 0, 去年: 1, last: 1, 前年: 2 };

const { rules, words } = dateRules();
const RULES = rules.map(({ source, ...rule }) => {
  let made: RegExp | undefined;
  // Patterns are compiled on demand: compiling all of them takes longer than the rest of a question.
  return { ...rule, pattern: () => (made ??= new RegExp(source, "y")) };
});

/** The names of months and weekdays, and the other words of time phrases. */
export function dateNames(): readonly string[] {
  return [...MONTHS.keys(), ...WEEKDAYS.keys(), ...ORDINALS.keys(), ...holidayNames(), ...words];
}

/** The longest date phrase at a position in a levelled text. */
export function dateWordAt(
  text: string,
  at: number,
): { readonly length: number; readonly word: DateWord } | undefined {
  let longest = 0;
  let read: (() => DateWord) | undefined;
  for (const { is, with: fixed, signs, pattern } of RULES) {
    if (!signs.includes(text.charAt(at))) continue;
    const find = pattern();
    find.lastIndex = at;
    const match = find.exec(text);
    if (match === null || match[0].length <= longest) continue;
    longest = match[0].length;
    read = () => dateWord(is, { ...fixed, ...match.groups });
  }
  return read === undefined ? undefined : { length: longest, word: read() };
}

/** Adds a year that is named elsewhere to a phrase without a year: "9月播放 2026", "2026 Q3". */
function dateWord(is: string, groups: Groups): DateWord {
  const word = wordOf(is, groups);
  const isYearless =
    groups["year"] === undefined && groups["word"] === undefined && YEARLESS.has(is) && word.is === "period";
  if (!isYearless || (is === "date" && groups["month"] === undefined)) return word;
  const inYear = (year: number): Days => {
    const dated = wordOf(is, { ...groups, year: String(year) });
    return dated.is === "period" ? dated.days : word.days;
  };
  return { ...word, inYear };
}

function wordOf(is: string, groups: Groups): DateWord {
  const { year, word, first, last, half } = groups;
  const unit = unitOf(groups["unit"]);
  const count = groups["ups"]?.length ?? Number(groups["count"] ?? ORDINALS.get(groups["ordinal"] ?? ""));
  const month = MONTHS.get(groups["month"] ?? "") ?? whole(groups["month"]);
  const partial: PartialDate = { year: whole(year), month, date: whole(groups["date"]) };
  const yearIn = (today: string): number | undefined =>
    word === undefined ? partial.year : yearOf(today) - (YEARS[word] ?? 0);
  const months = (from: number, size: number): DateWord =>
    period(({ today: to }) => monthsFrom(yearOrLatest(yearIn(to), from, to), from, size));
  const weekday = WEEKDAYS.get(groups["day"] ?? "") ?? 0;
  const inWeek = (from: number, to: number): DateWord =>
    period(({ today }) => {
      const monday = calendarUnit(count, "week", today)?.from ?? today;
      return { from: addDays(monday, from), to: addDays(monday, to) };
    });
  switch (is) {
    case "date":
      if (word === undefined) {
        const isOfYear = partial.year !== undefined && month === undefined;
        const days: Days = ({ today }) => daysOf(partial, today);
        return { is: "period", partial, days, year: isOfYear ? () => partial.year ?? 0 : undefined };
      }
      return period(({ today: to }) => daysOf({ ...partial, year: yearIn(to) }, to));
    case "holiday": {
      return period(({ today }) => {
        const days = holidayDays(groups["holiday"] ?? "", yearIn(today), today);
        return days && groups["single"] !== undefined ? single(days.from) : days;
      });
    }
    case "days":
      return period(({ today }) =>
        spanOf({ ...partial, date: whole(first) }, { ...partial, date: whole(last) }, today),
      );
    case "months":
      return period(({ today }) =>
        spanOf({ ...partial, month: whole(first) }, { month: whole(last) }, today),
      );
    case "last-month":
      return period(({ today: to }) =>
        monthsFrom(yearOf(to) - ((month ?? 1) >= monthOf(to) ? 1 : 0), month ?? 1, 1),
      );
    case "quarter":
      return months(count * 3 - 2, 3);
    case "year-start":
      return period(({ today: to }) =>
        monthsFrom(yearIn(to) ?? yearOf(to), 1, count * (unit === "quarter" ? 3 : 1)),
      );
    case "half":
      return months((half === "上" ? 1 : half === "下" ? 2 : count) * 6 - 5, 6);
    case "calendar":
      return {
        is: "period",
        days: ({ today }) => calendarUnit(count, unit, today),
        calendar: { unit, count },
        ...(unit === "year" ? { year: (today: string) => yearOf(today) - count } : {}),
      };
    case "weekday":
      return inWeek(weekday, weekday);
    case "weekend":
      return inWeek(5, 6);
    case "last-weekday":
      return period(({ today: to }) => single(addDays(to, -(((weekdayOf(to) - weekday + 6) % 7) + 1))));
    case "part":
      return { is: "part", part: { at: groups["at"], count, unit } as Part };
    default: {
      const days: Days = ({ data }) => back(count, unit, data.to);
      return { is: "period", days, ...(is === "before" ? { before: { count, unit } } : {}) };
    }
  }
}

function period(days: Days): DateWord {
  return { is: "period", days };
}

function unitOf(word = ""): Unit {
  if (/[周星礼]|week/u.test(word)) return "week";
  if (/半年|half/u.test(word)) return "half";
  if (/季|quarter/u.test(word)) return "quarter";
  if (/月|month/u.test(word)) return "month";
  return /年|year/u.test(word) ? "year" : "day";
}

function whole(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
