import { addDays, daysIn, lengthOf, monthOf, weekdayOf, type DayRange } from "../question/day.ts";
import { isOfChange, type Filters, type Split } from "../question/query.ts";
import { hasFilters } from "../question/slots.ts";
import {
  change,
  counted,
  grouped,
  NOTHING,
  column,
  rectangle,
  share,
  worded,
  type Cell,
  type CellColumn,
} from "./rectangle.ts";
import { type Chart, type Blocks, type Question, type Series, type Wording } from "./wording.ts";
import {
  isTimeSplit,
  bucketRange,
  figuresBy,
  changeOf,
  ordered,
  rowsOf,
  songsSince,
  isCut,
  wholeBuckets,
  withKeys,
  type Slice,
  type Row,
} from "./figures.ts";
import { bySplit, stepLabel } from "./calendar.ts";
import type { Plan } from "./plan.ts";
import { candidatesOf, FILTER_NAMES, FILTERED, unitOf } from "../model.ts";
import { apart, columnsOf, currencyCell, perDay, pointOf, ratioNote, shown, valueName } from "./totals.ts";

/** The most rows of a table, and of a ranking that asks for none. */
const MOST_ROWS = 500;
const RANKED_ROWS = 10;
/** A longer series has no rows for days without figures. */
const MOST_DAYS = 5000;

type Column = CellColumn<Row>;

/** Rows and how they are shown. */
interface Listing {
  readonly rows: readonly Row[];
  readonly most: number;
  /** A ranking is of one currency: each has a table. */
  readonly isRanking: boolean;
  readonly label: (row: Row) => string;
  /** Columns before the currency, and behind it. */
  readonly names: readonly Column[];
  readonly values: readonly Column[];
  readonly chart: Pick<Chart, "kind"> & {
    readonly label?: (row: Row) => string;
    /** What each of the slices is called. */
    readonly series: readonly string[];
    readonly isPartial?: (row: Row) => boolean;
  };
}

/** The figures of a plan by its split. */
export async function splitBlocks(question: Question, plan: Plan): Promise<Blocks> {
  const { wording } = question;
  const { split, slice, period } = plan;
  const { range, comparison } = period;
  if (split === undefined) return { blocks: [], charts: [] };
  const { group } = question.reading;
  if (group !== undefined) return groupBlocks(question, plan, split, group);
  const several = isTimeSplit(split) ? namedSlices(plan, wording) : [];
  if (several.length > 1) return seriesBlocks(question, plan, split, several);
  const { how, isOfStatements, source } = slice.candidate;
  const notes = [
    ...(how === "average" ? [wording.say("listeners")] : []),
    ...(isOfStatements === true ? [wording.say("units-as-plays")] : []),
    ...(source.grain === "window" ? [wording.say("window-note")] : []),
    ...[ratioNote(plan, wording) ?? []].flat(),
  ];
  if (question.reading.average) notes.unshift(...(await averagesOf(question, plan, split)));
  if (!isTimeSplit(split)) {
    const { blocks, charts } = await rankingBlocks(question, plan, split);
    return { blocks: [...blocks, ...notes], charts };
  }
  const of = (days: DayRange | undefined): Promise<Blocks> => {
    const one = { ...slice, range: days };
    return seriesBlocks(question, { ...plan, slice: one }, split, [["", one]]);
  };
  const now = await of(range);
  if (range === undefined || comparison === undefined) return { ...now, blocks: [...now.blocks, ...notes] };
  const before = await of(comparison);
  const names = [wording.range(range), wording.range(comparison)];
  const blocks = [`**${names[0]}**`, ...now.blocks, `**${names[1]}**`, ...before.blocks, ...notes];
  return { blocks, charts: overlaid(now.charts, before.charts, names) };
}

/** "Average monthly income": of the whole months of the period that have figures, a currency each. */
async function averagesOf(
  { collection, wording }: Question,
  { measure, slice }: Plan,
  split: Split,
): Promise<readonly string[]> {
  if (slice.candidate.how !== "sum" || split === "weekday" || split === "weekpart") return [];
  const all = await rowsOf(collection, [slice], split);
  const rows = slice.range === undefined ? all : wholeBuckets(all, split, slice.range);
  return (currenciesOf(rows).length === 0 ? [""] : currenciesOf(rows)).map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const sum = own.reduce((total, { figures }) => total + (figures[0]?.value ?? 0), 0);
    const value = (sum / Math.max(1, own.length)).toFixed(unitOf(measure) === "money" ? 2 : 0);
    const VALUE = currency === "" ? grouped(value) : `${grouped(value)} ${currency}`;
    const NAME = wording.split(split).toLowerCase();
    return wording.say("average-of", { NAME, VALUE, COUNT: String(own.length) });
  });
}

/** The rows of a split within each row of another one: as many of each as are asked for, the first one where none says how many. */
async function groupBlocks(question: Question, plan: Plan, split: Split, group: Split): Promise<Blocks> {
  const { reading, wording, collection } = question;
  const { measure, slice } = plan;
  const { order } = reading;
  const found = bounded(await rowsOf(collection, [slice], split, group), reading);
  const most = reading.rows ?? (order === undefined ? MOST_ROWS : 1);
  const places = new Map<Row, number>();
  const groups = new Map<string, Row[]>();
  for (const row of found) {
    const id = JSON.stringify([row.group, row.currency]);
    groups.set(id, [...(groups.get(id) ?? []), row]);
  }
  const rows = [...groups.values()].flatMap((all) => {
    const kept = ordered(all, order ?? (isTimeSplit(split) ? undefined : "most")).slice(0, most);
    kept.forEach((row, place) => places.set(row, place + 1));
    return kept;
  });
  const isByCurrency = split === "currency" || group === "currency";
  const name = (key: string, of: Split): string => labelOf(key, of, wording);
  const columns: readonly Column[] = [
    column(group, wording.split(group), "text", (row) => worded(name(row.group, group))),
    column(`${group}_key`, "", "text", (row) => worded(row.group)),
    column("rank", wording.say("rank"), "count", (row) => counted(places.get(row))),
    ...keyColumns(split, ({ key }) => name(key, split), wording),
    ...(!isByCurrency && found.some(({ currency }) => currency !== "") ? [currencyColumn(wording)] : []),
    column(measure, valueName(plan, wording), unitOf(measure), ({ figures }) => shown(figures[0], plan)),
    ...(slice.candidate.how === "sum" && split !== "currency"
      ? [column("share", wording.say("share"), "percent", ({ figures }: Row) => share(figures[0]?.share))]
      : []),
  ];
  if (rows.length === 0) return { blocks: [wording.say("no-rows")], charts: [] };
  const cut = rows.length > MOST_ROWS ? [wording.say("cut", { COUNT: String(MOST_ROWS) })] : [];
  return { blocks: [rectangle(columns, rows.slice(0, MOST_ROWS)), ...cut], charts: [] };
}

/** The rows whose figure lies within the bounds that are asked for; without a figure it is not more than any. */
function bounded(rows: readonly Row[], { atLeast, atMost }: Question["reading"]): readonly Row[] {
  return rows.filter(({ figures: [now] }) => {
    const value = now?.value ?? 0;
    return (
      (atLeast === undefined || (now !== undefined && value >= atLeast)) &&
      (atMost === undefined || value <= atMost)
    );
  });
}

function currencyColumn(wording: Wording): Column {
  return column("currency", wording.say("currency"), "text", ({ currency }) => currencyCell(currency));
}

/** Songs, countries, stores and the like, largest first, with their share and how they moved. */
async function rankingBlocks(question: Question, plan: Plan, split: Split): Promise<Blocks> {
  const { reading, wording } = question;
  const { measure, slice } = plan;
  const { comparison } = plan.period;
  const { how } = slice.candidate;
  const account = split === "song" ? await accountTotal(question, plan) : undefined;
  const shareOf = ({ figures: [now] }: Row): number | undefined =>
    account === undefined ? now?.share : now && (100 * now.value) / account;
  const isSide =
    comparison !== undefined &&
    (isOfChange(reading.order) || reading.comparison !== undefined || comparison.with === "period");
  const [now, before, moved] = columnsOf(plan, wording);
  const name = valueName(plan, wording);
  const value = comparison?.with === "period" && isSide ? `${name} ${now}` : name;
  const label = ({ key }: Row): string => labelOf(key, split, wording);
  // Of what is added up, no row is nothing.
  const none = how === "sum" ? { value: 0 } : undefined;
  const moves = ({ figures: [first, second] }: Row): Cell =>
    first || second ? apart(first ?? none, second ?? none, plan) : NOTHING;
  const unit = unitOf(plan.measure);
  const side: readonly Column[] = [
    column(`${measure}_before`, isSide ? before : "", unit, ({ figures }) => shown(figures[1], plan)),
    column(`${measure}_difference`, isSide ? wording.say("difference") : "", unit, moves),
  ];
  const ranked = await rankedRows(question, plan, split);
  const { blocks, charts } = listed(question, plan, {
    rows: ordered(ranked, reading.order),
    most: reading.rows ?? (reading.order === undefined ? MOST_ROWS : RANKED_ROWS),
    isRanking: true,
    label,
    names: [
      column("rank", wording.say("rank"), "count", (_, place) => counted(place + 1)),
      ...keyColumns(split, label, wording),
    ],
    values: [
      column(measure, value, unit, ({ figures }) => shown(figures[0], plan)),
      ...(comparison === undefined ? [] : side),
      ...(how === "sum" && !isSide && split !== "currency" && unit !== "percent"
        ? [
            column(
              account === undefined ? "share" : "share_of_account",
              wording.say(account === undefined ? "share" : "share-account"),
              "percent",
              (row: Row) => share(shareOf(row)),
            ),
          ]
        : []),
      ...(comparison === undefined
        ? []
        : [column(`${measure}_change`, moved, "percent", (row: Row) => change(row.change))]),
    ],
    chart: { kind: "bars", series: isSide ? [value, before] : [""] },
  });
  const differences = differencesOf(question, plan, ranked, label);
  const absent = split === "song" ? songsWithout(question, slice.filters, ranked) : [];
  if (absent.length === 0) return { blocks: [...blocks, ...differences], charts };
  const NAMES = wording.songs(absent.slice(0, NAMED_SONGS));
  const values = { NAMES, COUNT: String(absent.length) };
  const said = wording.say(absent.length > NAMED_SONGS ? "songs-without-more" : "songs-without", values);
  return { blocks: [...blocks, said], charts };
}

/** By how much the first of two that are put side by side is more than the other, in each currency. */
function differencesOf(
  { wording }: Question,
  plan: Plan,
  rows: readonly Row[],
  label: (row: Row) => string,
): readonly string[] {
  const filter = FILTER_NAMES.find((name) => FILTERED[name] === plan.split);
  if (filter === undefined || plan.slice.filters[filter]?.length !== 2) return [];
  return [...new Set(rows.map(({ currency }) => currency))].flatMap((currency) => {
    const [first, second] = rows.filter((row) => row.currency === currency);
    const [more, less] = [first?.figures[0], second?.figures[0]];
    if (first === undefined || second === undefined || !more || !less) return [];
    const { text } = pointOf({ value: more.value - less.value }, plan);
    const VALUE = currency === "" ? text : `${text} ${currency}`;
    return [wording.say("difference-of-two", { MORE: label(first), LESS: label(second), VALUE })];
  });
}

const NAMED_SONGS = 10;

/** The songs of the files that a ranking has no row of: it would be read as one of all songs. */
function songsWithout(
  { collection }: Question,
  { songs, withoutSongs = [] }: Filters,
  rows: readonly Row[],
): readonly number[] {
  if (songs !== undefined) return [];
  const found = new Set(rows.map(({ key }) => key));
  return collection.catalog.songs
    .map(({ id }) => id)
    .filter((id) => !found.has(String(id)) && !withoutSongs.includes(id));
}

/**
 * Plays of the whole account on the days of a ranking of songs, where a file has them: not every song needs to have a
 * file of its own. Undefined where no file has, or where it has less than the songs.
 */
async function accountTotal({ collection }: Question, { measure, slice }: Plan): Promise<number | undefined> {
  if (slice.candidate.source.table !== "song_day") return undefined;
  const candidate = candidatesOf(measure).find(({ source }) => source.table === "account_day");
  if (candidate === undefined) return undefined;
  const { songs: _, withoutSongs: __, ...filters } = slice.filters;
  const all = { ...slice, candidate, filters, channel: undefined };
  const total = async (one: Slice): Promise<number> =>
    (await figuresBy(collection, one, undefined)).reduce((sum, { value }) => sum + value, 0);
  const account = await total(all);
  const songs = await total({ ...slice, filters });
  return account > songs ? account : undefined;
}

async function rankedRows(
  { collection, reading }: Question,
  { measure, slice, period: { comparison } }: Plan,
  split: Split,
): Promise<readonly Row[]> {
  const filter = FILTER_NAMES.find((name) => FILTERED[name] === split);
  const chosen = filter && slice.filters[filter]?.map(String);
  // Shares are of all rows, also where two are put side by side.
  const filters = { ...slice.filters };
  if (filter !== undefined) delete filters[filter];
  const open: Slice = { ...slice, filters };
  const slices = comparison === undefined ? [open] : [open, { ...open, range: comparison }];
  const rows = await rowsOf(collection, slices, split);
  const hasNew = split === "song" && comparison !== undefined;
  const fresh = hasNew ? await songsSince(collection, comparison.from) : new Set<string>();
  // A list of all songs has those without figures; with at most so much they are counted.
  const isList = reading.order === undefined && reading.rows === undefined && !hasFilters(slice.filters);
  const isOfAll = reading.atMost !== undefined || (isList && unitOf(measure) !== "money");
  const all = split === "song" && isOfAll ? collection.catalog.songs : [];
  const keys = chosen ?? all.map(({ id }) => String(id));
  return withKeys(chosen ? rows.filter(({ key }) => chosen.includes(key)) : rows, keys)
    .map((row) => {
      const [now, before] = row.figures;
      return { ...row, change: fresh.has(row.key) ? undefined : changeOf(now?.value, before?.value) };
    })
    .sort((a, b) => (b.figures[0]?.value ?? -Infinity) - (a.figures[0]?.value ?? -Infinity) || 0);
}

/** Figures through time, a column for each of the slices that are put side by side. */
async function seriesBlocks(
  question: Question,
  plan: Plan,
  split: Split,
  slices: readonly (readonly [name: string, slice: Slice])[],
): Promise<Blocks> {
  const { reading, wording, collection } = question;
  const { measure } = plan;
  const { range, filters } = plan.slice;
  const isOne = slices.length === 1;
  const isWeekly = split === "weekday" || split === "weekpart";
  const order = isOne ? reading.order : undefined;
  const isSummed = plan.slice.candidate.how === "sum";
  const isLine = !isWeekly && order === undefined;
  const columns = slices.map(([, slice]) => slice);
  const read = withKeys(await rowsOf(collection, columns, split), keysOf(split, range, filters));
  const found = isOne && reading.isGrowth ? await withStepsBefore(question, plan, split, read) : read;
  const steps = isOne ? stepsOf(question, plan, found) : [];
  const whole = order === undefined || range === undefined ? found : wholeBuckets(found, split, range);
  const hasMoney = found.some(({ currency }) => currency !== "");
  const week = (key: string): DayRange | undefined =>
    split === "week" && range !== undefined ? bucketRange(key, split, range) : undefined;
  const label = ({ key }: Row): string => {
    const days = week(key);
    if (days === undefined) return labelOf(key, split, wording);
    const length = lengthOf(days);
    return length === 7 ? wording.range(days) : `${wording.range(days)} (${wording.days(length)})`;
  };
  const { blocks, charts } = listed(question, plan, {
    rows: ordered(
      reading.isGrowth && isOfChange(order) ? compared(whole) : whole,
      order,
      isWeekly && isSummed,
    ).filter(({ currency }) => isOne || !hasMoney || currency !== ""),
    most: (isOne ? reading.rows : undefined) ?? (order === undefined || isWeekly ? MOST_ROWS : 1),
    isRanking: order !== undefined,
    label,
    names: keyColumns(split, label, wording),
    values: [
      ...slices.map(([name], place): Column =>
        column(
          isOne ? measure : `${measure}_${place + 1}`,
          isOne ? valueName(plan, wording) : name,
          unitOf(plan.measure),
          ({ figures }) => shown(figures[place], plan),
        ),
      ),
      ...(slices.length === 2
        ? [
            column(`${measure}_difference`, wording.say("difference"), unitOf(measure), ({ figures }: Row) =>
              apart(figures[0], figures[1], plan),
            ),
          ]
        : []),
      ...steps,
      ...(isOne && isWeekly && isSummed
        ? [
            column(`${measure}_per_day`, wording.say("per-day"), "quotient", ({ figures }: Row) =>
              perDay(figures[0]),
            ),
          ]
        : []),
    ],
    chart: {
      kind: isLine ? "line" : "bars",
      label: isLine ? ({ key }) => stepLabel(key, split, wording.language) : label,
      series: slices.map(([name]) => name),
      ...(isLine && range !== undefined && { isPartial: ({ key }: Row) => isCut(key, split, range) }),
    },
  });
  return { blocks: whole.length < found.length ? [...blocks, wording.say("whole-buckets")] : blocks, charts };
}

/** The first steps, and those that are cut, are held against nothing. */
function compared(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ figures }) => figures[1] !== undefined);
}

/** Rows with the figure of the step before as their second one: undefined for steps that the period cuts. */
async function withStepsBefore(
  { collection }: Question,
  { slice, data }: Plan,
  split: Split,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const { range } = slice;
  const [first] = rows;
  if (range === undefined || data === undefined || first === undefined) return rows;
  // The first step is held against the one before the period, where the data have it as a whole.
  const day = addDays(bucketRange(first.key, split, EVER).from, -1);
  const before = bucketRange(keyOf(day, split), split, EVER);
  const isThere = before.from >= firstOf(data.from, slice);
  const earlier = isThere ? await rowsOf(collection, [{ ...slice, range: before }], split) : [];
  return rows.map((row) => {
    const same = [...earlier, ...rows].filter(({ currency }) => currency === row.currency);
    const { from, to } = bucketRange(row.key, split, EVER);
    const isWhole = from >= firstOf(range.from, slice) && to <= range.to;
    const last = isWhole ? same[same.indexOf(row) - 1] : undefined;
    const isNextTo = last !== undefined && addDays(bucketRange(last.key, split, EVER).to, 1) === from;
    const figure = isNextTo ? last.figures[0] : undefined;
    return {
      ...row,
      figures: [row.figures[0], figure],
      change: changeOf(row.figures[0]?.value, figure?.value),
    };
  });
}

/** How each step of a series stands against the one before, and what it comes to with all before it. */
function stepsOf({ reading, wording }: Question, plan: Plan, rows: readonly Row[]): readonly Column[] {
  const columns: Column[] = [];
  const { measure } = plan;
  const unit = unitOf(plan.measure);
  if (reading.isGrowth) {
    columns.push(
      column(`${measure}_difference`, wording.say("difference"), unit, ({ figures: [now, before] }) =>
        apart(now, before, plan),
      ),
      column(`${measure}_change`, wording.say("growth"), "percent", (row) => change(row.change)),
    );
  }
  const isAdded = plan.slice.candidate.how === "sum" || plan.slice.candidate.how === "gained";
  if (reading.isCumulative && isAdded)
    columns.push(
      column(`${measure}_cumulative`, wording.say("cumulative"), unit, (row) => {
        const all = rows.filter(({ currency }) => currency === row.currency || row.currency === "");
        const upTo = all.slice(0, all.indexOf(row) + 1).flatMap(({ figures }) => figures[0] ?? []);
        const value = upTo.reduce((sum, figure) => sum + figure.value, 0);
        return upTo.length === 0 ? NOTHING : shown({ value }, plan);
      }),
    );
  return columns;
}

/** The key of a row and its name; a song has its id beside it, and a place or part of the week its key in the data. */
function keyColumns(split: Split, label: (row: Row) => string, wording: Wording): readonly Column[] {
  const named: Column = column(split, wording.split(split), "text", (row) => worded(label(row)));
  if (split === "song")
    return [named, column("song_id", "songId", "count", ({ key }) => ({ value: Number(key), text: key }))];
  return [named, column(`${split}_key`, "", "text", ({ key }) => worded(key))];
}

const EVER: DayRange = { from: "1900-01-01", to: "2100-12-31" };

/** Statements are of whole months. */
function firstOf(day: string, { candidate }: Slice): string {
  return candidate.source.grain === "month" ? `${day.slice(0, 8)}01` : day;
}

/** The key of the day, week, month, quarter or year that a day is in. */
function keyOf(day: string, split: Split): string {
  if (split === "day") return day;
  if (split === "week") return addDays(day, -weekdayOf(day));
  if (split === "month") return day.slice(0, 7);
  const year = day.slice(0, 4);
  return split === "year" ? year : `${year}-Q${Math.ceil(monthOf(day) / 3)}`;
}

/** Two songs, countries or stores by day or month: each by itself. */
function namedSlices({ slice }: Plan, wording: Wording): readonly (readonly [string, Slice])[] {
  const { songs = [], countries = [], stores = [] } = slice.filters;
  const only = (filters: Filters): Slice => ({ ...slice, filters: { ...slice.filters, ...filters } });
  if (songs.length > 1) return songs.map((id) => [wording.song(id), only({ songs: [id] })]);
  if (countries.length > 1)
    return countries.map((code) => [wording.country(code), only({ countries: [code] })]);
  return stores.map((store) => [store, only({ stores: [store] })]);
}

/** All days or months of a series. */
function keysOf(split: Split, range: DayRange | undefined, { weekdays }: Filters): readonly string[] {
  if (range === undefined || lengthOf(range) > MOST_DAYS) return [];
  if (split === "month") return [...new Set(daysIn(range).map((day) => day.slice(0, 7)))];
  if (split !== "day") return [];
  return daysIn(range).filter((day) => weekdays?.includes(weekdayOf(day)) !== false);
}

/** The tables and charts of rows. */
function listed({ reading, wording }: Question, plan: Plan, listing: Listing): Blocks {
  const { most, isRanking, label, names, values, chart } = listing;
  const rows = bounded(listing.rows, reading);
  const isBounded = reading.atLeast !== undefined || reading.atMost !== undefined;
  const currencies = currenciesOf(rows);
  const isApart = currencies.length > 1 && isRanking && plan.split !== "currency";
  const tables = (isApart ? currencies : [undefined])
    .map((one) =>
      rows.filter(({ currency }) => one === undefined || currency === one || currency === "").slice(0, most),
    )
    .filter((part) => part.length > 0);
  if (tables.length === 0 && isBounded)
    return { blocks: [wording.say("matching", { COUNT: "0" })], charts: [] };
  if (tables.length === 0) {
    const { order } = reading;
    const falls = order === "fall" || order === "loss";
    const nothing = falls ? "no-fall" : isOfChange(order) ? "no-growth" : "no-rows";
    return { blocks: [wording.say(nothing)], charts: [] };
  }
  const isNamed = plan.split === "currency";
  const columns = [
    ...names,
    ...(currencies.length > 0 && !isNamed ? [currencyColumn(wording)] : []),
    ...values,
  ];
  const isCut = tables.some((part) => part.length === MOST_ROWS);
  const name = valueName(plan, wording);
  return {
    blocks: [
      ...tables.map((part) => rectangle(columns, part)),
      ...(isBounded ? [wording.say("matching", { COUNT: String(rows.length) })] : []),
      ...(isCut ? [wording.say("cut", { COUNT: String(MOST_ROWS) })] : []),
      ...(currencies.length > 1 ? [wording.say("currencies")] : []),
    ],
    charts: (currencies.length > 0 ? currencies : [""]).map((currency) => {
      const own = tables.flat().filter((row) => row.currency === currency || row.currency === "");
      const points = own.map(({ figures }) => figures.map((figure) => figure && pointOf(figure, plan)));
      const series = chart.series.map((column, place) => ({
        name: column,
        points: released(
          points.map((all) => all[place]),
          plan,
        ),
      }));
      const by = bySplit(name, plan.split, wording);
      const title = currency === "" ? by : `${by} (${currency})`;
      const partial = chart.isPartial && own.map(chart.isPartial);
      return {
        kind: chart.kind,
        title,
        get labels() {
          return own.map(chart.label ?? label);
        },
        series,
        ...(partial && { partial }),
      };
    }),
  };
}

/** The points of songs begin with the first figure: files may have zeros from before a release. */
function released(points: Series["points"], { slice, split }: Plan): Series["points"] {
  if (slice.filters.songs === undefined || !isTimeSplit(split)) return points;
  const first = points.findIndex((point) => point !== undefined && point.value > 0);
  return first === -1 ? points : points.map((point, at) => (at < first ? undefined : point));
}

/** Two periods over each other, day by day from the first of each. */
function overlaid(
  now: readonly Chart[],
  before: readonly Chart[],
  names: readonly string[],
): readonly Chart[] {
  return now.map(({ kind, title, labels }, at) => {
    const found = [now[at], before.find((chart) => chart.title === title)];
    const series = found.map((one, place) => ({
      name: names[place] ?? "",
      points: one?.series[0]?.points ?? [],
    }));
    if (kind === "bars") return { kind, title, labels, series };
    const length = Math.max(...series.map(({ points }) => points.length));
    return { kind, title, labels: Array.from({ length }, (_, place) => String(place + 1)), series };
  });
}

function labelOf(key: string, split: Split, wording: Wording): string {
  if (split === "song") return wording.song(key);
  if (split === "country") return wording.country(key);
  if (split === "weekday") return wording.weekday(Number(key));
  if (split === "weekpart") return wording.say(key === "weekend" ? "weekend" : "working-days");
  return key === "" ? wording.say("unknown-place") : key;
}

/** The currencies of rows, the one with the most rows first. */
function currenciesOf(rows: readonly Row[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { currency } of rows) if (currency !== "") counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))
    .map(([currency]) => currency);
}
