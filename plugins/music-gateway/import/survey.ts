import { SkillError } from "skillctl";
import { dayIn, hasDoubtfulYear, type DayOrder } from "./days.ts";
import {
  DECIMALS,
  DECIMAL_SIGNS,
  ExactSum,
  figureIn,
  thousandsLike,
  type DecimalSign,
  type Figure,
} from "./figures.ts";
import type { Encoding } from "./encoding.ts";
import type { CellType, Layout, Mapping } from "./formats.ts";
import type { Span } from "../store/spans.ts";
import { cellText, readRecords, type TableRecord } from "./records.ts";

/** Decisions about a file, made once for the whole file, and its rows and sums as found without DuckDB. */
export interface Survey {
  readonly encoding: Encoding;
  readonly decimal: DecimalSign;
  /** null if no date of the file needs it. */
  readonly dates: DayOrder | null;
  /** Empty if quotes are ordinary characters. */
  readonly quote: string;
  /** Whether all line endings are equal, as DuckDB requires. */
  readonly hasOneLineEnd: boolean;
  /** Rows with as many cells as the header. */
  readonly rows: number;
  /** The exact sum of each numeric column over those rows, by the column's name in the format. */
  readonly sums: Readonly<Record<string, string>>;
  /** The mapping of a table without a known format. */
  readonly mapping?: Mapping;
  /** The window of a table of sums, if the caller states it. */
  readonly window?: Span;
}

/** The caller's decisions for files that are ambiguous. */
export interface Decisions {
  readonly decimal?: DecimalSign;
  readonly dates?: DayOrder;
  /** The columns of tables without a known format: pairs in the form of `--map`. */
  readonly map?: string;
  /** The window of tables of sums. */
  readonly window?: Span;
}

const FIGURES: ReadonlySet<CellType> = new Set(["count", "average", "number", "amount"]);
const DATES: ReadonlySet<CellType> = new Set(["day", "month", "stamp"]);

export function isFigure(type: CellType): boolean {
  return FIGURES.has(type);
}

/**
 * Reads a whole table. @throws SkillError `GATEWAY_FILE_UNKNOWN` if the decimal separator or the order of dates is ambiguous
 * and the caller does not decide it, or if the lines are not a table.
 */
export function surveyOf(
  bytes: Uint8Array,
  encoding: Encoding,
  layout: Layout,
  decisions: Decisions,
): Survey {
  const quoted = read(bytes, layout, '"');
  // In a tab-separated statement, quotes may be part of a title.
  const plain = quoted.broken > 0 && layout.delimiter === "\t" ? read(bytes, layout, "") : quoted;
  const found = plain.rows > quoted.rows ? plain : quoted;
  const { quote, rows, figures, days, hasOneLineEnd } = found;
  const decimal = decimalOf(figures, layout, decisions.decimal);
  const dates = days.order(decisions.dates);
  const sums = figures.map(({ name, tally }) => [name, tally.sum(decimal)] as const);
  const { mapping } = layout;
  const { window } = decisions;
  return {
    encoding,
    decimal,
    dates,
    quote,
    hasOneLineEnd,
    rows,
    sums: Object.fromEntries(sums),
    ...(mapping !== undefined && { mapping }),
    ...(window !== undefined && { window }),
  };
}

interface Tables {
  readonly quote: string;
  readonly rows: number;
  readonly broken: number;
  readonly figures: readonly { readonly name: string; readonly tally: FigureTally }[];
  readonly days: DayTally;
  readonly hasOneLineEnd: boolean;
}

/** DuckDB's time grows with the square of the surplus columns of a line: a total of 20 million takes a second. */
const MOST_RAGGED = 20_000_000;

function read(
  bytes: Uint8Array,
  { format, columns, delimiter, width, dataStart }: Layout,
  quote: string,
): Tables {
  const days = new DayTally();
  const places = Object.entries(columns).map(([name, column]) => ({
    name,
    column,
    type: format.columns[name]?.type ?? "text",
  }));
  const figures = places
    .filter(({ type }) => FIGURES.has(type))
    .map(({ name, column, type }) => ({ name, column, tally: new FigureTally(type === "count") }));
  const dated = places.filter(({ type }) => DATES.has(type));
  let [rows, broken, ragged] = [0, 0, 0];
  const ends = readRecords(bytes, dataStart, { delimiter, quote }, (record) => {
    const { cells } = record;
    if (cells === width && !record.isBroken) {
      rows += 1;
      for (const { column, tally } of figures) tally.add(bytes, record, column);
      for (const { column } of dated) days.add(bytes, record, column);
    } else if (cells > 1 || record.ends[0] !== record.starts[0]) {
      broken += 1;
      ragged += Math.max(0, cells - width) ** 2;
    }
    return ragged <= MOST_RAGGED;
  });
  if (ragged > MOST_RAGGED)
    throw refusal(`The lines of this ${format.title} have far more columns than its header.`);
  const hasOneLineEnd = ends.cr === 0 && (ends.lf === 0 || ends.crlf === 0);
  return { quote, rows, broken, figures, days, hasOneLineEnd };
}

/** The sums of one column for each decimal separator. */
class FigureTally {
  readonly #isCount: boolean;
  /** The sum of cells that have the same value with both separators. */
  readonly #shared = new ExactSum();
  readonly #sums = { point: new ExactSum(), comma: new ExactSum() };
  /** A cell that is a figure with only one separator. */
  readonly only: { point?: string; comma?: string } = {};
  /** A count such as 1.000, which is unlikely to have three decimals. */
  readonly hardly: { point?: string; comma?: string } = {};
  /** A cell that is a different figure with each separator. */
  open: string | undefined;

  constructor(isCount: boolean) {
    this.#isCount = isCount;
  }

  add(bytes: Uint8Array, record: TableRecord, cell: number): void {
    const start = record.starts[cell] ?? 0;
    const end = record.ends[cell] ?? 0;
    let digits = 0;
    let mantissa = 0;
    let sign = 0;
    let before = 0;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte >= 48 && byte <= 57 && digits < 15) {
        mantissa = mantissa * 10 + byte - 48;
        digits += 1;
      } else if ((byte === 46 || byte === 44) && sign === 0) {
        sign = byte;
        before = digits;
      } else {
        this.#addText(cellText(bytes, record, cell));
        return;
      }
    }
    if (sign === 0) this.#shared.addSmall(mantissa, 0);
    else {
      const decimals = digits - before;
      // Most figures are short, and their decimals cannot be a group of thousands.
      if (this.#isCount || decimals === 3 || digits === 0) this.#addText(cellText(bytes, record, cell));
      else {
        const reading = sign === 46 ? "point" : "comma";
        const unit = 10 ** Math.max(0, decimals - DECIMALS);
        this.#sums[reading].addSmall(
          Math.floor((mantissa + Math.floor(unit / 2)) / unit),
          Math.min(decimals, DECIMALS),
        );
        this.only[reading] ??= cellText(bytes, record, cell);
      }
    }
  }

  sum(decimal: DecimalSign): string {
    const sum = new ExactSum();
    sum.addAll(this.#shared);
    sum.addAll(this.#sums[decimal]);
    return String(sum);
  }

  #addText(cell: string): void {
    const [point, comma] = DECIMAL_SIGNS.map((reading) => figureIn(cell, reading, this.#isCount));
    if (point !== undefined) this.#sums.point.add(point);
    if (comma !== undefined) this.#sums.comma.add(comma);
    if (point !== undefined && comma !== undefined) {
      if (!isSame(point, comma)) this.open ??= cell;
      return;
    }
    const [fit, other] = point === undefined ? (["comma", "point"] as const) : (["point", "comma"] as const);
    if ((point ?? comma) === undefined) return;
    const isHardly = this.#isCount && new RegExp(`^${thousandsLike(other)}$`, "u").test(cell.trim());
    (isHardly ? this.hardly : this.only)[fit] ??= cell;
  }
}

function isSame(left: Figure, right: Figure): boolean {
  return left.mantissa * 10n ** BigInt(right.scale) === right.mantissa * 10n ** BigInt(left.scale);
}

function decimalOf(
  figures: Tables["figures"],
  { format }: Layout,
  decided: DecimalSign | undefined,
): DecimalSign {
  const of = (pick: (tally: FigureTally) => string | undefined): readonly [string, string] | undefined => {
    for (const { name, tally } of figures) {
      const cell = pick(tally);
      if (cell !== undefined) return [shown(cell), format.columns[name]?.label ?? name];
    }
    return undefined;
  };
  const [point, comma] = [of(({ only }) => only.point), of(({ only }) => only.comma)];
  if (point !== undefined && comma !== undefined) {
    if (decided !== undefined) return decided;
    throw refusal(
      `Its figures have two decimal signs: ${point[0]} in ${point[1]} is a figure with a point, ${comma[0]} in ${comma[1]} one with a comma. Import it with --decimal point or --decimal comma; rows that do not fit are then left out.`,
    );
  }
  if (point !== undefined) return "point";
  if (comma !== undefined) return "comma";
  for (const sign of DECIMAL_SIGNS) if (of(({ hardly }) => hardly[sign]) !== undefined) return sign;
  const open = of((tally) => tally.open);
  if (open === undefined) return decided ?? "point";
  if (decided !== undefined) return decided;
  const sums = figures.filter(({ tally }) => tally.open !== undefined).map(({ tally }) => tally);
  const [first] = sums;
  throw refusal(
    `Its decimal sign is uncertain (${open[0]} in ${open[1]}): the sum is ${first?.sum("point") ?? ""} with a decimal point, ${first?.sum("comma") ?? ""} with a decimal comma. Import it again with --decimal point or --decimal comma.`,
  );
}

/** Evidence for the order of day and month in a file's dates. */
class DayTally {
  readonly #only: { "day-first"?: string; "month-first"?: string } = {};
  #open: string | undefined;

  add(bytes: Uint8Array, record: TableRecord, cell: number): void {
    const start = record.starts[cell] ?? 0;
    // In most files the year comes first.
    const isYear =
      isDigit(bytes[start]) &&
      isDigit(bytes[start + 1]) &&
      isDigit(bytes[start + 2]) &&
      isDigit(bytes[start + 3]);
    if (isYear) return;
    const text = cellText(bytes, record, cell);
    if (hasDoubtfulYear(text))
      throw refusal(
        `Its date ${shown(text)} does not end in a year: write years with four digits and import it again.`,
      );
    const [day, month] = [dayIn(text, "day-first"), dayIn(text, "month-first")];
    if (day === month) return;
    if (day !== undefined && month !== undefined) this.#open ??= text;
    else this.#only[day === undefined ? "month-first" : "day-first"] ??= text;
  }

  order(decided: DayOrder | undefined): DayOrder | null {
    const { "day-first": day, "month-first": month } = this.#only;
    const open = this.#open;
    if (day !== undefined && month !== undefined && decided === undefined)
      throw refusal(
        `Its dates have two orders: ${shown(day)} has the day first, ${shown(month)} the month. Import it with --dates day-first or --dates month-first; rows that do not fit are then left out.`,
      );
    if (day !== undefined && month === undefined) return "day-first";
    if (month !== undefined && day === undefined) return "month-first";
    if (decided !== undefined) return decided;
    if (open === undefined) return null;
    throw refusal(
      `The order of its dates is uncertain: ${shown(open)} is ${dayIn(open, "day-first") ?? ""} with the day first, ${dayIn(open, "month-first") ?? ""} with the month first. Import it again with --dates day-first or --dates month-first.`,
    );
  }
}

function isDigit(byte = 0): boolean {
  return byte >= 48 && byte <= 57;
}

/** A figure or date in the form in which a message quotes it. */
function shown(cell: string): string {
  return JSON.stringify(cell.trim().slice(0, 40));
}

function refusal(sentence: string): SkillError {
  return new SkillError("GATEWAY_FILE_UNKNOWN", sentence, {
    hint: "Import it again with the option that decides, or download it again.",
  });
}
