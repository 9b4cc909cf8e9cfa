import { daysIn, addDays, addMonths, type DayRange } from "../question/day.ts";
import { isOfChange, type Filters, type Measure, type Order, type Split } from "../question/query.ts";
import type { Collection } from "../store/catalog.ts";
import type { Parameters, ResultRow } from "../store/database.ts";
import { rangeOf } from "../store/spans.ts";
import {
  candidatesOf,
  FILTER_NAMES,
  FILTERED,
  MEASURES,
  relationOf,
  WITHOUT,
  type Candidate,
  type Source,
} from "../model.ts";

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
  /** Spotify first, then by name; only of a table of windows, or where stores are asked for. */
  readonly stores: readonly string[];
  /** Only where cities are asked for. */
  readonly cities: readonly string[];
  /** Whether the dimensions that were asked for have a name in any row. */
  readonly isNamed: boolean;
  /** Whether there are rows of the whole channel, which its videos are not added to. */
  readonly hasChannel: boolean;
}

interface Statement {
  readonly sql: string;
  readonly parameters: Parameters;
}

/** Rows are grouped by a date or number (`@` is the date column), and only its values in the result are written as keys. */
const TIME_KEYS: Readonly<Partial<Record<Split, { readonly by: string; readonly key: string }>>> = {
  day: { by: "@", key: "strftime(@, '%Y-%m-%d')" },
  week: { by: "date_trunc('week', @)", key: "strftime(@, '%Y-%m-%d')" },
  month: { by: "date_trunc('month', @)", key: "strftime(@, '%Y-%m')" },
  quarter: { by: "date_trunc('quarter', @)", key: "concat(year(@), '-Q', quarter(@))" },
  year: { by: "date_trunc('year', @)", key: "strftime(@, '%Y')" },
  weekday: { by: "isodow(@)", key: "@ - 1" },
  weekpart: { by: "isodow(@) > 5", key: "CASE WHEN @ THEN 'weekend' ELSE 'working' END" },
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
  return (await rowsOf(collection, [slice], split)).flatMap(({ figures }) => figures[0] ?? []);
}

/**
 * The statement of a query: its figures by a split and within groups, of several slices at once (place 0, 1, …): place,
 * grp, key, currency, amount, days with figures. Identifiers come out of model.json.
 */
export function statementOf(slices: readonly Slice[], split: Split | undefined, group?: Split): Statement {
  const parameters: Record<string, string | number> = {};
  const selects = slices.map((slice, place) => {
    const { column, currency, how, source, per, times = 1 } = slice.candidate;
    const date = DATE_COLUMNS[source.grain];
    const sum =
      how === "average" && date !== undefined
        ? `avg(${column})`
        : how === "last" && date !== undefined
          ? `arg_max(${column}, ${date})`
          : `sum(${how === "gained" ? "gained" : column})`;
    const quotient = `(sum(${column})::DOUBLE * ${times} / nullif(sum(${per ?? column}), 0))`;
    // Two places, and six of what would be nothing then.
    const money = `CASE WHEN abs(${sum}) < 0.01 THEN round(${sum}, 6)::DECIMAL(38, 6) ELSE round(${sum}, 2)::DECIMAL(38, 6) END`;
    const value = how === "ratio" ? quotient : currency === undefined ? sum : money;
    const conditions = conditionsOf(slice, `p${place}_`);
    Object.assign(parameters, conditions.parameters);
    const [named, keyed] = [keyOf(group, source), keyOf(split, source)];
    const figures = [
      ...(named === undefined ? [] : [`${named.by} AS grp`]),
      ...(keyed === undefined ? [] : [`${keyed.by} AS key`]),
      `${currency ?? "''"} AS currency`,
      `(${value})::DOUBLE AS amount`,
      `${source.grain === "day" ? `count(DISTINCT ${date})` : "0"}::INTEGER AS days`,
    ];
    return `SELECT ${place} AS place, ${written(named, "grp")} AS grp, ${written(keyed, "key")} AS key, currency, amount, days
      FROM (SELECT ${figures.join(", ")} FROM ${how === "gained" ? GAINED : relationOf(source)}
        WHERE (${column}) IS NOT NULL AND (${per ?? column}) IS NOT NULL AND ${conditions.where} GROUP BY ALL)
      WHERE amount IS NOT NULL`;
  });
  return { sql: selects.join(" UNION ALL "), parameters };
}

/** The expression that groups rows for a split, and its form as a key; `undefined` without a split. */
function keyOf(
  split: Split | undefined,
  { grain, dimensions }: Source,
): { readonly by: string; readonly key: string } | undefined {
  if (split === undefined) return undefined;
  const time = TIME_KEYS[split];
  if (time === undefined) return { by: dimensions[split] ?? "''", key: "@" };
  const date = DATE_COLUMNS[grain] ?? "NULL::DATE";
  return { ...time, by: grain === split ? date : time.by.replaceAll("@", date) };
}

/** A key as text: empty for none. */
function written(key: ReturnType<typeof keyOf>, column: string): string {
  return key === undefined ? "''" : `coalesce((${key.key.replaceAll("@", column)})::VARCHAR, '')`;
}

/** What there is of a measure with these filters. */
export async function extentOf(
  collection: Collection,
  slice: Pick<Slice, "candidate" | "filters"> & Partial<Slice>,
  { splits = [], asked = {} }: { readonly splits?: readonly Split[]; readonly asked?: Filters } = {},
): Promise<Extent> {
  const { source, column } = slice.candidate;
  const { where, parameters } = conditionsOf({ range: undefined, channel: undefined, ...slice });
  const [first, last] = {
    day: ["min(date)", "max(date)"],
    month: ["min(month)", "last_day(max(month))"],
    window: ["NULL", "NULL"],
  }[source.grain] as [string, string];
  const channel = source.table === "video_day" ? "bool_or(video_id IS NULL)" : "false";
  const named = splits.flatMap((split) => source.dimensions[split] ?? []).map((name) => `count(${name}) > 0`);
  // All names of a column cost more than the rest of the statement.
  const names = (dimension: "store" | "city", isAsked: boolean): string => {
    const of = source.dimensions[dimension];
    return isAsked && of !== undefined ? `string_agg(DISTINCT ${of}, chr(10))` : "NULL";
  };
  const storeNames = names("store", source.grain === "window" || asked.stores !== undefined);
  const cityNames = names("city", (asked.cities ?? asked.withoutCities) !== undefined);
  const [row = {}] = await collection.rows(
    `SELECT ${["true", ...named].join(" AND ")} AS named, (${first})::VARCHAR AS first, (${last})::VARCHAR AS last, count(*)::INTEGER AS rows,
       ${channel} AS channel, ${storeNames} AS stores, ${cityNames} AS cities
     FROM ${relationOf(source)} WHERE (${column}) IS NOT NULL AND ${where}`,
    parameters,
  );
  const [from, to] = [textOf(row, "first"), textOf(row, "last")];
  const stores = textOf(row, "stores").split("\n").filter(Boolean).sort();
  return {
    data: from === "" || to === "" ? rangeOf(source.span ?? "") : { from, to },
    rows: Number(row["rows"] ?? 0),
    isNamed: row["named"] === true,
    stores: [...stores.filter((name) => name === "Spotify"), ...stores.filter((name) => name !== "Spotify")],
    cities: textOf(row, "cities").split("\n"),
    hasChannel: row["channel"] === true,
  };
}

/** Months before the last one whose statements show which stores still report. */
const REPORTING_MONTHS = 6;
/** Of the rows of these months, the part whose stores a month must have to stand for all. */
const LEAST_REPORTED = 0.9;

/**
 * The last day of the last month that nearly all stores of the months before have reported: stores report late, and a month that
 * one of them alone has would stand for all. Undefined without rows.
 */
export async function lastReported(
  collection: Collection,
  candidate: Candidate,
  filters: Filters,
): Promise<string | undefined> {
  const { source, column } = candidate;
  const { where, parameters } = conditionsOf({ candidate, filters, range: undefined, channel: undefined });
  const { distributor = "NULL", store = "NULL" } = source.dimensions;
  const [row = {}] = await collection.rows(
    `WITH own AS (SELECT month, ${distributor} AS distributor, ${store} AS store FROM ${relationOf(source)} WHERE (${column}) IS NOT NULL AND ${where}),
      held AS (SELECT DISTINCT month, reporter.distributor, reporter.store, n FROM own JOIN
        (SELECT distributor, store, count(*) AS n FROM own
         WHERE month > (SELECT max(month) FROM own) - INTERVAL ${REPORTING_MONTHS} MONTH GROUP BY ALL) reporter
        ON own.distributor IS NOT DISTINCT FROM reporter.distributor AND own.store IS NOT DISTINCT FROM reporter.store),
      months AS (SELECT month, sum(n) AS rows FROM held GROUP BY month),
      needed AS (SELECT ${LEAST_REPORTED} * sum(n) AS rows FROM (SELECT DISTINCT distributor, store, n FROM held))
     SELECT last_day(month)::VARCHAR AS last FROM months, needed ORDER BY least(months.rows, needed.rows) DESC, month DESC LIMIT 1`,
    parameters,
  );
  return textOf(row, "last") || undefined;
}

/** The measures that have a figure. */
export async function measuresHeld({ rows }: Collection): Promise<readonly Measure[]> {
  const selects = MEASURES.map((measure) => {
    const held = candidatesOf(measure).map(
      ({ source, column, per }) =>
        `EXISTS (SELECT 1 FROM ${relationOf(source)} WHERE (${column}) IS NOT NULL AND (${per ?? column}) IS NOT NULL)`,
    );
    return `SELECT '${measure}' AS measure WHERE ${held.join(" OR ")}`;
  });
  const found = (await rows(selects.join(" UNION ALL "))).map((row) => textOf(row, "measure"));
  return MEASURES.filter((measure) => found.includes(measure));
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

/** The condition of a slice with its named parameters, whose names begin with the prefix. */
function conditionsOf(
  { candidate: { source }, filters, range, channel }: Slice,
  prefix = "p",
): { readonly where: string; readonly parameters: Parameters } {
  const date = DATE_COLUMNS[source.grain];
  const parameters: Record<string, string | number> = {};
  const where: string[] = [];
  const given = (value: string | number): string => {
    const name = `${prefix}${Object.keys(parameters).length}`;
    parameters[name] = value;
    return `$${name}`;
  };
  const within = (
    column: string | undefined,
    values: readonly (string | number)[] = [],
    isOut = false,
  ): void => {
    if (column === undefined || values.length === 0) return;
    const list = values.map(given).join(", ");
    where.push(isOut ? `coalesce(${column} NOT IN (${list}), true)` : `${column} IN (${list})`);
  };
  for (const name of FILTER_NAMES) {
    const column = source.dimensions[FILTERED[name]];
    within(column, filters[name]);
    within(column, filters[WITHOUT[name]], true);
  }
  if (source.grain === "day") within("(isodow(date) - 1)", filters.weekdays);
  if (range !== undefined && date !== undefined)
    where.push(`${date} BETWEEN ${given(range.from)}::DATE AND ${given(range.to)}::DATE`);
  if (channel !== undefined) where.push(channel ? "video_id IS NULL" : "video_id IS NOT NULL");
  return { where: where.length === 0 ? "true" : where.join(" AND "), parameters };
}

/** One row of a split: its figure in each of the slices that stand side by side. */
export interface Row {
  /** The key of the group that the row is ranked in; empty without groups. */
  readonly group: string;
  readonly key: string;
  readonly currency: string;
  readonly figures: readonly (Figure | undefined)[];
  /** Per cent of the first figure against the second; undefined where that would mislead. */
  readonly change?: number | undefined;
}

/** The rows of slices by a split and within groups, in the order of their keys. */
export async function rowsOf(
  collection: Collection,
  slices: readonly Slice[],
  split: Split | undefined,
  group?: Split,
): Promise<readonly Row[]> {
  const { sql, parameters } = statementOf(slices, split, group);
  const found = await collection.rows(sql, parameters);
  const wholeOf = (row: ResultRow): string => JSON.stringify([row["place"], row["grp"], row["currency"]]);
  const wholes = new Map<string, number>();
  for (const row of found) wholes.set(wholeOf(row), (wholes.get(wholeOf(row)) ?? 0) + Number(row["amount"]));
  const rows = new Map<
    string,
    { group: string; key: string; currency: string; figures: (Figure | undefined)[] }
  >();
  for (const one of found) {
    const [key, currency, name] = [textOf(one, "key"), textOf(one, "currency"), textOf(one, "grp")];
    const id = JSON.stringify([name, key, currency]);
    const row = rows.get(id) ?? {
      group: name,
      key,
      currency,
      figures: slices.map((): undefined => undefined),
    };
    const place = Number(one["place"]);
    const value = Number(one["amount"]);
    const whole = wholes.get(wholeOf(one)) ?? 0;
    row.figures[place] = {
      key,
      currency,
      value,
      share: slices[place]?.candidate.how === "sum" && whole > 0 ? (100 * value) / whole : undefined,
      days: Number(one["days"]),
    };
    rows.set(id, row);
  }
  return [...rows.values()].sort(byKey);
}

/** The rows, and one without a figure for each of these keys that has none. */
export function withKeys(rows: readonly Row[], keys: readonly string[]): readonly Row[] {
  const found = new Set(rows.map(({ key }) => key));
  const absent = keys
    .filter((key) => !found.has(key))
    .map((key) => ({ group: "", key, currency: "", figures: [] }));
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
  const whole = rows.filter(({ key }) => !isCut(key, split, range));
  return whole.length === 0 ? rows : whole;
}

/** Whether a day, week, month, quarter or year lies partly outside of a range. */
export function isCut(key: string, split: Split, range: DayRange): boolean {
  const { from, to } = daysOf(key, split);
  return from < range.from || to > range.to;
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
  return (
    compare(left.group, right.group) || compare(left.key, right.key) || compare(left.currency, right.currency)
  );
}

/** Numbers by their size, text by its signs. */
function compare(left: string, right: string): number {
  if (/^\d{1,9}$/.test(left) && /^\d{1,9}$/.test(right)) return Number(left) - Number(right);
  return left < right ? -1 : left > right ? 1 : 0;
}
