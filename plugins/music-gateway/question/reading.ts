import { languageOf } from "skillctl";
import { filtersOf, splitsOf, type FilterReading } from "./splits.ts";
import {
  isOfChange,
  type Filters,
  type Language,
  type Measure,
  type Order,
  type Query,
  type Split,
} from "./query.ts";
import { scan, is, type Known, type Token } from "./scan.ts";
import { timesOf, type Time } from "./times.ts";

/** Something of a question that cannot be answered, and the words that say it. */
interface Fault {
  readonly is:
    | `subject-${string}`
    | "unknown-song"
    | "unknown-store"
    | "area"
    | "song-count"
    | "unknown-words"
    | "too-many-periods"
    | "too-many-splits"
    | "which-song"
    | "empty";
  readonly words: readonly string[];
}

/** What the rest of the reading knows of a question. */
interface ReadingFacts {
  readonly songId: number | undefined;
  /** The title of that song. */
  readonly title: string;
  readonly times: number;
  readonly splits: readonly Split[];
  readonly numbersUsed: ReadonlySet<Token>;
  /** Phrases that other parts could not use. */
  readonly unread: readonly string[];
}

const TIME: readonly string[] = ["day", "week", "month", "quarter", "year"];
const MEANINGFUL = ["measure", "split", "order", "noun", "song", "country", "store", "weekday"];
const MEANINGFUL_MARKS = "overview trend changes why grow fall audience share_of ever release".split(" ");
const ENTITIES = ["song", "country", "store", "weekday", "unknown-song"];

/** All that cannot be answered, in the order in which it is said. */
function faultsOf(tokens: readonly Token[], read: ReadingFacts): readonly Fault[] {
  const { songId, times, splits, unread } = read;
  const textsOf = (isIn: (token: Token) => boolean): readonly string[] => [
    ...new Set(tokens.filter(isIn).map(({ text }) => text)),
  ];
  const subjects = new Set(tokens.filter(({ kind }) => kind === "unknowable").map(({ value }) => value));
  const unknownSongs = textsOf(({ kind }) => kind === "unknown-song");
  const left = tokens.filter((_, at) => isLeft(tokens, at, read));
  const counts = left.filter((token) => is(token, "mark", "count"));
  const isOfSongs = counts.length > 0 && tokens.some((token) => is(token, "noun", "song"));
  const unknown = isOfSongs ? left.filter((token) => !counts.includes(token)) : left;
  const faults: readonly Fault[] = [
    ...[...subjects].map((subject): Fault => ({
      is: `subject-${subject}`,
      words: textsOf((token) => is(token, "unknowable", subject)),
    })),
    { is: "unknown-song", words: songId === undefined ? unknownSongs : [] },
    { is: "unknown-store", words: textsOf(({ kind, stores }) => kind === "store" && stores?.length === 0) },
    { is: "area", words: textsOf(({ kind }) => kind === "area") },
    { is: "song-count", words: isOfSongs ? counts.map(({ text }) => text) : [] },
    { is: "unknown-words", words: [...unknown.map(({ text }) => text), ...unread] },
    { is: "too-many-splits", words: splits.length > 1 ? splits : [] },
  ];
  const found = faults.filter(({ words }) => words.length > 0);
  if (times > 2) return [...found, { is: "too-many-periods", words: [] }];
  const isOfSong =
    songId !== undefined || unknownSongs.length > 0 || tokens.some((token) => is(token, "song"));
  if (tokens.some((token) => is(token, "mark", "pointer")) && !isOfSong)
    return [...found, { is: "which-song", words: [] }];
  const isMeaningful =
    songId !== undefined ||
    times > 0 ||
    tokens.some((token) => MEANINGFUL.includes(token.kind) || is(token, "mark", ...MEANINGFUL_MARKS));
  return found.length === 0 && !isMeaningful ? [{ is: "empty", words: [] }] : found;
}

/** Whether a token is a word without a meaning, or one whose meaning nothing took up. */
function isLeft(tokens: readonly Token[], at: number, read: ReadingFacts): boolean {
  const { songId, title, splits, numbersUsed } = read;
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token === undefined) return false;
  if (token.kind === "unknown") return !token.text.split(" ").every((word) => title.includes(word));
  if (token.kind === "number") return !numbersUsed.has(token) && !is(next, "noun", ...TIME);
  // 上周二到周四: the first is a day, the other one any week's.
  if (token.kind === "weekday") return is(before, "mark", "to") && is(tokens[at - 2], "date");
  if (token.kind !== "mark") return false;
  switch (token.value) {
    case "released":
    case "threshold":
    case "unread":
      return true;
    // Which of all songs it is by rank.
    case "rank":
      return splits.length === 0 && (songId !== undefined || tokens.some((one) => is(one, "song")));
    // Of what stands in rows no sum is given.
    case "together":
      return splits.length > 0;
    case "more":
    case "less":
      return asksBeyond(tokens, next);
    // No file says who sings.
    case "artist":
      return (
        [before, next].some((one) => ["song", "unknown-song", "unknown"].includes(one?.kind ?? "")) ||
        is(before, "mark", "each", "which")
      );
    case "versus":
      return is(next, "number");
    case "count":
      // Rows are numbered, so "how many stores" is answered by their list.
      if (is(next, "noun")) return !splits.includes(next?.value as Split);
      return !tokens.some(({ kind }) => kind === "measure");
    // The other stores than which?
    case "other":
      return !tokens.some((one) => is(one, "mark", "except", "outside"));
    case "except":
      return !ENTITIES.includes(tokens.slice(at + 1).find(({ kind }) => kind !== "noun")?.kind ?? "");
    case "outside":
      return !ENTITIES.includes(before?.kind ?? "");
    case "before":
    case "after":
      return !is(before, "date") && !is(next, "date") && !is(before, "mark", "versus");
    default:
      return false;
  }
}

/** "Songs with more plays than Home", 比《海盐》播放多的歌: which those are is not looked for. */
function asksBeyond(tokens: readonly Token[], next: Token | undefined): boolean {
  const than = tokens.findIndex(
    (token, at) => is(token, "mark", "versus") && ENTITIES.includes(tokens[at + 1]?.kind ?? ""),
  );
  if (than === -1) return false;
  const before = tokens.slice(0, than);
  const kinds = ["song", "country", "store"];
  const isKind = (token: Token | undefined): boolean =>
    is(token, "noun", ...kinds) || is(token, "split", ...kinds);
  return isKind(next) || (before.some(isKind) && !before.some(({ kind }) => ENTITIES.includes(kind)));
}

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
  readonly faults: readonly Fault[];
}

const AUDIENCE: readonly Measure[] = ["followers", "followers_gained", "monthly_listeners", "listeners"];
const MOST_ROWS = 1000;
/** How much of a question decides its language. */
const MOST_SIGNS = 2000;

/** Reads a question in Chinese or English. With `songId` it is about that song, whatever it calls it. */
export function read(question: string, songId: number | undefined, known: Known): Reading {
  const title = known.songs.find(({ id }) => id === songId)?.title.toLowerCase() ?? "";
  const tokens = scan(question, known, title);
  const marks = new Set(tokens.flatMap((token) => (token.kind === "mark" ? [token.value] : [])));
  // "Number one" is the first row of what there is most of.
  const orders = valuesOf(tokens, "order").map((order) =>
    order === "first" ? "most" : order,
  ) as readonly Order[];
  const filters = filtersOf(tokens, songId);
  const { times, unread } = timesOf(tokens, orders.length > 0);
  const splits = splitsOf(tokens, filters, orders);
  const measures = measuresOf(tokens, marks);
  const direction = marks.has("fall") ? "fall" : marks.has("grow") ? "grow" : undefined;
  const asksWhy = marks.has("why") || (marks.has("how") && direction !== undefined);
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
    marks.has("how_much") ||
    marks.has("previous") ||
    marks.has("year_before") ||
    times.length > 1 ||
    narrows(filters.filters);
  const kind = isChanges ? "changes" : isFigures ? "figures" : "overview";
  const split =
    splits.split ?? (order !== undefined && kind === "figures" ? impliedSplit(order, measures) : undefined);
  const average = marks.has("average") || marks.has("daily_average");
  return {
    language: languageOf(
      question.slice(0, MOST_SIGNS),
      known.songs.map((song) => song.title),
    ),
    kind,
    measures:
      kind !== "overview" && measures.length === 0
        ? [marks.has("how_much") ? "income" : impliedMeasure(split, filters)]
        : measures,
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
    faults: faultsOf(tokens, {
      songId,
      title,
      times: times.length,
      splits: splits.split === undefined ? [] : [splits.split, ...splits.others],
      numbersUsed: splits.numbersUsed,
      unread,
    }),
  };
}

function measuresOf(tokens: readonly Token[], marks: ReadonlySet<string>): readonly Measure[] {
  let found = [...new Set(valuesOf(tokens, "measure") as readonly Measure[])];
  if (marks.has("audience")) found = [...new Set([...AUDIENCE, ...found])];
  // What videos have been played is their views.
  if (tokens.some((token) => is(token, "noun", "video")))
    found = found.map((measure) => (measure === "plays" ? "views" : measure));
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
  const named = orders.find(isOfChange);
  if (named !== undefined) return named;
  const isRanked = split === "song" || split === "country" || split === "store" || split === "city";
  if (isRanked && direction !== undefined && !marks.has("why"))
    return direction === "grow" ? "growth" : "fall";
  if (orders.includes("least")) return "least";
  if (orders.includes("most")) return "most";
  if (marks.has("which") && isRanked) return marks.has("less") ? "least" : "most";
  return undefined;
}

/** "Highest plays" with nothing that could be highest is a day, most views a video; "top 10" and what grew most are songs. */
function impliedSplit(order: Order, measures: readonly Measure[]): Split {
  if (measures.some((measure) => measure === "views" || measure === "watch_hours")) return "video";
  return isOfChange(order) || measures.length === 0 ? "song" : "day";
}

function impliedMeasure(split: Split | undefined, { filters }: FilterReading): Measure {
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

function valuesOf(tokens: readonly Token[], kind: "order" | "measure"): readonly string[] {
  return tokens.flatMap((token) => (token.kind === kind ? [token.value] : []));
}
