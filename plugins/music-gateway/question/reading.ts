import { languageOf } from "skillctl";
import { Claims } from "./claims.ts";
import { asksStart, claimMarks, type QuestionParts } from "./marks.ts";
import { isQuotient } from "../model.ts";
import { faultsOf, type Fault } from "./faults.ts";
import { boundsOf, impliedMeasure, measuresOf, thresholdOf, valuesOf } from "./measures.ts";
import { filtersOf, splitsOf } from "./splits.ts";
import {
  isOfChange,
  isStep,
  type Comparison,
  type Filters,
  type Language,
  type Measure,
  type Order,
  type Kind,
  type Split,
} from "./query.ts";
import { calendarUnit, type Unit } from "./day.ts";
import { scan, is, type Known, type Token } from "./scan.ts";
import { spelled, type Spelling } from "./spelling.ts";
import { withYearTitles } from "./titles.ts";
import { atStart, COMPARING, shownTime, timesOf, type Time } from "./times.ts";
import { folded } from "./vocabulary.ts";

/** The meaning of a question, before it is matched with the files. */
export interface Reading {
  /** The original text. */
  readonly question: string;
  readonly language: Language;
  readonly kind: Kind;
  /** Empty for an overview. */
  readonly measures: readonly Measure[];
  /** Whether a measure is named; otherwise the measures are implied. */
  readonly hasMeasure: boolean;
  readonly split: Split | undefined;
  /** Whether the split is named; otherwise it is implied. */
  readonly hasSplit: boolean;
  /** The dimension within which the split is made. */
  readonly group: Split | undefined;
  readonly filters: Filters;
  /** Songs that are shown side by side in the answer about the last of them. */
  readonly beside: readonly number[];
  readonly times: readonly Time[];
  readonly comparison: Exclude<Comparison, "period"> | undefined;
  /** The year whose same days the period is compared with; undefined means the year before. */
  readonly comparedYear: Time | undefined;
  readonly order: Order | undefined;
  readonly rows: number | undefined;
  readonly average: boolean;
  /** Whether it is a trend, whose steps depend on the length of the period. */
  readonly isTrend: boolean;
  /** Whether each step of a series is compared with the previous one. */
  readonly isGrowth: boolean;
  /** Whether a series shows running sums. */
  readonly isCumulative: boolean;
  /** Whether the second of two measures is subtracted from the first. */
  readonly isDifference: boolean;
  /** The figure that a milestone must reach. */
  readonly threshold: number | undefined;
  /** The bounds for the figures of the rows. */
  readonly atLeast: number | undefined;
  readonly atMost: number | undefined;
  readonly direction: "grow" | "fall" | undefined;
  readonly faults: readonly Fault[];
  /** Misspelt words, and the words as which they are read. */
  readonly spellings: readonly Spelling[];
  /** Words and numbers that could also be a title. */
  readonly unclaimed: readonly string[];
  /** Whether it has unknown words. */
  readonly hasUnknown: boolean;
  /** The meanings of words such as "versus" and "together". */
  readonly marks: ReadonlySet<string>;
  /** Whether it identifies a song only by its age. */
  readonly isByAge?: boolean;
  /** Whether it mentions videos without a split by them. */
  readonly isOfVideos: boolean;
  /** The measure that applies if none is named. */
  readonly implied: Measure | undefined;
  /** The slots that the question takes over from the previous one. */
  readonly taken: readonly Slot[];
  /** Whether it is about the whole account, after a question about a song. */
  readonly isWhole: boolean;
}

/** The parts of a question: its figure, subject, period and layout. */
export type Slot = "figure" | "subject" | "period" | "form";

/** How the figures of a question are laid out. */
export type Form = Pick<
  Reading,
  | "split"
  | "hasSplit"
  | "group"
  | "order"
  | "rows"
  | "average"
  | "isTrend"
  | "isGrowth"
  | "isCumulative"
  | "isDifference"
  | "atLeast"
  | "atMost"
  | "direction"
>;

const MOST_ROWS = 1000;
const FIGURE_MARKS = "versus how_much previous year_before month_over_month week_over_week".split(" ");
const PASSING = /^(?:突破|冲破|破|达到|过了|到|pass|reach|cross|surpass|get past|got past)/u;
const ON_DAY = /(?:哪|哪一|哪1|哪个)(?:天|日)(?!数)|\b(?:which|what) (?:day|date)\b/u;
/** The number of characters that determine the language of a question. */
const MOST_SIGNS = 2000;

/** Reads a question in Chinese or English. With `songId` it is about that song, whatever the question calls it. */
export function read(question: string, songId: number | undefined, known: Known): Reading {
  const reading = { ...readNamed(withYearTitles(question, known), songId, known), question };
  const unknown = reading.faults.flatMap(({ is: fault, words }) => (fault === "unknown-words" ? words : []));
  const { spellings, question: text } = spelled(withYearTitles(question, known), unknown, known);
  if (spellings.length === 0) return reading;
  const corrected = readNamed(text, songId, known);
  return corrected.faults.length > 0 ? reading : { ...corrected, question, spellings };
}

/** Reads an unclaimed word as a song with that title: "plays of 404". */
function readNamed(question: string, songId: number | undefined, known: Known): Reading {
  const reading = readOnce(question, songId, known);
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
  // 破百万是哪天 asks when the sum passed a million; 哪天超过 refers to each day.
  const isPassed = tokens.some((token) => is(token, "mark", "threshold") && PASSING.test(token.text));
  if (isPassed && ON_DAY.test(folded(question))) marks.add("when");
  // "Number one" is the first row of the highest figures.
  const orders = valuesOf(tokens, "order").map((order) =>
    order === "first" ? "most" : order,
  ) as readonly Order[];
  const filters = filtersOf(tokens, songId, claims);
  const named = timesOf(tokens, { hasOrder: orders.length > 0, isOfSong: songId !== undefined }, claims);
  const apart = yearApart(withOther(named, tokens, marks, claims), marks);
  const { comparedYear } = apart;
  const splits = splitsOf(tokens, filters, orders, claims);
  const { group } = splits;
  const measures = measuresOf(tokens, marks, splits.split, claims);
  const threshold = marks.has("when") ? thresholdOf(tokens, claims) : undefined;
  const direction = marks.has("fall") ? "fall" : marks.has("grow") ? "grow" : undefined;
  const isWhy = marks.has("why") || (marks.has("how") && direction !== undefined);
  const isStart = direction !== undefined && !isWhy && asksStart(tokens);
  const isChanges = marks.has("changes") || (marks.has("when") && direction !== undefined);
  const order = orderOf(orders, direction, splits.split, marks);
  const bounds = boundsOf(tokens, marks);
  const step = stepOf(marks, apart.times);
  const series = splits.split ?? bounds.split ?? (order === undefined ? step : undefined);
  const hasSteps = isStep(series);
  // "Each month compared with the month before".
  const [period, before] = apart.times;
  const isStepBefore = hasSteps && before?.before?.count === 1 && before.before.unit === series;
  const times = isStepBefore && period !== undefined ? [period] : apart.times;
  const asksMove = direction !== undefined || marks.has("previous") || step !== undefined || isStepBefore;
  const isGrowth =
    hasSteps && !isWhy && !isStart && !isChanges && (order === undefined ? asksMove : isOfChange(order));
  const isTrend = (marks.has("trend") || marks.has("moved")) && series === undefined && orders.length === 0;
  const isFigures =
    measures.length > 0 ||
    series !== undefined ||
    order !== undefined ||
    isTrend ||
    direction !== undefined ||
    FIGURE_MARKS.some((mark) => marks.has(mark)) ||
    apart.times.length > 1 ||
    apart.comparedYear !== undefined ||
    narrows(filters.filters);
  const kinds: readonly (readonly [Kind, boolean])[] = [
    ["milestone", threshold !== undefined],
    ["reasons", isWhy],
    ["start", isStart],
    ["changes", isChanges],
    ["peak", marks.has("peaked")],
    ["releases", marks.has("released") && measures.length === 0 && named.length === 0],
    ["figures", isFigures],
  ];
  const [kind] = kinds.find(([, isAsked]) => isAsked) ?? (["overview"] as const);
  if (kind === "figures") claims.claim(...bounds.tokens);
  const isBeside = splits.split !== undefined || hasTwoSongs(tokens);
  const isDifference = !isBeside && times.length < 2 && measures.length === 2 && isOfMeasures(tokens);
  const isSideBySide = isBeside || isDifference;
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
    isDifference,
    average,
    isRatio,
  };
  claimMarks(parts, claims);
  // Reasons are split by song, store and country, days only by themselves; no other split is supported.
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
    hasSplit: series !== undefined,
    marks,
    hasUnknown: claims.unclaimed().some(({ kind: of }) => of === "unknown"),
    implied: marks.has("how_much") ? "income" : impliedMeasure(split, filters),
    isByAge: tokens.some((token) => token.isByAge === true),
    isOfVideos: split !== "video" && tokens.some((token) => is(token, "noun", "video")),
    taken: [],
    isWhole: false,
    measures:
      kind !== "overview" && kind !== "releases" && measures.length === 0
        ? [marks.has("how_much") ? "income" : impliedMeasure(split, filters)]
        : measures,
    split: average && split === "day" && order === undefined ? undefined : split,
    group,
    filters: filters.filters,
    beside: kind === "figures" && split === undefined ? filters.beside : [],
    times: times.slice(0, 2).map((time) => shownTime(atStart(time, measures))),
    comparison,
    comparedYear,
    order,
    rows: splits.rows === undefined ? undefined : Math.min(splits.rows, MOST_ROWS),
    average,
    isTrend,
    isGrowth,
    isCumulative: marks.has("cumulative") && (hasSteps || isTrend),
    isDifference: isDifference && kind === "figures" && split === undefined,
    threshold,
    atLeast: kind === "figures" ? bounds.atLeast : undefined,
    atMost: kind === "figures" ? bounds.atMost : undefined,
    direction,
    unclaimed,
    spellings: [],
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
  start: ["day", "week", "month"],
  peak: ["day", "week", "month"],
  milestone: ["day"],
};
/** "More plays than last month" compares this month with the last one, and so does "this month against the last". */
function withOther(
  times: readonly Time[],
  tokens: readonly Token[],
  marks: Set<string>,
  claims: Claims,
): readonly Time[] {
  const [time, ...others] = times;
  if (time === undefined || others.length > 0) return times;
  const isAfter = (at: number): boolean => is(tokens[at - 1], "mark", "versus");
  const unitsBack = (unit: Unit, count: number): Time => ({
    text: "",
    days: ({ today }) => calendarUnit(count, unit, today),
  });
  const { calendar } = time;
  const earlier = tokens.findIndex((token) => is(token, "mark", "last_one"));
  // "Compared to previous months" refers to all of them.
  if (isAfter(earlier) && !is(tokens[earlier + 1], "noun")) {
    claims.claim(tokens[earlier]);
    if (calendar !== undefined) return [time, unitsBack(calendar.unit, calendar.count + 1)];
    marks.add("previous");
  }
  if (calendar?.count !== 1) return times;
  const at = tokens.findIndex(({ date }) => date?.is === "period" && date.calendar?.count === 1);
  const isBetween = is(tokens[at - 1], "mark", "and") && is(tokens[at + 1], "mark", "versus");
  if (!isAfter(at) && !isBetween) return times;
  claims.claim(tokens[at - 1]);
  return [unitsBack(calendar.unit, 0), time];
}

/** 9月同比去年, "September against 2025": next to a whole year, a shorter period is compared with the same days of that year. */
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

/** "Month over month" splits by month, unless it is about a single month. */
function stepOf(marks: ReadonlySet<string>, times: readonly Time[]): Split | undefined {
  const isOne = (fewest: number, most: number): boolean => {
    const [days, ...others] = times.map(({ dayCount }) => dayCount);
    return others.length === 0 && days !== undefined && days >= fewest && days <= most;
  };
  if (marks.has("month_over_month")) return isOne(1, 31) ? undefined : "month";
  if (marks.has("week_over_week")) return isOne(1, 7) ? undefined : "week";
  return undefined;
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
  // "The biggest jump in one day" is a difference to the previous day.
  if (isStep(split) && direction !== undefined && orders.includes("most"))
    return direction === "grow" ? "gain" : "loss";
  if (isRanked && direction !== undefined && !marks.has("why"))
    return direction === "grow" ? "growth" : "fall";
  if (orders.includes("least")) return "least";
  if (orders.includes("most")) return "most";
  if (marks.has("which") && isRanked) return marks.has("less") ? "least" : "most";
  return undefined;
}

/** The implied split: "highest plays" asks for a day, most views for a video; "top 10", the fastest growth and best sales for songs. */
function impliedSplit(order: Order, measures: readonly Measure[], marks: ReadonlySet<string>): Split {
  if (marks.has("when")) return "day";
  if (measures.some((measure) => measure === "views" || measure === "watch_hours")) return "video";
  return isOfChange(order) || measures.length === 0 || measures.includes("units") ? "song" : "day";
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

/** "Plays minus listeners", 播放比听众多多少, "the difference between plays and listeners". */
function isOfMeasures(tokens: readonly Token[]): boolean {
  const first = tokens.findIndex((token) => is(token, "measure"));
  const last = tokens.findLastIndex((token) => is(token, "measure"));
  return tokens.some(
    (token, at) =>
      is(token, "mark", "minus") ||
      (is(token, "mark", "versus") && ((first < at && at < last) || /差|^differ/u.test(token.text))),
  );
}

function hasTwoSongs(tokens: readonly Token[]): boolean {
  return tokens.filter(({ kind }) => kind === "song" || kind === "unknown-song").length > 1;
}

function narrows(filters: Filters): boolean {
  return Object.keys(filters).some((name) => name !== "songs" && name !== "withoutSongs");
}
