/** What is true of the made-up figures: plain sums over the rows of `exports.ts`, and the way a figure is written. */
import { daysOf, shifted, type Period, type Weekday, weekday } from "./days.ts";
import {
  audienceDays,
  type AudienceDay,
  sales,
  type Sale,
  songDays,
  type Title,
  TITLES,
  videoDays,
  videos,
} from "./exports.ts";

const sum = (values: readonly number[]): number => values.reduce((one, next) => one + next, 0);
const isIn = (day: string, [first, last]: Period): boolean => day >= first && day <= last;

/** With separators of thousands: `1,234`. */
export const figure = (value: number): string => value.toLocaleString("en-US");

/** A mean, as it may be written: whole, or with one or two places. */
export function mean(total: number, count: number): readonly string[] {
  const value = total / count;
  const places = (digits: number): string =>
    value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return [places(0), places(1), places(2)];
}

/** Millionths as an amount with two places. */
export function amount(micros: number): string {
  const cents = micros / 10_000;
  if (Math.abs((cents % 1) - 0.5) < 1e-6) throw new Error(`${micros} lies half way between two cents.`);
  return (micros / 1_000_000).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

export function playsOf(period: Period, of: { song?: Title; on?: readonly Weekday[] } = {}): number {
  return sum(
    songDays
      .filter(({ date, title }) => isIn(date, period) && (of.song ?? title) === title)
      .filter(({ date }) => of.on?.includes(weekday(date)) ?? true)
      .map(({ plays }) => plays),
  );
}

/** The days of a period that have figures. */
export function daysWithFigures(period: Period): readonly string[] {
  return daysOf(period).filter((day) => audienceDays.some(({ date }) => date === day));
}

export type AudienceMeasure = Exclude<keyof AudienceDay, "date">;

export function audienceOn(day: string, measure: AudienceMeasure): number {
  const found = audienceDays.find(({ date }) => date === day);
  if (found === undefined) throw new Error(`There are no figures of ${day}.`);
  return found[measure];
}

export function audienceSum(period: Period, measure: AudienceMeasure): number {
  return sum(audienceDays.filter(({ date }) => isIn(date, period)).map((day) => day[measure]));
}

/** The first day counts: what stands at the end, less what stood on the day before the beginning. */
export function followersGained([first, last]: Period): number {
  return audienceOn(last, "followers") - audienceOn(shifted(first, -1), "followers");
}

export interface SaleFilter {
  readonly song?: Title;
  readonly store?: string;
  readonly country?: string;
  readonly currency?: Sale["currency"];
}

function salesIn([first, last]: Period, of: SaleFilter): readonly Sale[] {
  return sales.filter(
    (one) =>
      one.month >= first.slice(0, 7) &&
      one.month <= last.slice(0, 7) &&
      (of.song ?? one.title) === one.title &&
      (of.store ?? one.store) === one.store &&
      (of.country ?? one.country) === one.country &&
      (of.currency ?? one.currency) === one.currency,
  );
}

export function unitsOf(period: Period, of: SaleFilter = {}): number {
  return sum(salesIn(period, of).map(({ units }) => units));
}

/** Income in one currency, in millionths. */
export function incomeOf(period: Period, currency: Sale["currency"], of: SaleFilter = {}): number {
  return sum(salesIn(period, { ...of, currency }).map(({ micros }) => micros));
}

/** The amounts of each currency that has any, as text. */
export function incomes(period: Period, of: SaleFilter = {}): readonly string[] {
  return (["USD", "EUR"] as const)
    .map((currency) => incomeOf(period, currency, of))
    .filter((micros) => micros > 0)
    .map(amount);
}

/** What somebody gets who adds dollars to euros. */
export function mixedIncome(period: Period, of: SaleFilter = {}): string {
  return amount(incomeOf(period, "USD", of) + incomeOf(period, "EUR", of));
}

export function viewsOf(period: Period, title?: string): number {
  return sum(
    videoDays
      .filter(({ date, video }) => isIn(date, period) && (title ?? video.title) === video.title)
      .map(({ views }) => views),
  );
}

/** Hours as they may be written. */
export function watchHours(title?: string): readonly string[] {
  return mean(
    sum(videos.filter((one) => (title ?? one.title) === one.title).map((one) => one.watchTenths)),
    10,
  );
}

export function subscribers(title?: string): number {
  return sum(videos.filter((one) => (title ?? one.title) === one.title).map((one) => one.subscribers));
}

/** Names from the most to the least. Two that are level have no order. */
export function ranked<Name extends string>(
  names: readonly Name[],
  of: (name: Name) => number,
): readonly Name[] {
  const figures = new Set(names.map(of));
  if (figures.size < names.length) throw new Error("Two of these are level.");
  return [...names].sort((one, other) => of(other) - of(one));
}

export const songsByPlays = (period: Period): readonly Title[] =>
  ranked(TITLES, (song) => playsOf(period, { song }));

/**
 * Songs from the most grown to the most fallen between two periods. "Most" may mean plays or percent: the first is
 * only told when both agree.
 */
export function songsByGrowth(
  before: Period,
  after: Period,
): { readonly first: Title; readonly last: Title } {
  const was = (song: Title): number => playsOf(before, { song });
  const is = (song: Title): number => playsOf(after, { song });
  const byPlays = ranked(TITLES, (song) => is(song) - was(song));
  const byPercent = ranked(TITLES, (song) => is(song) / was(song));
  const [first, last] = [byPlays[0], byPlays.at(-1)];
  if (first === undefined || last === undefined) throw new Error("There are no songs.");
  if (first !== byPercent[0] || last !== byPercent.at(-1))
    throw new Error("Plays and percent disagree: ask of another period.");
  return { first, last };
}

/** The day with the most plays, and the one with the fewest. */
export function extremes(
  period: Period,
  of: { song?: Title } = {},
): { readonly best: string; readonly worst: string } {
  const days = daysWithFigures(period).filter((day) => playsOf([day, day], of) > 0);
  const order = [...days].sort((one, other) => playsOf([other, other], of) - playsOf([one, one], of));
  const [best, worst] = [order[0], order.at(-1)];
  if (best === undefined || worst === undefined) throw new Error("There are no days.");
  return { best, worst };
}
