import type { Collection } from "../store/catalog.ts";
import { ALL_TIME, lengthIn } from "../store/spans.ts";
import { back, daysOf, type DayRange } from "./day.ts";
import type { Query } from "./query.ts";
import type { Reading } from "./reading.ts";
import type { Time } from "./times.ts";
import { storesNamed } from "./vocabulary.ts";

/** Reads a query as a question with exactly this meaning. Names of stores may be in any case. */
export function readingOf(query: Query, { catalog }: Pick<Collection, "catalog">): Reading {
  const { comparison, split, order, rows, direction, threshold, filters = {} } = query;
  const { measures = [], kind = measures.length > 0 ? "figures" : "overview" } = query;
  const named = comparison?.by === "default" ? undefined : comparison;
  const other = rangeTime(named?.from, named?.to);
  const stores = (names: readonly string[]): string[] =>
    names.flatMap((name) => {
      const known = storesNamed(name, catalog.stores);
      return known.length > 0 ? known : [name];
    });
  return {
    question: "",
    language: query.language ?? "en",
    kind,
    measures: kind === "overview" || kind === "releases" || measures.length > 0 ? measures : ["plays"],
    hasMeasure: measures.length > 0,
    split,
    hasSplit: split !== undefined,
    group: query.group,
    filters: {
      ...filters,
      ...(filters.stores && { stores: stores(filters.stores) }),
      ...(filters.withoutStores && { withoutStores: stores(filters.withoutStores) }),
    },
    beside: [],
    times: [...namedPeriod(query.period), ...(named?.with === "period" ? other : [])],
    comparison: named === undefined || named.with === "period" ? undefined : named.with,
    comparedYear: named?.with === "year-before" ? other[0] : undefined,
    order,
    rows,
    average: query.average === true,
    isTrend: false,
    isGrowth: query.growth === true,
    isCumulative: query.cumulative === true,
    isDifference: query.difference === true,
    threshold,
    atLeast: query.atLeast,
    atMost: query.atMost,
    direction,
    faults: [],
    spellings: [],
    unclaimed: [],
    hasUnknown: false,
    marks: new Set(),
    isOfVideos: false,
    implied: undefined,
    taken: [],
    isWhole: false,
  };
}

/** A period of a query; `2026-10` is the whole month. */
export function namedPeriod(period: Query["period"]): readonly Time[] {
  if (typeof period !== "string") return rangeTime(period?.from, period?.to);
  if (period === ALL_TIME) return [{ text: period, days: ({ data }) => data, isEver: true }];
  const length = lengthIn(period);
  if (length !== undefined)
    return [{ text: period, days: ({ data }) => back(length.count, length.unit, data.to) }];
  const [first = "", last = first] = period.split("/");
  const [from, to] = [calendarDays(first)?.from, calendarDays(last)?.to];
  return [timeOf(period, from === undefined || to === undefined ? undefined : { from, to })];
}

function rangeTime(from: string | undefined, to: string | undefined): readonly Time[] {
  if (from === undefined && to === undefined) return [];
  const [first, last] = [from ?? to ?? "", to ?? from ?? ""];
  return namedPeriod(`${first}/${last}`);
}

function timeOf(text: string, range: DayRange | undefined): Time {
  return { text, days: () => range };
}

/** The days of `2026`, `2026-10` or `2026-10-05`; undefined if the calendar has none. */
function calendarDays(text: string): DayRange | undefined {
  const [year, month, date] = text.split("-").map(Number);
  return daysOf({ year, month, date }, "2000-01-01");
}
