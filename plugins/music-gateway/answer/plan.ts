import { lengthOf, type DayRange } from "../question/day.ts";
import type { Measure, Query, Split } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import type { Collection } from "../store/catalog.ts";
import { extentOf, isTimeSplit, textOf, type Extent, type Slice } from "./figures.ts";
import { periodOf, type Period } from "./period.ts";
import { candidatesOf, type Candidate } from "./sources.ts";
import type { Question, Refusal } from "./wording.ts";

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

/** Finds the first source that has a measure with all that a question asks of it. */
export async function planOf(question: Question, measure: Measure): Promise<Plan | Refusal> {
  const { reading, collection, wording } = question;
  const NAME = wording.measure(measure);
  let weightiest = { weight: 0, refusal: wording.say("no-figures", { NAME }) };
  const refuse = (weight: number, refusal: string): void => {
    if (weight > weightiest.weight) weightiest = { weight, refusal };
  };
  for (const candidate of orderedFor(reading, measure)) {
    const { source } = candidate;
    const whole = await extentOf(collection, candidate, {});
    if (whole.rows === 0) continue;
    const lacking = lackingOf(candidate, question);
    if (lacking !== undefined) {
      refuse(1, wording.say("not-by", { NAME, BY: lacking }));
      continue;
    }
    if (candidate.isOfStatements === true && !isByPlace(reading)) continue;
    const isWindow = source.grain === "window";
    // Sums of several stores' windows are not added up: without a store that is named it is the first.
    const isMixed = isWindow && whole.stores.length > 1 && reading.filters.stores === undefined;
    const filters = isMixed ? { ...reading.filters, stores: whole.stores.slice(0, 1) } : reading.filters;
    const isNarrowed = Object.keys(filters).some((name) => name !== "weekdays");
    const narrowed = isNarrowed ? await extentOf(collection, candidate, { ...filters, weekdays: [] }) : whole;
    // Of two stores that are named both must be there, else the next source may have them.
    if (narrowed.rows === 0 || narrowed.stores.length < (filters.stores?.length ?? 0)) {
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
  return { refusal: weightiest.refusal };
}

/** The query that the plans of a question make, as the schema states it. */
export function queryOf(reading: Reading, plans: readonly Plan[]): Query | undefined {
  const [plan] = plans;
  if (plan === undefined) return undefined;
  const { comparison, by, range } = plan.period;
  return {
    language: reading.language,
    kind: reading.kind,
    measures: [...new Set(plans.map(({ measure }) => measure))],
    ...(plan.split === undefined ? {} : { split: plan.split }),
    filters: plan.slice.filters,
    period: { ...range, by },
    ...(comparison === undefined ? {} : { comparison }),
    ...(reading.order === undefined ? {} : { order: reading.order }),
    ...(reading.rows === undefined ? {} : { rows: reading.rows }),
    ...(reading.average ? { average: true } : {}),
  };
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

/** What a source cannot do of what is asked, in words. */
function lackingOf({ source }: Candidate, { reading, wording }: Question): string | undefined {
  const { filters, split } = reading;
  const { columns, grain } = source;
  const by = (one: Split): string => {
    const name = wording.split(one);
    return wording.say("by-split", { NAME: wording.language === "en" ? name.toLowerCase() : name });
  };
  const isSeries = isTimeSplit(split) || reading.isTrend;
  if (split !== undefined && !isSeries && columns[split] === undefined) return by(split);
  if (split !== undefined && DAILY.includes(split) && grain !== "day") return by(split);
  if (isSeries && grain === "window") return by(split ?? "day");
  if ((filters.songs ?? filters.withoutSongs) !== undefined && columns.song === undefined)
    return wording.say("by-song-filter");
  if ((filters.countries ?? filters.withoutCountries) !== undefined && columns.country === undefined)
    return wording.say("by-country-filter");
  return filters.weekdays !== undefined && grain !== "day" ? wording.say("by-weekday-filter") : undefined;
}

/** Units of statements stand for plays only where plays by country or store are asked for. */
function isByPlace({ filters, split }: Reading): boolean {
  if (split === "country" || split === "store" || split === "source") return true;
  const { countries, stores, withoutCountries, withoutStores } = filters;
  return [countries, stores, withoutCountries, withoutStores].some((one) => one !== undefined);
}

/** The names of the files that a source's figures of these stores come from. */
function filesOf(
  { catalog }: Collection,
  { source }: Candidate,
  stores: readonly string[],
): readonly string[] {
  const makers = stores.map((store) => store.toLowerCase().split(" ")[0] ?? "");
  return catalog.files
    .filter(({ kind }) => source.kinds.includes(kind) && makers.some((maker) => kind.startsWith(maker)))
    .map(({ name }) => name);
}

function nothingFor({ reading, wording }: Question, NAME: string): string {
  const { songs = [], countries = [], stores = [] } = reading.filters;
  const names = [
    ...(songs.length === 0 ? [] : [wording.songs(songs)]),
    ...countries.map((code) => wording.country(code)),
    ...stores,
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
