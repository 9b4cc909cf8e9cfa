import type { DayRange } from "../question/day.ts";
import type { Filters, Split } from "../question/query.ts";
import type { Collection } from "../store/catalog.ts";
import type { Parameters, ResultRow } from "../store/database.ts";
import { FILTER_NAMES, FILTERED, relationOf, WITHOUT, type Candidate, type Source } from "../model.ts";

/** A selection of figures of one measure: their source and the filters that apply to them. */
export interface Slice {
  readonly candidate: Candidate;
  readonly filters: Filters;
  /** Undefined for sums of a file's window. */
  readonly range: DayRange | undefined;
  /** Whether to use the rows of videos or those of the whole channel. */
  readonly channel: boolean | undefined;
}

/** A slice together with the slice that it is compared with. */
export interface Series {
  readonly now: Slice;
  readonly before?: Slice | undefined;
  /** Maps an earlier key to the current key, for steps by position. Undefined omits the row. */
  readonly keyNow?: ((key: string) => string | undefined) | undefined;
}

/** One figure. */
export interface Figure {
  readonly value: number;
  /** The percentage of all figures with the same group and currency; only for figures that can be added up. */
  readonly share: number | undefined;
  /** Days with figures. */
  readonly days: number;
}

/** Dimensions, with the current and earlier figures of each series. */
export interface Row {
  /** The key of the group in which the row is ranked; empty without groups. */
  readonly group: string;
  readonly key: string;
  /** The currency of money; otherwise empty. */
  readonly currency: string;
  readonly now: readonly (Figure | undefined)[];
  readonly before: readonly (Figure | undefined)[];
}

interface Statement {
  readonly sql: string;
  readonly parameters: Parameters;
}

/** Rows are grouped by a date or number (`@` is the date column); only the grouped values are formatted as keys. */
const TIME_KEYS: Readonly<Partial<Record<Split, { readonly by: string; readonly key: string }>>> = {
  day: { by: "@", key: "strftime(@, '%Y-%m-%d')" },
  week: { by: "date_trunc('week', @)", key: "strftime(@, '%Y-%m-%d')" },
  month: { by: "date_trunc('month', @)", key: "strftime(@, '%Y-%m')" },
  quarter: { by: "date_trunc('quarter', @)", key: "concat(year(@), '-Q', quarter(@))" },
  year: { by: "date_trunc('year', @)", key: "strftime(@, '%Y')" },
  weekday: { by: "isodow(@)", key: "@ - 1" },
  weekpart: { by: "isodow(@) > 5", key: "CASE WHEN @ THEN 'weekend' ELSE 'working' END" },
};
/** Splits that monthly rows do not support. */
const DAILY: readonly Split[] = ["day", "week", "weekday", "weekpart"];
const DATE_COLUMNS = { day: "date", month: "month", window: undefined };
export const TIME_SPLITS = Object.keys(TIME_KEYS) as readonly Split[];
const GAINED =
  "(SELECT date, store, followers, followers - lag(followers) OVER (PARTITION BY store ORDER BY date) AS gained FROM account_day WHERE followers IS NOT NULL)";

/**
 * The rows of several series by split and group, in the order of their keys. With several series, figures without a
 * currency are placed next to those of the one currency, if there is exactly one.
 */
export async function rowsOf(
  collection: Collection,
  series: readonly Series[],
  split?: Split,
  group?: Split,
): Promise<readonly Row[]> {
  const places = series.flatMap(({ now, before }, at) => [
    { at, side: "now" as const, slice: now },
    ...(before === undefined ? [] : [{ at, side: "before" as const, slice: before }]),
  ]);
  const { sql, parameters } = statementOf(
    places.map(({ slice }) => slice),
    split,
    group,
  );
  const found = await collection.rows(sql, parameters);
  const currencies = new Set(found.map((row) => textOf(row, "currency")).filter(Boolean));
  const [only = ""] = split !== undefined && series.length > 1 && currencies.size === 1 ? currencies : [];
  const rows = new Map<string, Row & { now: (Figure | undefined)[]; before: (Figure | undefined)[] }>();
  for (const one of found) {
    const { at, side, slice } = places[Number(one["place"])] ?? {};
    if (at === undefined || side === undefined) continue;
    const key = textOf(one, "key");
    const keyNow = series[at]?.keyNow;
    const place = side === "now" || keyNow === undefined ? key : keyNow(key);
    if (place === undefined) continue;
    const [name, currency] = [textOf(one, "grp"), textOf(one, "currency") || only];
    const id = JSON.stringify([name, place, currency]);
    const none = (): undefined[] => series.map((): undefined => undefined);
    const row = rows.get(id) ?? { group: name, key: place, currency, now: none(), before: none() };
    const whole = Number(one["whole"]);
    const value = Number(one["amount"]);
    const share = slice?.candidate.how === "sum" && whole > 0 ? (100 * value) / whole : undefined;
    row[side][at] = { value, share, days: Number(one["days"]) };
    rows.set(id, row);
  }
  return [...rows.values()].sort(byKey);
}

/** The currencies of figures by code, the display order of money; a single empty name for other figures. */
export function currenciesOf(figures: readonly { readonly currency: string }[]): readonly string[] {
  const names = [...new Set(figures.map(({ currency }) => currency))].filter(Boolean).sort();
  return names.length > 0 ? names : [""];
}

/** The figures of a slice by a split, or one total; one per currency. */
export async function figuresBy(collection: Collection, slice: Slice, split?: Split) {
  const rows = await rowsOf(collection, [{ now: slice }], split);
  return rows.flatMap(({ key, currency, now: [figure] }) => (figure ? [{ key, currency, ...figure }] : []));
}

/** The percentage of a change; undefined if there is no earlier figure. */
export function changeOf(now: number | undefined, before: number | undefined): number | undefined {
  if (now === undefined || before === undefined || before <= 0) return undefined;
  return (100 * (now - before)) / before;
}

/** Groups values by key, in the order in which the keys first occur. */
export function gathered<T>(values: readonly T[], keyOf: (value: T) => string): readonly (readonly T[])[] {
  const found = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const others = found.get(key);
    if (others === undefined) found.set(key, [value]);
    else others.push(value);
  }
  return [...found.values()];
}

/** The key of a row and its currency. */
export function stepOf({ key, currency }: Row): string {
  return JSON.stringify([key, currency]);
}

/** The running sum at each step of a series, by key and currency. */
export function runningSums(rows: readonly Row[], at: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const part of gathered(rows, ({ currency }) => currency)) {
    let sum = 0;
    const first = part.findIndex(({ now }) => now[at] !== undefined);
    for (const row of first < 0 ? [] : part.slice(first))
      sums.set(stepOf(row), (sum += row.now[at]?.value ?? 0));
  }
  return sums;
}

/** All figures of a slice, added up. */
export async function sumOf(collection: Collection, slice: Slice): Promise<number> {
  return (await figuresBy(collection, slice)).reduce((sum, { value }) => sum + value, 0);
}

/**
 * The statement of a query: its figures by a split and within groups, for several slices (place 0, 1, …): place, grp, key,
 * currency, amount, days with figures, and the total it is part of. Identifiers come from model.json.
 */
export function statementOf(slices: readonly Slice[], split?: Split, group?: Split): Statement {
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
    // Two decimals, or six for amounts that two would round to zero.
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
    return `SELECT ${place} AS place, ${written(named, "grp")} AS grp, ${written(keyed, "key")} AS key, currency, amount, days, sum(amount) OVER (PARTITION BY ${named === undefined ? "" : "grp, "}currency) AS whole
      FROM (SELECT ${figures.join(", ")} FROM ${how === "gained" ? GAINED : relationOf(source)}
        WHERE (${column}) IS NOT NULL AND (${per ?? column}) IS NOT NULL AND ${conditions.where} GROUP BY ALL)
      WHERE amount IS NOT NULL`;
  });
  return { sql: selects.join(" UNION ALL "), parameters };
}

/** The column of a source for a split; undefined if the source does not support it. */
export function columnOf({ grain, dimensions }: Source, split: Split): string | undefined {
  if (TIME_KEYS[split] === undefined) return dimensions[split];
  return grain === "month" && DAILY.includes(split) ? undefined : DATE_COLUMNS[grain];
}

/** The expression that groups rows for a split, and its format as a key; `undefined` without a split. */
function keyOf(
  split: Split | undefined,
  source: Source,
): { readonly by: string; readonly key: string } | undefined {
  if (split === undefined) return undefined;
  const column = columnOf(source, split) ?? "''";
  const time = TIME_KEYS[split];
  if (time === undefined) return { by: column, key: "@" };
  return { ...time, by: source.grain === split ? column : time.by.replaceAll("@", column) };
}

/** A key as text; empty if there is none. */
function written(key: ReturnType<typeof keyOf>, column: string): string {
  return key === undefined ? "''" : `coalesce((${key.key.replaceAll("@", column)})::VARCHAR, '')`;
}

/** The most filter values with a parameter each; more become one list, since thousands of parameters take seconds. */
const MOST_PARAMETERS = 20;

/** The condition of a slice with its named parameters, whose names start with the prefix. */
export function conditionsOf(
  { candidate: { source }, filters, range, channel }: Slice,
  prefix = "p",
): { readonly where: string; readonly parameters: Parameters } {
  const date = DATE_COLUMNS[source.grain];
  const parameters: Record<string, string | number> = {};
  let count = 0;
  const where: string[] = [];
  const given = (value: string | number): string => {
    const name = `${prefix}${count++}`;
    parameters[name] = value;
    return `$${name}`;
  };
  const within = (
    column: string | undefined,
    values: readonly (string | number)[] = [],
    isOut = false,
  ): void => {
    if (column === undefined || values.length === 0) return;
    const type = typeof values[0] === "number" ? "BIGINT" : "VARCHAR";
    const list =
      values.length > MOST_PARAMETERS
        ? `SELECT unnest(from_json(${given(JSON.stringify(values))}, '["${type}"]'))`
        : values.map(given).join(", ");
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

/** Sorts by group, key and currency. */
export function byKey(left: Row, right: Row): number {
  return (
    compare(left.group, right.group) || compare(left.key, right.key) || compare(left.currency, right.currency)
  );
}

/** Compares numbers by value, and text by characters. */
function compare(left: string, right: string): number {
  if (/^\d{1,9}$/.test(left) && /^\d{1,9}$/.test(right)) return Number(left) - Number(right);
  return left < right ? -1 : left > right ? 1 : 0;
}

export function textOf(row: ResultRow, column: string): string {
  const value = row[column];
  return value === null || value === undefined ? "" : String(value);
}
