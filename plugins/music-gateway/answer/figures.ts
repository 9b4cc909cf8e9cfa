import { daysIn, addDays, addMonths, type DayRange } from "../question/day.ts";
import { isOfChange, type Filters, type Split, type Measure, type Order } from "../question/query.ts";
import type { Collection } from "../store/catalog.ts";
import type { Parameters, ResultRow } from "../store/database.ts";
import data from "./sources.json" with { type: "json" };

/** Figures of one measure: where they stand, and what they are narrowed to. */
export interface Slice {
  readonly candidate: Candidate;
  readonly filters: Filters;
  /** Undefined for sums of a file's window. */
  readonly range: DayRange | undefined;
  /** Rows of videos, or those of the whole channel. */
  readonly channel: boolean | undefined;
}

/** One figure; money has its currency. */
export interface Figure {
  readonly key: string;
  readonly currency: string;
  readonly value: number;
  /** Per cent of all figures of the currency; only of what can be added up. */
  readonly share: number | undefined;
  /** Days with figures. */
  readonly days: number;
}

/** What a table has of a measure. */
export interface Extent {
  /** First and last day. */
  readonly data: DayRange | undefined;
  readonly rows: number;
  /** Spotify first, then by name. */
  readonly stores: readonly string[];
  /** Whether there are rows of the whole channel, which its videos are not added to. */
  readonly hasChannel: boolean;
}

interface Statement {
  readonly sql: string;
  readonly parameters: Parameters;
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
const DATE_COLUMNS = { day: "date", month: "month", window: undefined };
const GAINED =
  "(SELECT date, store, followers, followers - lag(followers) OVER (PARTITION BY store ORDER BY date) AS gained FROM account_day WHERE followers IS NOT NULL)";

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
  const { sql, parameters } = statementOf(slice, split);
  const share =
    "CASE WHEN sum(amount) OVER same > 0 THEN 100 * amount::DOUBLE / sum(amount::DOUBLE) OVER same END";
  const rows = await collection.rows(
    `SELECT key, currency, amount::VARCHAR AS value, ${slice.candidate.how === "sum" ? share : "NULL"} AS share, days
     FROM (${sql}) WHERE amount IS NOT NULL WINDOW same AS (PARTITION BY currency) ORDER BY key, currency`,
    parameters,
  );
  return rows.map((row) => ({
    key: textOf(row, "key"),
    currency: textOf(row, "currency"),
    value: Number(row["value"]),
    share: typeof row["share"] === "number" ? row["share"] : undefined,
    days: Number(row["days"]),
  }));
}

/** The statement for figures by a split: key, currency, amount, days with figures. Identifiers come out of sources.json. */
export function statementOf(slice: Slice, split: Split | undefined): Statement {
  const { column, currency, how, source, per, times = 1 } = slice.candidate;
  const date = DATE_COLUMNS[source.grain];
  const time = split === undefined ? undefined : TIME_KEYS[split];
  const key =
    time?.replaceAll("@", date ?? "NULL") ??
    (split === undefined ? undefined : source.columns[split]) ??
    "''";
  const sum =
    how === "average" && date !== undefined
      ? `avg(${column})`
      : how === "last" && date !== undefined
        ? `arg_max(${column}, ${date})`
        : `sum(${how === "gained" ? "gained" : column})`;
  const quotient = `(sum(${column})::DOUBLE * ${times} / nullif(sum(${per ?? column}), 0))`;
  // Two places, and six of what would be nothing then.
  const money = `CASE WHEN abs(${sum}) < 0.01 THEN round(${sum}, 6)::DECIMAL(38, 6) ELSE round(${sum}, 2)::DECIMAL(38, 6) END`;
  const value = how === "ratio" ? quotient : currency === undefined ? `${sum}::DOUBLE` : money;
  const { where, parameters } = conditionsOf(slice);
  const sql = `
    SELECT ${key}::VARCHAR AS key, ${currency ?? "''"} AS currency, ${value} AS amount,
      ${source.grain === "day" ? `count(DISTINCT ${date})` : "0"}::INTEGER AS days
    FROM ${how === "gained" ? GAINED : source.table} WHERE ${column} IS NOT NULL AND ${per ?? column} IS NOT NULL AND ${where} GROUP BY 1, 2`;
  return { sql, parameters };
}

/** What there is of a measure with these filters. */
export async function extentOf(
  collection: Collection,
  candidate: Candidate,
  filters: Filters,
): Promise<Extent> {
  const { source, column } = candidate;
  const { where, parameters } = conditionsOf({ candidate, filters, range: undefined, channel: undefined });
  const hasWindow = source.table === "song_total" || source.table === "place_total";
  const [first, last] = {
    day: ["min(date)", "max(date)"],
    month: ["min(month)", "last_day(max(month))"],
    window: hasWindow ? ["min(first_day)", "max(last_day)"] : ["NULL", "NULL"],
  }[source.grain] as [string, string];
  const channel = source.table === "video_day" ? "bool_or(video_id IS NULL)" : "false";
  const [row = {}] = await collection.rows(
    `SELECT (${first})::VARCHAR AS first, (${last})::VARCHAR AS last, count(*)::INTEGER AS rows, ${channel} AS channel,
       string_agg(DISTINCT ${source.columns.store}, chr(10)) AS stores
     FROM ${source.table} WHERE ${column} IS NOT NULL AND ${where}`,
    parameters,
  );
  const [from, to] = [textOf(row, "first"), textOf(row, "last")];
  const stores = textOf(row, "stores").split("\n").filter(Boolean).sort();
  return {
    data: from === "" || to === "" ? undefined : { from, to },
    rows: Number(row["rows"] ?? 0),
    stores: [...stores.filter((name) => name === "Spotify"), ...stores.filter((name) => name !== "Spotify")],
    hasChannel: row["channel"] === true,
  };
}

/** Days of a range that have no figure; of statements the months that no statement is of. */
export async function missingFrom(collection: Collection, slice: Slice): Promise<readonly string[]> {
  const { range, candidate } = slice;
  if (range === undefined || candidate.source.grain === "window") return [];
  if (candidate.source.grain === "month") {
    const found = new Set(
      (await figuresBy(collection, { ...slice, filters: {} }, "month")).map(({ key }) => key),
    );
    return [...new Set(daysIn(range).map((day) => day.slice(0, 7)))].filter((month) => !found.has(month));
  }
  const filters = { ...slice.filters, weekdays: [] };
  const all: Slice = { ...slice, filters, candidate: { ...candidate, how: "sum" } };
  const found = new Set((await figuresBy(collection, all, "day")).map(({ key }) => key));
  return daysIn(range).filter((day) => !found.has(day));
}

export function textOf(row: ResultRow, column: string): string {
  const value = row[column];
  return value === null || value === undefined ? "" : String(value);
}

/** The condition of a slice with its named parameters. */
function conditionsOf({ candidate: { source }, filters, range, channel }: Slice): {
  readonly where: string;
  readonly parameters: Parameters;
} {
  const date = DATE_COLUMNS[source.grain];
  const { song, country, store } = source.columns;
  const parameters: Record<string, string | number> = {};
  const where: string[] = [];
  const within = (
    column: string | undefined,
    values: readonly (string | number)[] = [],
    isOut = false,
  ): void => {
    if (column === undefined || values.length === 0) return;
    const names = values.map((value) => {
      const name = `p${Object.keys(parameters).length}`;
      parameters[name] = value;
      return `$${name}`;
    });
    const list = names.join(", ");
    where.push(isOut ? `coalesce(${column} NOT IN (${list}), true)` : `${column} IN (${list})`);
  };
  within(song, filters.songs);
  within(song, filters.withoutSongs, true);
  within(country, filters.countries);
  within(country, filters.withoutCountries, true);
  within(store, filters.stores);
  within(store, filters.withoutStores, true);
  if (source.grain === "day") within("(isodow(date) - 1)", filters.weekdays);
  if (range !== undefined && date !== undefined) {
    where.push(`${date} BETWEEN $from::DATE AND $to::DATE`);
    Object.assign(parameters, { from: range.from, to: range.to });
  }
  if (channel !== undefined) where.push(channel ? "video_id IS NULL" : "video_id IS NOT NULL");
  return { where: where.length === 0 ? "true" : where.join(" AND "), parameters };
}

/** A table of figures: what can be asked of it. Every identifier of a statement stands in sources.json. */
interface Source {
  readonly table: keyof typeof data.tables;
  /** day and month: a series. window: sums of the days a file covers. */
  readonly grain: "day" | "month" | "window";
  /** Columns, or constants, by what figures are split or narrowed by. */
  readonly columns: Readonly<Partial<Record<Split, string>>>;
}

/** Where a measure stands, and how it is brought together over days: last is the figure of the last day. */
export interface Candidate {
  readonly source: Source;
  readonly column: string;
  readonly how: "sum" | "average" | "last" | "gained" | "ratio";
  /** Of a ratio the column that divides, and what the quotient is multiplied with. */
  readonly per?: string;
  readonly times?: number;
  /** Currency column of amounts of money. */
  readonly currency?: string;
  /** Units that stand for plays, only for figures by country or store. */
  readonly isOfStatements?: boolean;
}

/** Where a measure is looked for, in this order. */
export function candidatesOf(measure: Measure): readonly Candidate[] {
  return data.measures[measure].map(({ table, ...rest }) => {
    const source = { table, ...data.tables[table as Source["table"]] } as Source;
    return { how: "sum", ...rest, source } as Candidate;
  });
}

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

/** Rows in the order that is asked for, by the sum or by the figure a day; of what grew or fell only those that did. */
export function ordered(rows: readonly Row[], order: Order | undefined, isPerDay = false): readonly Row[] {
  if (order === undefined) return rows;
  const moves = isOfChange(order);
  const sign = order === "least" || order === "fall" || order === "loss" ? 1 : -1;
  const apart = ({ figures: [now, before] }: Row): number => (now?.value ?? 0) - (before?.value ?? 0);
  const size = (row: Row): number | undefined => {
    if (order === "gain" || order === "loss") return apart(row);
    const [now] = row.figures;
    return moves ? row.change : now && now.value / (isPerDay ? Math.max(1, now.days) : 1);
  };
  const own = moves ? rows.filter((row) => sign * apart(row) < 0) : rows;
  const known = own
    .filter((row) => size(row) !== undefined)
    .toSorted((a, b) => sign * ((size(a) ?? 0) - (size(b) ?? 0)) || byKey(a, b));
  // Songs that are new have no change in per cent.
  return moves ? [...known, ...own.filter((row) => size(row) === undefined)] : known;
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
