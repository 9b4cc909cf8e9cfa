import { addDays, lengthOf, type DayRange } from "./day.ts";
import type { Token } from "./scan.ts";
import {
  back,
  calendarUnit,
  firstUnits,
  partOf,
  spanOf,
  type Days,
  type Part,
  type Said,
  type Unit,
} from "./period.ts";

/** A period that a question names. */
export interface Time {
  readonly days: Days;
  readonly text: string;
  readonly said?: Said | undefined;
  /** It lies before the other period of the question. */
  readonly before?: { readonly count: number; readonly unit: Unit } | undefined;
  /** "since release": begins with the song's first day. */
  readonly isRelease?: boolean;
  /** All days with data. */
  readonly isEver?: boolean;
}

/** The periods of a question in their order, and phrases of time that belong to none. */
export interface Times {
  readonly times: readonly Time[];
  readonly unread: readonly string[];
}

type Item = { -readonly [Key in keyof Time]: Time[Key] } & { readonly first: number; last: number };

const TIME_UNITS = new Set(["day", "week", "month", "quarter", "year"]);
/** What sets two periods side by side. */
const COMPARING = ["versus", "more", "less", "grow", "fall", "previous", "year_before", "trend"];
const STANDING_PARTS: Readonly<Record<string, Part["at"]>> = { week: "last" };

/** Reads the periods out of tokens: dates with their parts, from and to, since, before, since release, ever. */
export function timesOf(tokens: readonly Token[], hasOrder: boolean): Times {
  const unread: string[] = [];
  const items = datesIn(tokens, hasOrder, unread)
    .map((item) => opened(item, tokens))
    .filter((item, at, all) => !isRepeated(item, all[at - 1]));
  return { times: joined(items, tokens, unread), unread };
}

/** Days from which two phrases that mean the same are told from two that do not. */
const PROBES = ["2001-06-15", "2004-11-02"].map((to) => ({ data: { from: "2000-01-01", to } }));

/** "国庆7天（10月1日至7日）": days that were just named in other words. */
function isRepeated(item: Item, before: Item | undefined): boolean {
  if (before === undefined || before.last + 1 !== item.first) return false;
  return PROBES.every((reckoning) => {
    const range = item.days(reckoning);
    const other = before.days(reckoning);
    return range !== undefined && range.from === other?.from && range.to === other.to;
  });
}

/** Whether a phrase is of a month or more: "grew from August to September" holds one against the other. */
function isLong(item: Item): boolean {
  return PROBES.every((reckoning) => {
    const range = item.days(reckoning);
    return range !== undefined && lengthOf(range) >= 28;
  });
}

/** Dates, "since release" and "ever", each with the parts beside it. */
function datesIn(tokens: readonly Token[], hasOrder: boolean, unread: string[]): readonly Item[] {
  const items: Item[] = [];
  const used = new Set<number>();
  let whole: Days | undefined;
  tokens.forEach((_, at) => {
    const item = itemAt(tokens, at, hasOrder);
    if (item === undefined) return;
    whole ??= item.days;
    const after = partsFrom(tokens, item.last + 1, 1, used);
    const before = partsFrom(tokens, at - 1, -1, used);
    if (isMark(tokens[at], "after_release") && after.length + before.length === 0) {
      unread.push(item.text);
      return;
    }
    for (const part of [...after, ...before]) {
      const { days } = item;
      const isRelease = item.isRelease === true;
      item.days = (reckoning) => {
        const { released } = reckoning;
        if (isRelease) return released === undefined ? undefined : sinceRelease(part, released);
        return narrowed(part, days(reckoning));
      };
      delete item.said;
    }
    item.last += after.length;
    items.push({ ...item, first: at - before.length });
  });
  tokens.forEach((token, at) => {
    if (token.kind !== "date" || token.word.is !== "part" || used.has(at)) return;
    const { part } = token.word;
    // "Plays last week of Ocean": a part of nothing that is a period of its own.
    if (part.at === "last" && "unit" in part && part.unit in STANDING_PARTS)
      items.push({
        first: at,
        last: at,
        text: token.text,
        days: ({ data }) => calendarUnit(1, "week", data.to),
      });
    else if (
      whole !== undefined &&
      [at - 1, at + 1].some((beside) => isMark(tokens[beside], "and", "to", "versus"))
    ) {
      // "The first and the second week of September": both are parts of the one period.
      const days = whole;
      items.push({
        first: at,
        last: at,
        text: token.text,
        days: (reckoning) => narrowed(part, days(reckoning)),
      });
    } else unread.push(token.text);
  });
  return items.sort((left, right) => left.first - right.first);
}

function itemAt(tokens: readonly Token[], at: number, hasOrder: boolean): Item | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const base = { first: at, last: at, text: token.text };
  if (token.kind === "date" && token.word.is === "period") {
    const { days, said, before } = token.word;
    // 最高的前3天 asks for three rows.
    if (before !== undefined && tokens[at - 1]?.kind === "order") return undefined;
    return { ...base, days, said, before };
  }
  if (token.kind === "mark" && token.value === "ever")
    return { ...base, days: ({ data }) => data, isEver: true };
  if (token.kind === "mark" && (token.value === "release" || token.value === "after_release")) {
    const days: Days = ({ data, released }) =>
      released === undefined ? undefined : { from: released, to: data.to };
    return { ...base, days, isRelease: true };
  }
  const next = tokens[at + 1];
  if (token.kind === "number" && !hasOrder && next?.kind === "noun" && TIME_UNITS.has(next.value)) {
    const unit = next.value as Unit;
    return { ...base, last: at + 1, days: ({ data }) => back(Number(token.value), unit, data.to) };
  }
  return undefined;
}

/** The parts that stand in a row from a place on. */
function partsFrom(tokens: readonly Token[], from: number, step: 1 | -1, used: Set<number>): readonly Part[] {
  const parts: Part[] = [];
  for (let at = from; ; at += step) {
    const token = tokens[at];
    if (token?.kind !== "date" || token.word.is !== "part" || used.has(at)) return parts;
    used.add(at);
    parts.push(token.word.part);
  }
}

function isMark(token: Token | undefined, ...values: readonly string[]): boolean {
  return token?.kind === "mark" && values.includes(token.value);
}

function narrowed(part: Part, whole: DayRange | undefined): DayRange | undefined {
  return whole === undefined ? undefined : partOf(part, whole);
}

function sinceRelease(part: Part, released: string) {
  if (part.at === "first") return { from: released, to: firstUnits(released, part.count, part.unit) };
  if (part.at === "nth" && part.unit === "week")
    return { from: addDays(released, part.count * 7 - 7), to: addDays(released, part.count * 7 - 1) };
  return undefined;
}

/** "Since October", "before October", "until October", "after October". */
function opened(item: Item, tokens: readonly Token[]): Item {
  const { days } = item;
  const before = markAt(tokens, item.first - 1);
  const after = markAt(tokens, item.last + 1);
  const isFirst = !tokens.slice(0, item.first).some((token) => token.kind === "date");
  const beforeText = tokens[item.first - 1]?.text ?? "";
  if (before === "since" || after === "since" || after === "onwards")
    return changed(
      item,
      (range, { to }) => ({ from: range.from, to: range.from > to ? range.to : to }),
      after !== undefined,
    );
  if (before === "after") return changed(item, (range, { to }) => ({ from: addDays(range.to, 1), to }));
  if (before === "before" || after === "before")
    return changed(item, (range, { from }) => ({ from, to: addDays(range.from, -1) }), after === "before");
  const isUntil =
    before === "until" ||
    after === "until" ||
    (before === "to" && isFirst && /until|till|through/.test(beforeText));
  if (isUntil) return changed(item, (range, { from }) => ({ from, to: range.to }), after === "until");
  return { ...item, days };
}

function changed(item: Item, change: (range: DayRange, data: DayRange) => DayRange, hasAfter = false): Item {
  const { days } = item;
  const open: Days = (reckoning) => {
    const range = days(reckoning);
    return range === undefined ? undefined : change(range, reckoning.data);
  };
  const { said: _, ...rest } = item;
  return { ...rest, days: open, last: item.last + (hasAfter ? 1 : 0) };
}

/** Two periods with "to" between them, or after "between" with "and", become one. */
function joined(items: readonly Item[], tokens: readonly Token[], unread: string[]): readonly Time[] {
  const times: Time[] = [];
  const isCompared = tokens.some((token) => isMark(token, ...COMPARING));
  const asksGrowth = tokens.some(
    (token) =>
      isMark(token, "grow", "fall") ||
      (token.kind === "order" && (token.value === "growth" || token.value === "fall")),
  );
  for (let at = 0; at < items.length; at += 1) {
    const first = items[at];
    const second = items[at + 1];
    if (first === undefined) break;
    if (second !== undefined && second.first === first.last + 2) {
      const link = markAt(tokens, first.last + 1);
      const isBetween = link === "and" && tokens[first.first - 1]?.text === "between";
      // "Compare October to September" has two periods, "compare from September 1 to 10 with …" a longer one.
      const isFrom = isMark(tokens[first.first - 1], "from");
      const isTwo =
        items.length === 2 &&
        ((isCompared && !isFrom && !isMark(tokens[first.first - 1], "between")) ||
          (isFrom && asksGrowth && isLong(first) && isLong(second)));
      if ((link === "to" && !isTwo) || isBetween) {
        times.push({ text: `${first.text} … ${second.text}`, days: spanned(first, second) });
        at += 1;
        continue;
      }
    }
    const previous = items[at - 1];
    const isBeside =
      previous === undefined ||
      tokens.slice(previous.last + 1, first.first).some((token) => isMark(token, "and"));
    // Two periods that nothing sets side by side: one of them would be dropped.
    if (!isBeside && !isCompared && !asksGrowth) unread.push(first.text);
    times.push(first);
  }
  return times;
}

function spanned(first: Time, second: Time): Days {
  return (reckoning) => {
    if (first.said !== undefined && second.said !== undefined)
      return spanOf(first.said, second.said, reckoning.data.to);
    const from = first.days(reckoning)?.from;
    const to = second.days(reckoning)?.to;
    return from === undefined || to === undefined ? undefined : { from, to };
  };
}

function markAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at];
  return token?.kind === "mark" ? token.value : undefined;
}
