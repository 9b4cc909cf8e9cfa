import { daysOf } from "./day.ts";
import type { Filters } from "./query.ts";
import { read, type Reading } from "./reading.ts";
import type { Known } from "./scan.ts";
import type { Time } from "./times.ts";

/** A question with the song that it was sent with. */
export interface Asked {
  readonly message: string;
  readonly songId?: number | undefined;
  /** A client asks for an overview of its own to learn the songs, before it sends a question about one of them. */
  readonly isOverview?: boolean;
}

/** What a question is read as, and the questions that it was completed from, itself at the end. */
export interface Conversation {
  readonly reading: Reading;
  readonly asked: readonly Asked[];
}

/** The most questions that one is completed from. */
const MOST = 8;
/** Words with which a question goes on about the last one. */
const GOES_ON =
  /^\s*(?:那么?(?!天|个?月|周|年|时|段)|还有|and\b|what about\b|how about\b|why\s*\?*$|为什么)|呢[\s?？。！!]*$/iu;
/** A split or a period alone. */
const ALONE = /^\s*(?:按|by\b|per\b|in\b|only\b|只看)/iu;

/**
 * Reads a question after earlier ones, the latest last. One that only names a measure, a period, a split or a song
 * takes the rest from them; any other stands for itself.
 */
export function readAfter(earlier: readonly Asked[], next: Asked, known: Known): Conversation {
  const reading = read(next.message, next.songId, known);
  const figures = earlier.filter(({ isOverview }) => isOverview !== true);
  if (reading.kind === "overview" && !isElliptic(reading))
    return { reading, asked: [...figures, { ...next, isOverview: true }] };
  const alone: Conversation = { reading, asked: [next] };
  const [first, ...others] = next.songId === undefined && earlier.length > figures.length ? [] : figures;
  if (first === undefined || !isElliptic(reading)) return alone;
  const base = others.reduce(
    (before, { message, songId }) => completed(before, read(message, songId, known)),
    read(first.message, first.songId, known),
  );
  return { reading: completed(base, reading), asked: [first, ...[...others, next].slice(1 - MOST)] };
}

function isElliptic(reading: Reading): boolean {
  const { question, hasMeasure, times, split, order, threshold } = reading;
  if (order !== undefined || threshold !== undefined || (hasMeasure && times.length > 0)) return false;
  if (GOES_ON.test(question)) return true;
  const isOneSlot = !hasMeasure && (times.length > 0 || split !== undefined || hasFilters(reading.filters));
  return isOneSlot && (ALONE.test(question) || isOnlyPeriod(reading));
}

/** "August", 上个月: nothing but a period. */
function isOnlyPeriod({ question, times, split, filters, kind }: Reading): boolean {
  const [time, ...others] = times;
  const isBare = split === undefined && !hasFilters(filters) && kind === "overview";
  return (
    isBare && others.length === 0 && time !== undefined && question.trim().length <= time.text.length + 2
  );
}

function hasFilters(filters: Filters): boolean {
  return Object.keys(filters).length > 0;
}

/** What the new question leaves open is taken from the one before. */
function completed(base: Reading, next: Reading): Reading {
  const isOwnKind = next.kind === "reasons" || next.kind === "changes";
  const [time] = next.times;
  const times = next.times.length > 0 ? next.times.map((one) => dated(one, base.times[0])) : base.times;
  const isNewTime = time !== undefined;
  const faults = next.faults.filter(({ is }) => is !== "empty" && is !== "which-song");
  return {
    ...base,
    question: next.question,
    language: next.language,
    kind: isOwnKind ? next.kind : base.kind === "overview" ? next.kind : base.kind,
    measures: next.hasMeasure || base.measures.length === 0 ? next.measures : base.measures,
    hasMeasure: next.hasMeasure || base.hasMeasure,
    split: isOwnKind ? undefined : (next.split ?? base.split),
    group: next.split === undefined ? base.group : next.group,
    filters: { ...base.filters, ...next.filters },
    times,
    comparison:
      next.comparison ?? (isNewTime && base.comparedYear !== undefined ? "year-before" : base.comparison),
    comparedYear: next.comparedYear ?? (isNewTime ? undefined : base.comparedYear),
    direction: next.direction ?? base.direction,
    isTrend: next.split === undefined && (next.isTrend || base.isTrend),
    faults,
  };
}

/** "And August?" after "September 2025" is of the same year. */
function dated(time: Time, before: Time | undefined): Time {
  const { partial } = time;
  const year = before?.partial?.year;
  if (partial?.month === undefined || partial.year !== undefined || year === undefined) return time;
  const full = { ...partial, year };
  return { ...time, partial: full, days: ({ today }) => daysOf(full, today) };
}
