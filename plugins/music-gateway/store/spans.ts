/**
 * The window of a table of sums, as stored and as named by a query: days (`2026-09-01/2026-09-30`), a length that ends on the day of
 * the download (`P28D`, `P12M`), `all`, or `?` and the name of a table that does not state its window.
 */
export type Span = string;

export const ALL_TIME: Span = "all";

const DAYS = /(?<from>\d{4}-\d{2}-\d{2})[\s_.~/至到-]{1,4}(?:to\s)?(?<to>\d{4}-\d{2}-\d{2})/u;
const LENGTH =
  /(?<!\d)(?<count>[1-9]\d{0,2})[ _-]?(?:(?<days>days?|天)|(?<months>months?|个月|個月)|years?|年)|all[ _-]?time|(?<![\p{L}\d])all$|lifetime|(?:全部|所有)(?:时间|時間)?$/giu;

/** The window in text such as `Content 2026-09-01_2026-09-30 Mira`, `Mira-songs-28day` or `12 months`: the last of several lengths. */
export function spanIn(words: string): Span | undefined {
  const { from, to } = DAYS.exec(words)?.groups ?? {};
  if (from !== undefined && to !== undefined)
    return isDay(from) && isDay(to) && from <= to ? `${from}/${to}` : undefined;
  const last = [...words.matchAll(LENGTH)].at(-1);
  if (last === undefined) return undefined;
  const { count, days, months } = last.groups ?? {};
  if (count === undefined) return ALL_TIME;
  if (days !== undefined) return `P${count}D`;
  return `P${months === undefined ? Number(count) * 12 : count}M`;
}

/** The text without its window: two downloads of one table have the same. */
export function withoutSpan(words: string): string {
  return words.replace(DAYS, "").replaceAll(LENGTH, "").trim();
}

/** The window of a table that does not state it: distinct for each table, since it may be any window. */
export function unstatedSpan(name: string): Span {
  return `?${name}`;
}

export function isUnstated(span: Span): boolean {
  return span.startsWith("?");
}

/** First and last day, where they are known. */
export function rangeOf(span: Span): { readonly from: string; readonly to: string } | undefined {
  const [from = "", to] = isUnstated(span) ? [] : span.split("/");
  return to === undefined ? undefined : { from, to };
}

/** The length of a window that ends on the day of the download. */
export function lengthIn(span: Span): { readonly count: number; readonly unit: "day" | "month" } | undefined {
  const { count, unit } = /^P(?<count>\d{1,4})(?<unit>[DM])$/u.exec(span)?.groups ?? {};
  return count === undefined ? undefined : { count: Number(count), unit: unit === "D" ? "day" : "month" };
}

/** Whether a date is valid and lies between 1900 and 2100. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  if (Number.isNaN(time) || text < "1900" || text > "2101") return false;
  return new Date(time).toISOString().startsWith(text);
}
