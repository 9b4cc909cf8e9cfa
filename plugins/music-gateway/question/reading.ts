import { languageOf } from "skillctl";
import { Claims } from "./claims.ts";
import { claimMarks, type QuestionParts } from "./marks.ts";
import { isQuotient, quotientOf } from "../model.ts";
import { filtersOf, splitsOf, type FilterReading } from "./splits.ts";
import {
  isOfChange,
  type Comparison,
  type Filters,
  type Language,
  type Measure,
  type Order,
  type Kind,
  type Split,
} from "./query.ts";
import { calendarUnit } from "./day.ts";
import { scan, is, type Known, type Token } from "./scan.ts";
import { COMPARING, timesOf, type Time } from "./times.ts";
import { nearTitles } from "./titles.ts";
import { folded, levelled } from "./vocabulary.ts";

/** Something of a question that cannot be answered, and the words that say it. */
interface Fault {
  readonly is:
    | `subject-${string}`
    | "unknown-song"
    | "unknown-store"
    | "area"
    | "song-count"
    | "unknown-words"
    | "near-titles"
    | "too-many-periods"
    | "too-many-splits"
    | "which-song"
    | "empty";
  readonly words: readonly string[];
}

const MEANINGFUL = ["measure", "per", "split", "order", "noun", "song", "country", "store", "weekday"];
const MEANINGFUL_MARKS =
  "overview trend moved changes why grow fall audience share_of ever release released".split(" ");

/**
 * Chinese is written without spaces: what is named reaches over the single signs that have no meaning of their own in
 * this place, 中位数 for 位.
 */
function wordNames(question: string): (token: Token) => string {
  const text = levelled(question.slice(0, 2000));
  return ({ kind, text: word }) => {
    if (kind !== "unknown" || !/\p{Script=Han}/u.test(word)) return word;
    const at = text.indexOf(word);
    const before = /[大小中高低多少新老单双总平首全半]$/u.exec(text.slice(0, at))?.[0] ?? "";
    const after = /^[数量值率度额性化]/u.exec(text.slice(at + word.length))?.[0] ?? "";
    return at < 0 ? word : `${before}${word}${after}`;
  };
}

/** All that cannot be answered, in the order in which it is said. */
function faultsOf(
  { tokens, songId, times }: QuestionParts,
  splits: readonly Split[],
  { question, title }: { readonly question: string; readonly title: string },
  known: Known,
  claims: Claims,
): readonly Fault[] {
  const textsOf = (isIn: (token: Token) => boolean): readonly string[] => [
    ...new Set(tokens.filter(isIn).map(({ text }) => text)),
  ];
  const subjects = new Set(tokens.filter(({ kind }) => kind === "unknowable").map(({ value }) => value));
  const unknownSongs = textsOf(({ kind }) => kind === "unknown-song");
  const unknownStores = textsOf(({ kind, stores }) => kind === "store" && stores?.length === 0);
  // These have sentences of their own.
  claims.claim(
    ...tokens.filter(
      ({ kind, stores }) =>
        kind === "unknowable" ||
        kind === "unknown-song" ||
        kind === "area" ||
        (kind === "store" && stores?.length === 0),
    ),
  );
  // Words of the title of the song that is asked about.
  claims.claim(
    ...tokens.filter(
      ({ kind, text }) => kind === "unknown" && text.split(" ").every((word) => title.includes(word)),
    ),
  );
  const left = claims.unclaimed();
  const nameOf = wordNames(question);
  const counts = left.filter((token) => is(token, "mark", "count"));
  const isOfSongs = counts.length > 0 && tokens.some((token) => is(token, "noun", "song"));
  const unknown = isOfSongs ? left.filter((token) => !counts.includes(token)) : left;
  // "By flavour": the word that is not known is named alone.
  const isOfNext = (token: Token): boolean => {
    const next = tokens[tokens.indexOf(token) + 1];
    return is(token, "mark", "each") && next?.kind === "unknown" && unknown.includes(next);
  };
  const near = nearTitles(unknown, levelled(question), known);
  const faults: readonly Fault[] = [
    ...[...subjects].map((subject): Fault => ({
      is: `subject-${subject}`,
      words: textsOf((token) => is(token, "unknowable", subject)),
    })),
    { is: "unknown-song", words: songId === undefined ? unknownSongs : [] },
    { is: "unknown-store", words: unknownStores },
    { is: "area", words: textsOf(({ kind }) => kind === "area") },
    { is: "song-count", words: isOfSongs ? counts.map(({ text }) => text) : [] },
    { is: "unknown-words", words: [...new Set(unknown.filter((token) => !isOfNext(token)).map(nameOf))] },
    { is: "near-titles", words: near },
    { is: "too-many-splits", words: splits.length > 1 ? splits : [] },
  ];
  const said = faults.filter(({ words }) => words.length > 0);
  if (times.length > 2) return [...said, { is: "too-many-periods", words: [] }];
  const isOfSong =
    songId !== undefined || unknownSongs.length > 0 || tokens.some((token) => is(token, "song"));
  if (tokens.some((token) => is(token, "mark", "pointer")) && !isOfSong)
    return [...said, { is: "which-song", words: [] }];
  const isMeaningful =
    songId !== undefined ||
    times.length > 0 ||
    tokens.some((token) => MEANINGFUL.includes(token.kind) || is(token, "mark", ...MEANINGFUL_MARKS));
  return said.length === 0 && !isMeaningful ? [{ is: "empty", words: [] }] : said;
}

/** What a question says, before it is held against the files. */
export interface Reading {
  /** As it was asked. */
  readonly question: string;
  readonly language: Language;
  readonly kind: Kind;
  /** Empty for an overview. */
  readonly measures: readonly Measure[];
  /** Whether one is named; else they are implied. */
  readonly hasMeasure: boolean;
  readonly split: Split | undefined;
  /** What the split is made within. */
  readonly group: Split | undefined;
  readonly filters: Filters;
  readonly times: readonly Time[];
  readonly comparison: Exclude<Comparison, "period"> | undefined;
  /** The year whose same days the period is held against; none means the year before. */
  readonly comparedYear: Time | undefined;
  readonly order: Order | undefined;
  readonly rows: number | undefined;
  readonly average: boolean;
  /** A trend whose steps follow from the length of the period. */
  readonly isTrend: boolean;
  /** Each step of a series is held against the one before. */
  readonly isGrowth: boolean;
  /** A series is added up step by step. */
  readonly isCumulative: boolean;
  /** What a milestone has to reach. */
  readonly threshold: number | undefined;
  /** Only rows whose figure lies within these are asked for. */
  readonly atLeast: number | undefined;
  readonly atMost: number | undefined;
  readonly direction: "grow" | "fall" | undefined;
  readonly faults: readonly Fault[];
  /** Words and numbers that could also be a title. */
  readonly unclaimed: readonly string[];
}

const AUDIENCE: readonly Measure[] = ["followers", "followers_gained", "monthly_listeners", "listeners"];
/** What videos have, or are asked for by another name. */
const OF_VIDEOS: readonly Measure[] = ["plays", "views", "watch_hours", "subscribers", "impressions"];
const MOST_ROWS = 1000;
/** How much of a question decides its language. */
const MOST_SIGNS = 2000;

/** Reads a question in Chinese or English. With `songId` it is about that song, whatever it calls it. */
export function read(question: string, songId: number | undefined, known: Known): Reading {
  const reading = readOnce(question, songId, known);
  // A word that nothing else claims, and that a song is called by: "plays of 404".
  const title = reading.unclaimed.find(
    (word) => word.length > 1 && known.songs.some((song) => folded(song.title) === word),
  );
  if (title === undefined) return reading;
  const marked = question.replace(new RegExp(`(?<![a-z\\d])${title}(?![a-z\\d])`, "iu"), `《${title}》`);
  return marked === question ? reading : { ...readOnce(marked, songId, known), question };
}

function readOnce(question: string, songId: number | undefined, known: Known): Reading {
  const title = known.songs.find(({ id }) => id === songId)?.title.toLowerCase() ?? "";
  const tokens = scan(question, known, title);
  const claims = new Claims(tokens);
  const marks = new Set(tokens.flatMap((token) => (token.kind === "mark" ? [token.value] : [])));
  // "Number one" is the first row of what there is most of.
  const orders = valuesOf(tokens, "order").map((order) =>
    order === "first" ? "most" : order,
  ) as readonly Order[];
  const filters = filtersOf(tokens, songId, claims);
  const named = timesOf(tokens, orders.length > 0, claims);
  const apart = yearApart(withCurrent(named, tokens, claims), marks);
  const { comparedYear } = apart;
  const splits = splitsOf(tokens, filters, orders, claims);
  const { group } = splits;
  const measures = measuresOf(tokens, marks, splits.split, claims);
  const threshold = marks.has("when") ? thresholdOf(tokens, claims) : undefined;
  const direction = marks.has("fall") ? "fall" : marks.has("grow") ? "grow" : undefined;
  const isWhy = marks.has("why") || (marks.has("how") && direction !== undefined);
  const isChanges = marks.has("changes") || (marks.has("when") && direction !== undefined);
  const order = orderOf(orders, direction, splits.split, marks);
  const bounds = boundsOf(tokens, marks, claims);
  const step = stepOf(marks, apart.times);
  const series = splits.split ?? bounds.split ?? (order === undefined ? step : undefined);
  const hasSteps = series !== undefined && STEPS.includes(series);
  // "Each month compared with the month before".
  const [period, before] = apart.times;
  const isStepBefore = hasSteps && before?.before?.count === 1 && before.before.unit === series;
  const times = isStepBefore && period !== undefined ? [period] : apart.times;
  const asksMove = direction !== undefined || marks.has("previous") || step !== undefined || isStepBefore;
  const isGrowth = hasSteps && !isWhy && !isChanges && (order === undefined ? asksMove : isOfChange(order));
  const isTrend = (marks.has("trend") || marks.has("moved")) && series === undefined && orders.length === 0;
  const isFigures =
    measures.length > 0 ||
    series !== undefined ||
    order !== undefined ||
    isTrend ||
    direction !== undefined ||
    ["versus", "how_much", "previous", "year_before", "month_over_month", "week_over_week"].some((mark) =>
      marks.has(mark),
    ) ||
    apart.times.length > 1 ||
    apart.comparedYear !== undefined ||
    narrows(filters.filters);
  const kind =
    threshold !== undefined
      ? "milestone"
      : isWhy
        ? "reasons"
        : isChanges
          ? "changes"
          : marks.has("released") && measures.length === 0 && named.length === 0
            ? "releases"
            : isFigures
              ? "figures"
              : "overview";
  const isSideBySide = splits.split !== undefined || hasTwoSongs(tokens);
  const comparison =
    comparedYear === undefined ? comparisonOf(marks, times.length, isSideBySide, isGrowth) : "year-before";
  const split =
    series ?? (order !== undefined && kind === "figures" ? impliedSplit(order, measures, marks) : undefined);
  const isRatio = measures.length > 0 && measures.every(isQuotient);
  const average = (marks.has("average") || marks.has("daily_average")) && !isRatio;
  const parts: QuestionParts = {
    tokens,
    songId,
    times: apart.times,
    splits: split === undefined ? [] : [split, ...(group === undefined ? [] : [group]), ...splits.others],
    order,
    comparison,
    kind,
    measures,
    isTrend,
    isGrowth,
    isSideBySide,
    average,
    isRatio,
  };
  claimMarks(parts, claims);
  // Reasons are given by song, store and country, days by themselves; no other split is.
  const used = SPLITS_OF[kind];
  if (used !== undefined && split !== undefined && !used.includes(split))
    claims.release(...tokens.filter((token) => is(token, "split", split) || is(token, "noun", split)));
  const isPlain = ({ text }: Token): boolean => /^[\p{L}\d]+$/u.test(text);
  const unclaimed = claims
    .unclaimed()
    .filter(isPlain)
    .map(({ text }) => text);
  return {
    question,
    language: languageOf(
      question.slice(0, MOST_SIGNS),
      known.songs.map((song) => song.title),
    ),
    kind,
    hasMeasure: measures.length > 0 || marks.has("how_much"),
    measures:
      kind !== "overview" && kind !== "releases" && measures.length === 0
        ? [marks.has("how_much") ? "income" : impliedMeasure(split, filters)]
        : measures,
    split: average && split === "day" && order === undefined ? undefined : split,
    group,
    filters: filters.filters,
    times: times.slice(0, 2),
    comparison,
    comparedYear,
    order,
    rows: splits.rows === undefined ? undefined : Math.min(splits.rows, MOST_ROWS),
    average,
    isTrend,
    isGrowth,
    isCumulative: marks.has("cumulative") && (hasSteps || isTrend),
    threshold,
    atLeast: kind === "figures" ? bounds.atLeast : undefined,
    atMost: kind === "figures" ? bounds.atMost : undefined,
    direction,
    unclaimed,
    faults: faultsOf(
      parts,
      splits.split === undefined ? [] : [splits.split, ...splits.others],
      { question, title },
      known,
      claims,
    ),
  };
}

const SPLITS_OF: Readonly<Partial<Record<Kind, readonly Split[]>>> = {
  reasons: ["song", "store", "country", "day"],
  changes: ["day", "song"],
  milestone: ["day"],
};
const STEPS: readonly Split[] = ["day", "week", "month", "quarter", "year"];

/** "More plays than last month" holds this month against the last one. */
function withCurrent(times: readonly Time[], tokens: readonly Token[], claims: Claims): readonly Time[] {
  const [time, ...others] = times;
  const unit = time?.lastUnit;
  if (time === undefined || unit === undefined || others.length > 0) return times;
  const at = tokens.findIndex(({ date }) => date?.is === "period" && date.lastUnit === unit);
  const isAfter = is(tokens[at - 1], "mark", "versus");
  const isBetween = is(tokens[at - 1], "mark", "and") && is(tokens[at + 1], "mark", "versus");
  if (!isAfter && !isBetween) return times;
  claims.claim(tokens[at - 1]);
  return [{ text: "", days: ({ today }) => calendarUnit(0, unit, today) }, time];
}

/** 9月同比去年, "September against 2025": a shorter period beside a whole year is held against the same days of that year. */
function yearApart(
  times: readonly Time[],
  marks: ReadonlySet<string>,
): { readonly times: readonly Time[]; readonly comparedYear: Time | undefined } {
  const [year, ...others] = times.filter(({ isYear }) => isYear === true);
  const rest = times.filter((time) => time !== year);
  const isApart =
    year !== undefined && others.length === 0 && rest.length === 1 && rest[0]?.before === undefined;
  return isApart && COMPARING.some((mark) => marks.has(mark))
    ? { times: rest, comparedYear: year }
    : { times, comparedYear: undefined };
}

/** "Month over month" is by month, unless it is about one month. */
function stepOf(marks: ReadonlySet<string>, times: readonly Time[]): Split | undefined {
  const isOne = (fewest: number, most: number): boolean => {
    const [days, ...others] = times.map(({ dayCount }) => dayCount);
    return others.length === 0 && days !== undefined && days >= fewest && days <= most;
  };
  if (marks.has("month_over_month")) return isOne(1, 31) ? undefined : "month";
  if (marks.has("week_over_week")) return isOne(1, 7) ? undefined : "week";
  return undefined;
}

/** "Days without plays", "weeks with at least 5,000 plays": the bounds of a figure, and the step whose figures they are. */
function boundsOf(
  tokens: readonly Token[],
  marks: ReadonlySet<string>,
  claims: Claims,
): { readonly split?: Split; readonly atLeast?: number; readonly atMost?: number } {
  const noun = tokens.find((token) => is(token, "noun", ...STEPS, "song", "country", "store"));
  if (noun === undefined || (marks.has("when") && marks.has("threshold"))) return {};
  const none = tokens.findIndex(
    (token, at) => is(token, "mark", "zero", "except") && is(tokens[at + 1], "measure"),
  );
  const split = noun.value as Split;
  if (none >= 0) {
    claims.claim(tokens[none], noun);
    return { split, atMost: 0 };
  }
  const at = tokens.findIndex(
    (token, place) => is(token, "mark", "threshold") && is(tokens[place + 1], "number"),
  );
  const [mark, number] = [tokens[at], tokens[at + 1]];
  if (mark === undefined || number === undefined) return {};
  claims.claim(mark, noun, number);
  const isMost = /most|less|fewer|below|under|no more|不到|低于|小于|至多|最多/u.test(mark.text);
  const value = Number(number.value);
  return isMost ? { split, atMost: value } : { split, atLeast: value };
}

/** The number that a figure has to reach: "when did I pass 1,000,000 plays". */
function thresholdOf(tokens: readonly Token[], claims: Claims): number | undefined {
  const at = tokens.findIndex((token) => is(token, "mark", "threshold"));
  const number = at < 0 ? undefined : tokens.slice(at + 1).find((token) => is(token, "number"));
  if (number === undefined) return undefined;
  claims.claim(number);
  return Number(number.value);
}

/** Of what is divided, when nothing is named. */
const NUMERATORS: Readonly<Record<string, Measure>> = {
  play: "income",
  "1000": "income",
  "1000views": "income",
  listener: "plays",
};

function measuresOf(
  tokens: readonly Token[],
  marks: ReadonlySet<string>,
  split: Split | undefined,
  claims: Claims,
): readonly Measure[] {
  claims.claim(...tokens.filter((token) => is(token, "measure")));
  let found = [...new Set(valuesOf(tokens, "measure") as readonly Measure[])];
  if (marks.has("audience")) found = [...new Set([...AUDIENCE, ...found])];
  for (const token of tokens.filter((one) => is(one, "per"))) {
    const numerator = found.find((one) => quotientOf(one, token.value) !== undefined);
    const of = numerator ?? (found.length === 0 ? NUMERATORS[token.value] : undefined);
    const ratio = of && quotientOf(of, token.value);
    if (ratio === undefined) continue;
    claims.claim(token);
    // 每千次播放收入 has plays in its name only.
    found = found.filter((one) => one !== numerator && one !== ratio);
    found.push(ratio);
  }
  // What videos have been played is their views.
  const videos = tokens.filter((token) => is(token, "noun", "video"));
  if (videos.length > 0 && (found.length === 0 || found.some((measure) => OF_VIDEOS.includes(measure)))) {
    claims.claim(...videos);
    found = found.map((measure) => (measure === "plays" ? "views" : measure));
    if (found.length === 0 && split !== "video") found = ["views"];
  }
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
  const isStep = split !== undefined && STEPS.includes(split);
  // "The biggest jump in one day" is a difference from the day before.
  if (isStep && direction !== undefined && orders.includes("most"))
    return direction === "grow" ? "gain" : "loss";
  if (isRanked && direction !== undefined && !marks.has("why"))
    return direction === "grow" ? "growth" : "fall";
  if (orders.includes("least")) return "least";
  if (orders.includes("most")) return "most";
  if (marks.has("which") && isRanked) return marks.has("less") ? "least" : "most";
  return undefined;
}

/** "Highest plays" with nothing that could be highest is a day, most views a video; "top 10" and what grew most are songs. */
function impliedSplit(order: Order, measures: readonly Measure[], marks: ReadonlySet<string>): Split {
  if (marks.has("when")) return "day";
  if (measures.some((measure) => measure === "views" || measure === "watch_hours")) return "video";
  return isOfChange(order) || measures.length === 0 ? "song" : "day";
}

function impliedMeasure(split: Split | undefined, { filters }: FilterReading): Measure {
  if (split === "video") return "views";
  if (split === "distributor") return "units";
  if (split === "playlist") return "plays";
  return filters.stores?.length === 1 && filters.stores[0] === "YouTube" ? "views" : "plays";
}

function comparisonOf(
  marks: ReadonlySet<string>,
  times: number,
  isSideBySide: boolean,
  isGrowth: boolean,
): "previous" | "year-before" | undefined {
  if (times > 1) return undefined;
  if (marks.has("year_before")) return "year-before";
  if (isGrowth) return undefined;
  const isOver = marks.has("month_over_month") || marks.has("week_over_week");
  if (isOver || marks.has("previous") || (marks.has("versus") && !isSideBySide)) return "previous";
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
