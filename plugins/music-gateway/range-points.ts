import { dayOf, daysInMonth, monthOf, yearOf, type Day, type DayRange } from "./day.ts";

/** A date as far as it was said: a year, a month, a day, or a part of these. */
export interface Point {
  readonly year?: number;
  readonly month?: number;
  readonly date?: number;
  /** Where it stands in the text. */
  readonly start: number;
  readonly end: number;
}

type Said = Omit<Point, "start" | "end">;

const MONTHS =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const STEMS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const ORDINAL = "(?:st|nd|rd|th)?";

/** Each reader makes a point out of its groups. Earlier ones win where two match the same place. */
const READERS: readonly (readonly [RegExp, (groups: readonly (string | undefined)[], today: Day) => Said])[] =
  [
    [/(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g, ([year, month, date]) => said(year, month, date)],
    [/(?<!\d)(\d{4})-(\d{2})(?![-\d])/g, ([year, month]) => said(year, month)],
    [
      /(?:(?<!\d)(\d{4})年\s*|(今年|去年|前年)的?\s*)?(?<!\d)(\d{1,2})月份?\s*(?:(\d{1,2})(?:日|号|(?!\d|月|年|天|个|周|首|次|%|\.)))?/gu,
      ([year, word, month, date], today) => said(year ?? yearOfWord(word, today), month, date),
    ],
    [/(?<!\d)(\d{4})年(?!\s*\d)/gu, ([year]) => said(year)],
    [
      new RegExp(`\\b(${MONTHS})\\b\\.?\\s+(\\d{1,2})${ORDINAL}(?!\\d)(?:,?\\s+(\\d{4})\\b)?`, "g"),
      ([month, date, year]) => said(year, monthOfName(month), date),
    ],
    [
      new RegExp(`(?<!\\d)(\\d{1,2})${ORDINAL}\\s+(?:of\\s+)?(${MONTHS})\\b\\.?(?:,?\\s+(\\d{4})\\b)?`, "g"),
      ([date, month, year]) => said(year, monthOfName(month), date),
    ],
    [
      new RegExp(`\\b(${MONTHS})\\b\\.?,?\\s+(\\d{4})\\b`, "g"),
      ([month, year]) => said(year, monthOfName(month)),
    ],
    [
      new RegExp(
        `(?<=\\b(?:in|during|for|since|from|to|until|till|through|and)\\s)(${MONTHS})\\b(?!\\s+\\d)`,
        "g",
      ),
      ([month]) => said(undefined, monthOfName(month)),
    ],
    [
      /\b(january|february|april|june|july|august|september|october|november|december)\b(?!\s+\d)/g,
      ([month]) => said(undefined, monthOfName(month)),
    ],
  ];

/** All dates named in a levelled text, in the order they stand there. */
export function findPoints(text: string, today: Day): readonly Point[] {
  const found: Point[] = [];
  for (const [pattern, read] of READERS) {
    for (const match of text.matchAll(pattern)) {
      const start = match.index;
      const end = start + match[0].trimEnd().length;
      if (found.some((point) => start < point.end && end > point.start)) continue;
      found.push({ ...read(match.slice(1), today), start, end });
    }
  }
  return found.toSorted((left, right) => left.start - right.start);
}

/** A point with its year: as said, or the latest year in which it does not begin after today. */
export function dated(point: Point, today: Day): Point {
  if (point.year !== undefined || point.month === undefined) return point;
  const later =
    point.month > monthOf(today) ||
    (point.month === monthOf(today) && (point.date ?? 1) > Number(today.slice(8)));
  return { ...point, year: yearOf(today) - (later ? 1 : 0) };
}

/** All days that a dated point covers; undefined when the calendar has no such day. */
export function daysOf(point: Point): DayRange | undefined {
  const year = point.year ?? 0;
  const from = dayOf(year, point.month ?? 1, point.date ?? 1);
  if (from === undefined) return undefined;
  const lastMonth = point.month ?? 12;
  const to = dayOf(year, lastMonth, point.date ?? daysInMonth(year, lastMonth));
  return to === undefined ? undefined : { from, to };
}

/** Two points as one range, the unsaid year of one taken from the other; crossing New Year when the months fall. */
export function spanOf(first: Point, second: Point, today: Day): DayRange | "no-such-day" | "reversed" {
  const crossing = (first.month ?? 1) > (second.month ?? 12) ? 1 : 0;
  let start = first;
  let end = second;
  if (first.year === undefined) {
    end = dated(second, today);
    if (end.year !== undefined) start = { ...first, year: end.year - crossing };
  } else if (second.year === undefined) end = { ...second, year: first.year + crossing };
  const from = daysOf(start)?.from;
  const to = daysOf(end)?.to;
  if (from === undefined || to === undefined) return "no-such-day";
  return from > to ? "reversed" : { from, to };
}

/** From the beginning of a point up to today; the point itself when it begins later. */
export function sinceOf(range: DayRange, today: Day): DayRange {
  return range.from > today ? range : { from: range.from, to: today };
}

function said(year?: string | number, month?: string | number, date?: string | number): Said {
  return {
    ...(year === undefined ? {} : { year: Number(year) }),
    ...(month === undefined ? {} : { month: Number(month) }),
    ...(date === undefined ? {} : { date: Number(date) }),
  };
}

function yearOfWord(word: string | undefined, today: Day): number | undefined {
  if (word === undefined) return undefined;
  return yearOf(today) - ["今年", "去年", "前年"].indexOf(word);
}

function monthOfName(name: string | undefined): number {
  return STEMS.indexOf((name ?? "").slice(0, 3)) + 1;
}
