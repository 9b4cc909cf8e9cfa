import type { FigureTable } from "../contract.ts";

/** One value: the number or text, and its display form in an answer. */
export interface Cell {
  readonly value: string | number | null;
  readonly text: string;
}

/** A column. A column without a label is part of the data only, and is not shown. */
export type Column = FigureTable["columns"][number];
export type Unit = Column["unit"];

/** A column with the function that returns its cell in a row. */
export type CellColumn<Row> = Column & { readonly cell: (row: Row) => Cell };

/** Dimensions and measures, current and earlier: the only form in which figures leave a query, and their charts. */
export interface Rectangle {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly charts: readonly Chart[];
}

/** A paragraph or list in Markdown, or figures. */
export type Block = string | Rectangle;

/** The cells of a rectangle as a chart: a line through time, or bars. */
export interface Chart {
  readonly kind: "line" | "bars";
  /** The name of the figures. */
  readonly title: string;
  /** The name of each point. */
  readonly labels: readonly string[];
  /** Lines, or bars of one colour. The name is empty if there is only one series. */
  readonly series: readonly { readonly name: string; readonly points: readonly Cell[] }[];
  /** The steps of a line that the period cuts short, or that are incomplete in the files. */
  readonly partial?: readonly boolean[];
  /** The points of a line that are labelled with their figures. */
  readonly turns?: readonly boolean[];
}

export const NOTHING: Cell = { value: null, text: "—" };

export function column<Row>(
  name: string,
  label: string,
  unit: Unit,
  cell: CellColumn<Row>["cell"],
): CellColumn<Row> {
  return { name, label, unit, cell };
}

export function rectangle<Row>(
  columns: readonly CellColumn<Row>[],
  rows: readonly Row[],
  charts: readonly Chart[] = [],
): Rectangle {
  return {
    columns: columns.map(({ name, label, unit }) => ({ name, label, unit })),
    rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
    charts,
  };
}

export function chartsOf(blocks: readonly Block[]): readonly Chart[] {
  return blocks.flatMap((block) => (typeof block === "string" ? [] : block.charts));
}

/** A cell of text; empty if there is none. */
export function worded(text: string): Cell {
  return text === "" ? NOTHING : { value: text, text };
}

/** A figure: counts in whole numbers, hours with one place, money with two, quotients with three digits. */
export function figured(value: number | undefined, unit: Unit = "count"): Cell {
  return value === undefined ? NOTHING : { value, text: (TEXTS[unit] ?? count)(value) };
}

/** The difference between two figures, with its sign. */
export function apart(now: number | undefined, before: number | undefined, unit: Unit = "count"): Cell {
  if (now === undefined || before === undefined) return NOTHING;
  const { value, text } = figured(now - before, unit);
  return { value, text: now > before ? `+${text}` : text };
}

const TEXTS: Readonly<Partial<Record<Unit, (value: number) => string>>> = {
  hours: (value) => grouped(value.toFixed(1)),
  percent: (value) => `${value.toFixed(2)}%`,
  quotient: (value) =>
    Math.abs(value) < 1 && value !== 0 ? Number(value.toPrecision(3)).toString() : grouped(value.toFixed(2)),
  money,
};

function count(value: number): string {
  return grouped(String(Math.round(value)));
}

/** Money: two decimals, or more if a smaller amount needs them. */
function money(value: number): string {
  const [whole = "", places = ""] = value.toFixed(6).split(".");
  const needed = /^-?0$/.test(whole) && places.startsWith("00") ? places.replace(/(?<!0)0+$/, "") : "";
  return grouped(
    `${whole}.${(needed === "" ? places : needed).padEnd(2, "0").slice(0, Math.max(2, needed.length))}`,
  );
}

/** A figure per day, with one decimal if it is small. */
export function perDay(of: { readonly value: number; readonly days: number } | undefined): Cell {
  const value = of && of.days > 0 ? of.value / of.days : undefined;
  const isSmall = value !== undefined && value < 100 && !Number.isInteger(value);
  return isSmall ? { value, text: value.toFixed(1) } : figured(value);
}

/** A share in per cent with one decimal. */
export function share(value: number | undefined): Cell {
  return value === undefined ? NOTHING : { value, text: `${value.toFixed(1)}%` };
}

/** A change in per cent with one decimal and its sign. */
export function change(value: number | undefined): Cell {
  if (value === undefined) return NOTHING;
  const text = Math.abs(value).toFixed(1);
  return { value, text: Number(text) === 0 ? "0.0%" : `${value > 0 ? "+" : "-"}${grouped(text)}%` };
}

/** Decimal text with thousands separators: 1234567 as `1,234,567`. */
export function grouped(number: string): string {
  const [whole = "", places] = number.split(".");
  const separated = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return places === undefined ? separated : `${separated}.${places}`;
}

/** The columns that have a label, with the text of their cells; undefined if no column has one. */
export function shownOf(
  { columns, rows }: Rectangle,
  isLeftOut?: (column: Column) => boolean,
): { readonly columns: readonly Column[]; readonly rows: readonly (readonly string[])[] } | undefined {
  const isShown = (_: unknown, at: number): boolean => {
    const one = columns[at];
    return one !== undefined && one.label !== "" && isLeftOut?.(one) !== true;
  };
  const shown = columns.filter(isShown);
  if (shown.length === 0) return undefined;
  return { columns: shown, rows: rows.map((row) => row.filter(isShown).map(({ text }) => text)) };
}

/** A rectangle as a GFM table; empty if no column has a label. */
export function markdownTable(of: Rectangle): string {
  const shown = shownOf(of);
  if (shown === undefined) return "";
  const line = (cells: readonly string[]): string => `| ${cells.map(escapedCell).join(" | ")} |`;
  const header = shown.columns.map(({ label }) => label);
  return [line(header), `| ${header.map(() => "---").join(" | ")} |`, ...shown.rows.map(line)].join("\n");
}

/** A rectangle as data, with its description. */
export function tableOf(
  { columns, rows }: Rectangle,
  facts: Omit<FigureTable, "columns" | "rows">,
): FigureTable {
  return { ...facts, columns: [...columns], rows: rows.map((row) => row.map(valueOf)) };
}

/** Rounded to twelve digits: sums of binary fractions differ after them. */
function valueOf({ value }: Cell): Cell["value"] {
  return typeof value === "number" ? Number(value.toPrecision(12)) : value;
}

function escapedCell(cell: string): string {
  return oneLine(cell).replaceAll("\\", "\\\\").replaceAll("|", "\\|").trim();
}

/** Removes line breaks and control characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ");
}
