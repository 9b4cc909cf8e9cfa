import calendar from "./calendar.json" with { type: "json" };
import { addDays, daysIn, monthsFrom, single, weekdayOf, yearOf, type DayRange } from "./day.ts";

/** A holiday, defined by the day on which it falls; `shift` moves it by a number of days. */
interface Holiday {
  readonly names: readonly string[];
  /** The first and last day, if these are the same every year: `10-01/10-07`. */
  readonly fixed?: string;
  /** Month and day of the Chinese calendar, `8/15`; never in a leap month. */
  readonly chinese?: string;
  /** The nth weekday (0 is Monday) of a month. */
  readonly month?: number;
  readonly weekday?: number;
  readonly nth?: number;
  /** Easter Sunday of the Gregorian calendar. */
  readonly easter?: true;
  readonly shift?: number;
}

const HOLIDAYS: ReadonlyMap<string, Holiday> = new Map(
  (calendar.holidays as readonly Holiday[]).flatMap((holiday) =>
    holiday.names.map((name) => [name, holiday]),
  ),
);
/** Created on first use: it loads the data of that calendar. */
let chineseFormat: Intl.DateTimeFormat | undefined;

export function holidayNames(): readonly string[] {
  return [...HOLIDAYS.keys()];
}

/** The days of a holiday in a year; without a year, the days of the last holiday that has begun. */
export function holidayDays(name: string, year: number | undefined, today: string): DayRange | undefined {
  const holiday = HOLIDAYS.get(name);
  if (holiday === undefined) return undefined;
  if (year !== undefined) return daysInYear(holiday, year);
  const now = daysInYear(holiday, yearOf(today));
  return now !== undefined && now.from <= today ? now : daysInYear(holiday, yearOf(today) - 1);
}

function daysInYear(
  { fixed, chinese, easter, month = 1, weekday = 0, nth = 1, shift = 0 }: Holiday,
  year: number,
): DayRange | undefined {
  if (fixed !== undefined) {
    const [from = "", to = from] = fixed.split("/");
    return { from: `${year}-${from}`, to: `${year}-${to}` };
  }
  const day =
    chinese !== undefined
      ? chineseDay(year, chinese)
      : easter === true
        ? easterSunday(year)
        : weekdayIn(year, month, weekday, nth);
  return day === undefined ? undefined : single(addDays(day, shift));
}

function chineseDay(year: number, monthAndDay: string): string | undefined {
  const format = (chineseFormat ??= new Intl.DateTimeFormat("en-u-ca-chinese", {
    month: "numeric",
    day: "numeric",
    timeZone: "UTC",
  }));
  return daysIn({ from: `${year}-01-01`, to: `${year}-12-31` }).find(
    (day) => format.format(new Date(day)) === monthAndDay,
  );
}

function weekdayIn(year: number, month: number, weekday: number, nth: number): string | undefined {
  const first = monthsFrom(year, month, 1)?.from;
  return first && addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1));
}

/** The Sunday after the full moon on or after March 21, according to the Gregorian tables (Meeus, Jones and Butcher). */
function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const correction = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + correction + 15) % 30;
  const moon =
    epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11));
  const fullMoon = addDays(`${year}-03-21`, moon);
  return addDays(fullMoon, 7 - ((weekdayOf(fullMoon) + 1) % 7));
}
