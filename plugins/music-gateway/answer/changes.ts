import { addDays, lengthOf } from "../question/day.ts";
import { filterOf, unitOf } from "../model.ts";
import type { Collection } from "../store/catalog.ts";
import { bySplit, stepLabel } from "./calendar.ts";
import { changeOf, currenciesOf, figuresBy, statementOf, sumOf, textOf } from "./figures.ts";

import {
  apart,
  change,
  column,
  figured,
  grouped,
  rectangle,
  worded,
  type Block,
  type CellColumn,
  type Chart,
} from "./rectangle.ts";
import type { Question } from "./wording.ts";
import { isPlan, planOf, type Plan } from "./plan.ts";
import { splitBlocks } from "./split.ts";
import { totalsBlocks } from "./totals.ts";

/** Four weeks before and after the day. */
const REACH_DAYS = 28;
/** The minimum number of days of the same weekday; fewer are not significant. */
const FEWEST = 3;
/** The median distance times this factor estimates the standard deviation. */
const SPREAD = 1.4826;
const TIMES_SPREAD = 3;
const LEAST_SHARE = 0.15;
const MOST_DAYS = 31;
const MOST_SONGS = 3;
/** A song with a smaller share of the day's change did not cause it. */
const LEAST_CARRIED = 0.1;

/** Compares a day with the median of the same weekday in the surrounding weeks. */
interface DayComparison {
  readonly day: string;
  readonly value: number;
  readonly usual: number;
  readonly isUnusual: boolean;
}

/** The days that deviate from the usual pattern of their weekday, with the deviation and the songs that caused it. */
export async function changesBlocks(question: Question, plan: Plan): Promise<readonly Block[]> {
  const { collection, reading, wording } = question;
  const name = wording.measure(plan.measure);
  if (plan.period.range === undefined) return [wording.say("no-figures", { NAME: name })];
  const judged = await judgedDays(collection, plan);
  if (judged.length === 0) return [wording.say("no-judged-days", { COUNT: String(FEWEST) })];
  const sign = { fall: -1, grow: 1, none: 0 }[reading.direction ?? "none"];
  const unusual = judged.filter(
    ({ isUnusual, value, usual }) => isUnusual && (sign === 0 || Math.sign(value - usual) === sign),
  );
  const columns: readonly CellColumn<Pick<DayComparison, "value" | "usual">>[] = [
    column("usual", wording.say("usual"), "count", ({ usual }) => figured(usual)),
    column("difference", wording.say("difference"), "count", ({ value, usual }) => apart(value, usual)),
    column("change", wording.say("change-of-periods"), "percent", ({ value, usual }) =>
      change(changeOf(value, usual)),
    ),
  ];
  const figure = (label: string): (typeof columns)[number] =>
    column(plan.measure, label, "count", ({ value }) => figured(value));
  const points = (of: "value" | "usual"): Chart["series"][number]["points"] =>
    judged.map((one) => figured(one[of]));
  const sum = (of: "value" | "usual"): number => judged.reduce((total, one) => total + one[of], 0);
  const chart: Chart = {
    kind: "line",
    title: bySplit(name, "day", wording),
    labels: judged.map(({ day }) => stepLabel(day, "day", wording.language)),
    series: [
      { name, points: points("value") },
      { name: wording.say("usual"), points: points("usual") },
    ],
  };
  const figures = column("figure", wording.say("figure"), "text", () => worded(name));
  const total = rectangle(
    [figures, figure(wording.say("this-period")), ...columns],
    [{ value: sum("value"), usual: sum("usual") }],
  );
  const drawn = rectangle<DayComparison>(
    [
      column("day", "", "text", ({ day }) => worded(day)),
      column(plan.measure, "", "count", ({ value }) => figured(value)),
      column("usual", "", "count", ({ usual }) => figured(usual)),
    ],
    judged,
    [chart],
  );
  const days = await Promise.all(
    unusual.slice(0, MOST_DAYS).map(async (one) => ({
      ...one,
      carriers: wording.list(await carriersOf(question, plan, one)),
    })),
  );
  const none = sign === 0 ? "no-changes" : sign < 0 ? "no-changes-fall" : "no-changes-grow";
  const found = rectangle<(typeof days)[number]>(
    [
      column("day", wording.split("day"), "text", ({ day }) => worded(day)),
      figure(name),
      ...columns,
      column("carried_by", wording.say("carried-by"), "text", ({ carriers }) => worded(carriers)),
    ],
    days,
  );
  return [total, days.length === 0 ? wording.say(none) : found, wording.say("changes-rule"), drawn];
}

/** The dimensions that can explain a change, and how many rows of each are shown. */
const CARRIERS = ["song", "store", "country"] as const;
const CARRIER_ROWS = 5;

/** The songs, stores and countries that caused the change since the previous period, then the unusual days. */
export async function reasonsBlocks(question: Question, plan: Plan): Promise<readonly Block[]> {
  const { reading, wording, collection } = question;
  const { slice, period } = plan;
  const { comparison, range } = period;
  const note = wording.say("reasons-note");
  const isDaily = slice.candidate.source.grain === "day";
  const totals = (): Promise<readonly Block[]> => totalsBlocks(question, [plan]);
  if (comparison === undefined || range === undefined)
    return [note, ...(isDaily ? await changesBlocks(question, plan) : await totals())];
  const blocks = [note, ...(await totals())];
  if (lengthOf(range) !== lengthOf(comparison)) blocks.push(wording.say("unequal"));
  const fell = (await sumOf(collection, slice)) < (await sumOf(collection, { ...slice, range: comparison }));
  if (reading.direction === "fall" && !fell) blocks.push(wording.say("reasons-other"));
  if (reading.direction === "grow" && fell) blocks.push(wording.say("reasons-other-grow"));
  for (const split of slice.candidate.how === "sum" ? CARRIERS : []) {
    const filter = filterOf(split);
    if (filter !== undefined && reading.filters[filter] !== undefined) continue;
    const order = fell ? "loss" : "gain";
    const by: Question = {
      ...question,
      reading: { ...reading, kind: "figures", split, order, rows: CARRIER_ROWS },
    };
    const carried = await planOf(by, plan.measure);
    if (!isPlan(carried) || carried.slice.candidate.isOfStatements !== slice.candidate.isOfStatements)
      continue;
    // A single row accounts for the whole change and explains nothing.
    if ((await figuresBy(collection, carried.slice, split)).length < 2) continue;
    const heading = wording.say("carried-heading", { NAME: wording.split(split) });
    blocks.push(`**${heading}**`, ...(await splitBlocks(by, [carried])));
  }
  if (!isDaily) return blocks;
  return [...blocks, `**${wording.say("heading-changes")}**`, ...(await changesBlocks(question, plan))];
}

/** The day on which a figure reached the number, or the last day, with the figure on that day. */
interface Milestone {
  readonly currency: string;
  readonly day: string;
  readonly value: number;
  readonly isReached: boolean;
}

/** The day on which a figure first reached a number: summed since the first day of the files, or on a single day. */
export async function milestoneBlocks(question: Question, plan: Plan): Promise<readonly Block[]> {
  const { reading, wording, collection } = question;
  const { slice, period, measure } = plan;
  const { threshold = 0 } = reading;
  if (period.range === undefined) return [wording.say("no-rows")];
  const FROM = period.range.from;
  const split = slice.candidate.source.grain === "month" ? "month" : "day";
  const isAdded = slice.candidate.how === "sum" || slice.candidate.how === "gained";
  const reached = new Map<string, Milestone>();
  for (const { key, currency, value } of await figuresBy(collection, slice, split)) {
    const last = reached.get(currency);
    if (last?.isReached === true) continue;
    const sum = isAdded ? (last?.value ?? 0) + value : value;
    reached.set(currency, { currency, day: key, value: sum, isReached: sum >= threshold });
  }
  const milestones = currenciesOf([...reached.values()]).flatMap((one) => reached.get(one) ?? []);
  const said = milestones.map(({ currency, day, value, isReached }) => {
    const NAME = currency === "" ? wording.measure(measure) : `${wording.measure(measure)} (${currency})`;
    const VALUE = grouped(currency === "" ? String(Math.round(value)) : value.toFixed(2));
    const way = isAdded ? "milestone-reached" : "milestone-reached-level";
    const name = isReached ? way : "milestone-not";
    return wording.say(name, { NAME, COUNT: grouped(String(threshold)), VALUE, DAY: day, FROM });
  });
  const found = rectangle<Milestone>(
    [
      column("currency", "", "text", ({ currency }) => worded(currency)),
      column(split, "", "text", ({ day, isReached }) => worded(isReached ? day : "")),
      column(measure, "", unitOf(measure), ({ value }) => figured(value, unitOf(measure))),
    ],
    milestones,
  );
  return [...said, ...(isAdded ? [wording.say("milestone-from", { FROM })] : []), found];
}

/** The days of a plan; empty if too few days of the same weekday have figures. */
async function judgedDays(
  collection: Collection,
  { slice, period }: Plan,
): Promise<readonly DayComparison[]> {
  const { range } = period;
  if (range === undefined) return [];
  const around = { from: addDays(range.from, -REACH_DAYS), to: addDays(range.to, REACH_DAYS) };
  const { sql, parameters } = statementOf([{ ...slice, range: around }], "day");
  const rows = await collection.rows(
    `WITH daily AS (SELECT key::DATE AS day, amount::DOUBLE AS value FROM (${sql})),
      judged AS (
        SELECT one.day, any_value(one.value) AS value, median(other.value) AS usual, mad(other.value) AS spread
        FROM daily one JOIN daily other
          ON one.day <> other.day AND abs(one.day - other.day) <= ${REACH_DAYS} AND (one.day - other.day) % 7 = 0
        WHERE one.day BETWEEN $first::DATE AND $last::DATE GROUP BY 1 HAVING count(*) >= ${FEWEST})
     SELECT day::VARCHAR AS day, value, usual,
       abs(value - usual) > greatest(${TIMES_SPREAD} * ${SPREAD} * spread, ${LEAST_SHARE} * usual) AS unusual
     FROM judged ORDER BY 1`,
    { ...parameters, first: range.from, last: range.to },
  );
  return rows.map((row) => ({
    day: textOf(row, "day"),
    value: Number(row["value"]),
    usual: Number(row["usual"]),
    isUnusual: row["unusual"] === true,
  }));
}

/** The songs whose plays changed most in the direction of the day's change. */
async function carriersOf(
  { collection, wording }: Question,
  { slice, measure }: Plan,
  { day, value, usual }: DayComparison,
): Promise<readonly string[]> {
  if (measure !== "plays" || slice.filters.songs?.length === 1) return [];
  const rows = await collection.rows(
    `WITH days AS (
        SELECT song_id, date, sum(plays) AS plays FROM song_day
        WHERE abs(date - $day::DATE) <= ${REACH_DAYS} AND (date - $day::DATE) % 7 = 0 GROUP BY 1, 2),
      moved AS (
        SELECT song_id, coalesce(max(plays) FILTER (date = $day::DATE), 0)
          - coalesce(median(plays) FILTER (date <> $day::DATE), 0) AS change
        FROM days GROUP BY song_id)
      SELECT song_id, change::DOUBLE AS change FROM moved
      WHERE change * $moved > 0 AND abs(change) >= ${LEAST_CARRIED} * abs($moved)
      ORDER BY abs(change) DESC, song_id LIMIT ${MOST_SONGS}`,
    { day, moved: value - usual },
  );
  return rows.map((row) => `${wording.song(textOf(row, "song_id"))} ${apart(Number(row["change"]), 0).text}`);
}
