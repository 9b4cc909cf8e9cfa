import type { DayRange } from "../question/day.ts";
import type { Filters, Measure, Split } from "../question/query.ts";
import type { Collection } from "../store/catalog.ts";
import { rangeOf } from "../store/spans.ts";
import { candidatesOf, MEASURES, relationOf, SOURCES, type Candidate } from "../model.ts";
import { stepsIn } from "./calendar.ts";
import { columnOf, conditionsOf, figuresBy, textOf, TIME_SPLITS, type Slice } from "./figures.ts";

/** The figures of a measure in one table. */
export interface Extent {
  /** First and last day. */
  readonly data: DayRange | undefined;
  readonly rows: number;
  /** Spotify first, then by name; only for tables of windows, or if stores are requested. */
  readonly stores: readonly string[];
  /** Only if cities are requested. */
  readonly cities: readonly string[];
  /** Whether the requested dimensions have a name in any row. */
  readonly isNamed: boolean;
  /** Whether there are rows of the whole channel, to which the rows of its videos are not added. */
  readonly hasChannel: boolean;
}

/** Reads the extent of a measure with these filters. */
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
  // Reading all names of a column costs more than the rest of the statement.
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

/** The number of months before the last one whose statements show which stores still report. */
const REPORTING_MONTHS = 6;
/** A month counts as complete if its stores account for at least this share of the rows of these months. */
const LEAST_REPORTED = 0.9;

/**
 * The last day of the last month that nearly all stores of the previous months have reported: stores report late, and the
 * figures of a single store would pass for those of all. Undefined without rows.
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
    `WITH own AS MATERIALIZED (SELECT month, ${distributor} AS distributor, ${store} AS store, count(*) AS rows FROM ${relationOf(source)}
        WHERE (${column}) IS NOT NULL AND ${where} GROUP BY ALL),
      reporter AS MATERIALIZED (SELECT distributor, store, sum(rows) AS n FROM own
        WHERE month > (SELECT max(month) FROM own) - INTERVAL ${REPORTING_MONTHS} MONTH GROUP BY ALL),
      months AS (SELECT month, sum(n) AS rows FROM own JOIN reporter
        ON own.distributor IS NOT DISTINCT FROM reporter.distributor AND own.store IS NOT DISTINCT FROM reporter.store GROUP BY month),
      needed AS (SELECT ${LEAST_REPORTED} * sum(n) AS rows FROM reporter)
     SELECT last_day(month)::VARCHAR AS last FROM months, needed ORDER BY least(months.rows, needed.rows) DESC, month DESC LIMIT 1`,
    parameters,
  );
  return textOf(row, "last") || undefined;
}

/** The measures that have a figure; with `isWhole`, without those that exist only by age, traffic source etc. */
export async function measuresHeld({ rows }: Collection, isWhole = false): Promise<readonly Measure[]> {
  const selects = MEASURES.map((measure) => {
    const held = candidatesOf(measure).flatMap(({ source, column, per, isOfStatements }) =>
      isWhole && (source.only !== undefined || isOfStatements === true)
        ? []
        : `EXISTS (SELECT 1 FROM ${relationOf(source)} WHERE (${column}) IS NOT NULL AND (${per ?? column}) IS NOT NULL)`,
    );
    return `SELECT '${measure}' AS measure WHERE ${["false", ...held].join(" OR ")}`;
  });
  const found = (await rows(selects.join(" UNION ALL "))).map((row) => textOf(row, "measure"));
  return MEASURES.filter((measure) => found.includes(measure));
}

/** The days of a range that have no figure; for statements, the months that have no statement. */
export async function missingFrom(collection: Collection, slice: Slice): Promise<readonly string[]> {
  const { range, candidate, filters } = slice;
  const { grain } = candidate.source;
  if (range === undefined || grain === "window") return [];
  const all: Slice = {
    ...slice,
    filters: grain === "month" ? {} : { ...filters, weekdays: [] },
    candidate: { ...candidate, how: "sum" },
  };
  const found = new Set((await figuresBy(collection, all, grain)).map(({ key }) => key));
  return stepsIn(range, grain).filter((key) => !found.has(key));
}

/** Songs whose first day is after a given day, so that they have no earlier figures for a comparison. */
export async function songsSince(collection: Collection, day: string): Promise<ReadonlySet<string>> {
  const rows = await collection.rows(
    `SELECT song_id FROM song_day GROUP BY song_id HAVING min(date) > $day::DATE AND min(date) > (SELECT min(date) FROM song_day)
     UNION SELECT id FROM song WHERE released_on > $day::DATE`,
    { day },
  );
  return new Set(rows.map((row) => textOf(row, "song_id")));
}

/** The measures and splits of a query for which the files have no figures. */
export async function absentFrom(collection: Collection): Promise<readonly string[]> {
  const splits = [
    ...new Set([...TIME_SPLITS, ...SOURCES.flatMap(({ dimensions }) => Object.keys(dimensions) as Split[])]),
  ];
  const columns = splits.map((split) => {
    const rows = SOURCES.flatMap((source) => {
      const column = columnOf(source, split);
      return column === undefined
        ? []
        : [`EXISTS (SELECT 1 FROM ${relationOf(source)} WHERE ${column} IS NOT NULL)`];
    });
    return `${rows.join(" OR ")} AS "${split}"`;
  });
  const [held = {}] = await collection.rows(`SELECT ${columns.join(", ")}`);
  const measures = await measuresHeld(collection);
  return [
    ...MEASURES.filter((one) => !measures.includes(one)),
    ...splits.filter((one) => held[one] !== true),
  ];
}
