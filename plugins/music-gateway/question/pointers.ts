import { FILTERED, FILTER_NAMES, filterOf, type FilterName } from "../model.ts";
import { isStep } from "./query.ts";
import { namedPeriod } from "./query-reading.ts";
import type { Reading } from "./reading.ts";
import { hasFilters, hasForm, isOfAccount, NO_FORM, TWO, UNCLEAR } from "./slots.ts";
import { completed, differing, union } from "./taken-over.ts";
import type { Time } from "./times.ts";

/** The key of a row in the answer to a reading, counted from 1: a song's id, a country's code, a day. */
export type RowKey = (reading: Reading, place: number) => Promise<string | undefined>;

const STEP = "\\bthat (?:day|week|month|quarter|year)\\b|那(?:个月|个?季度|一?天|一?周|一?年)(?![初底末中])";
const THING = "\\bthat (?:country|city|store|playlist|video)\\b|那[个座](?:国家|城市|平台|歌单|视频)";
/** "That day": a reference to a step of time. */
export const OF_STEP = new RegExp(STEP, "iu");
const OF_THING = new RegExp(`${STEP}|${THING}`, "giu");
/** Words that refer to something mentioned before. */
export const POINTS = new RegExp(
  `\\b(?:its?|that (?:song|track|one)|(?<!\\b(?:is|are|was|were|have|has) )there)\\b|它|[那这][边里儿首支]|当时|那时|${STEP}|${THING}`,
  "iu",
);
const PLACE =
  /(?:\bthe )?\b(first|second|third|fourth|fifth|[1-9](?:st|nd|rd|th)) (?:one|song|track|country|store|platform|playlist|video|city)\b|第([一二三四五六七八九1-9])(?:个(?!月|季|星|周|礼)|首歌?|(?<!第[一1])[名位]|家|支)(?:国家|平台|歌单|视频|城市)?的?|^\s*(?:#|no\.? ?|number )([1-9])(?=\s*[?.!]*$|[\s'’])|^\s*第([一二三四五六七八九1-9])(?=呢?[\s?？。]*$)/iu;
const PLACES = ["first", "second", "third", "fourth", "fifth"];
const STEP_DAYS: readonly (readonly [step: RegExp, days: number])[] = [
  [/day|天/i, 1],
  [/week|周/i, 7],
  [/month|月/i, 31],
  [/quarter|季/i, 92],
  [/year|年/i, 366],
];

/** Removes referring words from a question, unless they also have another meaning. */
export function withoutPointers(message: string): string {
  return message.replace(OF_THING, " ").replace(PLACE, " ");
}

/** "The second one" is 2. */
export function placeIn(message: string): number | undefined {
  const found = PLACE.exec(message);
  if (found === null) return undefined;
  const [, word = "", chinese = "", digit = "", bare = ""] = found;
  const sign = chinese || digit || bare;
  const place = PLACES.indexOf(word.toLowerCase()) + 1 || "一二三四五六七八九".indexOf(sign) + 1;
  return place || Number.parseInt(word || sign, 10);
}

function narrowed(reading: Reading, kind: FilterName, key: string): Reading {
  return { ...reading, filters: { ...reading.filters, [kind]: [kind === "songs" ? Number(key) : key] } };
}

/** Whether a question asks for the sum or the difference of two: "both together", 差多少. */
export function isOfTwo(own: Reading): boolean {
  const { marks, hasMeasure, hasSplit, times, filters, question, hasUnknown } = own;
  const isTwo = TWO.test(question);
  if (hasMeasure || hasUnknown || hasFilters(filters) || (hasSplit && !isTwo)) return false;
  if (times.some(({ isEver }) => isEver !== true)) return false;
  if (isSum(own)) return isTwo || !isOfAccount(own) || marks.has("total");
  const isWhich = marks.has("which") && (marks.has("more") || marks.has("less"));
  return !isOfAccount(own) && (isWhich || (marks.has("versus") && !marks.has("previous")));
}

function isSum({ marks }: Reading): boolean {
  return marks.has("together") || marks.has("sum") || marks.has("total");
}

/** The sum or the difference of two values side by side in the last answer, otherwise of the last two answers. */
export function ofTwo(last: Reading, before: Reading | undefined, own: Reading): Reading {
  const { question, language } = own;
  const unclear: Reading = { ...own, faults: [UNCLEAR] };
  const base: Reading = { ...last, question, language };
  const differs = before && differing(before, last);
  const filters =
    before && differs !== undefined && differs !== "period"
      ? union(before.filters, last.filters, differs)
      : undefined;
  if (isSum(own)) {
    if (last.split !== undefined) return { ...base, ...NO_FORM };
    return filters === undefined ? unclear : { ...base, ...NO_FORM, filters };
  }
  const kind = FILTER_NAMES.find((name) => (last.filters[name]?.length ?? 0) > 1);
  if (kind !== undefined) return { ...base, split: last.split ?? FILTERED[kind] };
  if (last.times.length > 1 || last.comparison !== undefined) return base;
  if (filters !== undefined && differs !== undefined && differs !== "period")
    return { ...base, ...NO_FORM, split: FILTERED[differs], filters };
  const [one, other] = [last.times[0], before?.times[0]];
  if (differs !== "period" || one === undefined || other === undefined) return unclear;
  return { ...base, times: [one, other], comparison: undefined };
}

/** "The second one": a row of the last ranking. If its dimension has no filter, the ranking up to that row. */
export async function ofRow(ranking: Reading, place: number, own: Reading, rowKey: RowKey): Promise<Reading> {
  const kind = filterOf(ranking.split);
  const next = completed(ranking, undefined, own, own);
  const full = { ...next, faults: own.faults.filter(({ is }) => is !== "empty" && is !== "which-song") };
  const unclear = { ...full, faults: [UNCLEAR] };
  if (kind === undefined)
    return own.hasMeasure || own.times.length > 0 ? unclear : { ...full, order: ranking.order, rows: place };
  const key = await rowKey(ranking, place);
  if (key === undefined) return unclear;
  return narrowed({ ...full, ...(hasForm(own) ? {} : NO_FORM) }, kind, key);
}

/** "Its income", "there", "that day" after a ranking: the first row. */
export async function pointed(full: Reading, own: Reading, last: Reading, rowKey: RowKey): Promise<Reading> {
  const step = OF_STEP.exec(own.question)?.[0];
  const kind = filterOf(last.split);
  // "Why?" after the worst day refers to that day.
  const isOfStep = own.kind === "reasons" && own.times.length === 0 && isStep(last.split);
  const isRow = kind === undefined ? step !== undefined || isOfStep : own.filters[kind] === undefined;
  if (last.order === undefined || !isRow || !(isOfStep || POINTS.test(own.question)))
    return step === undefined || isOneStep(step, full.times) ? full : { ...full, faults: [UNCLEAR] };
  const key = (last.rows ?? 1) === 1 ? await rowKey(last, 1) : undefined;
  if (key === undefined) return { ...full, faults: [UNCLEAR] };
  const faults = full.faults.filter(({ is }) => is !== "which-song" && is !== "empty");
  const of = { ...full, ...(hasForm(own) ? {} : NO_FORM), faults };
  return kind === undefined ? { ...of, times: namedPeriod(key) } : narrowed(of, kind, key);
}

/** Whether the only period is a single day, week or month: something that "that month" can mean. */
function isOneStep(step: string, times: readonly Time[]): boolean {
  const [days = 0] = times.map(({ dayCount }) => dayCount);
  const [, most = 0] = STEP_DAYS.find(([name]) => name.test(step)) ?? [];
  return times.length === 1 && days <= most && days > most / 2;
}
