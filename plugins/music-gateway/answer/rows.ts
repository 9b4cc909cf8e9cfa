import { addDays, addMonths, lengthOf, weekdayOf, type DayRange } from "../question/day.ts";
import type { Filters, Order, Split } from "../question/query.ts";
import type { Collection } from "./collection.ts";
import { figuresBy, isTimeSplit, textOf, type Figure, type Slice } from "./figures.ts";
import type { Plan } from "./plan.ts";

/** One row of a split: its figure in the period and in the one it is compared with. */
export interface SplitRow {
  readonly key: string;
  readonly currency: string;
  readonly now: Figure | undefined;
  readonly before: Figure | undefined;
  /** Per cent of all rows of the currency. */
  readonly share: number | undefined;
  /** Per cent against before; undefined where that would mislead. */
  readonly change: number | undefined;
}

const FILTER_OF: Readonly<Partial<Record<Split, keyof Filters>>> = {
  song: "songs",
  country: "countries",
  store: "stores",
};

/** The rows of a plan's split, all of them, largest first or in the order of time. */
export async function rowsOf(collection: Collection, plan: Plan): Promise<readonly SplitRow[]> {
  const { split, slice, period } = plan;
  const filter = split === undefined ? undefined : FILTER_OF[split];
  const chosen = filter === undefined ? undefined : slice.filters[filter]?.map(String);
  // Shares are of all rows, also where two are put side by side.
  const open: Slice =
    filter === undefined || chosen === undefined
      ? slice
      : { ...slice, filters: without(slice.filters, filter) };
  const now = await figuresBy(collection, open, split);
  const before =
    period.comparison === undefined || isTimeSplit(split)
      ? []
      : await figuresBy(collection, { ...open, range: period.comparison }, split);
  const isSong = split === "song";
  const fresh =
    isSong && period.comparison !== undefined
      ? await songsSince(collection, period.comparison.from)
      : new Set<string>();
  const isAdded = slice.candidate.how === "sum";
  const rows = joined(now, before, chosen, isAdded, fresh);
  return isTimeSplit(split)
    ? inTime(rows, split, slice)
    : rows.toSorted((a, b) => valueOf(b) - valueOf(a) || compare(a.key, b.key));
}

/** Rows in the order that is asked for; of what grew or fell only those that did. */
export function ordered(rows: readonly SplitRow[], order: Order | undefined): readonly SplitRow[] {
  if (order === undefined) return rows;
  const sign = order === "least" || order === "fall" ? 1 : -1;
  const figure = (row: SplitRow): number | undefined =>
    order === "growth" || order === "fall" ? row.change : row.now?.value;
  const isMoved = ({ change = 0 }: SplitRow): boolean =>
    order === "growth" ? change > 0 : order === "fall" ? change < 0 : true;
  const known = rows.filter((row) => figure(row) !== undefined && isMoved(row));
  const others = rows.filter((row) => figure(row) === undefined);
  return [
    ...known.toSorted((a, b) => sign * ((figure(a) ?? 0) - (figure(b) ?? 0)) || compare(a.key, b.key)),
    ...(order === "most" || order === "least" ? [] : others),
  ];
}

/** Per cent of a change; undefined against nothing. */
export function changeOf(now: number | undefined, before: number | undefined): number | undefined {
  return now === undefined || before === undefined || before <= 0
    ? undefined
    : (100 * (now - before)) / before;
}

/** The days of a bucket, cut to a range. */
export function bucketRange(key: string, split: Split, range: DayRange): DayRange {
  const { from, to } = daysOf(key, split);
  return { from: from < range.from ? range.from : from, to: to > range.to ? range.to : to };
}

/** Weeks, months, quarters and years that lie within a range; all, where none does: the best and worst are of whole ones. */
export function wholeBuckets(rows: readonly SplitRow[], split: Split, range: DayRange): readonly SplitRow[] {
  if (!["week", "month", "quarter", "year"].includes(split)) return rows;
  const whole = rows.filter(
    ({ key }) => daysOf(key, split).from >= range.from && daysOf(key, split).to <= range.to,
  );
  return whole.length === 0 ? rows : whole;
}

function daysOf(key: string, split: Split): DayRange {
  const months = { month: 1, quarter: 3, year: 12 }[split as "month"];
  if (months === undefined) return { from: key, to: split === "week" ? addDays(key, 6) : key };
  const [year = "", part = "1"] = key.split(/-Q?/);
  const from = `${year}-${String((Number(part) - 1) * (split === "quarter" ? 3 : 1) + 1).padStart(2, "0")}-01`;
  return { from, to: addDays(addMonths(from, months), -1) };
}

/** Songs whose first day lies after a day: there is nothing to compare them with. */
export async function songsSince(collection: Collection, day: string): Promise<ReadonlySet<string>> {
  const released = collection.catalog.songs.filter(
    ({ releasedOn }) => releasedOn !== undefined && releasedOn > day,
  );
  const rows = await collection.rows(
    "SELECT song_id FROM song_day GROUP BY song_id HAVING min(date) > $day::DATE AND min(date) > (SELECT min(date) FROM song_day)",
    { day },
  );
  return new Set([...released.map(({ id }) => String(id)), ...rows.map((row) => textOf(row, "song_id"))]);
}

function joined(
  now: readonly Figure[],
  before: readonly Figure[],
  chosen: readonly string[] | undefined,
  isAdded: boolean,
  fresh: ReadonlySet<string>,
): readonly SplitRow[] {
  const totals = new Map<string, number>();
  for (const { currency, value } of now) totals.set(currency, (totals.get(currency) ?? 0) + value);
  const pairs = new Map<string, { key: string; currency: string; now?: Figure; before?: Figure }>();
  for (const [when, figures] of [
    ["now", now],
    ["before", before],
  ] as const) {
    for (const figure of figures) {
      const id = JSON.stringify([figure.key, figure.currency]);
      pairs.set(id, { ...(pairs.get(id) ?? { key: figure.key, currency: figure.currency }), [when]: figure });
    }
  }
  const all = [...pairs.values()].filter(({ key }) => chosen === undefined || chosen.includes(key));
  const absent = (chosen ?? [])
    .filter((key) => all.every((row) => row.key !== key))
    .map((key) => ({ key, currency: "" }));
  return [...all, ...absent].map((row: { key: string; currency: string; now?: Figure; before?: Figure }) => {
    const total = totals.get(row.currency) ?? 0;
    return {
      key: row.key,
      currency: row.currency,
      now: row.now,
      before: row.before,
      share: isAdded && total > 0 && row.now !== undefined ? (100 * row.now.value) / total : undefined,
      change: fresh.has(row.key) ? undefined : changeOf(row.now?.value, row.before?.value),
    };
  });
}

/** Rows in the order of time, with a row for each day or month that has no figure. */
function inTime(
  rows: readonly SplitRow[],
  split: Split | undefined,
  { range, filters }: Slice,
): readonly SplitRow[] {
  const sorted = rows.toSorted((a, b) => compare(a.key, b.key) || compare(a.currency, b.currency));
  if (range === undefined || (split !== "day" && split !== "month") || lengthOf(range) > 5000) return sorted;
  const found = new Set(sorted.map(({ key }) => key));
  const absent: SplitRow[] = [];
  for (
    let day = range.from;
    day <= range.to;
    day = split === "day" ? addDays(day, 1) : addMonths(`${day.slice(0, 8)}01`, 1)
  ) {
    const key = split === "day" ? day : day.slice(0, 7);
    if (found.has(key) || (split === "day" && filters.weekdays?.includes(weekdayOf(day)) === false)) continue;
    absent.push({
      key,
      currency: "",
      now: undefined,
      before: undefined,
      share: undefined,
      change: undefined,
    });
  }
  return [...sorted, ...absent].toSorted((a, b) => compare(a.key, b.key) || compare(a.currency, b.currency));
}

function without(filters: Filters, name: keyof Filters): Filters {
  const rest = { ...filters };
  delete rest[name];
  return rest;
}

function valueOf({ now }: SplitRow): number {
  return now?.value ?? -Infinity;
}

/** Numbers by their size, text by its signs. */
function compare(left: string, right: string): number {
  if (/^\d{1,9}$/.test(left) && /^\d{1,9}$/.test(right)) return Number(left) - Number(right);
  return left < right ? -1 : left > right ? 1 : 0;
}
