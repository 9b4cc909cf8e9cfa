import {
  lengthOf,
  addDays,
  addMonths,
  calendarUnit,
  monthOf,
  yearOf,
  back,
  isSame,
  type DayRange,
} from "../question/day.ts";
import { isOfChange, STEPS, type Measure, type Split, type Comparison } from "../question/query.ts";
import type { Time } from "../question/times.ts";
import type { Candidate } from "../model.ts";
import type { Span } from "../store/spans.ts";
import { isTimeSplit, isWeekly } from "./calendar.ts";
import type { Question, Refusal } from "./wording.ts";

/** The days of an answer. */
export interface Period {
  /** Undefined if a file does not state its window. */
  readonly range: DayRange | undefined;
  /** The days named in the question, if the files have fewer. */
  readonly asked?: DayRange | undefined;
  readonly by: "question" | "default" | "file";
  readonly comparison?: (DayRange & { with: Comparison; by: "question" | "default" }) | undefined;
  /** The name of the default period. */
  readonly fallback?: "default-days" | "default-month" | "default-all" | "longest-window";
  /** Later months than the default, which only some stores have reported. */
  readonly later?: (DayRange & { readonly stores: readonly string[] }) | undefined;
  /** For sums: their window. */
  readonly span?: Span | undefined;
}

/** A source of a measure, and the days that it covers. */
interface Availability {
  readonly measure: Measure;
  readonly candidate: Candidate;
  readonly data: DayRange | undefined;
  /** The days with figures of the requested songs, stores or places. */
  readonly own: DayRange | undefined;
  /** For statements without a named period: the last day of the default month. */
  readonly lastOwn: string | undefined;
  /** The first day of the requested song. */
  readonly released: string | undefined;
}

/** The days that a question asks for, limited to those with data; or a sentence that explains why there are none. */
export function periodOf(question: Question, found: Availability): Period | Refusal {
  const { reading, wording } = question;
  const { data, own = data, measure, released } = found;
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
  if (later === undefined) return compared(question, found, defaultOf(question, found, data), data);
  const range = cut(later, data);
  if (range === undefined)
    return outside(question, "outside", later, data, own, found.candidate.source.grain === "month");
  const asked = isSame(range, later) ? undefined : later;
  if (earlier === undefined) return compared(question, found, { range, asked, by: "question" }, data);
  const before = cut(earlier, data);
  if (before === undefined) return outside(question, "outside", earlier, data);
  return { range, asked, by: "question", comparison: { ...before, with: "period", by: "question" } };
}

/** Files that end after today are counted from their own last day. */
function todayOf({ today }: Question, data: DayRange): string {
  return today === undefined || today < data.to ? data.to : today;
}

/** A named period that exists in the calendar; whole months for statements. */
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
  const MONTH = wording.period({ from: data.to, to: data.to }, "month");
  const values = { NAME: wording.measure(measure), ASKED: wording.range(range), MONTH };
  return { refusal: wording.say("whole-months", values) };
}

const MONTHLY: readonly Split[] = ["month", "quarter", "year"];

/** Too few days to represent a month. */
const RARE: readonly Measure[] = ["refunds", "refunded_units"];

/** The default: the last 30 days or statement month; all data for months, years, the highest day and rare figures. */
function defaultOf(
  { reading }: Question,
  { measure, candidate: { source }, own, lastOwn = "" }: Availability,
  data: DayRange,
): Period {
  const isMonth = source.grain === "month";
  const isByMonth =
    [reading.split, reading.group].some((one) => one !== undefined && MONTHLY.includes(one)) ||
    (reading.isTrend && isMonth) ||
    // "The day with most listeners" may be any day.
    (reading.order !== undefined && (reading.split === "day" || reading.split === "week")) ||
    reading.atLeast !== undefined ||
    reading.atMost !== undefined;
  // The last months of statements lack stores.
  if (reading.kind === "start" || reading.kind === "peak")
    return {
      range: { from: (own ?? data).from, to: (isMonth && lastOwn) || data.to },
      by: "default",
      fallback: "default-all",
    };
  // A milestone is counted from the first day of the files.
  const isWhen = reading.kind === "milestone" || (reading.kind === "changes" && reading.marks.has("when"));
  if (isByMonth || isWhen || RARE.includes(measure))
    return { range: data, by: "default", fallback: "default-all" };
  // Another store may have a later statement.
  const to = isMonth && lastOwn !== "" ? lastOwn : data.to;
  const from = isMonth ? `${to.slice(0, 8)}01` : addDays(to, -29);
  const range = { from: from < data.from ? data.from : from, to };
  return { range, by: "default", fallback: isMonth ? "default-month" : "default-days" };
}

/** Adds the comparison period: the requested one, otherwise the same length of time before, if the data cover it. */
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
    ["changes", "milestone", "start", "peak"].includes(kind) ||
    group !== undefined ||
    // A step of time is compared with the previous step.
    (isSeries && comparison === undefined && !(isWeekly(split) && isOfChange(order)));
  if (range === undefined || isAlone) return period;
  const year = comparedYear?.days({ data, today: todayOf(question, data), released });
  const years = year === undefined ? 1 : yearOf(range.from) - yearOf(year.from);
  const isAsked = comparison !== undefined || isOfChange(order);
  // A year to date is compared with the same days of the previous year.
  const isSoFar = range.from.endsWith("-01-01") && range.to === data.to && lengthOf(range) > MOST.quarter;
  const isOfYear =
    comparison === "year-before" || (comparison === undefined && isSoFar && !isOfChange(order));
  const before = isOfYear ? yearsBefore(range, years) : previousOf(range);
  const start = source.grain === "month" ? `${data.from.slice(0, 8)}01` : data.from;
  if (before.from >= start && before.to <= data.to)
    return {
      ...period,
      comparison: {
        ...before,
        with: comparison ?? (isOfYear ? "year-before" : "previous"),
        by: isAsked ? "question" : "default",
      },
    };
  return isAsked ? outside(question, "comparison-outside", before, data) : period;
}

/** The same number of days before; for whole months, the same number of months. */
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

/** The refusal for a period without figures; after the data, with an offer of the last whole unit that has some. */
function outside(
  { reading, wording }: Question,
  name: "outside" | "comparison-outside",
  range: DayRange,
  data: DayRange,
  own: DayRange = data,
  isMonthly = false,
): Refusal {
  const said = wording.say(name, { ASKED: wording.range(range), DATA: wording.range(data) });
  const [time, ...others] = reading.times;
  // With a comparison, the period before the offered one would be missing too.
  const isAlone =
    name === "outside" &&
    others.length === 0 &&
    reading.comparison === undefined &&
    !isOfChange(reading.order);
  const whole = time?.days({ data, today: PERIODS_LAST_DAY }) ?? range;
  const last = isAlone && range.from > data.to ? lastComplete(range, whole, own, isMonthly) : undefined;
  if (last === undefined) return { refusal: said };
  const offer = wording.say("last-complete", { NAME: wording.period(last.range, last.unit) });
  return { refusal: wording.sentences(said, offer) };
}

/** The last day of a month, quarter and year, on a Thursday: "this month" and "this week" are longer than a day. */
const PERIODS_LAST_DAY = "2026-12-31";

/**
 * The last whole period of the same kind in the data, otherwise as many days up to the last day, unless the data have only months.
 * `whole` has the kind of the requested period: "this month" ends today, and is only a day long on the first of a month.
 */
function lastComplete(
  asked: DayRange,
  whole: DayRange,
  data: DayRange,
  isMonthly: boolean,
): { readonly range: DayRange; readonly unit: (typeof STEPS)[number] } | undefined {
  const unit = STEPS.find(
    (one) =>
      (!isMonthly || MOST[one] > MOST.week) &&
      calendarUnit(0, one, whole.from)?.from === whole.from &&
      lengthOf(whole) <= MOST[one],
  );
  if (unit === undefined) {
    if (isMonthly) return undefined;
    const last = { from: addDays(data.to, 1 - lengthOf(asked)), to: data.to };
    return last.from >= data.from ? { range: last, unit: "day" } : undefined;
  }
  const now = calendarUnit(0, unit, addDays(data.to, 1));
  const range =
    now?.from === addDays(data.to, 1) ? calendarUnit(1, unit, now.from) : calendarUnit(1, unit, data.to);
  return range !== undefined && range.from >= data.from ? { range, unit } : undefined;
}

const MOST = { day: 1, week: 7, month: 31, quarter: 92, year: 366 } as const;
