import { lengthOf, type DayRange } from "../question/day.ts";
import type { Chart, Point } from "./chart.ts";
import type { Collection } from "./collection.ts";
import { bestDay, figuresBy, type Figure } from "./figures.ts";
import { change, count, grouped, table, type Blocks } from "./markdown.ts";
import type { Plan } from "./plan.ts";
import { changeOf, songsSince } from "./rows.ts";
import type { Wording } from "./wording.ts";

/** The totals of plans of one period as a table, with what it is compared with. */
export async function totalsTable(
  collection: Collection,
  plans: readonly Plan[],
  wording: Wording,
): Promise<Blocks> {
  const [first] = plans;
  if (first === undefined) return { blocks: [], charts: [] };
  const { comparison, range } = first.period;
  const isFresh = comparison !== undefined && (await isNew(collection, first, comparison.from));
  const rows: string[][] = [];
  const charts: Chart[] = [];
  const said = new Set<string>();
  for (const plan of plans) {
    const found = await rowsOf(collection, plan, wording, isFresh);
    rows.push(...found.rows);
    charts.push(...found.charts);
    for (const sentence of await sentencesOf(collection, plan, wording)) said.add(sentence);
  }
  const isUnequal =
    comparison !== undefined && range !== undefined && lengthOf(range) !== lengthOf(comparison);
  if (isUnequal && comparison.with === "period") said.add(wording.say("unequal"));
  if (isFresh) {
    const names = collection.catalog.songs.filter(
      ({ id }) => first.slice.filters.songs?.includes(id) === true,
    );
    said.add(wording.say("new-songs", { NAMES: wording.titles(names.map(({ title }) => title)) }));
  }
  const header = [wording.say("figure"), ...columnsOf(first, wording)];
  const width = comparison === undefined ? 2 : 4;
  const figures = table(
    header.slice(0, width),
    rows.map((row) => row.slice(0, width)),
  );
  return { blocks: [figures, ...said], charts };
}

/** What the columns of the two periods are called. */
export function columnsOf(
  { period: { range, comparison } }: Plan,
  wording: Wording,
): readonly [string, string, string] {
  if (comparison?.with === "period" && range !== undefined)
    return [wording.range(range), wording.range(comparison), wording.say("change-of-periods")];
  const before = comparison?.with === "year-before" ? "year-before" : "period-before";
  const label = before === "year-before" ? "change-of-periods" : "change";
  return [wording.say("this-period"), wording.say(before), wording.say(label)];
}

/** A figure as text: counts in whole numbers, hours with one place, money with two. */
export function shown(figure: Figure | undefined, plan: Pick<Plan, "measure">): string {
  if (figure === undefined) return "—";
  if (plan.measure === "income") return grouped(figure.text);
  return plan.measure === "watch_hours" ? grouped(figure.value.toFixed(1)) : count(figure.value);
}

async function rowsOf(
  collection: Collection,
  plan: Plan,
  wording: Wording,
  isFresh: boolean,
): Promise<{ readonly rows: string[][]; readonly charts: readonly Chart[] }> {
  const { slice, measure, period } = plan;
  const now = await figuresBy(collection, slice, undefined);
  const compared = period.comparison;
  const before =
    compared === undefined ? [] : await figuresBy(collection, { ...slice, range: compared }, undefined);
  const currencies = [...new Set([...now, ...before].map(({ currency }) => currency))].sort();
  const name = nameOf(plan, wording);
  const rows: string[][] = [];
  const charts: Chart[] = [];
  const labels = columnsOf(plan, wording);
  const periods = compared === undefined ? [period.range] : [period.range, compared];
  for (const currency of currencies.length === 0 ? [""] : currencies) {
    const one = now.find((figure) => figure.currency === currency);
    const other = before.find((figure) => figure.currency === currency);
    const label = currency === "" ? name : `${name} (${currency})`;
    const moved = isFresh ? undefined : changeOf(one?.value, other?.value);
    rows.push([label, shown(one, plan), shown(other, plan), change(moved)]);
    if (one !== undefined || other !== undefined)
      charts.push({
        kind: "bars",
        title: label,
        labels: periods.map((range, place) => datedLabel(labels[place] ?? "", range, wording)),
        series: [{ name: "", points: periods.map((_, place) => pointOf([one, other][place], plan)) }],
      });
    if (measure === "units" || measure === "income" || slice.candidate.how !== "sum") continue;
    if (slice.candidate.source.grain !== "day" || isOneDay(period.range, compared)) continue;
    const isUnequal =
      period.range !== undefined && compared !== undefined && lengthOf(period.range) !== lengthOf(compared);
    rows.push([
      wording.say("daily-average", { NAME: wording.measure(measure) }),
      perDay(one),
      perDay(other),
      isUnequal && !isFresh ? change(changeOf(averageOf(one), averageOf(other))) : "—",
    ]);
  }
  const isDaily =
    slice.candidate.source.grain === "day" &&
    (slice.candidate.how === "sum" || slice.candidate.how === "average");
  if (isDaily && !isOneDay(period.range, undefined)) {
    const best = await bestDay(collection, slice);
    if (best !== undefined) {
      const second =
        compared?.with === "period" ? await bestDay(collection, { ...slice, range: compared }) : undefined;
      const cell = (figure: Figure | undefined): string =>
        figure === undefined ? "—" : `${shown(figure, plan)} (${figure.key})`;
      const label =
        measure === "listeners"
          ? `${wording.say("best-day")} (${wording.measure(measure)})`
          : wording.say("best-day");
      rows.push([label, cell(best), cell(second), "—"]);
    }
  }
  return { rows, charts };
}

/** A figure as it is drawn. */
export function pointOf(figure: Figure | undefined, plan: Pick<Plan, "measure">): Point | undefined {
  return figure && { value: figure.value, text: shown(figure, plan) };
}

/** What a period is called, with its days. */
function datedLabel(name: string, range: DayRange | undefined, wording: Wording): string {
  const days = range === undefined ? name : wording.range(range);
  return days === name ? name : `${name} (${days})`;
}

/** What the figures of a plan are. */
export function valueName({ measure, slice }: Pick<Plan, "measure" | "slice">, wording: Wording): string {
  return slice.candidate.isOfStatements === true
    ? wording.say("measure-units-as-plays")
    : wording.measure(measure);
}

function nameOf(plan: Plan, wording: Wording): string {
  const { slice, period } = plan;
  const { how, source, isOfStatements } = slice.candidate;
  const name = valueName(plan, wording);
  if (isOfStatements === true) return name;
  if (source.grain !== "day" || isOneDay(period.range, undefined)) return name;
  if (how === "average") return wording.say("daily-average", { NAME: name });
  return how === "last" ? wording.say("at-end", { NAME: name }) : name;
}

async function sentencesOf(collection: Collection, plan: Plan, wording: Wording): Promise<readonly string[]> {
  const { measure, slice, period } = plan;
  const said: string[] = [];
  if (slice.candidate.how === "average" && !isOneDay(period.range, undefined))
    said.push(wording.say("listeners"));
  if (measure === "followers_gained") {
    const day = period.range?.from;
    const hasDayBefore = day !== undefined && plan.data !== undefined && day > plan.data.from;
    said.push(wording.say(hasDayBefore ? "gained" : "no-day-before"));
  }
  if (slice.candidate.isOfStatements === true) said.push(wording.say("units-as-plays"));
  if (slice.candidate.source.grain === "window") said.push(wording.say("window-note"));
  if (measure === "income" && (await figuresBy(collection, slice, undefined)).length > 1)
    said.push(wording.say("currencies"));
  return said;
}

/** Whether the one song that is asked about came out after a day. */
async function isNew(collection: Collection, { slice }: Plan, day: string): Promise<boolean> {
  const songs = slice.filters.songs ?? [];
  if (songs.length === 0) return false;
  const fresh = await songsSince(collection, day);
  return songs.some((id) => fresh.has(String(id)));
}

/** A figure a day: with one place where it is small. */
export function perDay(figure: Figure | undefined): string {
  const value = averageOf(figure);
  return value !== undefined && value < 100 && !Number.isInteger(value) ? value.toFixed(1) : count(value);
}

function averageOf(figure: Figure | undefined): number | undefined {
  return figure === undefined || figure.days === 0 ? undefined : figure.value / figure.days;
}

function isOneDay(range: DayRange | undefined, other: DayRange | undefined): boolean {
  return range !== undefined && range.from === range.to && (other === undefined || other.from === other.to);
}
