import type { Claims } from "./claims.ts";
import { isStep, STEPS, type Order, type Split, type Filters } from "./query.ts";
import { is, type Token } from "./scan.ts";
import { COMPARING } from "./times.ts";
import { FILTERED, filterOf, WITHOUT, type FilterName } from "../model.ts";

/** The filters of a question. */
export interface FilterReading {
  readonly filters: Filters;
  /** How often each kind is named: two songs are shown side by side. */
  readonly named: Readonly<Record<FilterName | "weekdays", number>>;
  /** The songs named in a question that was sent with a song, if that song is the last of them. */
  readonly beside: readonly number[];
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

/** The songs, countries, stores and weekdays of a question; exclusions are separate. */
export function filtersOf(
  tokens: readonly Token[],
  songId: number | undefined,
  claims: Claims,
): FilterReading {
  const filters: Filters = {};
  const named = { songs: 0, countries: 0, cities: 0, stores: 0, distributors: 0, currencies: 0, weekdays: 0 };
  const beside = new Set<number>();
  const add = (kind: FilterName, values: readonly (string | number)[], isLeftOut: boolean): void => {
    const key = isLeftOut ? WITHOUT[kind] : kind;
    const all = new Set<string | number>([...(filters[key] ?? []), ...values]);
    Object.assign(filters, { [key]: [...all] });
    if (!isLeftOut) named[kind] += 1;
  };
  tokens.forEach((token, at) => {
    const { kind } = token;
    const isLeftOut = isEntity(token) && isOut(tokens, at, claims);
    const name = filterOf(kind);
    const values = valuesOf(token);
    if (name !== undefined && values.length > 0) claims.claim(token);
    if (kind === "song" && songId !== undefined && !isLeftOut) {
      const { ids = [] } = token;
      const [id] = ids.includes(songId) ? [songId] : ids.length === 1 ? ids : [];
      if (id !== undefined) beside.add(id);
      return;
    }
    // Two cities named Portland are shown side by side.
    if (name === "cities") for (const city of values) add(name, [city], isLeftOut);
    else if (name !== undefined && values.length > 0) add(name, values, isLeftOut);
    else if (kind === "weekday") {
      const isTo = is(tokens[at - 1], "mark", "to");
      const said = isTo ? daysBetween(tokens[at - 2], token) : daysOf(token);
      // 上周二到周四: the first is a specific day, the second any week's.
      if (!isTo || !is(tokens[at - 2], "date")) claims.claim(token);
      const days = isLeftOut ? EVERY_DAY.filter((day) => !said.includes(day)) : said;
      filters.weekdays = [...new Set([...(filters.weekdays ?? []), ...days])].sort((a, b) => a - b);
      named.weekdays += 1;
    }
  });
  if (songId !== undefined) {
    filters.songs = [songId];
    named.songs = 1;
  }
  const isLast = beside.size > 1 && [...beside].at(-1) === songId;
  return { filters, named, beside: isLast ? [...beside] : [] };
}

/** The values by which a token filters figures, as spelled in the files. */
function valuesOf({ kind, value, ids, names }: Token): readonly (string | number)[] {
  if (kind !== "city" || names === undefined) return ids ?? names ?? [value];
  const apart = names.filter((city) => city.includes(","));
  return apart.length > 1 ? apart : names.slice(0, 1);
}

function daysOf(token: Token | undefined): readonly number[] {
  return is(token, "weekday") ? [...(token?.value ?? "")].map(Number) : [];
}

/** Tuesday to Thursday, Saturday to Monday. */
function daysBetween(first: Token | undefined, last: Token): readonly number[] {
  const [from, to] = [daysOf(first)[0], daysOf(last)[0] ?? 0];
  if (from === undefined) return daysOf(last);
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, step) => (from + step) % 7);
}

/** Whether a name is excluded: it follows "except", with only other names and "and" in between, or precedes 以外. */
function isOut(tokens: readonly Token[], at: number, claims: Claims): boolean {
  if (is(tokens[at + 1], "mark", "outside")) {
    claims.claim(tokens[at + 1]);
    claims.claim(tokens.slice(0, at).findLast((token) => is(token, "mark", "except")));
    return true;
  }
  const except = tokens.slice(0, at).findLastIndex((token) => is(token, "mark", "except"));
  const between = tokens.slice(except + 1, at);
  const isLeftOut =
    except >= 0 && between.every((token) => isEntity(token) || is(token, "mark", "and") || is(token, "noun"));
  if (isLeftOut) claims.claimSpan(except, at - 1);
  return isLeftOut;
}

function isEntity({ kind }: Token): boolean {
  return kind === "weekday" || Object.values<string>(FILTERED).includes(kind);
}

/** The split of a question's figures, and the number of rows. */
interface SplitReading {
  readonly split: Split | undefined;
  /** The dimension within which the split is made: "the top song in each country". */
  readonly group: Split | undefined;
  /** Further splits, which cannot be combined. */
  readonly others: readonly Split[];
  readonly rows: number | undefined;
}

/** Marks that ask for each of several values. */
const SHARED = ["each", "breakdown", "share_of", "rank"];
/** Nouns that can only mean a split; "song" and units of time also have other uses. */
const PLAIN: readonly string[] = [
  "country",
  "city",
  "store",
  "distributor",
  "currency",
  "playlist",
  "weekday",
  "traffic_source",
  "subscription_status",
  "age",
  "gender",
];

/** Reads splits from "by …", "which …", "top 3 …", and from two songs, countries or stores side by side. */
export function splitsOf(
  tokens: readonly Token[],
  { filters, named }: FilterReading,
  orders: readonly Order[],
  claims: Claims,
): SplitReading {
  const rows = rowsOf(tokens, orders, claims);
  const asked = new Set<Split>(
    tokens.filter((token) => is(token, "split")).map(({ value }) => value as Split),
  );
  const all = tokens.filter((token) => is(token, "mark", "all_songs"));
  claims.claim(...all);
  // "The total of all songs" is one figure.
  const isSum = tokens.some((token) => is(token, "mark", "sum", "together", "total"));
  if (all.length > 0 && !isSum) asked.add("song");
  const weak: Split[] = [];
  tokens.forEach((token, at) => {
    if (token.kind !== "noun") return;
    const split = token.value as Split;
    const isTime = isStep(split);
    if (isTaken(tokens, at)) {
      // The period reader claims a counted period; "most plays in one day" is a split by day.
      if (!isTime) claims.claim(token);
      else if (orders.length > 0 && tokens[at - 1]?.value === "1") weak.push(split);
      return;
    }
    const filter = filterOf(split);
    const isLeftOut = filter !== undefined && filters[WITHOUT[filter]] !== undefined;
    // "The stores other than Spotify" means all the others together.
    const isWhole = filter !== undefined && (named[filter] > 0 || isLeftOut);
    const isOfChanges = split === "day" && tokens.some((one) => is(one, "mark", "changes", "when"));
    // "The plays of my songs" means the plays of the account.
    const isGeneric = split === "song" && !is(tokens[at - 1], "number") && orders.length === 0;
    if (isWhole || isOfChanges || isGeneric) claims.claim(token);
    if (isAsked(tokens, at)) asked.add(split);
    else if (PLAIN.includes(split) && !isWhole) weak.push(split);
    else if ((!PLAIN.includes(split) || isLeftOut) && isRanked(tokens, at, orders)) weak.push(split);
  });
  // "Where do my views come from, search or suggested?" names no country.
  const where = tokens.filter((token) => is(token, "split", "country") && token.text === "where");
  if (where.length > 0 && tokens.some((token) => is(token, "noun", "traffic_source"))) {
    claims.claim(...where);
    asked.delete("country");
  }
  const found = asked.size > 0 ? [...asked] : weak.slice(0, 1);
  // "By day of the week" means by weekday.
  const isWeekday =
    found.includes("weekday") && found.every((one) => ["weekday", "day", "week"].includes(one));
  // "Ocean and Home together" is their sum.
  const isSumOfNamed = isSum && !tokens.some((token) => is(token, "mark", "which", ...COMPARING, ...SHARED));
  const beside = isSumOfNamed ? undefined : sideBySide(tokens, named);
  // "Weekend versus weekday, average a day".
  const isDaily =
    beside !== undefined && found.join() === "day" && tokens.some((token) => is(token, "mark", "average"));
  const [split = beside, ...others] = isWeekday ? ["weekday" as const] : isDaily ? [] : found;
  // "The top song in each country": the ranked noun is a split too.
  const ranked = tokens.flatMap((token, at) =>
    token.kind === "noun" && isBehindOrder(tokens, at) && !isTaken(tokens, at) ? [token.value as Split] : [],
  );
  if (split !== undefined)
    for (const one of ranked) if (one !== split && !others.includes(one) && !isWeekday) others.push(one);
  for (const token of tokens)
    if (
      (token.kind === "split" || token.kind === "noun") &&
      (isWeekday || isDaily || isOneOf(token, split, others))
    )
      claims.claim(token);
  const [other, ...more] = others;
  if (split === undefined || other === undefined || more.length > 0 || !asked.has(split))
    return { split, group: undefined, others, rows };
  // "Songs by month": a step of time becomes the group; of two other splits, the first one does.
  const isTurned = asked.has(other) && isStep(other) && !isStep(split);
  const [group, inner] = isTurned ? [other, split] : [split, other];
  // "The top songs in each country" asks for more than one per country.
  const isPlural = tokens.some(
    (token, at) => is(token, "noun", inner) && isBehindOrder(tokens, at) && token.text.endsWith("s"),
  );
  return { split: inner, group, others: [], rows: rows ?? (isPlural ? SEVERAL : undefined) };
}

/** The number of rows per group for a plural noun. */
const SEVERAL = 3;

function isOneOf({ value }: Token, split: Split | undefined, others: readonly Split[]): boolean {
  return value === split || others.includes(value as Split);
}

/** Whether a noun introduces a name: "the song Ocean", "song《海盐》". */
function isTaken(tokens: readonly Token[], at: number): boolean {
  const [start, before, noun, next] = [at - 2, at - 1, at, at + 1].map((place) => tokens[place]);
  if (is(before, "number") && is(noun, "noun", ...STEPS))
    return !is(start, "order") && !is(next, "order") && !is(start, "mark");
  return [before, next].some((token) => {
    if (is(noun, "noun", "song")) return is(token, "song") || is(token, "unknown-song");
    if (is(noun, "noun", "store")) return is(token, "store");
    if (is(noun, "noun", "city")) return is(token, "city");
    return is(noun, "noun", "country") && is(token, "country");
  });
}

/** Whether a noun directly follows "by", "each" or "which", or a number or order after one of these. */
function isAsked(tokens: readonly Token[], at: number): boolean {
  for (let before = at - 1; before >= 0 && before >= at - 3; before -= 1) {
    const token = tokens[before];
    if (is(token, "mark", "which", "each")) return true;
    if (is(token, "mark", "and")) return is(tokens[before - 1], "split");
    if (!is(token, "number") && !is(token, "order")) return false;
  }
  return false;
}

/** "The top song", "the 3 best days". */
function isBehindOrder(tokens: readonly Token[], at: number): boolean {
  return is(tokens[at - 1], "order") || (is(tokens[at - 1], "number") && is(tokens[at - 2], "order"));
}

function isRanked(tokens: readonly Token[], at: number, orders: readonly Order[]): boolean {
  const [before, noun, next, figure] = [at - 1, at, at + 1, at + 2].map((place) => tokens[place]);
  const isRanking = tokens.some((token) => is(token, "mark", "rank", "list"));
  if (orders.length > 0 || (isRanking && !is(noun, "noun", ...STEPS))) return true;
  if (is(next, "mark", "each") && is(figure, "measure")) return true;
  return [before, next].some(
    (token) => is(token, "number") || is(token, "mark", "rank", "breakdown", "list"),
  );
}

function sideBySide(tokens: readonly Token[], named: FilterReading["named"]): Split | undefined {
  const days = tokens.filter((token) => is(token, "weekday")).map(({ value }) => value);
  if (days.includes("56") && days.includes("01234")) return "weekpart";
  const isShare = tokens.some((token) => is(token, "mark", "share_of", "breakdown"));
  for (const fewest of isShare ? [2, 1] : [2]) {
    if (named.songs >= fewest) return "song";
    if (named.countries >= fewest) return "country";
    if (named.cities >= fewest) return "city";
    if (named.stores >= fewest) return "store";
    if (named.currencies >= fewest) return "currency";
    if (named.weekdays > 1) return "weekday";
  }
  return undefined;
}

/** "Top 3", 前三首, "the 5 best songs": a number next to an order, a ranking or the ranked noun. */
function rowsOf(tokens: readonly Token[], orders: readonly Order[], claims: Claims): number | undefined {
  let rows = tokens.some((token) => is(token, "order", "first")) ? 1 : undefined;
  tokens.forEach((token, at) => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (token.date?.is === "period" && token.date.before !== undefined && is(before, "order")) {
      rows ??= token.date.before.count;
      claims.claim(token);
    }
    if (token.kind !== "number" || Number(token.value) < 1) return;
    const isBesideOrder = is(before, "order") || is(next, "order") || is(before, "mark", "rank", "which");
    const isOfNoun = is(next, "noun") && (!is(next, "noun", ...STEPS) || orders.length > 0);
    if (!isBesideOrder && !isOfNoun) return;
    rows ??= Number(token.value);
    claims.claim(token);
  });
  return rows;
}
