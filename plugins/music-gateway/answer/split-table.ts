import type { DayRange } from "../question/day.ts";
import type { Split } from "../question/query.ts";
import type { Reading } from "../question/reading.ts";
import type { Chart, Series } from "./chart.ts";
import type { Collection } from "./collection.ts";
import { isTimeSplit, type Figure } from "./figures.ts";
import { change, difference, marked, share, table, type Blocks } from "./markdown.ts";
import type { Plan } from "./plan.ts";
import { bucketRange, ordered, rowsOf, wholeBuckets, type SplitRow } from "./rows.ts";
import { columnsOf, perDay, pointOf, shown, valueName } from "./totals.ts";
import type { Wording } from "./wording.ts";

/** The most rows of a table, and of a ranking that asks for none. */
const MOST_ROWS = 500;
const RANKED_ROWS = 10;

interface View {
  readonly collection: Collection;
  readonly plan: Plan;
  readonly split: Split;
  readonly reading: Reading;
  readonly wording: Wording;
}

/** The figures of a plan by its split. */
export async function splitBlocks(
  collection: Collection,
  plan: Plan,
  reading: Reading,
  wording: Wording,
): Promise<Blocks> {
  const { split, period } = plan;
  if (split === undefined) return { blocks: [], charts: [] };
  const view: View = { collection, plan, split, reading, wording };
  const several = seriesOf(view);
  if (isTimeSplit(split) && several.length > 1) return seriesBlocks(view, several);
  const now = await oneTable(view, period.range);
  const blocks = [...now.blocks];
  let { charts } = now;
  if (isTimeSplit(split) && period.comparison !== undefined) {
    const other: Plan = { ...plan, slice: { ...plan.slice, range: period.comparison } };
    const before = await oneTable({ ...view, plan: other }, period.comparison);
    const [first, second] = [period.range, period.comparison].map((one) => (one ? wording.range(one) : ""));
    blocks.unshift(`**${first}**`);
    blocks.push(`**${second}**`, ...before.blocks);
    charts = overlaid(now.charts, before.charts, [first ?? "", second ?? ""]);
  }
  if (plan.slice.candidate.how === "average") blocks.push(wording.say("listeners"));
  if (plan.slice.candidate.isOfStatements === true) blocks.push(wording.say("units-as-plays"));
  if (plan.slice.candidate.source.grain === "window") blocks.push(wording.say("window-note"));
  return { blocks, charts };
}

async function oneTable(view: View, range: DayRange | undefined): Promise<Blocks> {
  const { collection, plan, split, reading, wording } = view;
  const found = await rowsOf(collection, plan);
  const whole =
    reading.order === undefined || range === undefined ? found : wholeBuckets(found, split, range);
  const all = ordered(whole, reading.order);
  const isTime = isTimeSplit(split);
  const currencies = currenciesOf(all);
  // A ranking is of one currency: each has a table.
  const isRanked = currencies.length > 1 && (!isTime || reading.order !== undefined);
  const tables = (isRanked ? currencies : [undefined])
    .map((one) =>
      all.filter(({ currency }) => one === undefined || currency === one).slice(0, mostRows(view)),
    )
    .filter((rows) => rows.length > 0);
  const nothing = reading.order === "growth" ? "no-growth" : reading.order === "fall" ? "no-fall" : "no-rows";
  if (tables.length === 0) return { blocks: [wording.say(nothing)], charts: [] };
  const isSide = !isTime && plan.period.comparison !== undefined && isCompared(view);
  const hasMoney = currencies.length > 0;
  const header = [
    ...(isTime ? [] : [wording.say("rank")]),
    ...(split === "song" ? [wording.split("song"), "songId"] : [wording.split(split)]),
    ...(hasMoney ? [wording.say("currency")] : []),
    ...valueHeader(view, isSide),
  ];
  const blocks = tables.map((rows) =>
    table(
      header,
      rows.map((row, place) => [
        ...(isTime ? [] : [String(place + 1)]),
        ...labelsOf(view, row.key, range),
        ...(hasMoney ? [row.currency === "" ? "—" : row.currency] : []),
        ...valueCells(view, row, isSide),
      ]),
    ),
  );
  if (tables.some((rows) => rows.length === MOST_ROWS))
    blocks.push(wording.say("cut", { COUNT: String(MOST_ROWS) }));
  if (whole.length < found.length) blocks.push(wording.say("whole-buckets"));
  if (currencies.length > 1) blocks.push(wording.say("currencies"));
  const charts = (currencies.length > 0 ? currencies : [""]).map((currency) =>
    chartOf(
      view,
      tables.flat().filter((row) => [currency, ""].includes(row.currency)),
      { currency, range, isSide },
    ),
  );
  return { blocks, charts };
}

/** The rows of one table and currency as they are drawn. */
function chartOf(
  view: View,
  rows: readonly SplitRow[],
  { currency, range, isSide }: { currency: string; range: DayRange | undefined; isSide: boolean },
): Chart {
  const { plan, split, reading, wording } = view;
  const isLine = isTimeSplit(split) && !isWeekly(split) && reading.order === undefined;
  const [now = "", before = ""] = isSide ? valueHeader(view, isSide) : [];
  const series = (name: string, figure: (row: SplitRow) => Figure | undefined): Series => ({
    name,
    points: rows.map((row) => pointOf(figure(row), plan)),
  });
  return {
    kind: isLine ? "line" : "bars",
    title: titleOf(valueName(plan, wording), currency),
    labels: rows.map(({ key }) =>
      isLine && split === "week" && range !== undefined
        ? weekLabel(bucketRange(key, split, range))
        : (labelsOf(view, key, range)[0] ?? key),
    ),
    series: [series(now, (row) => row.now), ...(isSide ? [series(before, (row) => row.before)] : [])],
  };
}

/** Two periods over each other, day by day from the first of each. */
function overlaid(
  now: readonly Chart[],
  before: readonly Chart[],
  names: readonly string[],
): readonly Chart[] {
  return now.map((chart) => {
    const found = [chart, before.find(({ title }) => title === chart.title)];
    const series = found.map((one, place) => ({
      name: names[place] ?? "",
      points: one?.series[0]?.points ?? [],
    }));
    if (chart.kind === "bars") return { ...chart, series };
    const length = Math.max(...series.map(({ points }) => points.length));
    return { ...chart, labels: Array.from({ length }, (_, place) => String(place + 1)), series };
  });
}

/** Month and day of both ends: a week that the period cuts is seen to be short. */
function weekLabel({ from, to }: DayRange): string {
  return from === to ? from.slice(5) : `${from.slice(5)} – ${to.slice(5)}`;
}

function titleOf(name: string, currency: string): string {
  return currency === "" ? name : `${name} (${currency})`;
}

/** The currencies of rows, the one with the most rows first. */
function currenciesOf(rows: readonly SplitRow[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { currency } of rows) if (currency !== "") counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    .map(([currency]) => currency);
}

function valueHeader({ plan, split, wording }: View, isSide: boolean): readonly string[] {
  const name = valueName(plan, wording);
  const [now, before, moved] = columnsOf(plan, wording);
  if (isSide) {
    const first = plan.period.comparison?.with === "period" ? `${name} ${now}` : name;
    return [first, before, wording.say("difference"), moved];
  }
  if (isTimeSplit(split)) return isWeekly(split) ? [name, wording.say("per-day")] : [name];
  const isShared = plan.slice.candidate.how === "sum";
  return [
    name,
    ...(isShared ? [wording.say("share")] : []),
    ...(plan.period.comparison === undefined ? [] : [moved]),
  ];
}

function valueCells({ plan, split }: View, row: SplitRow, isSide: boolean): readonly string[] {
  const value = shown(row.now, plan);
  if (isSide) return [value, shown(row.before, plan), differenceOf(row, plan), change(row.change)];
  if (isTimeSplit(split)) return isWeekly(split) ? [value, perDay(row.now)] : [value];
  const isShared = plan.slice.candidate.how === "sum";
  return [
    value,
    ...(isShared ? [share(row.share)] : []),
    ...(plan.period.comparison === undefined ? [] : [change(row.change)]),
  ];
}

function labelsOf(
  { collection, split, wording }: View,
  key: string,
  range: DayRange | undefined,
): readonly string[] {
  if (split === "song") {
    const song = collection.catalog.songs.find(({ id }) => String(id) === key);
    return [marked(song?.title ?? key), key];
  }
  if (split === "country") return [wording.country(key)];
  if (split === "weekday") return [wording.weekday(Number(key))];
  if (split === "weekpart") return [wording.say(key === "weekend" ? "weekend" : "working-days")];
  if (split === "week" && range !== undefined) return [wording.range(bucketRange(key, split, range))];
  return [key === "" ? wording.say("unknown-place") : key];
}

/** Two songs, countries or stores by day or month: a column each. */
function seriesOf({
  plan,
  collection,
  wording,
}: View): readonly { readonly label: string; readonly plan: Plan }[] {
  const { filters } = plan.slice;
  const narrowed = (change: object): Plan => ({
    ...plan,
    slice: { ...plan.slice, filters: { ...filters, ...change } },
  });
  if ((filters.songs?.length ?? 0) > 1)
    return (filters.songs ?? []).map((id) => ({
      label: marked(collection.catalog.songs.find((song) => song.id === id)?.title ?? String(id)),
      plan: narrowed({ songs: [id] }),
    }));
  if ((filters.countries?.length ?? 0) > 1)
    return (filters.countries ?? []).map((code) => ({
      label: wording.country(code),
      plan: narrowed({ countries: [code] }),
    }));
  if ((filters.stores?.length ?? 0) > 1)
    return (filters.stores ?? []).map((store) => ({ label: store, plan: narrowed({ stores: [store] }) }));
  return [];
}

async function seriesBlocks(view: View, series: ReturnType<typeof seriesOf>): Promise<Blocks> {
  const { collection, split, wording, plan } = view;
  const columns = await Promise.all(
    series.map(async (one) => ({ ...one, rows: await rowsOf(collection, one.plan) })),
  );
  const pairs = columns.flatMap(({ rows }) =>
    rows.map(({ key, currency }) => JSON.stringify([key, currency])),
  );
  const currencies = new Set(
    columns.flatMap(({ rows }) => rows.map(({ currency }) => currency)).filter((one) => one !== ""),
  );
  const keys = [...new Set(pairs)].sort().filter((pair) => currencies.size === 0 || !pair.endsWith(',""]'));
  const all = keys.map((pair) => {
    const [key = "", currency = ""] = JSON.parse(pair) as string[];
    const figures = columns.map(
      ({ rows }) => rows.find((row) => row.key === key && row.currency === currency)?.now,
    );
    return { key, currency, figures };
  });
  const cells = all.map(({ key, currency, figures }) => [
    ...labelsOf(view, key, plan.period.range),
    ...(currencies.size > 0 ? [currency] : []),
    ...figures.map((figure) => shown(figure, plan)),
  ]);
  const charts = (currencies.size > 0 ? [...currencies] : [""]).map((one): Chart => {
    const rows = all.filter(({ currency }) => currency === one);
    return {
      kind: isWeekly(split) ? "bars" : "line",
      title: titleOf(valueName(plan, wording), one),
      labels: rows.map(({ key }) => labelsOf(view, key, undefined)[0] ?? key),
      series: series.map(({ label }, place) => ({
        name: label,
        points: rows.map(({ figures }) => pointOf(figures[place], plan)),
      })),
    };
  });
  const header = [
    wording.split(split),
    ...(currencies.size > 0 ? [wording.say("currency")] : []),
    ...series.map(({ label }) => label),
  ];
  return { blocks: [table(header, cells.slice(0, MOST_ROWS))], charts };
}

/** How many rows a table has. */
function mostRows({ split, reading }: View): number {
  if (reading.rows !== undefined) return reading.rows;
  if (reading.order === undefined) return MOST_ROWS;
  if (isTimeSplit(split)) return isWeekly(split) ? MOST_ROWS : 1;
  return RANKED_ROWS;
}

/** Whether both periods are shown: where a comparison is asked for. */
function isCompared({ plan, reading }: View): boolean {
  const isMoved = reading.order === "growth" || reading.order === "fall";
  return isMoved || reading.comparison !== undefined || plan.period.comparison?.with === "period";
}

function isWeekly(split: Split): boolean {
  return split === "weekday" || split === "weekpart";
}

function differenceOf({ now, before }: SplitRow, { measure }: Plan): string {
  if (now === undefined || before === undefined) return "—";
  return difference(now.value - before.value, measure === "income" ? 2 : 0);
}
