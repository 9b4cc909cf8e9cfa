/** Days as `2026-10-31`: enough arithmetic to make up figures and to add them up again. */

/** A first and a last day, both counted. */
export type Period = readonly [first: string, last: string];

const A_DAY_MS = 86_400_000;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * A_DAY_MS).toISOString().slice(0, 10);
}

export function weekday(day: string): Weekday {
  return WEEKDAYS[new Date(day).getUTCDay()] ?? "sun";
}

/** Every day of a period. */
export function daysOf([first, last]: Period): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = shifted(day, 1)) days.push(day);
  return days;
}

/** A calendar month, given as `2026-09`. */
export function month(name: string): Period {
  const start = new Date(`${name}-01`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0));
  return [`${name}-01`, end.toISOString().slice(0, 10)];
}

/** A day as a period. */
export const on = (day: string): Period => [day, day];

/** The months that questions are most about, and longer periods around them. */
export const AUGUST = month("2026-08");
export const SEPTEMBER = month("2026-09");
export const OCTOBER = month("2026-10");
export const Q2: Period = ["2026-04-01", "2026-06-30"];
export const Q3: Period = ["2026-07-01", "2026-09-30"];
export const THIS_YEAR: Period = ["2026-01-01", "2026-10-31"];
export const LAST_WEEK: Period = ["2026-10-19", "2026-10-25"];

/** Every month that begins in a period, as `2026-09`. */
export function monthsOf([first, last]: Period): readonly string[] {
  return [...new Set(daysOf([first, last]).map((day) => day.slice(0, 7)))];
}

/** The last days that have figures: `count` of them, up to `end`. */
export function lastDays(count: number, end: string): Period {
  return [shifted(end, 1 - count), end];
}
