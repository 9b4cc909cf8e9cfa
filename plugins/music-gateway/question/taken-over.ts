import { FILTERED, FILTER_NAMES, WITHOUT, type FilterName } from "../model.ts";
import { addDays, addMonths, back as daysBack, daysOf, yearOf, type DayRange, type Days } from "./day.ts";
import type { Fault } from "./faults.ts";
import { isStep, type Filters } from "./query.ts";
import type { Form, Reading } from "./reading.ts";
import { formOf, isOfAccount, isOwnKind, NO_FORM, slotsOf, UNCLEAR } from "./slots.ts";
import { atStart, type Time } from "./times.ts";

/** A longer period counts as a year: "this year" so far. */
const HALF_YEAR = 184;
/** "Its income", "that song": refers only to a song. */
const OF_SONG = /\b(?:its|th(?:is|at) (?:song|track|single))\b|它的|[那这][首支]/iu;
const NAMES_SONG = /\bth(?:is|at) (?:song|track|single)\b|[那这][首支]/iu;
/** "How many?" asks for the figure of the previous question. */
const COUNTS = ["how many", "多少个", "几个"];

/**
 * Completes a question with the missing parts from the last one. `own` is the reading of the question alone, `next`
 * the same for the song in the conversation, `before` the question before the last.
 */
export function completed(last: Reading, before: Reading | undefined, own: Reading, next: Reading): Reading {
  const slots = slotsOf(own);
  const base = isOfAccount(own) ? { ...last, ...NO_FORM, filters: {} } : last;
  const isOfSongs = own.split === "song" && own.hasSplit;
  const filters = joined(isOfSongs ? without(base.filters, "songs") : base.filters, own.filters);
  const isFigures =
    base.kind === "overview" || ((slots.form || own.comparison !== undefined) && base.kind !== "releases");
  const hasTime = next.times.length > 0;
  const full: Reading = {
    ...next,
    ...(isOwnKind(next) ? {} : slots.form ? ownForm(next, base) : formOf(base)),
    kind: isOwnKind(next) || isFigures ? next.kind : base.kind,
    threshold: next.threshold ?? base.threshold,
    measures: next.hasMeasure || base.measures.length === 0 ? next.measures : base.measures,
    hasMeasure: next.hasMeasure || base.hasMeasure,
    filters,
    times: hasTime
      ? next.times.map((one) => atStart(dated(one, base.times[0]), base.measures))
      : isOfAllDays(next)
        ? []
        : base.times,
    comparison:
      next.comparison ?? (hasTime && base.comparedYear !== undefined ? "year-before" : base.comparison),
    comparedYear: next.comparedYear ?? (hasTime ? undefined : base.comparedYear),
    faults: faultsLeft(own, next, { ...base, filters }),
  };
  return heldAgainst(gained(full, before, last), own, base);
}

/** "When did it pass …", "now": not limited to the previous period. */
function isOfAllDays({ kind, marks }: Reading): boolean {
  return ["milestone", "start", "peak", "releases"].includes(kind) || marks.has("last_day_value");
}

function faultsLeft(own: Reading, next: Reading, { filters, split, order }: Reading): readonly Fault[] {
  const says = Object.values(slotsOf(own)).some(Boolean) || own.comparison !== undefined;
  // "It" may be the figure; "its income" refers to a song, or to a row of the ranking.
  const isOfThing = order !== undefined && split !== undefined && split !== "song" && !isStep(split);
  const isOfSong = (isOfThing ? NAMES_SONG : OF_SONG).test(own.question) && filters.songs?.length !== 1;
  return next.faults.filter(
    ({ is, words }) =>
      !(is === "empty" && says) &&
      !(is === "which-song" && !isOfSong) &&
      !(is === "unknown-words" && words.every((word) => COUNTS.includes(word))),
  );
}

/** The form of a question; with only an order or an average, the split is that of the previous question. */
function ownForm(next: Reading, base: Reading): Form {
  const { hasSplit, isTrend, order, direction, average } = next;
  if (hasSplit || isTrend) return formOf(next);
  if (order === undefined && !average) return { ...formOf(base), direction };
  const isOfOne = base.filters.songs?.length === 1;
  return { ...formOf(next), split: base.split ?? (order !== undefined && isOfOne ? "day" : next.split) };
}

/** A city also determines its country. */
const PLACES: readonly FilterName[] = ["countries", "cities"];

/** A place, store or song replaces the previous one of the same kind. */
function joined(base: Filters, own: Filters): Filters {
  const isNamed = (name: FilterName): boolean => (own[name] ?? own[WITHOUT[name]]) !== undefined;
  const kept = FILTER_NAMES.reduce(
    (filters, name) =>
      isNamed(name) || (PLACES.includes(name) && PLACES.some(isNamed)) ? without(filters, name) : filters,
    base,
  );
  return { ...kept, ...own };
}

function without(filters: Filters, name: FilterName): Filters {
  const { [name]: _, [WITHOUT[name]]: __, ...rest } = filters;
  return rest;
}

/** The values of one filter in two questions. */
export function union(one: Filters, other: Filters, kind: FilterName): Filters {
  const values: readonly (string | number)[] = [...(one[kind] ?? []), ...(other[kind] ?? [])];
  return { ...other, [kind]: [...new Set(values)] };
}

/** "Versus Q2", "better than Ocean": one side is named, the other comes from the previous question. */
function heldAgainst(full: Reading, own: Reading, base: Reading): Reading {
  if (!own.marks.has("versus")) return full;
  const [first = own.comparedYear, ...others] = own.times.filter(({ text }) => text !== "");
  const [period] = base.times;
  if (first !== undefined && others.length === 0) {
    const whole = { ...full, ...(isStep(base.split) ? NO_FORM : {}) };
    if (first.isYear === true && period?.isYear !== true)
      return { ...whole, times: base.times, comparison: "year-before", comparedYear: first };
    return period === undefined ? full : { ...whole, times: [period, first], comparison: undefined };
  }
  const kind = FILTER_NAMES.find((name) => own.filters[name] !== undefined);
  if (kind === undefined || first !== undefined) return full;
  // Both sides are named.
  if ((own.filters[kind] ?? []).length > 1)
    return { ...full, ...NO_FORM, split: FILTERED[kind], comparison: undefined };
  if (base.filters[kind] === undefined) return { ...full, faults: [UNCLEAR] };
  const filters = { ...full.filters, ...union(base.filters, own.filters, kind) };
  return { ...full, ...NO_FORM, split: FILTERED[kind], filters, comparison: undefined };
}

/** "How many did I gain?" after followers: the gain between the days of the last two questions. */
function gained(full: Reading, before: Reading | undefined, last: Reading): Reading {
  if (full.direction === undefined || !full.measures.includes("followers")) return full;
  const measures = full.measures.map((one) => (one === "followers" ? "followers_gained" : one));
  const isBetween = before !== undefined && full.times === last.times && differing(before, last) === "period";
  const times = isBetween ? [spanned(before.times[0], last.times[0])] : full.times;
  return { ...full, measures, times };
}

/** From the earlier of two periods to the later; a missing period is the last day. */
function spanned(one: Time | undefined, other: Time | undefined): Time {
  const days: Days = (reckoning) => {
    const latest: DayRange = { from: reckoning.data.to, to: reckoning.data.to };
    const [first, second] = [one, other].map((time) => (time === undefined ? latest : time.days(reckoning)));
    if (first === undefined || second === undefined) return undefined;
    return {
      from: first.from < second.from ? first.from : second.from,
      to: first.to > second.to ? first.to : second.to,
    };
  };
  return { text: [one?.text, other?.text].filter(Boolean).join(" … "), days };
}

/** The only difference between two questions about one figure; undefined if there are several. */
export function differing(one: Reading, other: Reading): "period" | FilterName | undefined {
  if (String(one.measures) !== String(other.measures)) return undefined;
  const kinds = FILTER_NAMES.filter((name) => String(one.filters[name]) !== String(other.filters[name]));
  const textsOf = ({ times }: Reading): string => times.map(({ text }) => text).join("\n");
  const isSamePeriod = one.times === other.times || textsOf(one) === textsOf(other);
  if (!isSamePeriod) return kinds.length === 0 ? "period" : undefined;
  const [kind, ...more] = kinds;
  return more.length === 0 ? kind : undefined;
}

/** A period that depends on the previous one: "and August?" after "September 2025" is in the same year. */
function dated(time: Time, before: Time | undefined): Time {
  const { partial, before: back } = time;
  if (before === undefined) return time;
  // "And the 7 days before?" means those before the days of the last question.
  if (back !== undefined)
    return within(time, before, ({ from }) => daysBack(back.count, back.unit, addDays(from, -1)));
  // "And last year?" after "September" means September of last year.
  if (time.isYear === true && (before.dayCount ?? Infinity) <= HALF_YEAR)
    return within(time, before, (range, whole) => whole && inYear(range, yearOf(whole.from)));
  const year = before.partial?.year;
  if (partial?.month === undefined || partial.year !== undefined || year === undefined) return time;
  const full = { ...partial, year };
  return { ...time, partial: full, days: ({ today }) => daysOf(full, today) };
}

/** A period whose days depend on those of the last question. */
function within(
  time: Time,
  before: Time,
  change: (range: DayRange, own: DayRange | undefined) => DayRange | undefined,
): Time {
  const days: Days = (reckoning) => {
    const range = before.days(reckoning);
    return range && change(range, time.days(reckoning));
  };
  return { ...time, days, isYear: false };
}

/** The same days of another year. */
function inYear({ from, to }: DayRange, year: number): DayRange {
  const months = 12 * (year - yearOf(from));
  const next = addDays(to, 1);
  const end = next.endsWith("-01") ? addDays(addMonths(next, months), -1) : addMonths(to, months);
  return { from: addMonths(from, months), to: end };
}
