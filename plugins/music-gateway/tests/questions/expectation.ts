/** What must hold of an answer, and short ways to say it. The figures come out of `truth.ts`. */
import { daysOf, lastDays, type Period, type Weekday } from "./days.ts";
import { FIRST_DAY, LAST_DAY, MISSING_DAYS, type Title } from "./exports.ts";
import {
  figure,
  incomes,
  mean,
  mixedIncome,
  playsOf,
  ranked,
  type SaleFilter,
  songsByPlays,
  unitsOf,
} from "./truth.ts";

/** A text, or several of which one is enough. */
export type OneOf = string | readonly string[];

export interface Expectation {
  /** Figures, days and names that must stand in the answer. */
  readonly has?: readonly OneOf[];
  /** Figures that a misreading would show. */
  readonly hasNot?: readonly string[];
  /** Data rows of the table, where the question fixes how many. */
  readonly rows?: number;
  /** Names of the first rows of the table, in their order. */
  readonly order?: readonly OneOf[];
  /** No table row, none of the account's figures. */
  readonly declined?: true;
  /** What the sentence must repeat as not understood or not held. */
  readonly names?: readonly OneOf[];
  /** The answer may also be a sentence like that of `declined`: the files hold a figure, but it is a stretch. */
  readonly mayDecline?: true;
  /** The whole reply, word for word, where the specification fixes it. */
  readonly fixed?: string;
}

export interface Question {
  readonly id: string;
  readonly family: string;
  readonly question: string;
  /** A question of English words and a Chinese title is English. */
  readonly language: "zh" | "en";
  readonly expected: Expectation;
}

const HAN = /\p{Script=Han}/u;

function languageOf(question: string): Question["language"] {
  if (!HAN.test(question)) return "en";
  return /[a-z]{3,} [a-z]+/i.test(
    question.replaceAll(/Blue River|Paper Planes|Golden Hour \(Remix\)|(?:Apple|YouTube|Amazon) Music/gi, ""),
  )
    ? "en"
    : "zh";
}

/** The questions of one family, numbered. */
export function family(name: string, rows: readonly (readonly [string, Expectation])[]): readonly Question[] {
  return rows.map(([question, expected], place) => ({
    id: `${name}-${String(place + 1).padStart(2, "0")}`,
    family: name,
    question,
    language: languageOf(question),
    expected,
  }));
}

export const EVER: Period = [FIRST_DAY, LAST_DAY];
export const last = (days: number): Period => lastDays(days, LAST_DAY);

/** First and last day, and the days in between that have no figures. */
export function shown(period: Period): readonly string[] {
  const missing = MISSING_DAYS.filter((day) => day >= period[0] && day <= period[1]);
  return [...new Set([...period, ...missing])];
}

/** Totals of the periods that an answer takes which has lost the one that was asked for. */
function neighbours(has: readonly OneOf[], of: { song?: Title } = {}): readonly string[] {
  const lost = [last(30), EVER].map((period) => figure(playsOf(period, of)));
  return lost.filter((text) => !has.flat().includes(text));
}

/** The plays of a period, of one song or on some weekdays alone. */
export function plays(period: Period, of: { song?: Title; on?: readonly Weekday[] } = {}): Expectation {
  const has = [...shown(period), figure(playsOf(period, of))];
  return { has, hasNot: neighbours(has, of.song === undefined ? {} : { song: of.song }) };
}

/** Plays by a split: the figure of each part. */
export function split(period: Period, figures: readonly OneOf[], rows?: number): Expectation {
  return { has: [...shown(period), ...figures], ...(rows === undefined ? {} : { rows }) };
}

/** The first rows of a ranking with their figures, and not the next one. */
function firstRows<Name extends string>(
  count: number,
  order: readonly Name[],
  figureOf: (name: Name) => string,
  nameOf: (name: Name) => OneOf = (name) => name,
): Expectation & { readonly has: readonly OneOf[] } {
  return {
    has: order.slice(0, count).map(figureOf),
    hasNot: order.slice(count, count + 1).map(figureOf),
    rows: count,
    order: order.slice(0, count).map(nameOf),
  };
}

/** The songs with the most plays, or with the least. */
export function top(count: number, period: Period, from: "most" | "least" = "most"): Expectation {
  const order = from === "most" ? songsByPlays(period) : songsByPlays(period).toReversed();
  const rows = firstRows(count, order, (song) => figure(playsOf(period, { song })));
  return { ...rows, has: [...shown(period), ...rows.has] };
}

/** The countries, stores or songs with the most units. */
export function topUnits(
  names: readonly string[],
  count: number,
  period: Period,
  by: "country" | "store" | "song",
  of: SaleFilter = {},
): Expectation {
  const unitsBy = (name: string): number => unitsOf(period, { ...of, [by]: name });
  const rows = firstRows(
    count,
    ranked(names, unitsBy),
    (name) => figure(unitsBy(name)),
    by === "country" ? country : undefined,
  );
  return { ...rows, has: [...period, ...rows.has] };
}

/** Two periods: totals, and daily means where one is longer. */
export function periods(one: Period, other: Period, song?: Title): Expectation {
  const of = song === undefined ? {} : { song };
  const lengths = [one, other].map((period) => daysOf(period).length);
  const totals = [one, other].map((period) => playsOf(period, of));
  const means =
    lengths[0] === lengths[1] ? [] : totals.map((total, place) => mean(total, lengths[place] ?? 1));
  return { has: [...one, ...other, ...totals.map(figure), ...means] };
}

/** Units out of the statements. */
export function units(period: Period, of: SaleFilter = {}): Expectation {
  const all = figure(unitsOf(EVER, of));
  const text = figure(unitsOf(period, of));
  return { has: [...period, text], hasNot: all === text ? [] : [all] };
}

/** Income: an amount for each currency, never one for both. */
export function income(period: Period, of: SaleFilter = {}): Expectation {
  const amounts = incomes(period, of);
  return { has: [...period, ...amounts], hasNot: amounts.length > 1 ? [mixedIncome(period, of)] : [] };
}

/** More than one thing that must hold. */
export function both(...parts: readonly Expectation[]): Expectation {
  return {
    has: parts.flatMap(({ has = [] }) => has),
    hasNot: parts
      .flatMap(({ hasNot = [] }) => hasNot)
      .filter((text) => !parts.some(({ has = [] }) => has.includes(text))),
  };
}

export function declined(...names: readonly OneOf[]): Expectation {
  return { declined: true, names };
}

export const unknownSong = (name: string): Expectation => ({
  fixed: `很抱歉，暂时不支持对《${name}》这首歌进行数据分析，您可以尝试分析其他歌曲~`,
});

const COUNTRY_NAMES: Readonly<Record<string, readonly string[]>> = {
  US: ["美国", "United States"],
  JP: ["日本", "Japan"],
  GB: ["英国", "United Kingdom"],
  DE: ["德国", "Germany"],
  FR: ["法国", "France"],
  BR: ["巴西", "Brazil"],
  KR: ["韩国", "South Korea"],
  CA: ["加拿大", "Canada"],
  MX: ["墨西哥", "Mexico"],
};

/** A country as a cell may name it. */
export function country(code: string): OneOf {
  const names = COUNTRY_NAMES[code] ?? [];
  return [
    code,
    ...names,
    ...names.map((name) => `${name} (${code})`),
    ...names.map((name) => `${name}（${code}）`),
  ];
}

export const SATURDAY = ["星期六", "周六", "礼拜六", "Saturday", "Sat"];

/** A day that leaves the pattern is held against what is usual, by whatever word. */
export const USUAL = [
  "usual",
  "expected",
  "typical",
  "normal",
  "pattern",
  "平时",
  "通常",
  "往常",
  "平常",
  "常规",
  "惯常",
  "预期",
  "规律",
];
