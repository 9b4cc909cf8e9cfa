import type { Claims } from "./claims.ts";
import { isOfChange, type Comparison, type Measure, type Order, type Kind, type Split } from "./query.ts";
import { is, type Token } from "./scan.ts";
import { COMPARING, type Time } from "./times.ts";

/** The parts of a question that have been read, for the marks that only mean something beside it. */
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
  /** Each step of a series is compared with the one before. */
  readonly isGrowth: boolean;
  readonly isSideBySide: boolean;
  /** Of two measures: the first less the second. */
  readonly isDifference: boolean;
  readonly average: boolean;
  /** A quotient is an average already. */
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

/** A mark of a question, and what stands beside it. */
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

/** Of two periods beside each other no sum is given. */
const isOneSum: Use = ({ times, tokens }) =>
  times.length < 2 || tokens.some((token) => is(token, "mark", ...COMPARING));

/** Whether it is asked when something began: "when did it start dropping", "since when", 从哪个月开始. */
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

/** "Of each": where something stands side by side; of several songs each may be asked for by itself. */
const isOfSeveral: Use = ({ splits, times, measures, comparison, tokens }) =>
  splits.length > 0 ||
  times.length > 1 ||
  measures.length > 1 ||
  comparison !== undefined ||
  tokens.filter(({ kind }) => kind === "song" || kind === "unknown-song").length > 1;

/**
 * Which marks the reading has used. A mark without a row here, or whose condition does not hold, stays unclaimed and is
 * named as not understood.
 */
const USES: Readonly<Record<string, Use>> = {
  // These join words, or ask for what is given anyway.
  // The letter n joins two of a kind, "July n August", or a period to the question before.
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
  // When a figure passed a number, moved, or was highest.
  when: ({ kind, order }) => kind !== "overview" && (kind !== "figures" || order !== undefined),
  threshold: ({ kind }) => kind === "milestone",
  peaked: ({ kind }) => kind === "peak",
  since_when: ({ kind }) => kind === "start",
  start: ({ kind }) => kind === "start",
  since: ({ kind }, { token }) => kind === "start" && isStartWord(token),
  released: ({ kind }) => kind === "releases",
  month_over_month: isCompared,
  week_over_week: isCompared,
  // Why one figure is higher than another is not known.
  versus: (found, place) =>
    isCompared(found, place) &&
    !is(place.next, "number") &&
    (!found.isDifference || found.kind === "figures"),
  minus: ({ isDifference }) => isDifference,
  previous: isCompared,
  year_before: ({ comparison }) => comparison === "year-before",
  // "Streams by Ocean" are those of the song; "by income" refers to a ranking.
  each: (found, place) =>
    isOfSeveral(found, place) || is(place.next, "song") || (place.at === 0 && is(place.next, "measure")),
  rank: ({ splits, songId, tokens }) =>
    splits.length > 0 || (songId === undefined && !tokens.some((one) => is(one, "song"))),
  breakdown: isOfSeveral,
  share_of: hasSplit,
  trend: ({ isTrend, splits, kind, order }) =>
    isTrend || kind === "changes" || order !== undefined || splits.every((split) => !RANKED.includes(split)),
  // Of what stands in rows no sum is given.
  together: (found, place) => found.splits.length === 0 && isOneSum(found, place),
  more: (found, place) => !asksBeyond(found.tokens, place.next) && comparesMore(found),
  less: (found, place) => !asksBeyond(found.tokens, place.next) && comparesMore(found),
  // No file says who sings.
  artist: (_, { before, next }) =>
    ![before, next].some((one) => ["song", "unknown-song", "unknown"].includes(one?.kind ?? "")) &&
    !is(before, "mark", "each", "which"),
  count: ({ splits, tokens }, { next }) =>
    // Rows are numbered, so "how many stores" is answered by their list.
    is(next, "noun") ? splits.includes(next?.value as Split) : tokens.some(({ kind }) => kind === "measure"),
  // The other stores than which?
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

/** Orders that say the same of a ranking: "the top 5 that grew fastest". */
const UP = ["most", "first", "growth", "gain"];

/** Claims the marks and orders that the reading has used. */
export function claimMarks(found: QuestionParts, claims: Claims): void {
  const { tokens, order } = found;
  tokens.forEach((token, at) => {
    if (token.kind === "order") {
      const isSame = token.value === order || (UP.includes(token.value) && UP.includes(order ?? ""));
      // "What fell most" is what fell.
      if (isSame || (order !== undefined && isOfChange(order) && UP.includes(token.value)))
        claims.claim(token);
    }
    if (token.kind !== "mark") return;
    const place = { at, token, before: tokens[at - 1], next: tokens[at + 1] };
    if (USES[token.value]?.(found, place) === true) claims.claim(token);
  });
}

/** "Songs with more plays than Home", 比《海盐》播放多的歌: which those are is not looked for. */
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
