import { filtersOf, type FiltersRead } from "./filters.ts";
import type { Filters, Language, Measure, Order, Query, Split } from "./query.ts";
import { scan, type Known, type Token } from "./scan.ts";
import { splitsOf } from "./splits.ts";
import { timesOf, type Time } from "./times.ts";

/** What a question says, before it is held against the files. */
export interface Reading {
  readonly language: Language;
  readonly kind: Query["kind"];
  /** Empty for an overview. */
  readonly measures: readonly Measure[];
  readonly split: Split | undefined;
  readonly filters: Filters;
  readonly times: readonly Time[];
  readonly comparison: "previous" | "year-before" | undefined;
  readonly order: Order | undefined;
  readonly rows: number | undefined;
  readonly average: boolean;
  /** A trend whose steps follow from the length of the period. */
  readonly isTrend: boolean;
  readonly asksWhy: boolean;
  readonly direction: "grow" | "fall" | undefined;
  readonly faults: Faults;
}

/** What of a question cannot be answered, each by the words that say it. */
export interface Faults {
  /** Words that mean nothing here. */
  readonly words: readonly string[];
  /** Subjects that no file knows, by the vocabulary's name of the subject. */
  readonly subjects: readonly { readonly subject: string; readonly word: string }[];
  readonly songs: readonly string[];
  readonly stores: readonly string[];
  readonly areas: readonly string[];
  /** Splits that were asked for beside the first. */
  readonly splits: readonly Split[];
  readonly hasTooManyTimes: boolean;
  readonly hasPointer: boolean;
  /** Nothing was said that has a meaning. */
  readonly isEmpty: boolean;
}

const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const NAMES = /《[^》]*》|〈[^〉]*〉|“[^”]*”|「[^」]*」|『[^』]*』|"[^"]*"/gu;
const AUDIENCE: readonly Measure[] = ["followers", "followers_gained", "monthly_listeners", "listeners"];
const MEANINGFUL_MARKS = [
  "overview",
  "trend",
  "changes",
  "why",
  "grow",
  "fall",
  "audience",
  "share_of",
  "ever",
  "release",
];
const MOST_ROWS = 1000;

/** Chinese when a Chinese or Japanese sign stands outside song names, or when nothing else does; else English. */
export function languageOf(question: string): Language {
  const text = question.slice(0, 2000);
  const plain = text.replaceAll(NAMES, " ");
  if (HAN.test(plain)) return "zh";
  return /\p{L}/u.test(plain) || !HAN.test(text) ? "en" : "zh";
}

/** Reads a question in Chinese or English. With `songId` it is about that song, whatever it calls it. */
export function read(question: string, songId: number | undefined, known: Known): Reading {
  const all = scan(question, known);
  const tokens = all.filter(({ kind }) => kind !== "pause");
  const marks = new Set(tokens.flatMap((token) => (token.kind === "mark" ? [token.value] : [])));
  // "Number one" is the first row of what there is most of.
  const orders = valuesOf(tokens, "order").map((order) =>
    order === "first" ? "most" : order,
  ) as readonly Order[];
  const filters = filtersOf(tokens, songId);
  const { times, unread } = timesOf(tokens, orders.length > 0);
  const splits = splitsOf(tokens, filters.named, orders);
  const measures = measuresOf(tokens, marks);
  const direction = marks.has("fall") ? "fall" : marks.has("grow") ? "grow" : undefined;
  const asksWhy = marks.has("why");
  const isChanges = marks.has("changes") || asksWhy;
  const isTrend = marks.has("trend") && splits.split === undefined && orders.length === 0;
  const order = orderOf(orders, direction, splits.split, marks);
  const isFigures =
    measures.length > 0 ||
    splits.split !== undefined ||
    order !== undefined ||
    isTrend ||
    direction !== undefined ||
    marks.has("versus") ||
    marks.has("previous") ||
    marks.has("year_before") ||
    times.length > 1 ||
    narrows(filters.filters);
  const kind = isChanges ? "changes" : isFigures ? "figures" : "overview";
  const split =
    splits.split ??
    (order !== undefined && kind === "figures" ? impliedSplit(order, measures.length > 0) : undefined);
  const average = marks.has("average") || marks.has("daily_average");
  return {
    language: languageOf(question),
    kind,
    measures: kind !== "overview" && measures.length === 0 ? [impliedMeasure(split, filters)] : measures,
    split: average && split === "day" && order === undefined ? undefined : split,
    filters: filters.filters,
    times: times.slice(0, 2),
    comparison: comparisonOf(marks, times.length, splits.split !== undefined || hasTwoSongs(tokens)),
    order,
    rows: splits.rows === undefined ? undefined : Math.min(splits.rows, MOST_ROWS),
    average,
    isTrend,
    asksWhy,
    direction,
    faults: {
      words: [...wordsLeft(tokens, filters, songId, known, splits.numbersUsed), ...unread],
      subjects: tokens.flatMap((token) =>
        token.kind === "unknowable" ? [{ subject: token.value, word: token.text }] : [],
      ),
      songs: filters.unknownSongs,
      stores: filters.unknownStores,
      areas: textsOf(tokens, "area"),
      splits: splits.others,
      hasTooManyTimes: times.length > 2,
      hasPointer: marks.has("pointer") && songId === undefined && filters.filters.songs === undefined,
      isEmpty: !isMeaningful(tokens, marks, times.length, songId),
    },
  };
}

function measuresOf(tokens: readonly Token[], marks: ReadonlySet<string>): readonly Measure[] {
  let found = [...new Set(valuesOf(tokens, "measure") as readonly Measure[])];
  if (marks.has("audience")) found = [...new Set([...AUDIENCE, ...found])];
  const moves = (marks.has("grow") || marks.has("fall")) && !marks.has("trend");
  // "Followers gained" and 粉丝…增长 ask for the difference, not for the number.
  if (
    moves &&
    found.includes("followers") &&
    tokens.some(({ text }) => /gain|new|lose|lost|涨|掉|增|减/.test(text))
  )
    found = found.map((measure) => (measure === "followers" ? "followers_gained" : measure));
  return [...new Set(found)];
}

function orderOf(
  orders: readonly Order[],
  direction: "grow" | "fall" | undefined,
  split: Split | undefined,
  marks: ReadonlySet<string>,
): Order | undefined {
  const named = orders.find((order) => order === "growth" || order === "fall");
  if (named !== undefined) return named;
  const isRanked = split === "song" || split === "country" || split === "store" || split === "city";
  if (isRanked && direction !== undefined && !marks.has("why"))
    return direction === "grow" ? "growth" : "fall";
  if (orders.includes("least")) return "least";
  if (orders.includes("most")) return "most";
  if (marks.has("which") && isRanked) return marks.has("less") ? "least" : "most";
  return undefined;
}

/** "Highest plays" with nothing that could be highest is a day; "top 10" and what grew most are songs. */
function impliedSplit(order: Order, hasMeasure: boolean): Split {
  return order === "growth" || order === "fall" || !hasMeasure ? "song" : "day";
}

function impliedMeasure(split: Split | undefined, { filters }: FiltersRead): Measure {
  if (split === "video") return "views";
  if (split === "source") return "units";
  if (split === "playlist") return "plays";
  return filters.stores?.length === 1 && filters.stores[0] === "YouTube" ? "views" : "plays";
}

function comparisonOf(
  marks: ReadonlySet<string>,
  times: number,
  isSideBySide: boolean,
): "previous" | "year-before" | undefined {
  if (times > 1) return undefined;
  if (marks.has("year_before")) return "year-before";
  if (marks.has("previous") || (marks.has("versus") && !isSideBySide)) return "previous";
  return undefined;
}

function hasTwoSongs(tokens: readonly Token[]): boolean {
  return tokens.filter(({ kind }) => kind === "song" || kind === "unknown-song").length > 1;
}

function narrows(filters: Filters): boolean {
  return Object.keys(filters).some((name) => name !== "songs" && name !== "withoutSongs");
}

/** Words without a meaning, and words whose meaning nothing took up. */
function wordsLeft(
  tokens: readonly Token[],
  filters: FiltersRead,
  songId: number | undefined,
  known: Known,
  numbersUsed: ReadonlySet<Token>,
): readonly string[] {
  const title = known.songs.find(({ id }) => id === songId)?.title.toLowerCase() ?? "";
  const hasMeasure = tokens.some(({ kind }) => kind === "measure");
  const left = tokens.flatMap((token, at) => {
    const next = tokens[at + 1];
    if (token.kind === "unknown") return title.includes(token.text) ? [] : [token.text];
    if (token.kind === "number") {
      const isTime =
        next?.kind === "noun" && ["day", "week", "month", "quarter", "year"].includes(next.value);
      return numbersUsed.has(token) || isTime ? [] : [token.text];
    }
    if (token.kind !== "mark") return [];
    if (token.value === "released" || (token.value === "count" && !hasMeasure)) return [token.text];
    const before = tokens[at - 1];
    const isDateBeside =
      [before?.kind, next?.kind].includes("date") || (before?.kind === "mark" && before.value === "versus");
    return ["before", "after"].includes(token.value) && !isDateBeside ? [token.text] : [];
  });
  return [...left, ...filters.unread];
}

function isMeaningful(
  tokens: readonly Token[],
  marks: ReadonlySet<string>,
  times: number,
  songId: number | undefined,
): boolean {
  if (songId !== undefined || times > 0 || MEANINGFUL_MARKS.some((mark) => marks.has(mark))) return true;
  return tokens.some(({ kind }) =>
    ["measure", "split", "order", "noun", "song", "country", "store", "weekday"].includes(kind),
  );
}

function valuesOf(tokens: readonly Token[], kind: "order" | "measure"): readonly string[] {
  return tokens.flatMap((token) => (token.kind === kind ? [token.value] : []));
}

function textsOf(tokens: readonly Token[], kind: Token["kind"]): readonly string[] {
  return tokens.flatMap((token) => (token.kind === kind ? [token.text] : []));
}
