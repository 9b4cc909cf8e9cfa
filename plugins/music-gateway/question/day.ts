/** A calendar day, `yyyy-mm-dd`, between 1900-01-01 and 2100-12-31. Sorts as text. */
type Day = string;

/** Both ends are included; `from` is never after `to`. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

const DAY_MS = 86_400_000;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

/** The day for a year, month (1 to 12) and day of the month; undefined if the calendar has no such day. */
function dayOf(year: number, month: number, date: number): Day | undefined {
  if (![year, month, date].every(Number.isInteger)) return undefined;
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return undefined;
  if (date < 1 || date > daysInMonth(year, month)) return undefined;
  return `${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
}

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function yearOf(day: Day): number {
  return Number(day.slice(0, 4));
}

/** 1 to 12. */
export function monthOf(day: Day): number {
  return Number(day.slice(5, 7));
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: Day): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

/** The day that many days later (earlier if negative), limited to the years of a Day. */
export function addDays(day: Day, count: number): Day {
  const moved = new Date(Date.parse(day) + count * DAY_MS);
  return clamped(moved.getUTCFullYear(), moved.getUTCMonth() + 1, moved.getUTCDate());
}

/** The same day of another month, or that month's last day: one month before 2026-03-31 is 2026-02-28. */
export function addMonths(day: Day, count: number): Day {
  const months = yearOf(day) * 12 + monthOf(day) - 1 + count;
  const year = Math.floor(months / 12);
  const month = (((months % 12) + 12) % 12) + 1;
  return clamped(year, month, Math.min(Number(day.slice(8)), daysInMonth(year, month)));
}

/** The number of days in a range, both ends included. */
export function lengthOf(range: DayRange): number {
  return Math.round((Date.parse(range.to) - Date.parse(range.from)) / DAY_MS) + 1;
}

export function isSame(left: DayRange | undefined, right: DayRange | undefined): boolean {
  return left !== undefined && left.from === right?.from && left.to === right.to;
}

/** Every day of a range. */
export function daysIn({ from, to }: DayRange): readonly Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

function monthRange(year: number, month: number): DayRange | undefined {
  const from = dayOf(year, month, 1);
  return from === undefined ? undefined : { from, to: clamped(year, month, daysInMonth(year, month)) };
}

function clamped(year: number, month: number, date: number): Day {
  if (year < FIRST_YEAR) return `${FIRST_YEAR}-01-01`;
  return dayOf(year, month, date) ?? `${LAST_YEAR}-12-31`;
}

/** The reference days of a phrase. */
interface Reckoning {
  /** The days with figures. "Last 7 days" are the last 7 of these. */
  readonly data: DayRange;
  /** The reference for calendar days, weeks and months; never before the last day with figures. */
  readonly today: Day;
  /** The first day of the requested song. */
  readonly released?: Day | undefined;
}

/** The days that a phrase means; undefined if the calendar has no such days. */
export type Days = (reckoning: Reckoning) => DayRange | undefined;

/** A date with the parts that are stated. */
export interface PartialDate {
  readonly year?: number | undefined;
  readonly month?: number | undefined;
  readonly date?: number | undefined;
}

export type Unit = "day" | "week" | "month" | "quarter" | "half" | "year";

/** The maximum number of days that a counted period goes back: ten years. */
const MOST_DAYS = 3660;
const MONTHS_OF: Readonly<Record<Unit, number>> = {
  day: 0,
  week: 0,
  month: 1,
  quarter: 3,
  half: 6,
  year: 12,
};

/** The last `count` units up to a day: days are counted, months follow the calendar. */
export function back(count: number, unit: Unit, to: Day): DayRange | undefined {
  if (count === 0) return undefined;
  const months = MONTHS_OF[unit] * count;
  if (months === 0) {
    const days = Math.min(count * (unit === "week" ? 7 : 1), MOST_DAYS);
    return { from: addDays(to, 1 - days), to };
  }
  const isMonthEnd = addDays(to, 1).endsWith("-01");
  const bounded = Math.min(months, 120);
  return {
    from: isMonthEnd ? addMonths(addDays(to, 1), -bounded) : addDays(addMonths(to, -bounded), 1),
    to,
  };
}

/** The calendar week, month, quarter, half or year `before` units before that of a day; with 0, it ends on that day. */
export function calendarUnit(before: number, unit: Unit, today: Day): DayRange | undefined {
  if (unit === "day") return single(addDays(today, -before));
  if (unit === "week") {
    const monday = addDays(today, -weekdayOf(today) - 7 * Math.min(before, 500));
    return { from: monday, to: before === 0 ? today : addDays(monday, 6) };
  }
  const size = MONTHS_OF[unit];
  const first = addMonths(
    `${today.slice(0, 8)}01`,
    -size * Math.min(before, 40) - ((monthOf(today) - 1) % size),
  );
  const whole = monthsFrom(yearOf(first), monthOf(first), size);
  return whole === undefined || before > 0 ? whole : { from: whole.from, to: today };
}

/** That many whole months, starting with a given one. */
export function monthsFrom(year: number, first: number, count: number): DayRange | undefined {
  const from = monthRange(year, first)?.from;
  const to = monthRange(year, first + count - 1)?.to;
  return from === undefined || to === undefined ? undefined : { from, to };
}

export function single(day: Day): DayRange {
  return { from: day, to: day };
}

/** The stated year, or the latest year in which the month has already begun. */
export function yearOrLatest(year: number | undefined, month: number, today: Day): number {
  return year ?? yearOf(today) - (month > monthOf(today) ? 1 : 0);
}

/** All days of a date; a missing year is the latest one in which the date does not begin after today. */
export function daysOf(partial: PartialDate, today: Day): DayRange | undefined {
  const { year, month, date } = dated(partial, today);
  const from = dayOf(year ?? 0, month ?? 1, date ?? 1);
  if (from === undefined) return undefined;
  const last = month ?? 12;
  const to = dayOf(year ?? 0, last, date ?? daysInMonth(year ?? 0, last));
  return to === undefined ? undefined : { from, to };
}

function dated(partial: PartialDate, today: Day): PartialDate {
  if (partial.year !== undefined) return partial;
  const month = partial.month ?? monthOf(today);
  const isLater =
    month > monthOf(today) || (month === monthOf(today) && (partial.date ?? 1) > Number(today.slice(8)));
  if (partial.month !== undefined) return { ...partial, year: yearOf(today) - (isLater ? 1 : 0) };
  const shifted = isLater ? addMonths(`${today.slice(0, 8)}01`, -1) : today;
  return { ...partial, month: monthOf(shifted), year: yearOf(shifted) };
}

/** Two dates as one range; each takes its missing parts from the other, across New Year if the months require it. */
export function spanOf(first: PartialDate, second: PartialDate, today: Day): DayRange | undefined {
  const month = second.month ?? first.month;
  const crossing = (first.month ?? 1) > (month ?? 12) ? 1 : 0;
  let start = first;
  let end: PartialDate = { ...second, month };
  if (first.month === undefined && first.date !== undefined) start = { ...first, month };
  if (start.year === undefined) {
    end = dated(end, today);
    if (end.year !== undefined) start = { ...start, year: end.year - crossing };
  } else if (end.year === undefined) end = { ...end, year: start.year + crossing };
  const from = daysOf(start, today)?.from;
  const to = daysOf(end, today)?.to;
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** A part of a longer period. */
export type Part =
  | { readonly at: "early" | "mid" | "late" }
  | { readonly at: "first" | "last"; readonly count: number; readonly unit: Unit }
  | { readonly at: "nth"; readonly count: number; readonly unit: "week" | "half" }
  | { readonly at: "week-of" };

/**
 * The first week of a period is its first seven days. Early, mid and late are days 1 to 10, 11 to 20 and the rest of a
 * month, and thirds of a longer period.
 */
export function partOf(part: Part, { from, to }: DayRange): DayRange | undefined {
  const length = lengthOf({ from, to });
  const slice = (first: number, last: number): DayRange | undefined =>
    first > last || first < 1 || first > length
      ? undefined
      : { from: addDays(from, first - 1), to: addDays(from, Math.min(last, length) - 1) };
  switch (part.at) {
    case "early":
      return slice(1, length > 31 ? Math.round(length / 3) : 10);
    case "mid":
      return length > 31 ? slice(Math.round(length / 3) + 1, Math.round((2 * length) / 3)) : slice(11, 20);
    case "late":
      return length > 31 ? slice(Math.round((2 * length) / 3) + 1, length) : slice(21, length);
    case "first": {
      const end = firstUnits(from, part.count, part.unit);
      return part.count < 1 ? undefined : { from, to: end < to ? end : to };
    }
    case "last": {
      const range = back(part.count, part.unit, to);
      return range === undefined ? undefined : { from: range.from > from ? range.from : from, to };
    }
    case "nth":
      if (part.unit === "week") return slice(part.count * 7 - 6, part.count * 7);
      if (length <= 31) return part.count === 1 ? slice(1, 15) : slice(16, length);
      return halfOf(part.count, { from, to });
    case "week-of":
      return { from: addDays(from, -weekdayOf(from)), to: addDays(from, 6 - weekdayOf(from)) };
  }
}

/** The last day of the first `count` units, starting on a given day. */
export function firstUnits(from: Day, count: number, unit: Unit): Day {
  const months = MONTHS_OF[unit];
  if (months > 0) return addDays(addMonths(from, Math.min(count * months, 120)), -1);
  return addDays(from, Math.min(count * (unit === "week" ? 7 : 1), MOST_DAYS) - 1);
}

function halfOf(half: number, { from, to }: DayRange): DayRange | undefined {
  const months = (yearOf(to) - yearOf(from)) * 12 + monthOf(to) - monthOf(from) + 1;
  const middle = addMonths(from, Math.ceil(months / 2));
  return half === 1 ? { from, to: addDays(middle, -1) } : { from: middle, to };
}
