import type { FigureTable } from "../contract.ts";

/** One value: the number or text, and how an answer shows it. */
export interface Cell {
  readonly value: string | number | null;
  readonly text: string;
}

/** A column. One without a label is part of the data only, and is not shown. */
export type Column = FigureTable["columns"][number];

/** A column with the cell that it has for a row. */
export type CellColumn<Row> = Column & { readonly cell: (row: Row, place: number) => Cell };

/** Dimensions and measures, now and before: the only form in which figures leave a query. */
export interface Rectangle {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export function column<Row>(
  name: string,
  label: string,
  unit: Column["unit"],
  cell: CellColumn<Row>["cell"],
): CellColumn<Row> {
  return { name, label, unit, cell };
}

export const NOTHING: Cell = { value: null, text: "—" };

export function rectangle<Row>(columns: readonly CellColumn<Row>[], rows: readonly Row[]): Rectangle {
  return {
    columns: columns.map(({ name, label, unit }) => ({ name, label, unit })),
    rows: rows.map((row, place) => columns.map(({ cell }) => cell(row, place))),
  };
}

/** A cell of text. */
export function worded(text: string): Cell {
  return { value: text, text };
}

/** 1234567 as `1,234,567`. */
export function counted(value: number | undefined): Cell {
  return value === undefined ? NOTHING : { value, text: count(value) };
}

/** A share in per cent with one place. */
export function share(value: number | undefined): Cell {
  return value === undefined ? NOTHING : { value, text: `${value.toFixed(1)}%` };
}

/** A change in per cent with one place and its sign. */
export function change(value: number | undefined): Cell {
  if (value === undefined) return NOTHING;
  const text = Math.abs(value).toFixed(1);
  return { value, text: Number(text) === 0 ? "0.0%" : `${value > 0 ? "+" : "-"}${grouped(text)}%` };
}

/** A difference of whole numbers, with its sign. */
export function difference(value: number): Cell {
  return signed({ value, text: count(value) });
}

/** A difference with a plus where it is one. */
export function signed({ value, text }: Cell & { readonly value: number }): Cell {
  return { value, text: value > 0 ? `+${text}` : text };
}

function count(value: number): string {
  return grouped(String(Math.round(value)));
}

/** Decimal text with thousands separators. */
export function grouped(number: string): string {
  const [whole = "", places] = number.split(".");
  const separated = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return places === undefined ? separated : `${separated}.${places}`;
}

/** The columns that have a label as a GFM table; empty where none has. */
export function markdownTable({ columns, rows }: Rectangle): string {
  const isShown = (_: unknown, place: number): boolean => columns[place]?.label !== "";
  const header = columns.filter(isShown).map(({ label }) => label);
  if (header.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.map(escapedCell).join(" | ")} |`;
  const lines = rows.map((row) => line(row.filter(isShown).map(({ text }) => text)));
  return [line(header), `| ${header.map(() => "---").join(" | ")} |`, ...lines].join("\n");
}

/** A rectangle as data, with what it is of. */
export function tableOf(
  { columns, rows }: Rectangle,
  facts: Omit<FigureTable, "columns" | "rows">,
): FigureTable {
  return { ...facts, columns: [...columns], rows: rows.map((row) => row.map(valueOf)) };
}

/** Twelve digits: sums of binary fractions differ behind them. */
function valueOf({ value }: Cell): Cell["value"] {
  return typeof value === "number" ? Number(value.toPrecision(12)) : value;
}

function escapedCell(cell: string): string {
  return oneLine(cell).replaceAll("\\", "\\\\").replaceAll("|", "\\|").trim();
}

/** Text without line ends and controls. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ");
}
