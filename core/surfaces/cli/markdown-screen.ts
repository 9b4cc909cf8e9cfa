import { columnsOf, fitted } from "./text.ts";

/** A table of Markdown: its cells, the head first, all rows of one length. */
type Cells = readonly (readonly string[])[];

const DELIMITER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
const FIGURE = /^[-+]?[\d,.]+%?$|^—?$/;
/** A row of a trend begins with a day, a month, or a range of days. */
const DAY = /^\d{4}-\d{2}(?:-\d{2})?\b/;
const LEAST_POINTS = 5;
const CHART_ROWS = 6;
const GAP = "  ";
const NARROWEST = 6;

/**
 * Markdown as a person reads it at a terminal of that many columns: tables are aligned, and below one that goes through
 * days, weeks or months in their order its first figure is drawn as a small chart. Everything else stays as it is.
 */
export async function onScreen(markdown: string, columns: number): Promise<string> {
  const lines = markdown.split("\n");
  const shown: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (!line.startsWith("|") || !DELIMITER.test(lines[at + 1] ?? "")) {
      shown.push(line);
      continue;
    }
    let end = at + 2;
    while (lines[end]?.startsWith("|") === true) end += 1;
    const cells = [line, ...lines.slice(at + 2, end)].map(cellsOf);
    shown.push(await aligned(cells, columns), ...(await chartOf(cells, columns)));
    at = end - 1;
  }
  return shown.join("\n");
}

function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

async function aligned(cells: Cells, columns: number): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const [head = [], ...body] = cells;
  const colWidths = widthsOf(cells, columns - 1);
  const table = new Table({
    colWidths: [...colWidths],
    colAligns: head.map((_, column) => (column > 0 && isFigures(body, column) ? "right" : "left")),
    chars: { ...NO_LINES, middle: GAP },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0, compact: true },
  });
  const line = colWidths.map((width) => "─".repeat(width));
  const broken = (row: readonly string[]): string[] =>
    colWidths.map((width, column) => inLines(row[column] ?? "", width));
  table.push(broken(head), line, ...body.map(broken));
  return table.toString().replaceAll(/ +$/gm, "");
}

const NO_LINES = Object.fromEntries(
  "top,top-mid,top-left,top-right,bottom,bottom-mid,bottom-left,bottom-right,left,left-mid,mid,mid-mid,right,right-mid"
    .split(",")
    .map((name) => [name, ""]),
);

/** A cell in lines of at most `width` columns, broken at spaces where there are some. */
function inLines(cell: string, width: number): string {
  const lines: string[] = [];
  let rest = cell;
  while (columnsOf(rest) > width) {
    const whole = fitted(rest, width);
    const space = rest[whole.length] === " " ? whole.length : whole.lastIndexOf(" ");
    const line = space > 0 ? whole.slice(0, space) : whole;
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return [...lines, rest].join("\n");
}

function isFigures(rows: Cells, column: number): boolean {
  return rows.every((row) => FIGURE.test(row[column] ?? ""));
}

/** The columns' widths: as wide as their cells, and where that is too much the widest give way. */
function widthsOf(cells: Cells, columns: number): readonly number[] {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(1, ...cells.map((row) => columnsOf(row[column] ?? ""))),
  );
  const room = columns - GAP.length * (widths.length - 1);
  const hasFigures = widths.map((_, column) => isFigures(cells.slice(1), column));
  for (let over = sum(widths) - room; over > 0; over -= 1) {
    // Words give way before figures.
    const words = Math.max(0, ...widths.filter((_, column) => hasFigures[column] === false));
    const most = words > NARROWEST ? words : Math.max(...widths);
    const widest = widths.findIndex(
      (width, column) => width === most && (words <= NARROWEST || hasFigures[column] === false),
    );
    if ((widths[widest] ?? 0) <= NARROWEST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

async function chartOf([head = [], ...body]: Cells, columns: number): Promise<readonly string[]> {
  const days = body.map(([first = ""]) => first);
  const isTrend = days.every((day, at) => DAY.test(day) && (at === 0 || day > (days[at - 1] ?? "")));
  const figure = head.findIndex(
    (_, column) => column > 0 && body.every((row) => numberOf(row[column]) !== undefined),
  );
  if (!isTrend || body.length < LEAST_POINTS || figure === -1) return [];
  const { default: asciichart } = await import("asciichart");
  const values = body.map((row) => numberOf(row[figure]) ?? 0);
  const label = Math.max(...values.map((value) => rounded(value).length));
  const points = drawnPoints(values, columns - label - 4);
  const chart = asciichart.plot(points, {
    height: CHART_ROWS,
    offset: 2,
    format: (value) => rounded(value).padStart(label),
  });
  return ["", fitted(head[figure] ?? "", columns), chart.replaceAll(/ +$/gm, "")];
}

/** As many points as there is room for: each the mean of those that fall on it; where there is plenty, each twice or thrice. */
function drawnPoints(values: readonly number[], room: number): readonly number[] {
  const times = Math.min(3, Math.floor(room / values.length));
  if (times >= 1) return values.flatMap((value) => Array.from({ length: times }, () => value));
  return Array.from({ length: room }, (_, at) => {
    const [from, to] = [at, at + 1].map((edge) => Math.floor((edge * values.length) / room));
    const part = values.slice(from, Math.max((from ?? 0) + 1, to ?? 0));
    return sum(part) / part.length;
  });
}

function numberOf(cell: string | undefined): number | undefined {
  const plain = (cell ?? "").replaceAll(",", "");
  return /^[-+]?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

function rounded(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
