import { addDays, addMonths, lengthOf, monthOf, yearOf, type DayRange } from "../question/day.ts";
import { back } from "../question/period.ts";
import type { Comparison, Measure } from "../question/query.ts";
import type { Time } from "../question/times.ts";
import { isTimeSplit } from "./figures.ts";
import type { Question, Refusal } from "./wording.ts";
import type { Candidate } from "./sources.ts";

/** The days of an answer. */
export interface Period {
  /** Undefined where a file does not say its window. */
  readonly range: DayRange | undefined;
  /** What was asked for, where it is more than there is. */
  readonly asked?: DayRange | undefined;
  readonly by: "question" | "default" | "file";
  readonly comparison?: (DayRange & { with: Comparison }) | undefined;
  /** What the default is called. */
  readonly fallback?: "default-days" | "default-month" | "default-all";
  /** The length of a file's window, where only its name says it. */
  readonly windowDays?: number | undefined;
}

/** Where a measure is looked for, and which days it has there. */
export interface Found {
  readonly measure: Measure;
  readonly candidate: Candidate;
  readonly data: DayRange | undefined;
  /** First day of the song that is asked about. */
  readonly released: string | undefined;
  /** Names of the files that the figures come from. */
  readonly files: readonly string[];
}

/** The days a question asks for, cut to those with data; or the sentence that says why there are none. */
export function periodOf(question: Question, found: Found): Period | Refusal {
  const { reading, wording } = question;
  const { candidate, data, measure, released } = found;
  if (candidate.source.grain === "window") return windowOf(question, found);
  if (data === undefined) return { refusal: wording.say("no-figures", { NAME: wording.measure(measure) }) };
  const named: DayRange[] = [];
  for (const time of reading.times) {
    const [first] = named;
    const days =
      first !== undefined && time.before !== undefined
        ? back(time.before.count, time.before.unit, addDays(first.from, -1))
        : time.days({ data, released });
    const range = aligned(question, found, time, days, data);
    if ("refusal" in range) return range;
    named.push(range);
  }
  const isFirstLater = named.length > 1 && (named[0]?.from ?? "") > (named[1]?.from ?? "");
  const [later, earlier] = isFirstLater ? named : named.reverse();
  if (later === undefined) return compared(question, candidate, defaultOf(question, candidate, data), data);
  const range = cut(later, data);
  if (range === undefined) return outside(question, "outside", later, data);
  const asked = isSame(range, later) ? undefined : later;
  if (earlier === undefined) return compared(question, candidate, { range, asked, by: "question" }, data);
  const before = cut(earlier, data);
  if (before === undefined) return outside(question, "outside", earlier, data);
  return { range, asked, by: "question", comparison: { ...before, with: "period" } };
}

/** A named period that the calendar has; whole months for statements. */
function aligned(
  { wording }: Question,
  { candidate, released, measure }: Found,
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

/** No period is named: the last 30 days, the last statement month, or all data for months and years. */
function defaultOf({ reading }: Question, { source }: Candidate, data: DayRange): Period {
  const isMonth = source.grain === "month";
  const isByMonth =
    ["month", "quarter", "year"].includes(reading.split ?? "") || (reading.isTrend && isMonth);
  if (isByMonth) return { range: data, by: "default", fallback: "default-all" };
  const from = isMonth ? `${data.to.slice(0, 8)}01` : addDays(data.to, -29);
  const range = { from: from < data.from ? data.from : from, to: data.to };
  return { range, by: "default", fallback: isMonth ? "default-month" : "default-days" };
}

/** Adds what a period is compared with: what is asked for, else as much before, where the data have it. */
function compared(
  question: Question,
  { source }: Candidate,
  period: Period,
  data: DayRange,
): Period | Refusal {
  const { kind, comparison, isTrend, split, order } = question.reading;
  const isSeries = isTrend || isTimeSplit(split);
  const { range } = period;
  if (range === undefined || kind === "changes" || (isSeries && comparison === undefined)) return period;
  const before = comparison === "year-before" ? yearBefore(range) : previousOf(range);
  const start = source.grain === "month" ? `${data.from.slice(0, 8)}01` : data.from;
  if (before.from >= start && before.to <= data.to)
    return { ...period, comparison: { ...before, with: comparison ?? "previous" } };
  const isWanted = comparison !== undefined || order === "growth" || order === "fall";
  return isWanted ? outside(question, "comparison-outside", before, data) : period;
}

/** The sums of a file's window: another period cannot be had of them. */
function windowOf({ reading, wording }: Question, { data, files, measure }: Found): Period | Refusal {
  const windowDays = data === undefined ? daysInName(files) : undefined;
  const [first, second] = reading.times;
  const range = data && first?.days({ data });
  const isWhole =
    first === undefined ||
    first.isEver === true ||
    (windowDays !== undefined && isLast(windowDays, first)) ||
    (range !== undefined && data !== undefined && isSame(range, data));
  const isCompared =
    second !== undefined ||
    reading.comparison !== undefined ||
    reading.order === "growth" ||
    reading.order === "fall";
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
  const range = time.days({ data });
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

function yearBefore({ from, to }: DayRange): DayRange {
  const end = isMonthEnd(to) ? addDays(addMonths(addDays(to, 1), -12), -1) : addMonths(to, -12);
  return { from: addMonths(from, -12), to: end };
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

function outside(
  { wording }: Question,
  name: "outside" | "comparison-outside",
  range: DayRange,
  data: DayRange,
): Refusal {
  return { refusal: wording.say(name, { ASKED: wording.range(range), DATA: wording.range(data) }) };
}
