/** A calendar day, `yyyy-mm-dd`, between 1900-01-01 and 2100-12-31. Sorts as text. */
export type Day = string;

/** Both ends belong to the range; `from` is never after `to`. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

const DAY_MS = 86_400_000;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

/** The day of year, month (1 to 12) and day of the month; undefined when the calendar has no such day. */
export function dayOf(year: number, month: number, date: number): Day | undefined {
  if (![year, month, date].every(Number.isInteger)) return undefined;
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return undefined;
  if (date < 1 || date > daysInMonth(year, month)) return undefined;
  return `${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`;
}

export function daysInMonth(year: number, month: number): number {
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

/** The day so many days later (earlier when negative), held inside the years of a Day. */
export function addDays(day: Day, count: number): Day {
  const moved = new Date(Date.parse(day) + count * DAY_MS);
  return clamped(moved.getUTCFullYear(), moved.getUTCMonth() + 1, moved.getUTCDate());
}

/** The same day of another month, or that month's last day: 2026-03-31 less one month is 2026-02-28. */
export function addMonths(day: Day, count: number): Day {
  const months = yearOf(day) * 12 + monthOf(day) - 1 + count;
  const year = Math.floor(months / 12);
  const month = (((months % 12) + 12) % 12) + 1;
  return clamped(year, month, Math.min(Number(day.slice(8)), daysInMonth(year, month)));
}

/** How many days a range has, both ends counted. */
export function lengthOf(range: DayRange): number {
  return Math.round((Date.parse(range.to) - Date.parse(range.from)) / DAY_MS) + 1;
}

/** Every day of a range. */
export function daysIn({ from, to }: DayRange): readonly Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

export function monthRange(year: number, month: number): DayRange | undefined {
  const from = dayOf(year, month, 1);
  return from === undefined ? undefined : { from, to: clamped(year, month, daysInMonth(year, month)) };
}

function clamped(year: number, month: number, date: number): Day {
  if (year < FIRST_YEAR) return `${FIRST_YEAR}-01-01`;
  return dayOf(year, month, date) ?? `${LAST_YEAR}-12-31`;
}
