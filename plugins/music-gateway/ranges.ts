import type { DayRange } from "./day.ts";
import { levelled } from "./numerals.ts";
import { dated, daysOf, findPoints, sinceOf, spanOf, type Point } from "./range-points.ts";
import { COUNTED_RULES, NAMED_RULES, QUARTER_RULES } from "./range-words.ts";

/** Why words that look like a date range are none. */
export type RangeFault = "no-such-day" | "reversed";

/** What a question says of time. */
export type RangeReading =
  | { readonly kind: "none" }
  | { readonly kind: "range"; readonly range: DayRange }
  | { readonly kind: "impossible"; readonly fault: RangeFault };

/** Song names may contain date words: 《昨天》, "July Rain". They are not read. */
const NAMES = /《[^》]*》|〈[^〉]*〉|“[^”]{1,80}”|「[^」]*」|『[^』]*』|"[^"]{1,80}"/gu;
const CONNECTED = /^\s*(?:到|至|~|-|–|—|to|until|till|through|and)\s*(?:the\s+)?$/u;
const DAY_ONLY =
  /^\s*(?:到|至|~|-|–|—|to|until|till|through)\s*(\d{1,2})(?:日|号|st|nd|rd|th)?(?![\d月年-])/u;
const SINCE_BEFORE = /(?:\bsince|自从?|从)\s*$/u;
const SINCE_AFTER = /^\s*(?:以来|至今|到现在|到今天|以后|之后|起|开始|onwards?|until now|to date)/u;

/** How much of a question is read for its words. Nobody's date range stands behind the first 2,000 signs. */
const READ_SIGNS = 2000;

/** The question without song names, levelled: what ranges and families are read from. */
export function readable(question: string): string {
  return levelled(question.slice(0, READ_SIGNS).replaceAll(NAMES, " "));
}

/**
 * The date range a question asks for, in Chinese or English. Words such as 最近7天 or "last month" are counted
 * from the last day of `data`, never from the clock, so that the same data give the same answer.
 */
export function readRange(question: string, data: DayRange): RangeReading {
  const text = readable(question);
  const said = readRules(text, QUARTER_RULES, data) ?? readRules(text, COUNTED_RULES, data);
  return said ?? readPoints(text, data) ?? readRules(text, NAMED_RULES, data) ?? { kind: "none" };
}

function readRules(text: string, rules: typeof NAMED_RULES, data: DayRange): RangeReading | undefined {
  for (const [pattern, read] of rules) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const range = read(match.slice(1), data);
    if (range === undefined) return { kind: "impossible", fault: "no-such-day" };
    const open = isOpen(text, match.index, match.index + match[0].length);
    return { kind: "range", range: open ? sinceOf(range, data.to) : range };
  }
  return undefined;
}

function readPoints(text: string, data: DayRange): RangeReading | undefined {
  const [first, second] = findPoints(text, data.to);
  if (first === undefined) return undefined;
  const tail = dayOnly(text, first, data);
  if (tail !== undefined) return outcome(spanOf(dated(first, data.to), tail, data.to));
  if (second !== undefined && CONNECTED.test(text.slice(first.end, second.start)))
    return outcome(spanOf(first, second, data.to));
  const range = daysOf(dated(first, data.to));
  if (range === undefined) return { kind: "impossible", fault: "no-such-day" };
  return { kind: "range", range: isOpen(text, first.start, first.end) ? sinceOf(range, data.to) : range };
}

/** The second half of 7月1日到15日 or "July 1 to 15": a day of the month already named. */
function dayOnly(text: string, first: Point, data: DayRange): Point | undefined {
  if (first.date === undefined) return undefined;
  const match = DAY_ONLY.exec(text.slice(first.end));
  if (
    match === null ||
    findPoints(text, data.to).some(
      (point) => point.start > first.start && point.start < first.end + match[0].length,
    )
  )
    return undefined;
  const { year, month } = dated(first, data.to);
  return year === undefined || month === undefined
    ? undefined
    : { ...first, year, month, date: Number(match[1]) };
}

function isOpen(text: string, start: number, end: number): boolean {
  return SINCE_BEFORE.test(text.slice(0, start)) || SINCE_AFTER.test(text.slice(end));
}

function outcome(span: DayRange | RangeFault): RangeReading {
  if (typeof span === "string") return { kind: "impossible", fault: span };
  return { kind: "range", range: span };
}
