import type { Fault } from "./faults.ts";
import type { Filters } from "./query.ts";
import type { Form, Reading, Slot } from "./reading.ts";

export const SLOTS: readonly Slot[] = ["figure", "subject", "period", "form"];

export const NO_FORM: Form = {
  split: undefined,
  hasSplit: false,
  group: undefined,
  order: undefined,
  rows: undefined,
  average: false,
  isTrend: false,
  isGrowth: false,
  isCumulative: false,
  isDifference: false,
  atLeast: undefined,
  atMost: undefined,
  direction: undefined,
};
/** The subject of a follow-up is ambiguous. */
export const UNCLEAR: Fault = { is: "goes-on", words: [] };

/** "Both", 两首: refers to two things, not to the account. */
export const TWO = /\bboth\b|\bthe two\b|[两二2](?:首|者|个(?!月|季|星|周|礼))/iu;
/** A word for the whole account. "Show me", "I want" and 给我 are courtesy; "listen to me" is not. */
const ACCOUNT =
  /(?<!\b(?:can|could|may|shall) )\b(?:i|we)\b(?!['’]| (?:want|need|mean|wonder|would))|(?<!\b(?:show|tell|give|get|find|send|let|help|remind|list|for|explain to) )\bme\b|\b(?:my|our|overall|account|everything|in total|all (?:songs|tracks))\b|(?<![给帮跟让为])我(?!想|要)|全部(?!平台|国家|时间)|所有(?!平台|国家|时间)|整体|总体|一共|总共|账号/iu;

export function isOfAccount({ question }: Reading): boolean {
  return ACCOUNT.test(question) && !TWO.test(question);
}

/** The slots that a question fills with its own words. A comparison fills none: it needs something to compare with. */
export function slotsOf(own: Reading): Readonly<Record<Slot, boolean>> {
  const { hasMeasure, isOfVideos, marks, times, filters, kind } = own;
  return {
    figure: hasMeasure || (kind === "overview" && marks.has("overview")),
    subject: hasFilters(filters) || isOfVideos || isOfAccount(own),
    period: times.length > 0 || marks.has("last_day_value"),
    form: hasForm(own) || isOwnKind(own),
  };
}

/** The number of filled slots; unknown words count as one, because they may name a subject. */
export function slotCount(own: Reading): number {
  const isUnread = own.faults.some(({ is }) => ["unknown-words", "near-titles", "unknown-song"].includes(is));
  return Object.values(slotsOf(own)).filter(Boolean).length + (isUnread ? 1 : 0);
}

/** Whether it asks for reasons, changes, milestones or releases. */
export function isOwnKind({ kind }: Reading): boolean {
  return kind !== "figures" && kind !== "overview";
}

export function hasForm(reading: Form): boolean {
  const { hasSplit, average, isTrend, isGrowth, order, direction, atLeast, atMost } = reading;
  const values = [order, direction, atLeast, atMost];
  return hasSplit || average || isTrend || isGrowth || values.some((value) => value !== undefined);
}

export function formOf(reading: Form): Form {
  const { split, hasSplit, group, order, rows, average } = reading;
  const { isTrend, isGrowth, isCumulative, isDifference, atLeast, atMost, direction } = reading;
  const steps = { isTrend, isGrowth, isCumulative, isDifference };
  return { split, hasSplit, group, order, rows, average, ...steps, atLeast, atMost, direction };
}

export function hasFilters(filters: Filters): boolean {
  return Object.keys(filters).length > 0;
}

/** The slots of a completed question that its own words leave open. */
export function takenBy(full: Reading, said: Reading, last: Reading): readonly Slot[] {
  const { measures, filters, times } = full;
  const isKept = (measure: string): boolean => last.measures.some((one) => measure.startsWith(one));
  const is: Readonly<Record<Slot, boolean>> = {
    figure: !said.hasMeasure && measures.some(isKept),
    subject: Object.keys(filters).some((name) => !(name in said.filters)),
    period: times.length > 0 && (said.times.length === 0 || times.some((time) => last.times.includes(time))),
    form: hasForm({ ...full, direction: undefined }) && !hasForm(said) && full.split === last.split,
  };
  return SLOTS.filter((slot) => is[slot]);
}
