import { lengthOf, type DayRange } from "../question/day.ts";
import type { Filters, Measure, Query, Split } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import type { Collection } from "./collection.ts";
import { extentOf, hasChannelRows, isTimeSplit, textOf, type Slice } from "./figures.ts";
import { periodOf, type Period } from "./period.ts";
import { candidatesOf, type Candidate } from "./sources.ts";
import type { Wording } from "./wording.ts";

/** How one measure is answered: from where, of which days, compared with which. */
export interface Plan {
  readonly measure: Measure;
  readonly split: Split | undefined;
  readonly slice: Slice;
  readonly period: Period;
  /** Last day with figures of the measure. */
  readonly data: DayRange | undefined;
}

/** A sentence that says why there are no figures, and what can be asked instead. */
export interface Refusal {
  readonly refusal: string;
}

const STEPS: readonly (readonly [number, Split])[] = [
  [31, "day"],
  [190, "week"],
];
const DAILY: readonly Split[] = ["day", "week", "weekday", "weekpart"];

/** Finds the first source that has a measure with all that a question asks of it. */
export async function planOf(
  reading: Reading,
  measure: Measure,
  collection: Collection,
  wording: Wording,
): Promise<Plan | Refusal> {
  let refusal: string | undefined;
  let best = 0;
  const refuse = (weight: number, sentence: string): void => {
    if (refusal !== undefined && best >= weight) return;
    refusal = sentence;
    best = weight;
  };
  for (const candidate of orderedFor(reading, measure)) {
    const whole = await extentOf(collection, candidate, {});
    if (whole.rows === 0) continue;
    const lacking = lackingOf(candidate, reading, wording);
    if (lacking !== undefined) {
      refuse(1, wording.say("not-by", { NAME: wording.measure(measure), BY: lacking }));
      continue;
    }
    if (candidate.isOfStatements === true && !wantsStatements(reading)) continue;
    const stores = await windowStores(collection, candidate);
    const isMixed = stores.length > 1 && reading.filters.stores === undefined;
    const filters = isMixed ? { ...reading.filters, stores: stores.slice(0, 1) } : reading.filters;
    const isNarrowed = Object.keys(filters).some((name) => name !== "weekdays");
    const narrowed = isNarrowed ? await extentOf(collection, candidate, { ...filters, weekdays: [] }) : whole;
    // Of two stores that are named both must be there, else the next source may have them.
    const lacksStore = narrowed.stores < (filters.stores?.length ?? 0);
    if (narrowed.rows === 0 || lacksStore) {
      refuse(2, nothingFor(reading, measure, collection, wording));
      continue;
    }
    const data = candidate.source.grain === "window" ? narrowed.data : whole.data;
    const period = periodOf({
      reading,
      candidate,
      data,
      released: await releaseOf(reading, collection),
      files: filesOf(collection, candidate, filters.stores ?? stores),
      measure,
      wording,
    });
    if ("refusal" in period) {
      refuse(3, period.refusal);
      continue;
    }
    const split = reading.isTrend ? stepOf(candidate, period.range) : reading.split;
    return {
      measure,
      split,
      slice: await sliceOf(collection, candidate, filters, period, reading),
      period,
      data,
    };
  }
  return { refusal: refusal ?? wording.say("no-figures", { NAME: wording.measure(measure) }) };
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
  const isVideo = candidates.some(({ source }) => source.table === "video_day");
  const prefersTable =
    isVideo &&
    reading.times.every(({ isEver }) => isEver === true) &&
    !isTimeSplit(reading.split) &&
    !reading.isTrend;
  return prefersTable ? [...candidates].reverse() : candidates;
}

/** What a source cannot do of what is asked, in words. */
function lackingOf({ source }: Candidate, reading: Reading, wording: Wording): string | undefined {
  const { filters } = reading;
  const split = reading.split;
  if (split !== undefined && !isTimeSplit(split) && source.columns[split] === undefined)
    return bySplit(split, wording);
  const isDailyOnly = split !== undefined && DAILY.includes(split);
  if ((isDailyOnly && source.grain !== "day") || (isTimeSplit(split) && source.grain === "window"))
    return bySplit(split ?? "day", wording);
  if (reading.isTrend && source.grain === "window") return bySplit("day", wording);
  if ((filters.songs ?? filters.withoutSongs) !== undefined && source.columns.song === undefined)
    return wording.say("by-song-filter");
  if ((filters.countries ?? filters.withoutCountries) !== undefined && source.columns.country === undefined)
    return wording.say("by-country-filter");
  if ((filters.stores ?? filters.withoutStores) !== undefined && source.columns.store === undefined)
    return wording.say("by-store-filter");
  return filters.weekdays !== undefined && source.grain !== "day"
    ? wording.say("by-weekday-filter")
    : undefined;
}

function bySplit(split: Split, wording: Wording): string {
  return wording.say("by-split", {
    NAME: wording.language === "en" ? wording.split(split).toLowerCase() : wording.split(split),
  });
}

/** Units of statements stand for plays only where plays by country or store are asked for. */
function wantsStatements({ filters, split }: Reading): boolean {
  const isByPlace =
    split === "country" ||
    split === "store" ||
    split === "source" ||
    [filters.countries, filters.stores, filters.withoutCountries, filters.withoutStores].some(
      (one) => one !== undefined,
    );
  return isByPlace;
}

/** The stores whose sums of a window there are. Those are not added up: without a store that is named it is the first. */
async function windowStores(
  collection: Collection,
  { source, column }: Candidate,
): Promise<readonly string[]> {
  if (source.grain !== "window" || source.columns.store !== "store") return [];
  const sql = `SELECT DISTINCT store FROM ${source.table} WHERE ${column} IS NOT NULL ORDER BY store <> 'Spotify', store`;
  return (await collection.rows(sql)).map((row) => textOf(row, "store"));
}

/** The names of the files that a source's figures of these stores come from. */
function filesOf(
  { catalog }: Collection,
  { source }: Candidate,
  stores: readonly string[],
): readonly string[] {
  const makers = stores.map((store) => store.toLowerCase().split(" ")[0] ?? "");
  const isOf = (kind: string): boolean =>
    stores.length === 0 || makers.some((maker) => kind.startsWith(maker));
  return catalog.files
    .filter(({ kind }) => source.kinds.includes(kind) && isOf(kind))
    .map(({ name }) => name);
}

function nothingFor(
  { filters }: Reading,
  measure: Measure,
  { catalog }: Collection,
  wording: Wording,
): string {
  const titles = catalog.songs.filter(({ id }) => filters.songs?.includes(id)).map(({ title }) => title);
  const names = [
    ...(titles.length === 0 ? [] : [wording.titles(titles)]),
    ...(filters.countries ?? []).map((code) => wording.country(code)),
    ...(filters.stores ?? []),
  ];
  return wording.say("no-song-figures", { NAMES: wording.list(names), NAME: wording.measure(measure) });
}

/** The first day of the one song that is asked about: its release, or its first day with figures. */
async function releaseOf({ filters, times }: Reading, collection: Collection): Promise<string | undefined> {
  if (!times.some(({ isRelease }) => isRelease === true) || filters.songs?.length !== 1) return undefined;
  const [id] = filters.songs;
  const known = collection.catalog.songs.find((song) => song.id === id)?.releasedOn;
  if (known !== undefined || id === undefined) return known;
  const [row = {}] = await collection.rows(
    "SELECT min(date)::VARCHAR AS first FROM song_day WHERE song_id = $id",
    { id },
  );
  const first = textOf(row, "first");
  return first === "" ? undefined : first;
}

function stepOf({ source }: Candidate, range: DayRange | undefined): Split {
  if (source.grain !== "day" || range === undefined) return "month";
  return STEPS.find(([most]) => lengthOf(range) <= most)?.[1] ?? "month";
}

async function sliceOf(
  collection: Collection,
  candidate: Candidate,
  filters: Filters,
  period: Period,
  reading: Reading,
): Promise<Slice> {
  const isOfVideos =
    filters.songs !== undefined ||
    filters.withoutSongs !== undefined ||
    reading.split === "video" ||
    reading.split === "song";
  const hasChannel = candidate.source.table === "video_day" && (await hasChannelRows(collection, candidate));
  const channel = hasChannel ? !isOfVideos : undefined;
  return {
    candidate,
    filters,
    range: candidate.source.grain === "window" ? undefined : period.range,
    channel,
  };
}
