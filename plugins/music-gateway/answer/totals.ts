import { lengthOf, type DayRange } from "../question/day.ts";
import { unitOf } from "../model.ts";
import { calendarDays } from "./calendar.ts";
import { changeOf, figuresBy, rowsOf, type Figure, type Row } from "./figures.ts";
import { songsSince } from "./held.ts";
import {
  apart,
  change,
  column,
  figured,
  NOTHING,
  perDay,
  rectangle,
  worded,
  type Block,
  type Cell,
  type CellColumn,
  type Chart,
} from "./rectangle.ts";
import type { Question, Wording } from "./wording.ts";
import type { Plan } from "./plan.ts";

/** A row of totals: the current and earlier figure, the difference, and the change in per cent. */
interface Total {
  readonly plan: Plan;
  readonly label: string;
  readonly currency: string;
  readonly now: Cell;
  readonly before?: Cell;
  readonly difference?: Cell;
  readonly change?: Cell;
  /** Whether the row is drawn in the chart. */
  readonly isDrawn?: boolean;
}

/** The totals of plans with the same period as a table, with their comparison. */
export async function totalsBlocks(question: Question, plans: readonly Plan[]): Promise<readonly Block[]> {
  const { collection, wording } = question;
  const [first] = plans;
  if (first === undefined) return [];
  const { comparison, range } = first.period;
  const songs = first.slice.filters.songs ?? [];
  const since = comparison && songs.length > 0 ? await songsSince(collection, comparison.from) : undefined;
  const isNew = songs.some((id) => since?.has(String(id)) === true);
  const found = await rowsOf(
    collection,
    plans.map(({ slice }) => ({ now: slice, before: comparison && { ...slice, range: comparison } })),
  );
  const totals: Total[] = [];
  const said = new Set<string>();
  const measured: MeasuredTotal[] = [];
  for (const [at, plan] of plans.entries()) {
    const own = found.filter(({ now, before }) => now[at] ?? before[at]);
    if (own.length === 0)
      totals.push({ plan, label: labelOf(plan, "", wording), currency: "", now: NOTHING });
    for (const row of own) totals.push(...totalsOf(question, plan, row, at, isNew));
    measured.push({ plan, figure: own.length === 1 ? own[0]?.now[at] : undefined });
    totals.push(...(await allStatements(question, plan)), ...(await bestDay(question, plan)));
    for (const caveat of caveatsOf(plan, wording)) said.add(caveat);
    if (own.filter(({ now }) => now[at]).length > 1) said.add(wording.say("currencies"));
  }
  for (const sentence of differenceOf(question, measured)) said.add(sentence);
  const isUnequal =
    comparison?.with === "period" && range !== undefined && lengthOf(range) !== lengthOf(comparison);
  if (isUnequal && plans.some(isDailySum)) said.add(wording.say("unequal"));
  if (isNew) said.add(wording.say("new-songs", { NAMES: wording.songs(songs) }));
  const [now, before, moved] = periodNames(first, wording);
  const columns: readonly CellColumn<Total>[] = [
    column("measure", "", "text", ({ plan }) => worded(plan.measure)),
    column("figure", wording.say("figure"), "text", ({ label }) => worded(label)),
    column("currency", "", "text", ({ currency }) => worded(currency)),
    column("unit", "", "text", ({ plan }) => worded(unitOf(plan.measure))),
    column("value", now, "row", (total) => total.now),
    column("before", before, "row", (total) => total.before ?? NOTHING),
    column(
      "difference",
      comparison?.by === "question" ? wording.say("difference") : "",
      "row",
      (total) => total.difference ?? NOTHING,
    ),
    column("change", moved, "percent", (total) => total.change ?? NOTHING),
  ];
  const charts = totals.filter(({ isDrawn }) => isDrawn).map((total) => chartOf(total, wording));
  return [rectangle(comparison === undefined ? columns.slice(0, -3) : columns, totals, charts), ...said];
}

/** The names of the columns of both periods and of their difference. */
export function periodNames(
  { period: { range, comparison } }: Plan,
  wording: Wording,
): readonly [now: string, before: string, moved: string] {
  if (comparison?.with === "period" && range !== undefined)
    return [wording.range(range), wording.range(comparison), wording.say("change-of-periods")];
  const isYear = comparison?.with === "year-before";
  return [
    wording.say("this-period"),
    wording.say(isYear ? "year-before" : "period-before"),
    wording.say(isYear ? "change-of-periods" : "change"),
  ];
}

/** The name of the figures of a plan. */
export function valueName({ measure, slice }: Plan, wording: Wording): string {
  const isOfStatements = slice.candidate.isOfStatements === true;
  return isOfStatements ? wording.say("measure-units-as-plays") : wording.measure(measure);
}

/** The current and earlier figure, and both per day. */
function totalsOf(
  { reading, wording }: Question,
  plan: Plan,
  { currency, now: nows, before: befores }: Row,
  at: number,
  isNew: boolean,
): readonly Total[] {
  const { range, comparison } = plan.period;
  const unit = unitOf(plan.measure);
  const [now, before] = [nows[at], befores[at]];
  const total: Total = {
    plan,
    label: labelOf(plan, currency, wording),
    currency,
    now: figured(now?.value, unit),
    before: figured(before?.value, unit),
    difference: apart(now?.value, before?.value, unit),
    change: isNew ? NOTHING : change(changeOf(now?.value, before?.value)),
    isDrawn: true,
  };
  const isDaily = isDailySum(plan) || (reading.average && plan.slice.candidate.how === "gained");
  if (!isDaily || (isOneDay(range) && (comparison === undefined || isOneDay(comparison)))) return [total];
  const isHeld = range && comparison && lengthOf(range) !== lengthOf(comparison) && !isNew;
  return [
    total,
    {
      plan,
      label: wording.say("daily-average", { NAME: wording.measure(plan.measure) }),
      currency,
      now: perDay(now),
      before: perDay(before),
      change: isHeld === true ? change(changeOf(averageOf(now), averageOf(before))) : NOTHING,
    },
  ];
}

/** In addition to the default month: the sum of all statements, per currency. */
async function allStatements({ collection, wording }: Question, plan: Plan): Promise<readonly Total[]> {
  const { period, slice, data, measure } = plan;
  if (period.fallback !== "default-month" || slice.candidate.how !== "sum" || data === undefined) return [];
  const all = await figuresBy(collection, { ...slice, range: undefined });
  return all.map(({ currency, value }) => {
    const NAME = labelOf(plan, currency, wording);
    const label = wording.say("all-statements", { NAME, RANGE: wording.range(data) });
    return { plan, label, currency, now: figured(value, unitOf(measure)) };
  });
}

async function bestDay({ collection, wording }: Question, plan: Plan): Promise<readonly Total[]> {
  const { measure, slice, period } = plan;
  const { how, source } = slice.candidate;
  if (source.grain !== "day" || (how !== "sum" && how !== "average") || isOneDay(period.range)) return [];
  const best = async (range: DayRange | undefined): Promise<Cell> => {
    const days = await figuresBy(collection, { ...slice, range }, "day");
    const [day] = days.toSorted((a, b) => b.value - a.value);
    if (day === undefined) return NOTHING;
    const { value, text } = figured(day.value, unitOf(measure));
    return { value, text: `${text} (${day.key})` };
  };
  const now = await best(period.range);
  if (now.value === null) return [];
  const before = period.comparison?.with === "period" ? await best(period.comparison) : NOTHING;
  const name = wording.say("best-day");
  const label = measure === "listeners" ? `${name} (${wording.measure(measure)})` : name;
  return [{ plan, label, currency: "", now, before }];
}

function chartOf({ plan, label: title, now, before = NOTHING }: Total, wording: Wording): Chart {
  const { range, comparison } = plan.period;
  const names = periodNames(plan, wording);
  const periods = comparison === undefined ? [range] : [range, comparison];
  const labelOf = (period: DayRange | undefined, at: number): string => {
    const [name = "", days] = [names[at], period && calendarDays(period, wording.language)];
    if (days === undefined || comparison?.with === "period") return days ?? name;
    return `${name} (${days})`;
  };
  return {
    kind: "bars",
    title,
    // Only written for a picture: loading the calendar takes longer than the rest of an answer.
    get labels() {
      return periods.map(labelOf);
    },
    series: [{ name: "", points: [now, before].slice(0, periods.length) }],
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

/** Caveats on the figures of a plan, for every split. */
export function caveatsOf({ measure, slice, period, data }: Plan, wording: Wording): readonly string[] {
  const { how, isOfStatements, source, per } = slice.candidate;
  const hasDayBefore = (period.range?.from ?? "") > (data?.from ?? "");
  const caveats = {
    listeners: how === "average" && !isOneDay(period.range),
    gained: measure === "followers_gained" && hasDayBefore,
    "no-day-before": measure === "followers_gained" && !hasDayBefore,
    "units-as-plays": isOfStatements === true,
    "window-note": source.grain === "window",
    "ratio-units": how === "ratio" && per === "units",
    "ratio-listeners": how === "ratio" && per === "listeners" && source.grain === "day",
  };
  const names = Object.keys(caveats) as readonly (keyof typeof caveats)[];
  return names.filter((name) => caveats[name]).map((name) => wording.say(name));
}

/** Whether figures per day can be given. */
function isDailySum({ slice: { candidate } }: Plan): boolean {
  return candidate.how === "sum" && candidate.source.grain === "day";
}

function isOneDay(range: DayRange | undefined): boolean {
  return range !== undefined && range.from === range.to;
}

/** A measure and its figure; undefined if it has no figure, or one per currency. */
interface MeasuredTotal {
  readonly plan: Plan;
  readonly figure: Figure | undefined;
}

/**
 * The first of two measures minus the second. Two sums are subtracted as they are; a sum and an average both as the
 * figure of an average day. Other kinds, different units or different days have no difference.
 */
function differenceOf(
  { reading, wording }: Question,
  [first, second]: readonly MeasuredTotal[],
): readonly string[] {
  if (!reading.isDifference) return [];
  const [MORE = "", LESS = ""] = reading.measures.map((measure) => wording.measure(measure));
  const isDaily = howOf(first) !== howOf(second);
  const isAlike =
    unitOf(reading.measures[0] ?? "plays") === unitOf(reading.measures[1] ?? "plays") &&
    JSON.stringify(first?.plan.period.range) === JSON.stringify(second?.plan.period.range) &&
    (!isDaily || [first, second].every((side) => ["sum", "average"].includes(howOf(side))));
  const [more, less] = [first, second].map((side) =>
    isDaily && howOf(side) === "sum" ? averageOf(side?.figure) : side?.figure?.value,
  );
  if (first === undefined || !isAlike || more === undefined || less === undefined)
    return [wording.say("difference-unlike", { MORE, LESS })];
  const VALUE = figured(more - less, unitOf(first.plan.measure)).text;
  const EACH = wording.say(isDaily || howOf(first) === "average" ? "difference-a-day" : "difference-in-all");
  return [wording.say("difference-of-measures", { MORE, LESS, VALUE, EACH })];
}

function averageOf(figure: Figure | undefined): number | undefined {
  return figure && figure.days > 0 ? figure.value / figure.days : undefined;
}

function howOf(side: MeasuredTotal | undefined): string {
  return side?.plan.slice.candidate.how ?? "";
}
