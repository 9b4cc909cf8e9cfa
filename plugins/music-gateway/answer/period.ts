import { addDays, addMonths, lengthOf, monthOf, yearOf, type DayRange } from "../question/day.ts";
import { back } from "../question/period.ts";
import type { Comparison, Measure } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import type { Time } from "../question/times.ts";
import { isTimeSplit } from "./figures.ts";
import type { Candidate } from "./sources.ts";
import type { Wording } from "./wording.ts";

/** The days of an answer. */
export interface Period {
  /** Undefined where a file does not say its window. */
  readonly range: DayRange | undefined;
  /** What was asked for, where it is more than there is. */
  readonly asked: DayRange | undefined;
  readonly by: "question" | "default" | "file";
  readonly comparison: (DayRange & { with: Comparison }) | undefined;
  /** What the default is called. */
  readonly fallback: "default-days" | "default-month" | "default-all" | undefined;
  /** The length of a file's window, where only its name says it. */
  readonly windowDays?: number | undefined;
}

export interface PeriodQuestion {
  readonly reading: Reading;
  readonly candidate: Candidate;
  readonly data: DayRange | undefined;
  readonly released: string | undefined;
  /** Names of the files that the figures come from. */
  readonly files: readonly string[];
  readonly measure: Measure;
  readonly wording: Wording;
}

type Refusal = { readonly refusal: string };

/** The days a question asks for, cut to those with data; or the sentence that says why there are none. */
export function periodOf(question: PeriodQuestion): Period | Refusal {
  const { reading, candidate, data, wording } = question;
  if (candidate.source.grain === "window") return windowOf(question);
  if (data === undefined)
    return { refusal: wording.say("no-figures", { NAME: wording.measure(question.measure) }) };
  const [first, second] = reading.times;
  if (first === undefined) return defaultOf(question, data);
  const one = asked(first, question, data);
  if ("refusal" in one) return one;
  if (second === undefined) {
    const range = cut(one, data);
    if (range === undefined) return outside(wording, "outside", one, data);
    return compared(question, data, { range, asked: isSame(range, one) ? undefined : one, by: "question" });
  }
  const other =
    second.before === undefined
      ? asked(second, question, data)
      : aligned(back(second.before.count, second.before.unit, addDays(one.from, -1)), second, question, data);
  if ("refusal" in other) return other;
  const [earlier, later] = one.from <= other.from ? [one, other] : [other, one];
  const range = cut(later, data);
  const comparison = cut(earlier, data);
  if (range === undefined) return outside(wording, "outside", later, data);
  if (comparison === undefined) return outside(wording, "outside", earlier, data);
  return {
    range,
    asked: isSame(range, later) ? undefined : later,
    by: "question",
    comparison: { ...comparison, with: "period" },
    fallback: undefined,
  };
}

function asked(time: Time, question: PeriodQuestion, data: DayRange): DayRange | Refusal {
  return aligned(time.days({ data, released: question.released }), time, question, data);
}

/** A named period that the calendar has; whole months for statements. */
function aligned(
  range: DayRange | undefined,
  time: Time,
  { candidate, released, measure, wording }: PeriodQuestion,
  data: DayRange,
): DayRange | Refusal {
  if (range === undefined) {
    if (time.isRelease === true && released === undefined) return { refusal: wording.say("no-release") };
    return { refusal: wording.say("no-such-day", { WORDS: time.text }) };
  }
  if (range.from > range.to) return { refusal: wording.say("reversed") };
  if (candidate.source.grain !== "month") return range;
  const isFromFirst = range.from.endsWith("-01") || range.from <= data.from || time.isRelease === true;
  const isToLast = addDays(range.to, 1).endsWith("-01") || range.to >= data.to;
  if (!isFromFirst || !isToLast) {
    return {
      refusal: wording.say("whole-months", { NAME: wording.measure(measure), ASKED: wording.range(range) }),
    };
  }
  return { from: `${range.from.slice(0, 8)}01`, to: range.to };
}

/** No period is named: the last 30 days, the last statement month, or all data for months and years. */
function defaultOf(question: PeriodQuestion, data: DayRange): Period | Refusal {
  const { reading, candidate } = question;
  const isByMonth =
    ["month", "quarter", "year"].includes(reading.split ?? "") ||
    (reading.isTrend && candidate.source.grain === "month");
  if (isByMonth)
    return compared(question, data, {
      range: data,
      asked: undefined,
      by: "default",
      fallback: "default-all",
    });
  const isMonth = candidate.source.grain === "month";
  const from = isMonth ? `${data.to.slice(0, 8)}01` : addDays(data.to, -29);
  const range = { from: from < data.from ? data.from : from, to: data.to };
  return compared(question, data, {
    range,
    asked: undefined,
    by: "default",
    fallback: isMonth ? "default-month" : "default-days",
  });
}

/** Adds what a period is compared with: what is asked for, else as much before, where the data have it. */
function compared(
  { reading, candidate, wording }: PeriodQuestion,
  data: DayRange,
  period: Pick<Period, "asked" | "by"> & { readonly range: DayRange; readonly fallback?: Period["fallback"] },
): Period | Refusal {
  const { range } = period;
  const isSeries = reading.isTrend || isTimeSplit(reading.split);
  if (reading.kind === "changes" || (isSeries && reading.comparison === undefined))
    return { ...period, fallback: period.fallback, comparison: undefined };
  const kind = reading.comparison ?? "previous";
  const before = kind === "year-before" ? yearBefore(range) : previousOf(range);
  const start = candidate.source.grain === "month" ? `${data.from.slice(0, 8)}01` : data.from;
  const isInside = before.from >= start && before.to <= data.to;
  const isWanted = reading.comparison !== undefined || reading.order === "growth" || reading.order === "fall";
  if (!isInside && isWanted) return outside(wording, "comparison-outside", before, data);
  return {
    range,
    asked: period.asked,
    by: period.by,
    fallback: period.fallback,
    comparison: isInside ? { ...before, with: kind } : undefined,
  };
}

/** The sums of a file's window: another period cannot be had of them. */
function windowOf({ reading, data, files, measure, wording }: PeriodQuestion): Period | Refusal {
  const windowDays = data === undefined ? daysInName(files) : undefined;
  const unknown = windowDays === undefined ? wording.say("window-unknown") : wording.days(windowDays);
  const window = data === undefined ? unknown : wording.range(data);
  const name = wording.measure(measure);
  const [first, second] = reading.times;
  const isCompared =
    second !== undefined ||
    reading.comparison !== undefined ||
    reading.order === "growth" ||
    reading.order === "fall";
  const range =
    first === undefined || data === undefined ? undefined : first.days({ data, released: undefined });
  const isWhole =
    first === undefined ||
    first.isEver === true ||
    (windowDays !== undefined && isLast(windowDays, first)) ||
    (range !== undefined && data !== undefined && isSame(range, data));
  if (isCompared || !isWhole) {
    const said = range === undefined ? (first?.text ?? "") : wording.range(range);
    return {
      refusal: wording.say("only-window", {
        NAME: name,
        WINDOW: window,
        ASKED: said === "" ? wording.say("change") : said,
      }),
    };
  }
  return {
    range: data,
    asked: undefined,
    by: "file",
    comparison: undefined,
    fallback: undefined,
    windowDays,
  };
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
export function previousOf(range: DayRange): DayRange {
  if (range.from.endsWith("-01") && addDays(range.to, 1).endsWith("-01")) {
    const months = (yearOf(range.to) - yearOf(range.from)) * 12 + monthOf(range.to) - monthOf(range.from) + 1;
    return { from: addMonths(range.from, -months), to: addDays(range.from, -1) };
  }
  const length = lengthOf(range);
  return { from: addDays(range.from, -length), to: addDays(range.from, -1) };
}

function yearBefore({ from, to }: DayRange): DayRange {
  const isMonthEnd = addDays(to, 1).endsWith("-01");
  return {
    from: addMonths(from, -12),
    to: isMonthEnd ? addDays(addMonths(addDays(to, 1), -12), -1) : addMonths(to, -12),
  };
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
  wording: Wording,
  name: "outside" | "comparison-outside",
  range: DayRange,
  data: DayRange,
): Refusal {
  return { refusal: wording.say(name, { ASKED: wording.range(range), DATA: wording.range(data) }) };
}
