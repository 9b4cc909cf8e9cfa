import calendar from "./calendar.json" with { type: "json" };
import {
  addDays,
  lengthOf,
  back,
  calendarUnit,
  daysOf,
  firstUnits,
  partOf,
  single,
  spanOf,
  yearOf,
  type DayRange,
  type Days,
  type Part,
  type PartialDate,
  type Unit,
} from "./day.ts";
import type { Claims } from "./claims.ts";
import type { CalendarUnit } from "./date-words.ts";
import { STEPS, type Measure } from "./query.ts";
import { is, type Token } from "./scan.ts";

/** A period that a question names. */
export interface Time {
  readonly days: Days;
  /** Its words in the question, in lower case until `shownTime`. */
  readonly text: string;
  readonly partial?: PartialDate | undefined;
  /** The days in a year that is named elsewhere. */
  readonly inYear?: ((year: number) => Days) | undefined;
  /** Its length, if it is the time before the other period of the question. */
  readonly before?: { readonly count: number; readonly unit: Unit } | undefined;
  /** "since release": starts on the song's first day. */
  readonly isRelease?: boolean;
  /** All days with data. */
  readonly isEver?: boolean;
  /** Whether it is a whole calendar year: "2025", "last year". */
  readonly isYear?: boolean;
  /** "This month", "last month". */
  readonly calendar?: CalendarUnit | undefined;
  /** The year, for a period that is only a year. */
  readonly year?: ((today: string) => number) | undefined;
  /** The number of days. */
  readonly dayCount?: number;
  /** For figures of a single day: the days that "at the start of the year" means. */
  readonly start?: Days;
}

/** Figures of a single day, which are not added up. */
const AT_A_TIME: readonly Measure[] = ["followers", "monthly_listeners"];

/** "At the start of the year" means the first day for followers, and the first weeks for plays. */
export function atStart(time: Time, measures: readonly Measure[]): Time {
  const isAtATime = measures.length > 0 && measures.every((measure) => AT_A_TIME.includes(measure));
  return time.start === undefined || !isAtATime ? time : { ...time, days: time.start };
}

const { months, weekdays } = calendar;
const DATE_NAMES = [...Object.values(months), ...Object.values(weekdays)].flat();
const PROPER = new RegExp(`\\b(?:q[1-4]|${DATE_NAMES.join("|")})\\b`, "g");

/** Restores capitals in the words of a period, since questions are converted to lower case. */
export function shownTime(time: Time): Time {
  const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
  return { ...time, text: time.text.replaceAll(PROPER, capital) };
}

/** A period with the first and last token of its phrase. */
interface Item extends Time {
  readonly first: number;
  readonly last: number;
}

/** Clears the properties that would let another year apply. */
const UNDATED = { partial: undefined, inYear: undefined, year: undefined, calendar: undefined };
const LINKING = ["and", "to", "from", "since", "until", "before", "after"];
/** Marks that compare two periods. */
export const COMPARING = ["versus", "more", "less", "grow", "fall", "previous", "year_before", "trend"];

/** Reads the periods in tokens, in order: dates with their parts, from and to, since, before, since release, ever. */
export function timesOf(
  tokens: readonly Token[],
  { hasOrder, isOfSong }: { readonly hasOrder: boolean; readonly isOfSong: boolean },
  claims: Claims,
): readonly Time[] {
  const items: Item[] = [];
  for (const found of datesIn(tokens, hasOrder, isOfSong)) {
    const item = opened(found, tokens, claims);
    const before = items.at(-1);
    // "In November so far".
    const isSoFar = item.isEver === true && item.text === "so far" && before?.last === item.first - 1;
    if (isSoFar || isRepeated(item, before)) claims.claimSpan(item.first, item.last);
    else items.push(item);
  }
  const total = tokens.find((token) => is(token, "mark", "total", "onwards", "cumulative"));
  const hasSteps = tokens.some((token) => is(token, "split") || is(token, "mark", "trend"));
  // "How much in total?" means all days with data.
  if (items.length === 0 && total !== undefined && !(hasSteps && is(total, "mark", "cumulative"))) {
    claims.claim(total);
    return [{ text: total.text, days: ({ data }) => data, isEver: true }];
  }
  return joined(withMonth(withYear(items, tokens, claims), tokens), tokens, claims);
}

/**
 * A year, and a month, day, quarter or holiday without a year, form one period: "2026 October" if adjacent, "9月播放 2026"
 * also with other words in between if nothing else is named.
 */
function withYear(items: readonly Item[], tokens: readonly Token[], claims: Claims): readonly Item[] {
  const merged: Item[] = [];
  for (const item of items) {
    const before = merged.at(-1);
    const [date, year] = before?.year === undefined ? [before, item] : [item, before];
    const isBeside = before?.last === item.first - 1;
    if (before === undefined || !isOfYear(date, year) || !(isBeside || isAlone(items, tokens)))
      merged.push(item);
    else merged.splice(-1, 1, datedIn(date, year, claims));
  }
  return merged;
}

/** "October 2025 and 2026", 2025年和2026年10月: the month applies to both years. */
function withMonth(items: readonly Item[], tokens: readonly Token[]): readonly Item[] {
  const [first, second, ...others] = items;
  if (first === undefined || second === undefined || others.length > 0) return items;
  const isJoined = second.first === first.last + 2 && is(tokens[first.last + 1], "mark", "and");
  const whole = [first, second].find(
    ({ partial }) => partial?.year !== undefined && partial.month !== undefined,
  );
  const year = [first, second].find((item) => item.year !== undefined && item !== whole);
  if (!isJoined || whole?.partial === undefined || year === undefined) return items;
  const { partial } = whole;
  const days: Days = ({ today }) => daysOf({ ...partial, year: year.year?.(today) }, today);
  return items.map((item) => (item === year ? { ...item, year: undefined, partial: undefined, days } : item));
}

function isOfYear(
  date: Item | undefined,
  { year }: Item,
): date is Item & { inYear: NonNullable<Item["inYear"]> } {
  return date?.inYear !== undefined && year !== undefined;
}

/** Whether only two periods are named, and no word links or compares them. */
function isAlone([first, second, ...others]: readonly Item[], tokens: readonly Token[]): boolean {
  if (first === undefined || second === undefined || others.length > 0) return false;
  const isApart = tokens.some((token) => is(token, "mark", ...COMPARING));
  const between = tokens.slice(first.last + 1, second.first);
  return !isApart && !between.some((token) => is(token, "mark", ...LINKING));
}

function datedIn(
  { inYear, ...date }: Item & { inYear: NonNullable<Item["inYear"]> },
  { year = () => 0, partial, first, last, text }: Item,
  claims: Claims,
): Item {
  claims.claimSpan(first, last);
  return {
    ...date,
    first: Math.min(date.first, first),
    last: Math.max(date.last, last),
    text: date.first < first ? `${date.text} ${text}` : `${text} ${date.text}`,
    partial:
      partial?.year === undefined ? undefined : date.partial && { ...date.partial, year: partial.year },
    days: (reckoning) => inYear(year(reckoning.today))(reckoning),
  };
}

/** Two reference days that distinguish phrases with the same meaning from others. */
const PROBES = ["2001-06-15", "2004-11-02"].map((to) => ({ data: { from: "2000-01-01", to }, today: to }));

function rangesOf({ days }: Time): readonly (DayRange | undefined)[] {
  return PROBES.map(days);
}

/** "国庆7天（10月1日至7日）": the previous days in other words. */
function isRepeated(item: Item, before: Item | undefined): boolean {
  if (before === undefined || before.last + 1 !== item.first) return false;
  const others = rangesOf(before);
  return rangesOf(item).every(
    (range, at) => range !== undefined && range.from === others[at]?.from && range.to === others[at].to,
  );
}

/** The number of days in a phrase on each of the reference days. */
function lengthsOf(item: Time): readonly number[] {
  return rangesOf(item).map((range) => (range === undefined ? 0 : lengthOf(range)));
}

/** Whether a phrase always has a number of days within these limits. */
function isOfLength(item: Time, fewest: number, most: number): boolean {
  return lengthsOf(item).every((length) => length >= fewest && length <= most);
}

/** The days per unit, for nouns that repeat it: "the month of September", "25 December, how many plays that day". */
const LENGTHS: Readonly<Record<string, readonly [fewest: number, most: number]>> = {
  day: [1, 1],
  week: [7, 7],
  month: [28, 31],
  quarter: [90, 92],
  year: [365, 366],
};

function isRepeatedBy(noun: Token | undefined, item: Item): boolean {
  const bounds = is(noun, "noun") ? LENGTHS[noun?.value ?? ""] : undefined;
  return bounds !== undefined && isOfLength(item, ...bounds);
}

/** Dates, "since release" and "ever", each with the adjacent parts. */
function datesIn(tokens: readonly Token[], hasOrder: boolean, isOfSong: boolean): readonly Item[] {
  const items: Item[] = [];
  const used = new Set<number>();
  let whole: Days | undefined;
  tokens.forEach((token, at) => {
    const item = used.has(at) ? undefined : itemAt(tokens, at, hasOrder);
    if (item === undefined) return;
    whole ??= item.days;
    const isOfRelease = item.isRelease === true;
    const after = partsFrom(tokens, item.last + 1, 1, used, isOfRelease);
    const before = partsFrom(tokens, at - 1, -1, used, isOfRelease);
    const parts = [...after, ...before];
    if (!is(token, "mark", "after_release") || parts.length > 0)
      items.push({ ...narrowed(item, parts), first: at - before.length, last: item.last + after.length });
  });
  tokens.forEach(({ date, text }, at) => {
    if (date?.is !== "part" || used.has(at)) return;
    const { part } = date;
    const isBeside = [tokens[at - 1], tokens[at + 1]].some((one) => is(one, "mark", "and", "to", "versus"));
    const days = whole;
    // "Plays last week of Ocean", "the last 30 days of plays": a part without a whole is a period of its own.
    const isOwn = part.at === "last" && (part.unit === "week" || days === undefined);
    if (isOwn && part.count > 1)
      items.push({ first: at, last: at, text, days: ({ data }) => back(part.count, part.unit, data.to) });
    else if (isOwn && part.unit !== "day")
      items.push({ first: at, last: at, text, days: ({ today }) => calendarUnit(1, part.unit, today) });
    // "The first and the second week of September": both are parts of the one period.
    else if (days !== undefined && isBeside)
      items.push(narrowed({ first: at, last: at, text, days }, [part]));
    // "Its first 30 days", of a song.
    else if (
      isBeginning(part) &&
      (isOfSong || tokens.some((one) => is(one, "song") || is(one, "mark", "pointer")))
    )
      items.push(narrowed({ first: at, last: at, text, days: sinceFirst, isRelease: true }, [part]));
  });
  return items.sort((left, right) => left.first - right.first);
}

function isBeginning(part: Part): boolean {
  return part.at === "first" || (part.at === "nth" && part.unit === "week");
}

function itemAt(tokens: readonly Token[], at: number, hasOrder: boolean): Item | undefined {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token === undefined) return undefined;
  const { date, text } = token;
  const base = { first: at, last: at, text };
  if (date?.is === "period") {
    const { days, partial, inYear, before, calendar, year } = date;
    const beginning = firstOf(token);
    // 它前30天: the first days of a song.
    if (beginning !== undefined && (is(tokens[at - 1], "song") || is(tokens[at - 1], "mark", "pointer")))
      return narrowed({ ...base, days: sinceFirst, isRelease: true }, [beginning]);
    // 最高的前3天 asks for three rows.
    return before !== undefined && is(tokens[at - 1], "order")
      ? undefined
      : { ...base, days, partial, inYear, before, calendar, year };
  }
  if (is(token, "mark", "ever")) return { ...base, days: ({ data }) => data, isEver: true };
  if (is(token, "mark", "release", "after_release")) {
    return { ...base, days: sinceFirst, isRelease: true };
  }
  if (
    !is(token, "number") ||
    is(tokens[at - 1], "mark", "threshold") ||
    hasOrder ||
    !is(next, "noun", ...STEPS)
  )
    return undefined;
  const unit = next?.value as Unit;
  return { ...base, last: at + 1, days: ({ data }) => back(Number(token.value), unit, data.to) };
}

const sinceFirst: Days = ({ data, released }) =>
  released === undefined ? undefined : { from: released, to: data.to };

/** Whether a period is all of a song's days, not only the first ones. */
export function isSinceRelease({ days }: Time): boolean {
  return days === sinceFirst;
}

/** The consecutive parts from a position on. */
function partsFrom(
  tokens: readonly Token[],
  from: number,
  step: 1 | -1,
  used: Set<number>,
  isOfRelease: boolean,
): readonly Part[] {
  const parts: Part[] = [];
  for (let at = from; ; at += step) {
    const date = tokens[at]?.date;
    const part = date?.is === "part" ? date.part : isOfRelease ? firstOf(tokens[at]) : undefined;
    if (part === undefined || used.has(at)) return parts;
    used.add(at);
    parts.push(part);
  }
}

/** 发行后前30天: next to a release, the first days; elsewhere, the days before another period. */
function firstOf(token: Token | undefined): Part | undefined {
  const before = token?.date?.is === "period" ? token.date.before : undefined;
  return before !== undefined && token?.text.startsWith("前") ? { at: "first", ...before } : undefined;
}

/** Reduces a period to its parts, one after the other. */
function narrowed(item: Item, parts: readonly Part[]): Item {
  return parts.reduce<Item>((whole, part) => {
    const days: Days = (reckoning) => {
      if (item.isRelease === true)
        return reckoning.released === undefined ? undefined : sinceRelease(part, reckoning.released);
      const range = whole.days(reckoning);
      return range && partOf(part, range);
    };
    const start: Days = (reckoning) => {
      const range = whole.days(reckoning);
      return range && single(range.from);
    };
    return { ...whole, ...UNDATED, days, ...(part.at === "early" ? { start } : {}) };
  }, item);
}

function sinceRelease(part: Part, released: string): DayRange | undefined {
  if (part.at === "first") return { from: released, to: firstUnits(released, part.count, part.unit) };
  if (part.at === "nth" && part.unit === "week")
    return { from: addDays(released, part.count * 7 - 7), to: addDays(released, part.count * 7 - 1) };
  return undefined;
}

/** The relation of days to those of a phrase, and to those with figures. */
type Change = (range: DayRange, data: DayRange) => DayRange;

const since: Change = (range, { to }) => ({ from: range.from, to: range.from > to ? range.to : to });
const after: Change = (range, { to }) => ({ from: addDays(range.to, 1), to });
const until: Change = (range, { from }) => ({ from, to: range.to });
const before: Change = ({ from }, data) => {
  const to = addDays(from, -1);
  return { from: data.from < to ? data.from : to, to };
};

/** "Since October", "before October", "until October", "after October", "the week before October 5". */
function opened(item: Item, tokens: readonly Token[], claims: Claims): Item {
  const [number, noun, left] = [-3, -2, -1].map((step) => tokens[item.first + step]);
  const right = tokens[item.last + 1];
  if (is(noun, "noun", ...STEPS) && is(left, "mark", "since", "before", "after")) {
    const unit = noun?.value as Unit;
    const isCounted = is(number, "number");
    const count = isCounted ? Number(number?.value) : 1;
    claims.claim(left, noun, isCounted ? number : undefined);
    return changed(item, `${left?.text ?? ""} ${item.text}`, ({ from, to }) => {
      if (left?.value === "before") return back(count, unit, addDays(from, -1)) ?? single(from);
      const first = left?.value === "since" ? from : addDays(to, 1);
      return { from: first, to: firstUnits(first, count, unit) };
    });
  }
  // "From 5 November" without an end.
  const isFrom =
    is(left, "mark", "from") && !is(right, "mark", "to") && !is(right, "date") && isOfLength(item, 1, 1);
  const isFirst = !tokens.slice(0, item.first).some(({ kind }) => kind === "date");
  const isUpTo = isFirst && (is(left, "mark", "to") || (is(left, "mark", "each") && left?.text === "by"));
  const openings: readonly (readonly [Change, isLeft: boolean, isRight: boolean])[] = [
    [since, isFrom || is(left, "mark", "since"), is(right, "mark", "since", "onwards")],
    [after, is(left, "mark", "after"), false],
    [before, is(left, "mark", "before"), is(right, "mark", "before")],
    [until, is(left, "mark", "until") || isUpTo, is(right, "mark", "until")],
  ];
  const [change, isLeft, isRight] = openings.find((one) => one.includes(true)) ?? [];
  if (change === undefined) return item;
  claims.claim(isLeft ? left : undefined, isRight ? right : undefined);
  const text = isRight ? `${item.text}${right?.text ?? ""}` : `${left?.text ?? ""} ${item.text}`;
  return { ...changed(item, text, change), last: item.last + (isRight ? 1 : 0) };
}

function changed(item: Item, text: string, change: Change): Item {
  const days: Days = (reckoning) => {
    const range = item.days(reckoning);
    return range && change(range, reckoning.data);
  };
  return { ...item, ...UNDATED, text, days };
}

/** Two periods with "to" between them, or with "and" after "between", become one. */
function joined(items: readonly Item[], tokens: readonly Token[], claims: Claims): readonly Time[] {
  const times: Time[] = [];
  const isCompared = tokens.some((token) => is(token, "mark", ...COMPARING));
  // 9月和10月的收入同比 compares both months together with the same months of the previous year.
  const isOfYear = tokens.some((token) => is(token, "mark", "year_before"));
  const asksSum = isOfYear || tokens.some((token) => is(token, "mark", "sum", "total", "together"));
  const asksGrowth = tokens.some(
    (token) => is(token, "mark", "grow", "fall") || is(token, "order", "growth", "fall", "gain", "loss"),
  );
  for (let at = 0; at < items.length; at += 1) {
    const [previous, first, second] = [items[at - 1], items[at], items[at + 1]];
    if (first === undefined) break;
    if (second !== undefined && second.first === first.last + 2) {
      const [before, link] = [tokens[first.first - 1], tokens[first.last + 1]];
      const isBetween = is(link, "mark", "and") && before?.text === "between";
      // "Compare October to September" names two periods, "compare from September 1 to 10 with …" a single one.
      const isFrom = is(before, "mark", "from");
      const isTwo =
        items.length === 2 &&
        ((isCompared && !isFrom && !is(before, "mark", "between")) ||
          (isFrom && asksGrowth && isOfLength(first, 28, Infinity) && isOfLength(second, 28, Infinity)));
      // "The sum of May and June" refers to one period.
      const isSum = is(link, "mark", "and") && asksSum && (isOfYear || !isCompared) && isNext(first, second);
      if ((is(link, "mark", "to") && !isTwo) || isBetween || isSum) {
        claims.claimSpan(first.first - (is(before, "mark", "between", "from") ? 1 : 0), second.last);
        times.push({ text: `${first.text} … ${second.text}`, days: spanned(first, second) });
        at += 1;
        continue;
      }
    }
    const isBeside =
      previous === undefined ||
      tokens.slice(previous.last + 1, first.first).some((token) => is(token, "mark", "and"));
    // If nothing compares two periods, they stay unclaimed, because one of them would be ignored.
    if (isBeside || isCompared || asksGrowth) {
      claims.claimSpan(first.first, first.last);
      claims.claim(...tokens.filter((token) => isRepeatedBy(token, first)));
    }
    times.push({ ...first, isYear: isOfLength(first, 365, 366), dayCount: Math.max(...lengthsOf(first)) });
  }
  return times;
}

/** Whether a period begins on the day after another ends. */
function isNext(first: Time, second: Time): boolean {
  const [one, two] = [first.partial, second.partial];
  if (
    one?.month !== undefined &&
    two?.month !== undefined &&
    one.date === undefined &&
    two.date === undefined
  )
    return two.month === (one.month % 12) + 1;
  const later = rangesOf(second);
  return rangesOf(first).every(
    (range, at) => range !== undefined && later[at]?.from === addDays(range.to, 1),
  );
}

function spanned(first: Time, second: Time): Days {
  return (reckoning) => {
    if (first.partial !== undefined && second.partial !== undefined)
      return spanOf(first.partial, second.partial, reckoning.today);
    const from = first.days(reckoning)?.from;
    const inYear = first.inYear === undefined && from !== undefined ? second.inYear : undefined;
    // "From Christmas 2025 to New Year's Day" ends in the following year.
    const ends = [0, 1].map((later) => inYear?.(yearOf(from ?? "") + later)(reckoning)?.to);
    const to = ends.find((day) => day !== undefined && day >= (from ?? "")) ?? second.days(reckoning)?.to;
    return from === undefined || to === undefined ? undefined : { from, to };
  };
}
