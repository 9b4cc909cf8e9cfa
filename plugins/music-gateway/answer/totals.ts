import { lengthOf, type DayRange } from "../question/day.ts";
import { figuresBy, changeOf, rowsOf, songsSince, type Figure, type Row } from "./figures.ts";
import {
  change,
  counted,
  grouped,
  NOTHING,
  column,
  rectangle,
  signed,
  worded,
  type Cell,
  type CellColumn,
} from "./rectangle.ts";
import { type Blocks, type Chart, type Point, type Question, type Wording } from "./wording.ts";
import { calendarDays } from "./calendar.ts";
import type { Plan } from "./plan.ts";
import { unitOf } from "../model.ts";

/** The totals of plans of one period as a table, with what it is compared with. */
export async function totalsTable(question: Question, plans: readonly Plan[]): Promise<Blocks> {
  const { collection, wording } = question;
  const [first] = plans;
  if (first === undefined) return { blocks: [], charts: [] };
  const { comparison, range } = first.period;
  const songs = first.slice.filters.songs ?? [];
  const fresh =
    comparison === undefined || songs.length === 0
      ? new Set<string>()
      : await songsSince(collection, comparison.from);
  const isFresh = songs.some((id) => fresh.has(String(id)));
  const rows: TotalRow[] = [];
  const charts: Chart[] = [];
  const said = new Set<string>();
  for (const plan of plans) {
    const totals = await totalsOf(question, plan);
    for (const total of totals) {
      rows.push(...figureRows(plan, total, wording, isFresh));
      if (total.figures.length > 0) charts.push(chartOf(plan, total, wording));
    }
    rows.push(...(await allStatements(question, plan)));
    const best = await bestRow(question, plan);
    if (best !== undefined) rows.push(best);
    for (const sentence of sentencesOf(plan, totals, wording)) said.add(sentence);
  }
  const isUnequal =
    comparison !== undefined && range !== undefined && lengthOf(range) !== lengthOf(comparison);
  if (isUnequal && plans.some(isDailySum) && comparison.with === "period") said.add(wording.say("unequal"));
  if (isFresh) said.add(wording.say("new-songs", { NAMES: wording.songs(songs) }));
  const [now, before, moved] = columnsOf(first, wording);
  const columns: readonly CellColumn<TotalRow>[] = [
    column("measure", "", "text", ({ plan }) => worded(plan.measure)),
    column("figure", wording.say("figure"), "text", ({ label }) => worded(label)),
    column("currency", "", "text", ({ currency }) => currencyCell(currency)),
    column("unit", "", "text", ({ plan }) => worded(unitOf(plan.measure))),
    column("value", now, "row", ({ cells }) => cells[0]),
    column("before", before, "row", ({ cells }) => cells[1]),
    column(
      "difference",
      comparison?.by === "question" ? wording.say("difference") : "",
      "row",
      ({ cells }) => cells[2],
    ),
    column("change", moved, "percent", ({ cells }) => cells[3]),
  ];
  const figures = rectangle(comparison === undefined ? columns.slice(0, -3) : columns, rows);
  return { blocks: [figures, ...said], charts };
}

/** A row of totals: its figure in the period and before, the difference, and the change in per cent. */
interface TotalRow {
  readonly plan: Plan;
  readonly label: string;
  readonly currency: string;
  readonly cells: readonly [now: Cell, before: Cell, difference: Cell, change: Cell];
}

export function currencyCell(currency: string): Cell {
  return currency === "" ? NOTHING : worded(currency);
}

/** What the columns of the two periods are called. */
export function columnsOf(
  { period: { range, comparison } }: Plan,
  wording: Wording,
): readonly [string, string, string] {
  if (comparison?.with === "period" && range !== undefined)
    return [wording.range(range), wording.range(comparison), wording.say("change-of-periods")];
  const isYear = comparison?.with === "year-before";
  return [
    wording.say("this-period"),
    wording.say(isYear ? "year-before" : "period-before"),
    wording.say(isYear ? "change-of-periods" : "change"),
  ];
}

/** A figure: counts in whole numbers, hours with one place, money with two, quotients with three digits. */
export function shown(figure: Pick<Figure, "value"> | undefined, plan: Plan): Cell {
  return figure === undefined ? NOTHING : pointOf(figure, plan);
}

/** How much more one figure is than another, written as the figures are. */
export function apart(
  now: Pick<Figure, "value"> | undefined,
  before: Pick<Figure, "value"> | undefined,
  plan: Plan,
): Cell {
  return now && before ? signed(pointOf({ value: now.value - before.value }, plan)) : NOTHING;
}

/** A figure as it is drawn. */
export function pointOf({ value }: Pick<Figure, "value">, plan: Plan): Point {
  return { value, text: TEXTS[unitOf(plan.measure)]?.(value) ?? counted(value).text };
}

const TEXTS: Readonly<Partial<Record<CellColumn<never>["unit"], (value: number) => string>>> = {
  hours: (value) => grouped(value.toFixed(1)),
  percent: (value) => `${value.toFixed(2)}%`,
  quotient: (value) =>
    Math.abs(value) < 1 && value !== 0 ? Number(value.toPrecision(3)).toString() : grouped(value.toFixed(2)),
  money,
};

/** Money: two places, and as many more as a smaller amount needs. */
function money(value: number): string {
  const [whole = "", places = ""] = value.toFixed(6).split(".");
  const needed = /^-?0$/.test(whole) && places.startsWith("00") ? places.replace(/(?<!0)0+$/, "") : "";
  return grouped(
    `${whole}.${(needed === "" ? places : needed).padEnd(2, "0").slice(0, Math.max(2, needed.length))}`,
  );
}

/** A figure a day: with one place where it is small. */
export function perDay(figure: Figure | undefined): Cell {
  const value = averageOf(figure);
  if (value === undefined) return NOTHING;
  return value < 100 && !Number.isInteger(value) ? { value, text: value.toFixed(1) } : counted(value);
}

/** What the figures of a plan are. */
export function valueName({ measure, slice }: Plan, wording: Wording): string {
  const isOfStatements = slice.candidate.isOfStatements === true;
  return isOfStatements ? wording.say("measure-units-as-plays") : wording.measure(measure);
}

/** The figure of a period and of the one before, a currency each; one row also where there is none. */
async function totalsOf({ collection }: Question, { slice, period }: Plan): Promise<readonly Row[]> {
  const { comparison } = period;
  const slices = comparison === undefined ? [slice] : [slice, { ...slice, range: comparison }];
  const rows = await rowsOf(collection, slices, undefined);
  return rows.length > 0 ? rows : [{ key: "", currency: "", figures: [], group: "" }];
}

function figureRows(
  plan: Plan,
  { currency, figures }: Row,
  wording: Wording,
  isFresh: boolean,
): readonly TotalRow[] {
  const { measure, period } = plan;
  const { range, comparison } = period;
  const [now, before] = figures;
  const moved = isFresh ? undefined : changeOf(now?.value, before?.value);
  const total: TotalRow = {
    plan,
    label: labelOf(plan, currency, wording),
    currency,
    cells: [shown(now, plan), shown(before, plan), apart(now, before, plan), change(moved)],
  };
  if (!isDailySum(plan) || (isOneDay(range) && (comparison === undefined || isOneDay(comparison))))
    return [total];
  const isUnequal =
    range !== undefined && comparison !== undefined && lengthOf(range) !== lengthOf(comparison);
  const isHeld = isUnequal && !isFresh;
  const average: TotalRow = {
    plan,
    label: wording.say("daily-average", { NAME: wording.measure(measure) }),
    currency,
    cells: [
      perDay(now),
      perDay(before),
      NOTHING,
      isHeld ? change(changeOf(averageOf(now), averageOf(before))) : NOTHING,
    ],
  };
  return [total, average];
}

/** Beside the month that stands for no period: what all statements come to, a currency each. */
async function allStatements({ collection, wording }: Question, plan: Plan): Promise<readonly TotalRow[]> {
  const { period, slice, data } = plan;
  if (period.fallback !== "default-month" || slice.candidate.how !== "sum" || data === undefined) return [];
  const all = await figuresBy(collection, { ...slice, range: undefined }, undefined);
  const RANGE = wording.range(data);
  return all.map((figure) => {
    const NAME = labelOf(plan, figure.currency, wording);
    const label = wording.say("all-statements", { NAME, RANGE });
    return {
      plan,
      label,
      currency: figure.currency,
      cells: [shown(figure, plan), NOTHING, NOTHING, NOTHING],
    };
  });
}

async function bestRow({ collection, wording }: Question, plan: Plan): Promise<TotalRow | undefined> {
  const { measure, slice, period } = plan;
  const { how, source } = slice.candidate;
  if (source.grain !== "day" || (how !== "sum" && how !== "average") || isOneDay(period.range))
    return undefined;
  const best = async (range: DayRange | undefined): Promise<Cell> => {
    const days = await figuresBy(collection, { ...slice, range }, "day");
    const [day] = days.toSorted((a, b) => b.value - a.value);
    if (day === undefined) return NOTHING;
    const { value, text } = shown(day, plan);
    return { value, text: `${text} (${day.key})` };
  };
  const first = await best(period.range);
  if (first.value === null) return undefined;
  const second = period.comparison?.with === "period" ? await best(period.comparison) : NOTHING;
  const name = wording.say("best-day");
  const label = measure === "listeners" ? `${name} (${wording.measure(measure)})` : name;
  return { plan, label, currency: "", cells: [first, second, NOTHING, NOTHING] };
}

function chartOf(plan: Plan, { currency, figures }: Row, wording: Wording): Chart {
  const { range, comparison } = plan.period;
  const columns = columnsOf(plan, wording);
  const labels = (): readonly string[] =>
    (comparison === undefined ? [range] : [range, comparison]).map((period, place) => {
      const [name = "", days] = [columns[place], period && calendarDays(period, wording.language)];
      if (days === undefined || comparison?.with === "period") return days ?? name;
      return `${name} (${days})`;
    });
  const points = figures.map((figure) => figure && pointOf(figure, plan));
  return {
    kind: "bars",
    title: labelOf(plan, currency, wording),
    // Written only for a picture: loading the calendar takes longer than the rest of an answer.
    get labels() {
      return labels();
    },
    series: [{ name: "", points }],
  };
}

function labelOf(plan: Plan, currency: string, wording: Wording): string {
  const { how, source, isOfStatements } = plan.slice.candidate;
  const name = valueName(plan, wording);
  if (currency !== "") return `${name} (${currency})`;
  if (isOfStatements === true || source.grain !== "day" || isOneDay(plan.period.range)) return name;
  if (how === "average") return wording.say("daily-average", { NAME: name });
  return how === "last" ? wording.say("at-end", { NAME: name }) : name;
}

function sentencesOf(plan: Plan, totals: readonly Row[], wording: Wording): readonly string[] {
  const { measure, slice, period, data } = plan;
  const { how, source, isOfStatements } = slice.candidate;
  const said: string[] = [];
  if (how === "average" && !isOneDay(period.range)) said.push(wording.say("listeners"));
  if (measure === "followers_gained") {
    const day = period.range?.from;
    const hasDayBefore = day !== undefined && data !== undefined && day > data.from;
    said.push(wording.say(hasDayBefore ? "gained" : "no-day-before"));
  }
  if (isOfStatements === true) said.push(wording.say("units-as-plays"));
  if (source.grain === "window") said.push(wording.say("window-note"));
  const ratio = ratioNote(plan, wording);
  if (ratio !== undefined) said.push(ratio);
  if (totals.filter(({ figures }) => figures[0] !== undefined).length > 1)
    said.push(wording.say("currencies"));
  return said;
}

/** What the figures are that a quotient is made of. */
export function ratioNote({ slice: { candidate } }: Plan, wording: Wording): string | undefined {
  if (candidate.how !== "ratio") return undefined;
  if (candidate.per === "units") return wording.say("ratio-units");
  return candidate.per === "listeners" && candidate.source.grain === "day"
    ? wording.say("ratio-listeners")
    : undefined;
}

function averageOf(figure: Figure | undefined): number | undefined {
  return figure === undefined || figure.days === 0 ? undefined : figure.value / figure.days;
}

/** Whether figures a day can be given. */
function isDailySum({ slice: { candidate } }: Plan): boolean {
  return candidate.how === "sum" && candidate.source.grain === "day";
}

function isOneDay(range: DayRange | undefined): boolean {
  return range !== undefined && range.from === range.to;
}
