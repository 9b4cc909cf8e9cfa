import { addDays, lengthOf } from "../question/day.ts";
import type { Collection } from "../store/catalog.ts";
import {
  change,
  counted,
  difference,
  grouped,
  NOTHING,
  column,
  rectangle,
  worded,
  type Cell,
  type CellColumn,
} from "./rectangle.ts";
import type { Chart, Blocks, Question } from "./wording.ts";
import { figuresBy, statementOf, textOf, changeOf } from "./figures.ts";
import { unitOf } from "../model.ts";
import { bySplit, stepLabel } from "./calendar.ts";
import { isPlan, planOf, type Plan } from "./plan.ts";
import { splitBlocks } from "./split-table.ts";
import { currencyCell, shown, totalsTable } from "./totals.ts";

/** Four weeks before and after. */
const REACH_DAYS = 28;
/** Fewer days of the same weekday than this say nothing. */
const FEWEST = 3;
/** The median of distances times this is a spread like a standard deviation. */
const SPREAD = 1.4826;
const TIMES_SPREAD = 3;
const LEAST_SHARE = 0.15;
const MOST_DAYS = 31;
const MOST_SONGS = 3;
/** A song that moved less than this part of the day's change did not carry it. */
const LEAST_CARRIED = 0.1;

/** A day against the median of the same weekday in the weeks around it. */
interface DayComparison {
  readonly day: string;
  readonly value: number;
  readonly usual: number;
  readonly isUnusual: boolean;
}

/** Days that leave the usual pattern of their weekday, with how much and which songs carried them. */
export async function changesBlocks(question: Question, plan: Plan): Promise<Blocks> {
  const { collection, reading, wording } = question;
  const name = wording.measure(plan.measure);
  if (plan.period.range === undefined)
    return { blocks: [wording.say("no-figures", { NAME: name })], charts: [] };
  const judged = await judgedDays(collection, plan);
  const sign = { fall: -1, grow: 1, none: 0 }[reading.direction ?? "none"];
  const unusual = judged.filter(
    ({ isUnusual, value, usual }) => isUnusual && (sign === 0 || Math.sign(value - usual) === sign),
  );
  const value = judged.reduce((sum, one) => sum + one.value, 0);
  const usual = judged.reduce((sum, one) => sum + one.usual, 0);
  const points = (figure: "value" | "usual"): Chart["series"][number]["points"] =>
    judged.map((one) => ({ value: one[figure], text: counted(one[figure]).text }));
  const chart: Chart = {
    kind: "line",
    title: bySplit(name, "day", wording),
    labels: judged.map(({ day }) => stepLabel(day, "day", wording.language)),
    series: [
      { name, points: points("value") },
      { name: wording.say("usual"), points: points("usual") },
    ],
  };
  const columns: readonly CellColumn<Pick<DayComparison, "value" | "usual">>[] = [
    column("usual", wording.say("usual"), "count", (one) => counted(one.usual)),
    column("difference", wording.say("difference"), "count", (one) => difference(one.value - one.usual)),
    column("change", wording.say("change-of-periods"), "percent", (one) =>
      change(changeOf(one.value, one.usual)),
    ),
  ];
  const figure = (label: string): (typeof columns)[number] =>
    column(plan.measure, label, "count", (one) => counted(one.value));
  const total = rectangle(
    [
      column("figure", wording.say("figure"), "text", () => worded(name)),
      figure(wording.say("this-period")),
      ...columns,
    ],
    [{ value, usual }],
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
  const blocks = [total, days.length === 0 ? wording.say(none) : found, wording.say("changes-rule")];
  return { blocks, charts: [chart] };
}

/** What a change can be carried by, and how many rows of each are shown. */
const CARRIERS = ["song", "store", "country"] as const;
const CARRIER_ROWS = 5;

/** What carried the change against the period before: songs, stores and countries, then the days that leave the pattern. */
export async function reasonsBlocks(question: Question, plan: Plan): Promise<Blocks> {
  const { reading, wording, collection } = question;
  const { comparison, range } = plan.period;
  const note = wording.say("reasons-note");
  if (comparison === undefined || range === undefined) {
    const days = await changesBlocks(question, plan);
    return { ...days, blocks: [note, ...days.blocks] };
  }
  const totals = await totalsTable(question, [plan]);
  const blocks = [note, ...totals.blocks];
  if (lengthOf(range) !== lengthOf(comparison)) blocks.push(wording.say("unequal"));
  const charts = [...totals.charts];
  const [now = 0, before = 0] = await Promise.all(
    [plan.slice, { ...plan.slice, range: comparison }].map(async (slice) =>
      (await figuresBy(collection, slice, undefined)).reduce((sum, { value }) => sum + value, 0),
    ),
  );
  const fell = now < before;
  if (reading.direction === "fall" && !fell) blocks.push(wording.say("reasons-other"));
  if (reading.direction === "grow" && fell) blocks.push(wording.say("reasons-other-grow"));
  for (const split of plan.slice.candidate.how === "sum" ? CARRIERS : []) {
    const { songs, stores, countries } = reading.filters;
    if ({ song: songs, store: stores, country: countries }[split] !== undefined) continue;
    const by: Question = {
      ...question,
      reading: { ...reading, kind: "figures", split, order: fell ? "loss" : "gain", rows: CARRIER_ROWS },
    };
    const carried = await planOf(by, plan.measure);
    if (!isPlan(carried) || carried.slice.candidate.isOfStatements !== plan.slice.candidate.isOfStatements)
      continue;
    // One store alone carries everything.
    if ((await figuresBy(collection, carried.slice, split)).length < 2) continue;
    const found = await splitBlocks(by, carried);
    blocks.push(`**${wording.say("carried-heading", { NAME: wording.split(split) })}**`, ...found.blocks);
    charts.push(...found.charts);
  }
  if (plan.slice.candidate.source.grain !== "day") return { blocks, charts };
  const days = await changesBlocks(question, plan);
  blocks.push(`**${wording.say("heading-changes")}**`, ...days.blocks);
  return { blocks, charts: [...charts, ...days.charts] };
}

/** The day on which a figure first reached a number: added up from the first day of the files, or as it stands on a day. */
export async function milestoneBlocks(question: Question, plan: Plan): Promise<Blocks> {
  const { reading, wording, collection } = question;
  const { slice, period } = plan;
  const { range } = period;
  const { threshold = 0 } = reading;
  if (range === undefined) return { blocks: [wording.say("no-rows")], charts: [] };
  const split = slice.candidate.source.grain === "month" ? "month" : "day";
  const isAdded = slice.candidate.how === "sum" || slice.candidate.how === "gained";
  const figures = await figuresBy(collection, slice, split);
  const blocks: string[] = [];
  const days: MilestoneRow[] = [];
  for (const currency of new Set(figures.map((figure) => figure.currency))) {
    const NAME =
      currency === "" ? wording.measure(plan.measure) : `${wording.measure(plan.measure)} (${currency})`;
    const COUNT = grouped(String(threshold));
    let value = 0;
    let last = "";
    const reached = figures.some((figure) => {
      if (figure.currency !== currency) return false;
      value = isAdded ? value + figure.value : figure.value;
      last = figure.key;
      return value >= threshold;
    });
    const VALUE = grouped(currency === "" ? String(Math.round(value)) : value.toFixed(2));
    const name = reached ? (isAdded ? "milestone-reached" : "milestone-reached-level") : "milestone-not";
    blocks.push(wording.say(name, { NAME, COUNT, VALUE, DAY: last, FROM: range.from }));
    days.push({ currency, day: reached ? worded(last) : NOTHING, value });
  }
  if (isAdded) blocks.push(wording.say("milestone-from", { FROM: range.from }));
  const found = rectangle<MilestoneRow>(
    [
      column("currency", "", "text", ({ currency }) => currencyCell(currency)),
      column(split, "", "text", ({ day }) => day),
      column(plan.measure, "", unitOf(plan.measure), (row) => shown(row, plan)),
    ],
    days,
  );
  return { blocks: [...blocks, found], charts: [] };
}

/** The day on which a figure reached the number, none where it has not, and how much it was by then. */
interface MilestoneRow {
  readonly currency: string;
  readonly day: Cell;
  readonly value: number;
}

/** The days of a plan; none where too few of the same weekday have figures. */
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

/** The songs whose plays moved most in the direction of the day. */
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
  return rows.map(
    (row) => `${wording.song(textOf(row, "song_id"))} ${difference(Number(row["change"])).text}`,
  );
}
