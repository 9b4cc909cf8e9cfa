import { addDays, addMonths, type DayRange } from "../question/day.ts";
import type { Order, Split } from "../question/query.ts";
import type { Collection } from "../store/catalog.ts";
import { figuresBy, textOf, type Figure, type Slice } from "./figures.ts";

/** One row of a split: its figure in each of the slices that stand side by side. */
export interface Row {
  readonly key: string;
  readonly currency: string;
  readonly figures: readonly (Figure | undefined)[];
  /** Per cent of the first figure against the second; undefined where that would mislead. */
  readonly change?: number | undefined;
}

/** The rows of slices by a split, in the order of their keys. */
export async function rowsOf(
  collection: Collection,
  slices: readonly Slice[],
  split: Split | undefined,
): Promise<readonly Row[]> {
  const rows = new Map<string, { key: string; currency: string; figures: (Figure | undefined)[] }>();
  for (const [place, slice] of slices.entries())
    for (const figure of await figuresBy(collection, slice, split)) {
      const { key, currency } = figure;
      const id = JSON.stringify([key, currency]);
      const row = rows.get(id) ?? { key, currency, figures: slices.map((): undefined => undefined) };
      row.figures[place] = figure;
      rows.set(id, row);
    }
  return [...rows.values()].sort(byKey);
}

/** The rows, and one without a figure for each of these keys that has none. */
export function withKeys(rows: readonly Row[], keys: readonly string[]): readonly Row[] {
  const found = new Set(rows.map(({ key }) => key));
  const absent = keys.filter((key) => !found.has(key)).map((key) => ({ key, currency: "", figures: [] }));
  return [...rows, ...absent].sort(byKey);
}

/** Rows in the order that is asked for; of what grew or fell only those that did. */
export function ordered(rows: readonly Row[], order: Order | undefined): readonly Row[] {
  if (order === undefined) return rows;
  const isOfChange = order === "growth" || order === "fall";
  const sign = order === "least" || order === "fall" ? 1 : -1;
  const figure = ({ change, figures }: Row): number | undefined => (isOfChange ? change : figures[0]?.value);
  const known = rows
    .filter((row) => figure(row) !== undefined && !(isOfChange && sign * (row.change ?? 0) >= 0))
    .toSorted((a, b) => sign * ((figure(a) ?? 0) - (figure(b) ?? 0)) || byKey(a, b));
  return isOfChange ? [...known, ...rows.filter((row) => figure(row) === undefined)] : known;
}

/** Per cent of a change; undefined against nothing. */
export function changeOf(now: number | undefined, before: number | undefined): number | undefined {
  if (now === undefined || before === undefined || before <= 0) return undefined;
  return (100 * (now - before)) / before;
}

/** The days of a bucket, cut to a range. */
export function bucketRange(key: string, split: Split, range: DayRange): DayRange {
  const { from, to } = daysOf(key, split);
  return { from: from < range.from ? range.from : from, to: to > range.to ? range.to : to };
}

/** Weeks, months, quarters and years that lie within a range; all, where none does: the best and worst are of whole ones. */
export function wholeBuckets(rows: readonly Row[], split: Split, range: DayRange): readonly Row[] {
  if (!["week", "month", "quarter", "year"].includes(split)) return rows;
  const whole = rows.filter(({ key }) => {
    const { from, to } = daysOf(key, split);
    return from >= range.from && to <= range.to;
  });
  return whole.length === 0 ? rows : whole;
}

/** Songs whose first day lies after a day: there is nothing to compare them with. */
export async function songsSince(collection: Collection, day: string): Promise<ReadonlySet<string>> {
  const rows = await collection.rows(
    `SELECT song_id FROM song_day GROUP BY song_id HAVING min(date) > $day::DATE AND min(date) > (SELECT min(date) FROM song_day)
     UNION SELECT id FROM song WHERE released_on > $day::DATE`,
    { day },
  );
  return new Set(rows.map((row) => textOf(row, "song_id")));
}

function daysOf(key: string, split: Split): DayRange {
  const months = { month: 1, quarter: 3, year: 12 }[split as "month"];
  if (months === undefined) return { from: key, to: split === "week" ? addDays(key, 6) : key };
  const [year = "", part = "1"] = key.split(/-Q?/);
  const from = `${year}-${String((Number(part) - 1) * (split === "quarter" ? 3 : 1) + 1).padStart(2, "0")}-01`;
  return { from, to: addDays(addMonths(from, months), -1) };
}

function byKey(left: Row, right: Row): number {
  return compare(left.key, right.key) || compare(left.currency, right.currency);
}

/** Numbers by their size, text by its signs. */
function compare(left: string, right: string): number {
  if (/^\d{1,9}$/.test(left) && /^\d{1,9}$/.test(right)) return Number(left) - Number(right);
  return left < right ? -1 : left > right ? 1 : 0;
}
