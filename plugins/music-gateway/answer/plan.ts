import {
  lengthOf,
  addDays,
  addMonths,
  calendarUnit,
  monthOf,
  yearOf,
  back,
  type DayRange,
} from "../question/day.ts";
import { isOfChange, type Measure, type Query, type Split, type Comparison } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import { formatOf } from "../import/format.ts";
import type { Collection } from "../store/catalog.ts";
import { extentOf, measuresHeld, isTimeSplit, textOf, type Extent, type Slice } from "./figures.ts";
import { candidatesOf, FILTER_NAMES, FILTERED, isFilledBy, WITHOUT, type Candidate } from "../model.ts";
import type { Question, Refusal, Wording } from "./wording.ts";
import type { Time } from "../question/times.ts";

/** The days of an answer. */
interface Period {
  /** Undefined where a file does not say its window. */
  readonly range: DayRange | undefined;
  /** What was asked for, where it is more than there is. */
  readonly asked?: DayRange | undefined;
  readonly by: "question" | "default" | "file";
  readonly comparison?: (DayRange & { with: Comparison; by: "question" | "default" }) | undefined;
  /** What the default is called. */
  readonly fallback?: "default-days" | "default-month" | "default-all";
  /** The length of a file's window, where only its name says it. */
  readonly windowDays?: number | undefined;
}

/** Where a measure is looked for, and which days it has there. */
interface Availability {
  readonly measure: Measure;
  readonly candidate: Candidate;
  readonly data: DayRange | undefined;
  /** First day of the song that is asked about. */
  readonly released: string | undefined;
  /** Names of the files that the figures come from. */
  readonly files: readonly string[];
}

/** The days a question asks for, cut to those with data; or the sentence that says why there are none. */
function periodOf(question: Question, found: Availability): Period | Refusal {
  const { reading, wording } = question;
  const { candidate, data, measure, released } = found;
  if (candidate.source.grain === "window") return windowOf(question, found);
  if (data === undefined) return { refusal: wording.say("no-figures", { NAME: wording.measure(measure) }) };
  const today = todayOf(question, data);
  const named: DayRange[] = [];
  for (const time of reading.times) {
    const [first] = named;
    const days =
      first !== undefined && time.before !== undefined
        ? back(time.before.count, time.before.unit, addDays(first.from, -1))
        : time.days({ data, today, released });
    const range = aligned(question, found, time, days, data);
    if ("refusal" in range) return range;
    named.push(range);
  }
  const isFirstLater = named.length > 1 && (named[0]?.from ?? "") > (named[1]?.from ?? "");
  const [later, earlier] = isFirstLater ? named : named.reverse();
  if (later === undefined) return compared(question, found, defaultOf(question, candidate, data), data);
  const range = cut(later, data);
  if (range === undefined) return outside(question, "outside", later, data);
  const asked = isSame(range, later) ? undefined : later;
  if (earlier === undefined) return compared(question, found, { range, asked, by: "question" }, data);
  const before = cut(earlier, data);
  if (before === undefined) return outside(question, "outside", earlier, data);
  return { range, asked, by: "question", comparison: { ...before, with: "period", by: "question" } };
}

/** Files that reach beyond the clock's day are counted from their own last day. */
function todayOf({ today }: Question, data: DayRange): string {
  return today === undefined || today < data.to ? data.to : today;
}

/** A named period that the calendar has; whole months for statements. */
function aligned(
  { wording }: Question,
  { candidate, released, measure }: Availability,
  time: Time,
  range: DayRange | undefined,
  data: DayRange,
): DayRange | Refusal {
  if (range === undefined) {
    if (time.isRelease === true && released === undefined) return { refusal: wording.say("no-release") };
    return { refusal: wording.say("no-such-day", { WORDS: time.text }) };
  }
  if (range.from > range.to) return { refusal: wording.say("reversed") };
  if (candidate.source.grain !== "month") return range;
  const isFromFirst = range.from.endsWith("-01") || range.from <= data.from || time.isRelease === true;
  const isToLast = isMonthEnd(range.to) || range.to >= data.to;
  if (isFromFirst && isToLast) return { from: `${range.from.slice(0, 8)}01`, to: range.to };
  const values = { NAME: wording.measure(measure), ASKED: wording.range(range) };
  return { refusal: wording.say("whole-months", values) };
}

const MONTHLY: readonly Split[] = ["month", "quarter", "year"];

/** No period is named: the last 30 days, the last statement month, or all data for months and years. */
function defaultOf({ reading }: Question, { source }: Candidate, data: DayRange): Period {
  const isMonth = source.grain === "month";
  const isByMonth =
    [reading.split, reading.group].some((one) => one !== undefined && MONTHLY.includes(one)) ||
    (reading.isTrend && isMonth) ||
    reading.atLeast !== undefined ||
    reading.atMost !== undefined;
  // A milestone is counted from the first day that the files have.
  if (isByMonth || reading.kind === "milestone")
    return { range: data, by: "default", fallback: "default-all" };
  const from = isMonth ? `${data.to.slice(0, 8)}01` : addDays(data.to, -29);
  const range = { from: from < data.from ? data.from : from, to: data.to };
  return { range, by: "default", fallback: isMonth ? "default-month" : "default-days" };
}

/** Adds what a period is compared with: what is asked for, else as much before, where the data have it. */
function compared(
  question: Question,
  { candidate: { source }, released }: Availability,
  period: Period,
  data: DayRange,
): Period | Refusal {
  const { kind, comparison, comparedYear, isTrend, split, group, order } = question.reading;
  const isSeries = isTrend || isTimeSplit(split);
  const { range } = period;
  const isAlone =
    kind === "changes" ||
    kind === "milestone" ||
    group !== undefined ||
    (isSeries && comparison === undefined);
  if (range === undefined || isAlone) return period;
  const year = comparedYear?.days({ data, today: todayOf(question, data), released });
  const years = year === undefined ? 1 : yearOf(range.from) - yearOf(year.from);
  const isAsked = comparison !== undefined || isOfChange(order);
  const before = comparison === "year-before" ? yearsBefore(range, years) : previousOf(range);
  const start = source.grain === "month" ? `${data.from.slice(0, 8)}01` : data.from;
  if (before.from >= start && before.to <= data.to)
    return {
      ...period,
      comparison: { ...before, with: comparison ?? "previous", by: isAsked ? "question" : "default" },
    };
  return isAsked ? outside(question, "comparison-outside", before, data) : period;
}

/** The sums of a file's window: another period cannot be had of them. */
function windowOf({ reading, wording }: Question, { data, files, measure }: Availability): Period | Refusal {
  const windowDays = data === undefined ? daysInName(files) : undefined;
  const [first, second] = reading.times;
  const range = data && first?.days({ data, today: data.to });
  const isWhole =
    first === undefined ||
    first.isEver === true ||
    (windowDays !== undefined && isLast(windowDays, first)) ||
    (range !== undefined && data !== undefined && isSame(range, data));
  const isCompared =
    second !== undefined ||
    reading.comparison !== undefined ||
    isOfChange(reading.order) ||
    reading.kind === "reasons";
  if (isWhole && !isCompared) return { range: data, by: "file", windowDays };
  const unknown = windowDays === undefined ? wording.say("window-unknown") : wording.days(windowDays);
  const asked = range === undefined ? first?.text : wording.range(range);
  const refusal = wording.say("only-window", {
    NAME: wording.measure(measure),
    WINDOW: data === undefined ? unknown : wording.range(data),
    ASKED: asked ?? wording.say("change"),
  });
  return { refusal };
}

/** The one length that all names of files say: `songs-28day.csv`. */
function daysInName(files: readonly string[]): number | undefined {
  const lengths = new Set(files.map((name) => /(\d{1,3})[ _-]?(?:days?|天)/i.exec(name)?.[1]));
  const [length] = lengths;
  return lengths.size === 1 && length !== undefined ? Number(length) : undefined;
}

/** Whether a period is the last so many days, whatever day that is counted from. */
function isLast(days: number, time: Time): boolean {
  const data = { from: "1990-01-01", to: "2026-06-15" };
  const range = time.days({ data, today: data.to });
  return range?.to === data.to && lengthOf(range) === days;
}

/** As many days before; as many months before for whole months. */
function previousOf(range: DayRange): DayRange {
  const to = addDays(range.from, -1);
  if (!range.from.endsWith("-01") || !isMonthEnd(range.to))
    return { from: addDays(range.from, -lengthOf(range)), to };
  const months = (yearOf(range.to) - yearOf(range.from)) * 12 + monthOf(range.to) - monthOf(range.from) + 1;
  return { from: addMonths(range.from, -months), to };
}

function yearsBefore({ from, to }: DayRange, years: number): DayRange {
  const months = -12 * years;
  const end = isMonthEnd(to) ? addDays(addMonths(addDays(to, 1), months), -1) : addMonths(to, months);
  return { from: addMonths(from, months), to: end };
}

function isMonthEnd(day: string): boolean {
  return addDays(day, 1).endsWith("-01");
}

function cut(asked: DayRange, data: DayRange): DayRange | undefined {
  const from = asked.from < data.from ? data.from : asked.from;
  const to = asked.to > data.to ? data.to : asked.to;
  return from > to ? undefined : { from, to };
}

function isSame(left: DayRange, right: DayRange): boolean {
  return left.from === right.from && left.to === right.to;
}

/** No figures for a period: with the last whole day, week, month, quarter or year that has some, where it lies behind the data. */
function outside(
  { wording }: Question,
  name: "outside" | "comparison-outside",
  range: DayRange,
  data: DayRange,
): Refusal {
  const said = wording.say(name, { ASKED: wording.range(range), DATA: wording.range(data) });
  const last = name === "outside" && range.from > data.to ? lastComplete(range, data) : undefined;
  if (last === undefined) return { refusal: said };
  const offer = wording.say("last-complete", { NAME: wording.period(last.range, last.unit) });
  return { refusal: [said, offer].join(wording.language === "zh" ? "" : " ") };
}

const UNITS = ["day", "week", "month", "quarter", "year"] as const;

/** The last period of the same kind that the data have as a whole, else as many days up to the last one. */
function lastComplete(
  asked: DayRange,
  data: DayRange,
): { readonly range: DayRange; readonly unit: (typeof UNITS)[number] } | undefined {
  // Of a period that is not over, too: "this month" ends today.
  const unit = UNITS.find(
    (one) => calendarUnit(0, one, asked.from)?.from === asked.from && lengthOf(asked) <= MOST[one],
  );
  if (unit === undefined) {
    const last = { from: addDays(data.to, 1 - lengthOf(asked)), to: data.to };
    return last.from >= data.from ? { range: last, unit: "day" } : undefined;
  }
  const now = calendarUnit(0, unit, addDays(data.to, 1));
  const range =
    now?.from === addDays(data.to, 1) ? calendarUnit(1, unit, now.from) : calendarUnit(1, unit, data.to);
  return range !== undefined && range.from >= data.from ? { range, unit } : undefined;
}

const MOST = { day: 1, week: 7, month: 31, quarter: 92, year: 366 } as const;

/** How one measure is answered: from where, of which days, compared with which. */
export interface Plan {
  readonly measure: Measure;
  readonly split: Split | undefined;
  readonly slice: Slice;
  readonly period: Period;
  /** First and last day with figures of the measure. */
  readonly data: DayRange | undefined;
}

const STEPS: readonly (readonly [number, Split])[] = [
  [31, "day"],
  [190, "week"],
];
const DAILY: readonly Split[] = ["day", "week", "weekday", "weekpart"];

export function isPlan(plan: Plan | Refusal): plan is Plan {
  return !("refusal" in plan);
}

/** Finds the first source that has a measure with all that a question asks of it, else one that has some of its stores. */
export async function planOf(question: Question, measure: Measure): Promise<Plan | Refusal> {
  const plan = await planWith(question, measure, true);
  if (isPlan(plan) || (question.reading.filters.stores?.length ?? 0) < 2) return plan;
  const some = await planWith(question, measure, false);
  return isPlan(some) ? some : plan;
}

async function planWith(question: Question, measure: Measure, hasAll: boolean): Promise<Plan | Refusal> {
  const { reading, collection, wording } = question;
  const NAME = wording.measure(measure);
  let weightiest = { weight: 0, refusal: "" };
  const refuse = (weight: number, refusal: string): void => {
    if (weight > weightiest.weight) weightiest = { weight, refusal };
  };
  for (const candidate of orderedFor(reading, measure)) {
    const { source } = candidate;
    const splits = [reading.split, reading.group].filter((one) => one !== undefined);
    // A part of a table that is by a dimension of its own answers for that only.
    const isOther = source.base !== undefined && !splits.some((one) => source.dimensions[one] === "member");
    const whole = await extentOf(collection, candidate, {}, splits);
    if (whole.rows === 0) continue;
    const [asked] = splits;
    if (isOther) {
      if (asked !== undefined) refuse(1, wording.say("not-by", { NAME, BY: bySplit(asked, wording) }));
      continue;
    }
    const lacking = lackingOf(candidate, question) ?? unnamedOf(whole, splits, wording);
    if (lacking !== undefined) {
      // The source that lacks least says what is lacking.
      const absent = splits.filter((one) => !isTimeSplit(one) && source.dimensions[one] === undefined);
      refuse(1 + 0.5 / (1 + absent.length), wording.say("not-by", { NAME, BY: lacking }));
      continue;
    }
    if (candidate.isOfStatements === true && !isByPlace(reading)) continue;
    const isWindow = source.grain === "window";
    // Sums of several stores' windows are not added up: without a store that is named it is the first.
    const isMixed = isWindow && whole.stores.length > 1 && reading.filters.stores === undefined;
    const filters = isMixed ? { ...reading.filters, stores: whole.stores.slice(0, 1) } : reading.filters;
    const isNarrowed = Object.keys(filters).some((name) => name !== "weekdays");
    const narrowed = isNarrowed ? await extentOf(collection, candidate, { ...filters, weekdays: [] }) : whole;
    // Of two stores that are named the source must know both; first one is looked for that has figures of both.
    const known = hasAll ? narrowed.stores : whole.stores;
    if (narrowed.rows === 0 || !(filters.stores ?? []).every((store) => known.includes(store))) {
      refuse(2, nothingFor(question, NAME));
      continue;
    }
    const data = isWindow ? narrowed.data : whole.data;
    const files = filesOf(collection, candidate, filters.stores ?? whole.stores);
    const released = await releaseOf(reading, collection);
    const period = periodOf(question, { measure, candidate, data, files, released });
    if ("refusal" in period) {
      refuse(3, period.refusal);
      continue;
    }
    const range = isWindow ? undefined : period.range;
    const split = reading.isTrend ? stepOf(candidate, range) : reading.split;
    const slice = { candidate, filters, range, channel: channelOf(whole, reading) };
    return { measure, split, slice, period, data };
  }
  if (weightiest.weight > 0) return { refusal: weightiest.refusal };
  const held = (await measuresHeld(collection)).map((one) => wording.measure(one));
  const said = [
    wording.say("no-figures", { NAME }),
    ...(held.length === 0 ? [] : [wording.say("held", { NAMES: wording.list(held) })]),
  ];
  return { refusal: said.join(wording.language === "zh" ? "" : " ") };
}

/** The query that the plans of a question make, as the schema states it. */
export function queryOf(reading: Reading, plans: readonly Plan[]): Query | undefined {
  const [plan] = plans;
  const { language, kind, filters } = reading;
  if (kind === "releases") return { language, kind, filters };
  if (plan === undefined) return undefined;
  const { comparison, by, range } = plan.period;
  const query: { readonly [key in keyof Query]: Query[key] | undefined } = {
    language,
    kind,
    measures: [...new Set(plans.map(({ measure }) => measure))],
    split: plan.split,
    group: reading.group,
    filters: plan.slice.filters,
    period: { ...range, by },
    comparison: comparison && comparisonOf(comparison),
    order: reading.order,
    rows: reading.rows,
    average: reading.average || undefined,
    growth: reading.isGrowth || undefined,
    cumulative: reading.isCumulative || undefined,
    threshold: reading.threshold,
    atLeast: reading.atLeast,
    atMost: reading.atMost,
    direction: kind === "figures" ? undefined : reading.direction,
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

function comparisonOf({ by, ...asked }: NonNullable<Period["comparison"]>): NonNullable<Query["comparison"]> {
  return by === "default" ? { ...asked, by } : asked;
}

/** Videos without a period are those of the table export, which has them all. */
function orderedFor(reading: Reading, measure: Measure): readonly Candidate[] {
  const found = candidatesOf(measure);
  // Spotify's own files know one store; statements have them all.
  const isByStore = reading.split === "store" || (reading.filters.stores?.length ?? 0) > 1;
  const candidates = isByStore
    ? found.toSorted((a, b) => Number(b.isOfStatements === true) - Number(a.isOfStatements === true))
    : found;
  const prefersTable =
    candidates.some(({ source }) => source.table === "video_day") &&
    reading.times.every(({ isEver }) => isEver === true) &&
    !isTimeSplit(reading.split) &&
    !reading.isTrend;
  return prefersTable ? [...candidates].reverse() : candidates;
}

/** The dimension that no row of a source has a name for, such as the city in a table of countries. */
function unnamedOf({ isNamed }: Extent, splits: readonly Split[], wording: Wording): string | undefined {
  const split = splits.find((one) => one === "city") ?? splits[0];
  return isNamed || split === undefined ? undefined : bySplit(split, wording);
}

function bySplit(split: Split, wording: Wording): string {
  const name = wording.split(split);
  return wording.say("by-split", { NAME: wording.language === "en" ? name.toLowerCase() : name });
}

/** What a source cannot do of what is asked, in words. */
function lackingOf({ source, how }: Candidate, { reading, wording }: Question): string | undefined {
  const { filters, split, group } = reading;
  const { dimensions, grain } = source;
  const by = (one: Split): string => bySplit(one, wording);
  const isSeries = isTimeSplit(split) || reading.isTrend;
  if (reading.isCumulative && how !== "sum" && how !== "gained") return wording.say("by-cumulative");
  if (reading.kind === "changes" && grain === "month") return by("day");
  const lacks = (one: Split): boolean =>
    isTimeSplit(one)
      ? grain === "window" || (DAILY.includes(one) && grain !== "day")
      : dimensions[one] === undefined;
  const absent = [split, group].find((one) => one !== undefined && lacks(one));
  if (absent !== undefined) return by(absent);
  const isOfSteps = reading.isGrowth || reading.isCumulative || reading.isTrend || reading.average;
  const isCompared =
    reading.comparison !== undefined || reading.times.length > 1 || isOfChange(reading.order);
  if (group !== undefined && (isOfSteps || isCompared)) return by(group);
  const needsDays = isSeries || reading.kind === "changes" || reading.kind === "milestone";
  if (needsDays && grain === "window") return by(split ?? "day");
  const lacked = FILTER_NAMES.find(
    (name) =>
      name !== "stores" &&
      (filters[name] ?? filters[WITHOUT[name]]) !== undefined &&
      dimensions[FILTERED[name]] === undefined,
  );
  if (lacked !== undefined) return wording.say(`by-${FILTERED[lacked]}-filter`);
  return filters.weekdays !== undefined && grain !== "day" ? wording.say("by-weekday-filter") : undefined;
}

/** Units of statements stand for plays only where plays by country or store are asked for. */
function isByPlace({ filters, split, group }: Reading): boolean {
  const places: readonly (Split | undefined)[] = ["country", "store", "distributor"];
  if (places.includes(split) || (group !== undefined && places.includes(group))) return true;
  return FILTER_NAMES.some(
    (name) => name !== "songs" && (filters[name] ?? filters[WITHOUT[name]]) !== undefined,
  );
}

/** The names of the files that a source's figures of these stores come from. */
function filesOf(
  { catalog }: Collection,
  { source }: Candidate,
  stores: readonly string[],
): readonly string[] {
  const makers = stores.map((store) => store.toLowerCase().split(" ")[0] ?? "");
  return catalog.files
    .filter(
      ({ kind }) => isFilledBy(source, formatOf(kind)) && makers.some((maker) => kind.startsWith(maker)),
    )
    .map(({ name }) => name);
}

function nothingFor({ reading, wording }: Question, NAME: string): string {
  const { songs = [], countries = [], stores = [] } = reading.filters;
  const names = [
    ...(songs.length === 0 ? [] : [wording.songs(songs)]),
    ...countries.map((code) => wording.country(code)),
    ...stores,
    ...(reading.filters.distributors ?? []),
    ...(reading.filters.currencies ?? []),
  ];
  return wording.say("no-song-figures", { NAMES: wording.list(names), NAME });
}

/** The first day of the one song that is asked about: its release, or its first day with figures. */
async function releaseOf({ filters, times }: Reading, collection: Collection): Promise<string | undefined> {
  const [id, ...others] = filters.songs ?? [];
  if (!times.some(({ isRelease }) => isRelease === true) || id === undefined || others.length > 0)
    return undefined;
  const [row = {}] = await collection.rows(
    `SELECT coalesce((SELECT released_on FROM song WHERE id = $id), (SELECT min(date) FROM song_day WHERE song_id = $id))::VARCHAR AS first`,
    { id },
  );
  return textOf(row, "first") || undefined;
}

function stepOf({ source }: Candidate, range: DayRange | undefined): Split {
  if (source.grain !== "day" || range === undefined) return "month";
  return STEPS.find(([most]) => lengthOf(range) <= most)?.[1] ?? "month";
}

/** Where there are rows of the whole channel, they answer all but questions of songs and videos. */
function channelOf({ hasChannel }: Extent, { filters, split }: Reading): boolean | undefined {
  if (!hasChannel) return undefined;
  const isOfSongs = (filters.songs ?? filters.withoutSongs) !== undefined;
  return !(isOfSongs || split === "video" || split === "song");
}
