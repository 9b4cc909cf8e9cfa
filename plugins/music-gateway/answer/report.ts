import { addDays, addMonths, lengthOf, type DayRange } from "../question/day.ts";
import type { Language, Measure, Query } from "../question/query.ts";
import { read } from "../question/reading.ts";
import type { Collection } from "../store/catalog.ts";
import { calendarDays } from "./calendar.ts";
import { answerQuery, type Answer } from "./answer.ts";
import type { Report, Tile } from "./report-page.ts";
import { changeOf } from "./figures.ts";
import { change, chartsOf, type Block } from "./rectangle.ts";
import { Wording, type Section, type WordingName } from "./wording.ts";

type Asking = Omit<Query, "language">;

/** The period of a report, or the reason why there is none. */
export interface ReportPeriod {
  readonly range: DayRange | undefined;
  /** The first and last day with figures; undefined if the files have none by day or month. */
  readonly data: DayRange | undefined;
}

/** The possible main figures of a report; the first one in the files is used. */
const MAIN: readonly Measure[] = ["plays", "units", "views", "income"];
const TILES: readonly Measure[] = [
  "plays",
  "income",
  "listeners",
  "followers_gained",
  "followers",
  "saves",
  "views",
];
/** A milestone is 1, 2 or 5 times a power of ten. */
const LEAST_MILESTONE = 1000;
const MOST_MILESTONES = 3;

/** The named days ("2026-09", "last month", "9月"), otherwise the last whole month in the files. */
export async function reportPeriod(
  words: string | undefined,
  collection: Collection,
  today: string,
): Promise<ReportPeriod> {
  const data = (await mainOf(collection, today))?.data;
  if (data === undefined) return { range: undefined, data };
  if (words === undefined) {
    const first = `${addDays(data.to, 1).slice(0, 8)}01`;
    const last = { from: addMonths(first, -1), to: addDays(first, -1) };
    return { range: last.from >= data.from ? last : data, data };
  }
  const { times, faults } = read(words, undefined, collection.catalog);
  const [time, ...others] = times;
  const isPeriod = others.length === 0 && faults.length === 0;
  const now = collection.source === "sample" || today < data.to ? data.to : today;
  const range = isPeriod ? time?.days({ data, today: now }) : undefined;
  return { range: range !== undefined && range.from <= range.to ? range : undefined, data };
}

/** The main figure of a report, with its first and last day. */
async function mainOf(
  collection: Collection,
  today: string,
): Promise<{ readonly measure: Measure; readonly data: DayRange } | undefined> {
  for (const measure of MAIN) {
    const query: Query = { language: "en", kind: "milestone", measures: [measure], threshold: 0 };
    const [plan] = (await answerQuery(query, collection, today)).plans;
    if (plan?.data !== undefined) return { measure, data: plan.data };
  }
  return undefined;
}

/** The figures of a period by songs, stores and countries, its milestones, and its changes. */
export async function reportOf(
  period: DayRange,
  language: Language,
  collection: Collection,
  today: string,
): Promise<Report> {
  const wording = new Wording(language, collection.catalog.songs);
  const main = await mainOf(collection, today);
  const measure = main?.measure ?? "plays";
  const notes = new Set<string>();
  const absent: string[] = [];
  const topics: Section[] = [];
  const ask = async (query: Asking): Promise<Answer> => {
    const answer = await answerQuery({ language, period, ...query }, collection, today);
    for (const note of answer.notes) notes.add(note);
    return answer;
  };
  const add = async (name: WordingName, ...queries: readonly Asking[]): Promise<void> => {
    const reasons: string[] = [];
    const heading = wording.say(name);
    for (const query of queries) {
      const { sections, output } = await ask(query);
      if (sections.length > 0)
        return void topics.push({ heading, blocks: sections.flatMap(({ blocks }) => blocks) });
      reasons.push(...output.refusals);
    }
    absent.push(`${heading}${language === "zh" ? "：" : ": "}${reasons[0] ?? wording.say("no-rows")}`);
  };
  const tiles: Tile[] = [];
  for (const one of TILES)
    for (const { title, series } of chartsIn(await ask({ measures: [one] }))) {
      const [now, before] = series[0]?.points ?? [];
      if (typeof now?.value !== "number") continue;
      const isHeld = typeof before?.value === "number";
      tiles.push({
        name: title,
        value: now.text,
        change: isHeld ? change(changeOf(now.value, before.value)).text : "",
        before: isHeld ? wording.say("report-before", { VALUE: before.text }) : "",
      });
    }
  const length = lengthOf(period);
  const isDaily = length <= 31 && measure !== "income" && measure !== "units";
  const split = isDaily ? "day" : length <= 190 ? "week" : "month";
  const ranked = (measure: Measure, split: "song" | "store" | "country"): Asking => ({
    measures: [measure],
    split,
    order: "most",
    rows: 10,
  });
  await add("report-trend", { measures: [measure], split }, { measures: [measure], split: "month" });
  await add("report-songs", ranked(measure, "song"), ranked("units", "song"));
  await add("report-stores", ranked("plays", "store"));
  await add("report-countries", ranked("plays", "country"));
  await add("report-income", ranked("income", "song"), ranked("income", "store"));
  await add("report-per-1000", ranked("income_per_1000_plays", "store"));
  topics.push({
    heading: wording.say("report-milestones"),
    blocks: await milestones(measure, main?.data, period, ask, wording),
  });
  await add("report-changes", { kind: "reasons", measures: [measure] });
  const isMonth = period.from.endsWith("-01") && period.to === addDays(addMonths(period.from, 1), -1);
  return {
    title: wording.say("report-title"),
    period: isMonth ? wording.period(period, "month") : calendarDays(period, language),
    tiles,
    topics,
    absent,
    notes: [...notes],
    wording,
  };
}

function chartsIn({ sections }: Answer): ReturnType<typeof chartsOf> {
  return sections.flatMap(({ blocks }) => chartsOf(blocks));
}

/** Sentences about the round numbers that the sum since the first day reached in a period. */
async function milestones(
  measure: Measure,
  data: DayRange | undefined,
  { from, to }: DayRange,
  ask: (query: Asking) => Promise<Answer>,
  wording: Wording,
): Promise<readonly Block[]> {
  if (data === undefined) return [wording.say("no-rows")];
  const sumTo = async (day: string): Promise<number> => {
    if (day < data.from) return 0;
    const [chart] = chartsIn(await ask({ measures: [measure], period: { from: data.from, to: day } }));
    return Number(chart?.series[0]?.points[0]?.value ?? 0);
  };
  const [before, after] = [await sumTo(addDays(from, -1)), await sumTo(to)];
  const passed: number[] = [];
  for (let power = LEAST_MILESTONE; power <= after; power *= 10)
    for (const step of [power, 2 * power, 5 * power]) if (step > before && step <= after) passed.push(step);
  const said: Block[] = [];
  for (const threshold of passed.slice(-MOST_MILESTONES)) {
    const kind = "milestone";
    const { sections } = await ask({ kind, measures: [measure], threshold, period: { from: data.from, to } });
    // Omits the first block, on the days of the data, and the last one, the rows.
    said.push(...(sections[0]?.blocks.slice(1, -1) ?? []));
  }
  return said.length === 0 ? [wording.say("report-no-milestone")] : said;
}
