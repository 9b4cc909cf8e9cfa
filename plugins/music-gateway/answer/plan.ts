import { addDays, lengthOf, type DayRange } from "../question/day.ts";
import { isOfChange, type Filters, type Measure, type Query, type Split } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import { citiesNamed } from "../question/vocabulary.ts";
import type { Collection } from "../store/catalog.ts";
import { isTimeSplit } from "./calendar.ts";
import { columnOf, textOf, type Slice } from "./figures.ts";
import { extentOf, lastReported, measuresHeld, type Extent } from "./held.ts";
import { candidatesOf, FILTER_NAMES, FILTERED, WITHOUT, type Candidate, type Source } from "../model.ts";
import { isUnstated } from "../store/spans.ts";
import { periodOf, type Period } from "./period.ts";
import { inWindows, otherWindows, windowName, windowPeriod } from "./window.ts";
import type { Question, Refusal, Wording } from "./wording.ts";
import { isSinceRelease } from "../question/times.ts";

/** How one measure is answered: its source, its days and its comparison. */
export interface Plan {
  readonly measure: Measure;
  readonly split: Split | undefined;
  readonly slice: Slice;
  readonly period: Period;
  /** The first and last day with figures of the measure. */
  readonly data: DayRange | undefined;
}

const STEPS: readonly (readonly [number, Split])[] = [
  [31, "day"],
  [190, "week"],
];
type FilteredSplit = (typeof FILTERED)[keyof typeof FILTERED];

export function isPlan(plan: Plan | Refusal): plan is Plan {
  return !("refusal" in plan);
}

/** Finds the first source with everything that a question asks of a measure, or one with some of its stores. */
export async function planOf(question: Question, measure: Measure): Promise<Plan | Refusal> {
  const { reading, wording } = question;
  const plan = await planWith(question, measure, true);
  if (isPlan(plan)) return plan;
  if ((reading.filters.stores?.length ?? 0) > 1) {
    const some = await planWith(question, measure, false);
    if (isPlan(some)) return some;
  }
  const { lacking, ...refusal } = plan;
  if (lacking === undefined) return refusal;
  // The reply "Please ask without that" is only given if that question has an answer.
  const rest = await planOf({ ...question, reading: { ...reading, ...lacking.rest } }, measure);
  if (isPlan(rest)) return refusal;
  const said = wording.say("lacks", { NAME: wording.measure(measure), BY: lacking.words });
  return rest.isAbsent === true ? rest : { refusal: wording.sentences(said, rest.refusal) };
}

type Miss = Refusal & { readonly lacking?: Lack };

async function planWith(question: Question, measure: Measure, hasAll: boolean): Promise<Plan | Miss> {
  const { reading, collection, wording } = question;
  const NAME = wording.measure(measure);
  let weightiest: Miss = { refusal: "" };
  let most = 0;
  const refuse = (weight: number, refusal: string, lacking?: Lack): void => {
    if (weight <= most) return;
    most = weight;
    weightiest = { refusal, ...(lacking && { lacking }) };
  };
  const windows: string[] = [];
  const parts = new Set<Split>();
  let second: Plan | undefined;
  const splits = [reading.split, reading.group].filter((one) => one !== undefined);
  const about: readonly Split[] = [
    ...splits,
    ...FILTER_NAMES.filter((name) => reading.filters[name] !== undefined).map((name) => FILTERED[name]),
  ];
  for (const candidate of inWindows(orderedFor(reading, measure), question)) {
    const { source } = candidate;
    const asked = reading.filters;
    const whole = await extentOf(collection, { candidate, filters: {} }, { splits, asked });
    if (whole.rows === 0) continue;
    if (source.only !== undefined && !about.includes(source.only)) {
      parts.add(source.only);
      const BY = wording.list([...parts].map((one) => bySplit(one, wording)));
      // The last of these sentences names all dimensions.
      refuse(1 + parts.size / 1000, wording.say("only-by", { NAME, BY }));
      continue;
    }
    const lacking = lackingOf(candidate, question) ?? unnamedOf(whole, question);
    // Units replace plays by place, or plays in general if the files have none at all.
    if (candidate.isOfStatements === true && !isByPlace(reading))
      if (lacking !== undefined || (await measuresHeld(collection, true)).includes(measure)) continue;
    if (lacking !== undefined) {
      // The source with the fewest gaps names the gaps.
      const absent = [...splits, ...filteredBy(reading.filters)].filter(
        (one) => !isTimeSplit(one) && source.dimensions[one] === undefined,
      );
      refuse(1 + 0.5 / (1 + absent.length), wording.say("not-by", { NAME, BY: lacking.words }), lacking);
      continue;
    }
    const isWindow = source.grain === "window";
    // Sums of several stores' windows are not added up: unless a store is named, the first one is used.
    const isMixed = isWindow && whole.stores.length > 1 && reading.filters.stores === undefined;
    const filters = {
      ...reading.filters,
      ...(isMixed && { stores: whole.stores.slice(0, 1) }),
      ...citiesAs(reading.filters, whole),
    };
    const isNarrowed = Object.keys(filters).some((name) => name !== "weekdays");
    const narrowed = isNarrowed
      ? await extentOf(collection, { candidate, filters: { ...filters, weekdays: [] } }, { asked })
      : whole;
    // For two named stores, a source must know both; sources with figures of both come first.
    const known = hasAll ? narrowed.stores : whole.stores;
    if (narrowed.rows === 0 || !(filters.stores ?? []).every((store) => known.includes(store))) {
      refuse(2, nothingFor(question, NAME));
      continue;
    }
    const data = isWindow ? narrowed.data : whole.data;
    const released = await releaseOf(reading, collection);
    const isMonthly = source.grain === "month" && reading.times.length === 0;
    const lastOwn = isMonthly ? await lastReported(collection, candidate, filters) : undefined;
    const period =
      source.span === undefined
        ? periodOf(question, { measure, candidate, data, own: narrowed.data, lastOwn, released })
        : windowPeriod(question, source.span, released);
    if (period === undefined) windows.push(windowName(source.span ?? "", wording));
    if (period === undefined || "refusal" in period) {
      // The days that a series lacks; otherwise the last sentence, which names the most windows.
      if (period !== undefined) refuse(4, period.refusal);
      else refuse(3 + windows.length / 1000, otherWindows(question, measure, [...new Set(windows)]));
      continue;
    }
    const range = isWindow ? undefined : period.range;
    const split = reading.isTrend ? stepOf(candidate, range) : splitOf(reading, source);
    const slice = { candidate, filters, range, channel: channelOf(whole, reading) };
    const later = await laterOf(collection, slice, period, narrowed.data?.to);
    const plan: Plan = { measure, split, slice, period: { ...period, later }, data };
    const isEmpty =
      isNarrowed &&
      range !== undefined &&
      (await extentOf(collection, { candidate, filters, range })).rows === 0;
    // "Since release": sums of all time also cover the days before a series starts.
    const isCut =
      period.asked !== undefined &&
      period.asked.from < (data?.from ?? "") &&
      reading.times.some(isSinceRelease);
    if (!isEmpty && !isCut) return plan;
    // Another source may have figures of these days.
    second ??= plan;
  }
  if (second !== undefined) return second;
  if (most > 0) return weightiest;
  const held = (await measuresHeld(collection, true)).map((one) => wording.measure(one));
  const others = held.length === 0 ? undefined : wording.say("held", { NAMES: wording.list(held) });
  return { refusal: wording.sentences(wording.say("no-figures", { NAME }), others), isAbsent: true };
}

/** The months after the default month, and the stores that have reported them. */
async function laterOf(
  collection: Collection,
  { candidate, filters }: Slice,
  { fallback, range }: Period,
  last: string | undefined,
): Promise<Period["later"]> {
  if (fallback !== "default-month" || range === undefined || last === undefined || last <= range.to)
    return undefined;
  const later = { from: addDays(range.to, 1), to: last };
  return {
    ...later,
    stores: (await extentOf(collection, { candidate, filters, range: later }, { asked: { stores: [] } }))
      .stores,
  };
}

/** The query that corresponds to the plans of a question, in the form of the schema. */
export function queryOf(reading: Reading, plans: readonly Plan[]): Query | undefined {
  const [plan] = plans;
  const { language, kind, filters } = reading;
  if (kind === "releases") return { language, kind, filters };
  if (plan === undefined) return undefined;
  const { comparison, by, range, span } = plan.period;
  const query: { readonly [key in keyof Query]: Query[key] | undefined } = {
    language,
    kind,
    measures: [...new Set(plans.map(({ measure }) => measure))],
    split: plan.split,
    group: reading.group,
    filters: plan.slice.filters,
    period: span === undefined || range !== undefined || isUnstated(span) ? { ...range, by } : span,
    comparison: comparison && comparisonOf(comparison),
    order: reading.order,
    rows: reading.rows,
    average: reading.average || undefined,
    growth: reading.isGrowth || undefined,
    cumulative: reading.isCumulative || undefined,
    difference: reading.isDifference || undefined,
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

/** Figures of videos without a period come from the table export, which has all videos. */
function orderedFor(reading: Reading, measure: Measure): readonly Candidate[] {
  const found = candidatesOf(measure);
  // Spotify's own files only know one store, and files of one store only its plays; statements have all stores.
  const { stores = [] } = reading.filters;
  const sign = reading.split === "store" || stores.length > 1 ? 1 : stores.length === 1 ? -1 : 0;
  const candidates = found.toSorted(
    (a, b) => sign * (Number(b.isOfStatements === true) - Number(a.isOfStatements === true)),
  );
  const prefersTable =
    candidates.some(({ source }) => source.table === "video_day") &&
    reading.times.every(({ isEver }) => isEver === true) &&
    !isTimeSplit(reading.split) &&
    !reading.isTrend;
  return prefersTable ? [...candidates].reverse() : candidates;
}

/** The dimension that has no value in any row of a source, such as the country in sums of all countries. */
function unnamedOf({ isNamed }: Extent, { reading, wording }: Question): Lack | undefined {
  const one = reading.split ?? reading.group;
  return isNamed || one === undefined
    ? undefined
    : { words: bySplit(one, wording), rest: withoutSplit(reading, one) };
}

/** Cities as a source spells them. */
function citiesAs({ cities, withoutCities }: Filters, { cities: held }: Extent): Filters {
  const written = (names: readonly string[]): string[] => [
    ...new Set(
      names.flatMap((name) => (citiesNamed(name, held).length > 0 ? citiesNamed(name, held) : [name])),
    ),
  ];
  return {
    ...(cities && { cities: written(cities) }),
    ...(withoutCities && { withoutCities: written(withoutCities) }),
  };
}

/** The dimensions by which a question is filtered. */
function filteredBy(filters: Reading["filters"]): readonly FilteredSplit[] {
  return FILTER_NAMES.filter((name) => (filters[name] ?? filters[WITHOUT[name]]) !== undefined).map(
    (name) => FILTERED[name],
  );
}

function bySplit(split: Split, wording: Wording): string {
  return wording.say("by-split", { NAME: wording.split(split).toLowerCase() });
}

/** A part of a question for which a source has no figures, in words, and the question without it. */
interface Lack {
  readonly words: string;
  readonly rest: Rest;
}
type Rest = Partial<Reading>;

function lackingOf({ source, how }: Candidate, { reading, wording }: Question): Lack | undefined {
  const { filters, group } = reading;
  const split = splitOf(reading, source);
  const { dimensions, grain } = source;
  const by = (one: Split, rest: Rest = withoutSplit(reading, one)): Lack => ({
    words: bySplit(one, wording),
    rest,
  });
  const isSeries = isTimeSplit(split) || reading.isTrend;
  if (reading.isCumulative && how !== "sum" && how !== "gained")
    return { words: wording.say("by-cumulative"), rest: { isCumulative: false } };
  if (reading.kind === "changes" && grain === "month") return by("day", AS_FIGURES);
  const absent = [split, group].find((one) => one !== undefined && columnOf(source, one) === undefined);
  if (absent !== undefined) return by(absent);
  const isOfSteps = reading.isGrowth || reading.isCumulative || reading.isTrend || reading.average;
  const isCompared =
    reading.comparison !== undefined || reading.times.length > 1 || isOfChange(reading.order);
  if (group !== undefined && (isOfSteps || isCompared)) return by(group);
  if (reading.average && split === undefined && grain === "month") return by("day", { average: false });
  const needsDays =
    isSeries || reading.average || ["changes", "milestone", "start", "peak"].includes(reading.kind);
  if (needsDays && grain === "window")
    return by(split ?? "day", { ...AS_FIGURES, ...withoutSplit(reading, split) });
  const lacked = filteredBy(filters).find((one) => one !== "store" && dimensions[one] === undefined);
  if (lacked !== undefined)
    return { words: wording.say(`by-${lacked}-filter`), rest: withoutFilter(reading, lacked) };
  if (filters.weekdays === undefined || grain === "day") return undefined;
  return { words: wording.say("by-weekday-filter"), rest: { filters: without(filters, "weekdays") } };
}

const AS_FIGURES: Rest = { kind: "figures", isTrend: false, average: false };

function withoutSplit({ split, group }: Reading, one: Split | undefined): Rest {
  return { split: one === split ? group : split, group: undefined, isTrend: false, isGrowth: false };
}

function withoutFilter({ filters }: Reading, of: FilteredSplit): Rest {
  const names = FILTER_NAMES.filter((name) => FILTERED[name] === of);
  return { filters: without(filters, ...names, ...names.map((name) => WITHOUT[name])) };
}

function without(filters: Filters, ...names: readonly (keyof Filters)[]): Filters {
  return Object.fromEntries(
    Object.entries(filters).filter(([name]) => !names.includes(name as keyof Filters)),
  );
}

/** Units of statements only replace plays if the question asks for plays by country or store. */
function isByPlace({ filters, split, group }: Reading): boolean {
  const places: readonly (Split | undefined)[] = ["country", "store", "distributor"];
  if (places.includes(split) || (group !== undefined && places.includes(group))) return true;
  return filteredBy(filters).some((one) => one !== "song");
}

function nothingFor({ reading: { filters }, wording }: Question, NAME: string): string {
  const names = FILTER_NAMES.map((name) => wording.filtered(name, filters[name])).filter(Boolean);
  return wording.say("no-song-figures", { NAMES: wording.list(names), NAME });
}

/** The first day of the one requested song: its release, or its first day with figures. */
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

/** "When did my income peak" means the month if the figures are monthly. */
function splitOf({ split, hasSplit }: Reading, { grain }: Source): Split | undefined {
  return split === "day" && !hasSplit && grain === "month" ? "month" : split;
}

function stepOf({ source }: Candidate, range: DayRange | undefined): Split {
  if (source.grain !== "day" || range === undefined) return "month";
  return STEPS.find(([most]) => lengthOf(range) <= most)?.[1] ?? "month";
}

/** If there are rows of the whole channel, they answer all questions except those about songs and videos. */
function channelOf({ hasChannel }: Extent, { filters, split }: Reading): boolean | undefined {
  if (!hasChannel) return undefined;
  const isOfSongs = (filters.songs ?? filters.withoutSongs) !== undefined;
  return !(isOfSongs || split === "video" || split === "song");
}
