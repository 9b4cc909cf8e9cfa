import { addDays, type DayRange } from "../question/day.ts";
import type { Filters, Split } from "../question/query.ts";
import type { Collection, Parameters, Row } from "./collection.ts";
import type { Candidate } from "./sources.ts";

/** Figures of one measure: where they stand, and what they are narrowed to. */
export interface Slice {
  readonly candidate: Candidate;
  readonly filters: Filters;
  /** Undefined for sums of a file's window. */
  readonly range: DayRange | undefined;
  /** Rows of videos, or those of the whole channel. */
  readonly channel: boolean | undefined;
}

/** One figure; money has its currency and is decimal text with two places. */
export interface Figure {
  readonly key: string;
  readonly currency: string;
  readonly value: number;
  readonly text: string;
  /** Days with figures. */
  readonly days: number;
}

const TIME_KEYS: Readonly<Partial<Record<Split, string>>> = {
  day: "strftime(@, '%Y-%m-%d')",
  week: "strftime(date_trunc('week', @), '%Y-%m-%d')",
  month: "strftime(@, '%Y-%m')",
  quarter: "concat(year(@), '-Q', quarter(@))",
  year: "strftime(@, '%Y')",
  weekday: "(isodow(@) - 1)::VARCHAR",
  weekpart: "CASE WHEN isodow(@) > 5 THEN 'weekend' ELSE 'working' END",
};

/** Whether a split is of time. */
export function isTimeSplit(split: Split | undefined): boolean {
  return split !== undefined && TIME_KEYS[split] !== undefined;
}

/** The figures by a split, or one for all; a currency each. */
export async function figuresBy(
  collection: Collection,
  slice: Slice,
  split: Split | undefined,
): Promise<readonly Figure[]> {
  const { from, where, parameters, dateColumn } = clauses(slice);
  const key = keyOf(slice.candidate, split, dateColumn);
  const { column, currency } = slice.candidate;
  const sum = aggregate(slice.candidate, dateColumn);
  const value = currency === undefined ? `${sum}::DOUBLE` : `round(${sum}, 2)::DECIMAL(38, 2)`;
  const days = slice.candidate.source.grain === "day" ? `count(DISTINCT ${dateColumn})` : "0";
  const sql = `
    SELECT ${key}::VARCHAR AS key, ${currency ?? "''"} AS currency, ${value}::VARCHAR AS value, ${days}::INTEGER AS days
    FROM ${from} WHERE ${column} IS NOT NULL AND ${where} GROUP BY 1, 2 ORDER BY 1, 2`;
  return (await collection.rows(sql, parameters)).flatMap((row) => {
    const text = textOf(row, "value");
    if (text === "") return [];
    return [
      {
        key: textOf(row, "key"),
        currency: textOf(row, "currency"),
        value: Number(text),
        text,
        days: Number(row["days"]),
      },
    ];
  });
}

/** The day with the largest figure. */
export async function bestDay(collection: Collection, slice: Slice): Promise<Figure | undefined> {
  const days = await figuresBy(collection, slice, "day");
  return days.reduce<Figure | undefined>(
    (best, day) => (best === undefined || day.value > best.value ? day : best),
    undefined,
  );
}

/** First and last day with a figure, how many rows there are, and the first day with the filters. */
export async function extentOf(
  collection: Collection,
  candidate: Candidate,
  filters: Filters,
): Promise<{ readonly data: DayRange | undefined; readonly rows: number; readonly stores: number }> {
  const { source, column } = candidate;
  const { where, parameters } = clauses({ candidate, filters, range: undefined, channel: undefined });
  const dates = {
    day: "min(date)::VARCHAR AS first, max(date)::VARCHAR AS last",
    month: "min(month)::VARCHAR AS first, last_day(max(month))::VARCHAR AS last",
    window: ["song_total", "place_total"].includes(source.table)
      ? "min(first_day)::VARCHAR AS first, max(last_day)::VARCHAR AS last"
      : "NULL AS first, NULL AS last",
  }[source.grain];
  const isOfStores = filters.stores !== undefined && source.columns.store !== undefined;
  const stores = isOfStores ? `count(DISTINCT ${source.columns.store})` : "0";
  const [row = {}] = await collection.rows(
    `SELECT ${dates}, count(*)::INTEGER AS rows, ${stores}::INTEGER AS stores FROM ${source.table} WHERE ${column} IS NOT NULL AND ${where}`,
    parameters,
  );
  const from = textOf(row, "first");
  const to = textOf(row, "last");
  return {
    data: from === "" || to === "" ? undefined : { from, to },
    rows: Number(row["rows"] ?? 0),
    stores: Number(row["stores"] ?? 0),
  };
}

/** Whether a table has rows of the whole channel, which its videos are not added to. */
export async function hasChannelRows(
  collection: Collection,
  { source, column }: Candidate,
): Promise<boolean> {
  if (source.table !== "video_day") return false;
  const rows = await collection.rows(
    `SELECT 1 AS found FROM video_day WHERE video_id IS NULL AND ${column} IS NOT NULL LIMIT 1`,
  );
  return rows.length > 0;
}

/** Days of a range that have no figure. */
export async function missingDays(collection: Collection, slice: Slice): Promise<readonly string[]> {
  const { range, candidate } = slice;
  if (range === undefined || candidate.source.grain !== "day") return [];
  const filters = { ...slice.filters, weekdays: [] };
  const all: Slice = { ...slice, filters, candidate: { ...candidate, how: "sum" } };
  const found = new Set((await figuresBy(collection, all, "day")).map(({ key }) => key));
  const days: string[] = [];
  for (let day = range.from; day <= range.to; day = addDays(day, 1)) {
    if (!found.has(day)) days.push(day);
  }
  return days;
}

export function textOf(row: Row, column: string): string {
  const value = row[column];
  return value === null || value === undefined ? "" : String(value);
}

function keyOf({ source }: Candidate, split: Split | undefined, dateColumn: string | undefined): string {
  if (split === undefined) return "''";
  const time = TIME_KEYS[split];
  if (time !== undefined) return time.replaceAll("@", dateColumn ?? "NULL");
  return source.columns[split] ?? "''";
}

function aggregate({ column, how }: Candidate, dateColumn: string | undefined): string {
  if (how === "average" && dateColumn !== undefined) return `avg(${column})`;
  if (how === "last" && dateColumn !== undefined) return `arg_max(${column}, ${dateColumn})`;
  return `sum(${how === "gained" ? "gained" : column})`;
}

/** FROM and WHERE with named parameters; every identifier comes out of the table of sources. */
export function clauses({ candidate, filters, range, channel }: Slice): {
  readonly from: string;
  readonly where: string;
  readonly parameters: Parameters;
  readonly dateColumn: string | undefined;
} {
  const { source, how } = candidate;
  const dateColumn = { day: "date", month: "month", window: undefined }[source.grain];
  const parameters: Record<string, string | number> = {};
  const where: string[] = [];
  const within = (
    column: string | undefined,
    values: readonly (string | number)[] | undefined,
    isOut = false,
  ): void => {
    if (column === undefined || values === undefined || values.length === 0) return;
    const names = values.map((value) => {
      const name = `p${Object.keys(parameters).length}`;
      parameters[name] = value;
      return `$${name}`;
    });
    where.push(
      isOut ? `coalesce(${column} NOT IN (${names.join(", ")}), true)` : `${column} IN (${names.join(", ")})`,
    );
  };
  within(source.columns.song, filters.songs);
  within(source.columns.song, filters.withoutSongs, true);
  within(source.columns.country, filters.countries);
  within(source.columns.country, filters.withoutCountries, true);
  within(source.columns.store, filters.stores);
  within(source.columns.store, filters.withoutStores, true);
  if (source.grain === "day") within("(isodow(date) - 1)", filters.weekdays);
  if (range !== undefined && dateColumn !== undefined) {
    where.push(`${dateColumn} BETWEEN $from::DATE AND $to::DATE`);
    Object.assign(parameters, { from: range.from, to: range.to });
  }
  if (channel !== undefined) where.push(channel ? "video_id IS NULL" : "video_id IS NOT NULL");
  const gained =
    "(SELECT date, store, followers, followers - lag(followers) OVER (PARTITION BY store ORDER BY date) AS gained FROM account_day WHERE followers IS NOT NULL)";
  return {
    from: how === "gained" ? gained : source.table,
    where: where.length === 0 ? "true" : where.join(" AND "),
    parameters,
    dateColumn,
  };
}
