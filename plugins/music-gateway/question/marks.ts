import type { Claims } from "./claims.ts";
import { isOfChange, type Comparison, type Measure, type Order, type Kind, type Split } from "./query.ts";
import { is, type Token } from "./scan.ts";
import { COMPARING, type Time } from "./times.ts";

/** The parts of a question that have been read, for marks whose meaning depends on other words. */
export interface QuestionParts {
  readonly tokens: readonly Token[];
  readonly songId: number | undefined;
  readonly times: readonly Time[];
  readonly splits: readonly Split[];
  readonly order: Order | undefined;
  readonly comparison: Comparison | undefined;
  readonly kind: Kind;
  readonly measures: readonly Measure[];
  readonly isTrend: boolean;
  /** Whether each step of a series is compared with the previous one. */
  readonly isGrowth: boolean;
  readonly isSideBySide: boolean;
  /** Whether the second of two measures is subtracted from the first. */
  readonly isDifference: boolean;
  readonly average: boolean;
  /** Whether the measure is a quotient, which is already an average. */
  readonly isRatio: boolean;
}

const RANKED: readonly string[] = [
  "song",
  "country",
  "store",
  "city",
  "distributor",
  "currency",
  "video",
  "playlist",
  "traffic_source",
  "subscription_status",
  "age",
  "gender",
];
const ENTITIES = ["song", "country", "city", "store", "weekday", "unknown-song"];

/** A mark of a question, and the tokens next to it. */
interface Place {
  readonly at: number;
  readonly token: Token;
  readonly before: Token | undefined;
  readonly next: Token | undefined;
}

type Use = (found: QuestionParts, place: Place) => boolean;
const always: Use = () => true;
const isCompared: Use = ({ comparison, times, isSideBySide, order, isGrowth }) =>
  comparison !== undefined || times.length > 1 || isSideBySide || isOfChange(order) || isGrowth;
const hasSplit: Use = ({ splits }) => splits.length > 0;

/** Two periods side by side have no sum. */
const isOneSum: Use = ({ times, tokens }) =>
  times.length < 2 || tokens.some((token) => is(token, "mark", ...COMPARING));

/** Whether the question asks when something began: "when did it start dropping", "since when", 从哪个月开始. */
export function asksStart(tokens: readonly Token[]): boolean {
  const isWhen = tokens.some(
    (token, at) =>
      is(token, "mark", "when") ||
      (is(token, "mark", "which") && is(tokens[at + 1], "noun", "day", "week", "month")),
  );
  return tokens.some((token) => is(token, "mark", "since_when") || (isWhen && isStartWord(token)));
}

function isStartWord(token: Token): boolean {
  return is(token, "mark", "start") || (is(token, "mark", "since") && token.text === "开始");
}

/** "Of each": for values side by side; several songs can each be queried separately. */
const isOfSeveral: Use = ({ splits, times, measures, comparison, tokens }) =>
  splits.length > 0 ||
  times.length > 1 ||
  measures.length > 1 ||
  comparison !== undefined ||
  tokens.filter(({ kind }) => kind === "song" || kind === "unknown-song").length > 1;

/**
 * The conditions under which the reading has used a mark. A mark without an entry here, or whose condition is not met,
 * stays unclaimed and is reported as not understood.
 */
const USES: Readonly<Record<string, Use>> = {
  // These join words, or ask for content that every answer has.
  // The letter n joins two words of a kind, "July n August", or links a period to the previous question.
  and: (_, { token, before, next }) =>
    token.text !== "n" || (before === undefined ? next?.kind === "date" : before.kind === next?.kind),
  to: always,
  from: always,
  between: always,
  which: always,
  how: always,
  how_much: always,
  overview: always,
  account: always,
  pointer: always,
  list: always,
  total: isOneSum,
  sum: isOneSum,
  cumulative: ({ splits }) => splits.every((split) => !RANKED.includes(split)),
  why: always,
  changes: always,
  audience: always,
  average: ({ average, isRatio, isGrowth }, { before }) =>
    (average || isRatio) && !isGrowth && !is(before, "mark", "versus"),
  daily_average: ({ average }) => average,
  // The latest figure, not the latest song.
  last_day_value: ({ times }, { next }) => times.length < 2 && !is(next, "noun", "song", "video", "playlist"),
  grow: always,
  fall: always,
  moved: always,
  // When a figure passed a number, changed, or was highest.
  when: ({ kind, order }) => kind !== "overview" && (kind !== "figures" || order !== undefined),
  threshold: ({ kind }) => kind === "milestone",
  peaked: ({ kind }) => kind === "peak",
  since_when: ({ kind }) => kind === "start",
  start: ({ kind }) => kind === "start",
  since: ({ kind }, { token }) => kind === "start" && isStartWord(token),
  released: ({ kind }) => kind === "releases",
  month_over_month: isCompared,
  week_over_week: isCompared,
  // Why one figure is higher than another is unknown.
  versus: (found, place) =>
    isCompared(found, place) &&
    !is(place.next, "number") &&
    (!found.isDifference || found.kind === "figures"),
  minus: ({ isDifference }) => isDifference,
  previous: isCompared,
  year_before: ({ comparison }) => comparison === "year-before",
  // "Streams by Ocean" are streams of the song; "by income" refers to a ranking.
  each: (found, place) =>
    isOfSeveral(found, place) || is(place.next, "song") || (place.at === 0 && is(place.next, "measure")),
  rank: ({ splits, songId, tokens }) =>
    splits.length > 0 || (songId === undefined && !tokens.some((one) => is(one, "song"))),
  breakdown: isOfSeveral,
  share_of: hasSplit,
  trend: ({ isTrend, splits, kind, order }) =>
    isTrend || kind === "changes" || order !== undefined || splits.every((split) => !RANKED.includes(split)),
  // The values of a table of rows have no sum.
  together: (found, place) => found.splits.length === 0 && isOneSum(found, place),
  more: (found, place) => !asksBeyond(found.tokens, place.next) && comparesMore(found),
  less: (found, place) => !asksBeyond(found.tokens, place.next) && comparesMore(found),
  // The files do not contain the singer.
  artist: (_, { before, next }) =>
    ![before, next].some((one) => ["song", "unknown-song", "unknown"].includes(one?.kind ?? "")) &&
    !is(before, "mark", "each", "which"),
  count: ({ splits, tokens }, { next }) =>
    // Rows are numbered, so "how many stores" is answered by their list.
    is(next, "noun") ? splits.includes(next?.value as Split) : tokens.some(({ kind }) => kind === "measure"),
  // "Other stores" needs a store that is excluded.
  other: ({ tokens }) => tokens.some((one) => is(one, "mark", "except", "outside")),
};

function comparesMore({ comparison, times, isSideBySide, order, tokens }: QuestionParts): boolean {
  return (
    comparison !== undefined ||
    times.length > 1 ||
    isSideBySide ||
    order !== undefined ||
    tokens.some((token) => is(token, "mark", "which"))
  );
}

/** Orders with the same meaning in a ranking: "the top 5 that grew fastest". */
const UP = ["most", "first", "growth", "gain"];

/** Claims the marks and orders that the reading has used. */
export function claimMarks(found: QuestionParts, claims: Claims): void {
  const { tokens, order } = found;
  tokens.forEach((token, at) => {
    if (token.kind === "order") {
      const isSame = token.value === order || (UP.includes(token.value) && UP.includes(order ?? ""));
      // "What fell most" has the same meaning as "what fell".
      if (isSame || (order !== undefined && isOfChange(order) && UP.includes(token.value)))
        claims.claim(token);
    }
    if (token.kind !== "mark") return;
    const place = { at, token, before: tokens[at - 1], next: tokens[at + 1] };
    if (USES[token.value]?.(found, place) === true) claims.claim(token);
  });
}

/** "Songs with more plays than Home", 比《海盐》播放多的歌: such a comparison with one song is not supported. */
function asksBeyond(tokens: readonly Token[], next: Token | undefined): boolean {
  const than = tokens.findIndex(
    (token, at) => is(token, "mark", "versus") && ENTITIES.includes(tokens[at + 1]?.kind ?? ""),
  );
  if (than === -1) return false;
  const before = tokens.slice(0, than);
  const kinds = ["song", "country", "city", "store"];
  const isKind = (token: Token | undefined): boolean =>
    is(token, "noun", ...kinds) || is(token, "split", ...kinds);
  return isKind(next) || (before.some(isKind) && !before.some(({ kind }) => ENTITIES.includes(kind)));
}
