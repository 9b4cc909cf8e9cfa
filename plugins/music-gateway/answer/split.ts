import type { DayRange } from "../question/day.ts";
import { isOfChange, type Order, type Split } from "../question/query.ts";
import { hasFilters } from "../question/slots.ts";
import { candidatesOf, filterOf, unitOf } from "../model.ts";
import { bySplit, isCut, isTimeSplit, isWeekly, stepLabel } from "./calendar.ts";
import {
  byKey,
  changeOf,
  currenciesOf,
  gathered,
  rowsOf,
  runningSums,
  stepOf,
  sumOf,
  type Row,
} from "./figures.ts";
import { songsSince } from "./held.ts";
import {
  apart,
  change,
  column,
  figured,
  grouped,
  NOTHING,
  perDay,
  rectangle,
  share,
  worded,
  type Block,
  type Cell,
  type CellColumn,
  type Chart,
  type Unit,
} from "./rectangle.ts";
import { keyLabel, stepsOf, termsOf, type Steps, type Term } from "./terms.ts";
import { caveatsOf, periodNames, valueName } from "./totals.ts";
import type { Question } from "./wording.ts";
import type { Plan } from "./plan.ts";

/** The maximum number of rows of a table, and of a ranking without a requested number. */
const MOST_ROWS = 500;
const RANKED_ROWS = 10;
const NAMED_SONGS = 10;

const FALLS: readonly (Order | undefined)[] = ["fall", "loss"];

/** A row with its place in the ranking. */
type Line = Row & { readonly rank: number };
type Column = CellColumn<Line>;

/** The figures of plans by their split: one row per key, with the current and earlier figures of each measure. */
export async function splitBlocks(question: Question, plans: readonly Plan[]): Promise<readonly Block[]> {
  const [plan] = plans;
  if (plan?.split === undefined) return [];
  const table = new SplitTable(question, plans, plan, plan.split);
  const currencies = await table.read();
  const money = plans.filter(({ slice }) => slice.candidate.currency !== undefined);
  if (currencies < 2 || money.length === 0 || money.length === plans.length) return table.blocks();
  // Counts have no currency, so they get a table of their own.
  const counts = plans.filter((one) => !money.includes(one));
  return [...(await splitBlocks(question, counts)), ...(await splitBlocks(question, money))];
}

/** One table by a split: its statement, its sorted rows, its columns, and notes on omitted rows. */
class SplitTable {
  private readonly group: Split | undefined;
  private readonly isTime: boolean;
  private readonly steps: Steps;
  private readonly terms: readonly Term[];
  /** Whether songs, countries or stores have one column each. */
  private readonly hasMembers: boolean;
  private readonly order: Order | undefined;
  /** Whether the earlier figures are shown next to the current ones. */
  private readonly isSide: boolean;
  /** Songs that were released after the start of the comparison period. */
  private newSongs: ReadonlySet<string> = new Set();
  /** The rows of the statement. */
  private figures: readonly Row[] = [];

  /** All `plans` have the same period; rows are sorted by the figures of the first plan, `plan`. */
  constructor(
    private readonly question: Question,
    private readonly plans: readonly Plan[],
    private readonly plan: Plan,
    private readonly split: Split,
  ) {
    const { reading } = question;
    this.group = reading.group;
    this.isTime = isTimeSplit(split);
    this.steps = stepsOf(plan, split);
    this.terms = termsOf(question, plans, split, this.steps);
    this.hasMembers = this.terms.length > plans.length;
    this.order = this.hasMembers ? undefined : reading.order;
    this.isSide = plan.period.comparison?.by === "question" && !this.hasMembers;
  }

  /** Reads the rows, and counts their currencies. */
  async read(): Promise<number> {
    const { collection } = this.question;
    const { comparison } = this.plan.period;
    this.figures = await rowsOf(collection, this.terms, this.split, this.group);
    if (this.split === "song" && comparison !== undefined)
      this.newSongs = await songsSince(collection, comparison.from);
    return currenciesOf(this.figures).length;
  }

  async blocks(): Promise<readonly Block[]> {
    const { reading, wording } = this.question;
    const { order, group, split, plans } = this;
    const { range } = this.plan.period;
    const rows = this.#withKeys();
    // The best and worst steps are chosen among whole steps, if there are any.
    const uncut = rows.filter(({ key }) => !isCut(key, split, range));
    const whole = order === undefined || uncut.length === 0 ? rows : uncut;
    const own = whole.filter((row) => this.#isAsked(row));
    const parts = this.#parts(own).filter((lines) => lines.length > 0);
    const columns = this.#columns(rows, await this.#accountTotal());
    const isBounded = reading.atLeast !== undefined || reading.atMost !== undefined;
    const nothing = FALLS.includes(order) ? "no-fall" : isOfChange(order) ? "no-growth" : "no-rows";
    const isRanking = !this.isTime && group === undefined;
    const said = [
      parts.length === 0 && !isBounded && wording.say(nothing),
      isBounded && wording.say("matching", { COUNT: String(own.length) }),
      parts.some((lines) => lines.length === MOST_ROWS) && wording.say("cut", { COUNT: String(MOST_ROWS) }),
      currenciesOf(own).length > 1 && wording.say("currencies"),
      whole.length < rows.length && wording.say("whole-buckets"),
      ...(isRanking ? [...this.#differences(rows), ...this.#songsWithout(rows)] : []),
      ...(reading.average ? plans.flatMap((one) => this.#averages(one)) : []),
      ...plans.flatMap((one) => caveatsOf(one, wording)),
    ].filter((one) => one !== false);
    return [
      ...parts.map((lines) => rectangle(columns, lines, this.#charts(columns, lines))),
      ...new Set(said),
    ];
  }

  /** Adds a row without a figure for each missing key: steps of time, values requested by name, or all songs. */
  #withKeys(): readonly Row[] {
    if (this.group !== undefined) return this.figures;
    const { reading, collection } = this.question;
    const { filters } = this.plan.slice;
    const filter = this.isTime ? undefined : filterOf(this.split);
    const chosen = filter && filters[filter]?.map(String);
    // A list of all songs includes those without figures; with an upper bound, they count as matches.
    const isList = reading.order === undefined && reading.rows === undefined && !hasFilters(filters);
    const isOfAll = reading.atMost !== undefined || (isList && unitOf(this.plan.measure) !== "money");
    const songs = this.split === "song" && isOfAll ? collection.catalog.songs : [];
    const keys = this.isTime ? [...this.steps.keys()] : (chosen ?? songs.map(({ id }) => String(id)));
    const rows = chosen === undefined ? this.figures : this.figures.filter(({ key }) => chosen.includes(key));
    const found = new Set(rows.map(({ key }) => key));
    const [only = "", ...others] = currenciesOf(rows);
    const currency = this.isTime && others.length === 0 ? only : "";
    const absent = keys
      .filter((key) => !found.has(key))
      .map((key): Row => ({ group: "", key, currency, now: [], before: [] }));
    const full = [...rows, ...absent].sort(byKey);
    const size = ({ now }: Row): number => now[0]?.value ?? -Infinity;
    return this.isTime ? full : full.sort((a, b) => size(b) - size(a) || 0);
  }

  /** Whether a figure lies within the requested bounds and, in an order by growth, has an earlier figure. */
  #isAsked({ now: [figure], before: [earlier] }: Row): boolean {
    const { atLeast, atMost } = this.question.reading;
    if (this.isTime && isOfChange(this.order) && earlier === undefined) return false;
    if (atLeast !== undefined && (figure === undefined || figure.value < atLeast)) return false;
    // A missing figure does not exceed any bound.
    return atMost === undefined || (figure?.value ?? 0) <= atMost;
  }

  /** The rows of each table: a ranking has one currency; with groups, there is one ranking per group. */
  #parts(rows: readonly Row[]): readonly (readonly Line[])[] {
    const { order, group, split, isTime } = this;
    const few = isTime || group !== undefined ? 1 : RANKED_ROWS;
    const fewest = order === undefined || isWeekly(split) ? MOST_ROWS : few;
    const most = (this.hasMembers ? undefined : this.question.reading.rows) ?? fewest;
    const by = order ?? (isTime || group === undefined ? undefined : "most");
    const ranked = (part: readonly Row[]): readonly Line[] =>
      this.#ordered(part, by)
        .slice(0, most)
        .map((row, at) => ({ ...row, rank: at + 1 }));
    if (group !== undefined) {
      const groups = gathered(rows, (row) => JSON.stringify([row.group, row.currency]));
      return [groups.flatMap(ranked).slice(0, MOST_ROWS)];
    }
    const currencies = currenciesOf(rows);
    if (currencies.length < 2 || split === "currency" || (order === undefined && isTime))
      return [ranked(rows)];
    return currencies.map((one) =>
      ranked(rows.filter(({ currency }) => currency === one || currency === "")),
    );
  }

  /** Rows in the requested order, by the sum or by the figure per day; only rows that grew or fell for those orders. */
  #ordered(rows: readonly Row[], order: Order | undefined): readonly Row[] {
    if (order === undefined) return rows;
    const moves = isOfChange(order);
    const isPerDay = isWeekly(this.split) && this.plan.slice.candidate.how === "sum";
    const sign = order === "least" || FALLS.includes(order) ? 1 : -1;
    const difference = ({ now, before }: Row): number => (now[0]?.value ?? 0) - (before[0]?.value ?? 0);
    const size = (row: Row): number | undefined => {
      if (order === "gain" || order === "loss") return difference(row);
      const [now] = row.now;
      return moves ? this.#moved(row, 0) : now && now.value / (isPerDay ? Math.max(1, now.days) : 1);
    };
    const own = moves ? rows.filter((row) => sign * difference(row) < 0) : rows;
    const known = own
      .filter((row) => size(row) !== undefined)
      .toSorted((a, b) => sign * ((size(a) ?? 0) - (size(b) ?? 0)) || byKey(a, b));
    // New songs have no change in per cent.
    return moves ? [...known, ...own.filter((row) => size(row) === undefined)] : known;
  }

  /** The change of a figure in per cent. An incomplete step is not compared. */
  #moved({ key, now, before }: Row, at: number): number | undefined {
    const { range, comparison } = this.plan.period;
    const was = this.steps.get(key) ?? key;
    const isPart = comparison && (isCut(key, this.split, range) || isCut(was, this.split, comparison));
    if (isPart === true || this.newSongs.has(key)) return undefined;
    return changeOf(now[at]?.value, before[at]?.value);
  }

  /** The columns: dimensions, then each measure with the values derived from it. */
  #columns(rows: readonly Row[], account: number | undefined): readonly Column[] {
    const { split, group, terms, isTime, plans } = this;
    const { wording } = this.question;
    const { range, comparison } = this.plan.period;
    const isOfCurrencies = rows.some(({ currency }) => currency !== "");
    const columns: readonly (Column | false | undefined)[] = [
      ...(group === undefined ? [] : this.#keyColumns(group, (line) => line.group)),
      (!isTime || group !== undefined) &&
        column("rank", wording.say("rank"), "count", ({ rank }) => figured(rank)),
      ...this.#keyColumns(split, ({ key }) => key, range),
      isTime && this.isSide && !isWeekly(split) && comparison
        ? column(`${split}_before`, wording.range(comparison), "text", ({ key }) =>
            worded(keyLabel(this.steps.get(key) ?? "", split, wording, comparison)),
          )
        : undefined,
      isOfCurrencies &&
        split !== "currency" &&
        group !== "currency" &&
        column("currency", wording.say("currency"), "text", ({ currency }) => worded(currency)),
      ...terms.flatMap((term, at) => this.#termColumns(term, at, rows, account)),
      // The difference between two songs.
      ...(terms.length === 2 * plans.length ? plans : []).map(({ measure }, at) =>
        column<Line>(`${measure}_difference`, wording.say("difference"), unitOf(measure), ({ now }) =>
          apart(now[2 * at]?.value, now[2 * at + 1]?.value, unitOf(measure)),
        ),
      ),
    ];
    return columns.filter((one) => one !== undefined && one !== false);
  }

  /** The name of a row and its key: for a song its id, for a place or part of the week the key in the data. */
  #keyColumns(split: Split, keyOf: (line: Line) => string, range?: DayRange): readonly Column[] {
    const { wording } = this.question;
    const id = (line: Line) => ({ value: Number(keyOf(line)), text: keyOf(line) });
    return [
      column(split, wording.split(split), "text", (line) =>
        worded(keyLabel(keyOf(line), split, wording, range)),
      ),
      split === "song"
        ? column("song_id", "songId", "count", id)
        : column(`${split}_key`, "", "text", (line) => worded(keyOf(line))),
    ];
  }

  /** The columns of a measure: figure, earlier figure, difference, share, change, running sum and figure per day. */
  #termColumns(
    { plan, id, name, before }: Term,
    at: number,
    rows: readonly Row[],
    account: number | undefined,
  ): readonly Column[] {
    const { reading, wording } = this.question;
    const { isTime, isSide, group, split, hasMembers } = this;
    const { how } = plan.slice.candidate;
    const { comparison } = plan.period;
    const unit = unitOf(plan.measure);
    const [periodNow, periodBefore, changed] = periodNames(plan, wording);
    const isSum = how === "sum";
    const isAlone = this.terms.length === 1;
    const isGrowth = before !== undefined && comparison === undefined;
    const isRanked = !isTime || group !== undefined;
    // For figures that are added up, a missing row counts as 0.
    const none = isSum && !isTime ? 0 : undefined;
    const columns: Column[] = [];
    const add = (role: string, words: string, of: Unit, cell: Column["cell"], isShown = true): void => {
      const label = isAlone || role === "" ? words : `${name}: ${words}`;
      columns.push(column(`${id}${role}`, isShown ? label : "", of, cell));
    };
    const named = isSide && comparison?.with === "period" ? `${name} ${periodNow}` : name;
    add("", named, unit, ({ now }) => figured(now[at]?.value, unit));
    if (before !== undefined) {
      if (!isGrowth)
        add("_before", periodBefore, unit, (line) => figured(line.before[at]?.value, unit), isSide);
      const difference = (line: Line): Cell => {
        const [now, earlier] = [line.now[at], line.before[at]];
        return now || earlier ? apart(now?.value ?? none, earlier?.value ?? none, unit) : NOTHING;
      };
      add("_difference", wording.say("difference"), unit, difference, isSide || isGrowth);
    }
    if (isSum && isRanked && !isSide && split !== "currency" && unit !== "percent") {
      if (account === undefined)
        add("_share", wording.say("share"), "percent", ({ now }) => share(now[at]?.share), isAlone);
      const shareOf = ({ now }: Line): Cell => share(now[at] && (100 * now[at].value) / (account ?? 0));
      if (account !== undefined) add("_share_of_account", wording.say("share-account"), "percent", shareOf);
    }
    if (before !== undefined) {
      const words = isGrowth ? wording.say("growth") : changed;
      add(
        "_change",
        words,
        "percent",
        (line) => change(this.#moved(line, at)),
        isAlone || isSide || isGrowth,
      );
    }
    if (reading.isCumulative && isTime && !hasMembers && (isSum || how === "gained")) {
      const sums = runningSums(rows, at);
      add("_cumulative", wording.say("cumulative"), unit, (line) => figured(sums.get(stepOf(line)), unit));
    }
    if (isWeekly(split) && isSum && !hasMembers && group === undefined)
      add("_per_day", wording.say("per-day"), "quotient", ({ now }) => perDay(now[at]));
    return columns;
  }

  /** The lines or bars of a table: one chart per measure and currency. */
  #charts(columns: readonly Column[], lines: readonly Line[]): readonly Chart[] {
    if (this.group !== undefined) return [];
    const { split, isSide } = this;
    const { wording } = this.question;
    const { range, comparison } = this.plan.period;
    const isLine = this.isTime && !isWeekly(split) && this.order === undefined;
    const labelOf = ({ key }: Line): string => {
      const label = keyLabel(key, split, wording, range);
      return isLine && label !== "" ? stepLabel(key, split, wording.language) : label;
    };
    return currenciesOf(lines).flatMap((currency) =>
      this.plans.map((plan): Chart => {
        const own = lines.filter((line) => line.currency === currency || line.currency === "");
        const [now, before] = periodNames(plan, wording);
        const { measure } = plan;
        const members = this.terms.filter((term) => term.plan === plan && this.hasMembers);
        const drawn = isSide ? { [measure]: now, [`${measure}_before`]: before } : { [measure]: "" };
        const names =
          members.length > 0 ? members.map(({ id, name }) => [id, name] as const) : Object.entries(drawn);
        const isMoney = plan.slice.candidate.currency !== undefined && currency !== "";
        const title = bySplit(valueName(plan, wording), split, wording);
        return {
          kind: isLine ? "line" : "bars",
          title: isMoney ? `${title} (${currency})` : title,
          labels: own.map(labelOf),
          series: names.map(([id, name]) => {
            const points = own.map((line) => columns.find((one) => one.name === id)?.cell(line) ?? NOTHING);
            return { name, points: plan.slice.filters.songs && isLine ? released(points) : points };
          }),
          ...(isLine && !comparison && { partial: own.map(({ key }) => isCut(key, split, range)) }),
        };
      }),
    );
  }

  /** "Average monthly income": the average of the whole months in the period that have figures, per currency. */
  #averages(plan: Plan): readonly string[] {
    const { split, terms, figures } = this;
    const { wording } = this.question;
    const { candidate, range } = plan.slice;
    if (candidate.how !== "sum" || isWeekly(split)) return [];
    const values = ({ now }: Row): number[] =>
      now.flatMap((figure, at) => (figure && terms[at]?.plan === plan ? [figure.value] : []));
    const held = figures.filter((row) => values(row).length > 0);
    const whole = held.filter(({ key }) => !isCut(key, split, range));
    return currenciesOf(held).map((currency) => {
      const own = (whole.length > 0 ? whole : held).filter((row) => row.currency === currency);
      const sum = own.flatMap(values).reduce((total, value) => total + value, 0);
      const places = unitOf(plan.measure) === "money" ? 2 : 0;
      const value = grouped((sum / Math.max(1, own.length)).toFixed(places));
      const VALUE = `${value} ${currency}`.trim();
      const NAME = wording.split(split).toLowerCase();
      return wording.say("average-of", { NAME, VALUE, COUNT: String(own.length) });
    });
  }

  /** The difference between the two values that are compared, in each currency. */
  #differences(rows: readonly Row[]): readonly string[] {
    const { plan, split } = this;
    const { wording } = this.question;
    const filter = filterOf(split);
    if (filter === undefined || plan.slice.filters[filter]?.length !== 2) return [];
    return currenciesOf(rows).flatMap((currency) => {
      const [first, second] = rows.filter((row) => row.currency === currency);
      const [more, less] = [first?.now[0], second?.now[0]];
      if (!first || !second || !more || !less) return [];
      const { text } = figured(more.value - less.value, unitOf(plan.measure));
      const VALUE = `${text} ${currency}`.trim();
      const [MORE, LESS] = [keyLabel(first.key, split, wording), keyLabel(second.key, split, wording)];
      return [wording.say("difference-of-two", { MORE, LESS, VALUE })];
    });
  }

  /** The imported songs that are missing from a ranking, which would otherwise seem to rank all songs. */
  #songsWithout(rows: readonly Row[]): readonly string[] {
    const { songs, withoutSongs = [] } = this.plan.slice.filters;
    const { collection, wording } = this.question;
    if (this.split !== "song" || songs !== undefined) return [];
    const found = new Set(rows.map(({ key }) => Number(key)));
    const all = collection.catalog.songs.map(({ id }) => id);
    const absent = all.filter((id) => !found.has(id) && !withoutSongs.includes(id));
    if (absent.length === 0) return [];
    const values = { NAMES: wording.songs(absent.slice(0, NAMED_SONGS)), COUNT: String(absent.length) };
    return [wording.say(absent.length > NAMED_SONGS ? "songs-without-more" : "songs-without", values)];
  }

  /**
   * The plays of the whole account on the days of a ranking of songs, if a file has them: not every song needs a file
   * of its own. Undefined if no file has them, or if the account has no more plays than the songs.
   */
  async #accountTotal(): Promise<number | undefined> {
    const { measure, slice } = this.plan;
    const { collection } = this.question;
    const isOne = this.split === "song" && this.group === undefined && this.plans.length === 1;
    const candidate = candidatesOf(measure).find(({ source }) => source.table === "account_day");
    if (!isOne || slice.candidate.source.table !== "song_day" || candidate === undefined) return undefined;
    const { songs: _, withoutSongs: __, ...filters } = slice.filters;
    const account = await sumOf(collection, { ...slice, candidate, filters, channel: undefined });
    return account > (await sumOf(collection, { ...slice, filters })) ? account : undefined;
  }
}

/** The points of a song start at its first figure: files may have zeros from before the release. */
function released(points: Chart["series"][number]["points"]): typeof points {
  const first = points.findIndex(({ value }) => Number(value) > 0);
  return first === -1 ? points : points.map((point, at) => (at < first ? NOTHING : point));
}
