import { columnsOf, fitted, linesOf } from "./text.ts";

/** The cells of a Markdown table, the head first. All rows have the same length. */
type Cells = readonly (readonly string[])[];

const DELIMITER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
const FIGURE = /^[-+]?[\d,.]+%?$|^—?$/;
/** The mark at the start of a list item or a quotation. */
const LEAD = /^\s*(?:(?:[-*+>]|\d{1,3}[.)])\s+)?/;
const GAP = "  ";
const ROOM_FOR_WORDS = 14;

const HEADING = /^#{1,6}\s/;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})\s*$/;
/** Text between marks of strong emphasis, outside of code. */
const STRONG = /(`[^`]*`)|\*\*(?!\s)((?:(?!\*\*).)+)(?<!\s)\*\*/g;
const BOLD = ["\u001B[1m", "\u001B[22m"] as const;

/**
 * Formats Markdown for a terminal of a given width: headings and strong text are bold (`isBold`; a heading is underlined
 * otherwise), text is wrapped between words and tables are aligned; a table that does not fit becomes a block of lines for each
 * row. Code, and words wider than the terminal, are not changed.
 */
export async function onScreen(markdown: string, columns: number, isBold = false): Promise<string> {
  const lines = markdown.split("\n");
  const shown: string[] = [];
  let isCode = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const isFence = /^\s*(?:```|~~~)/.test(line);
    isCode = isCode !== isFence;
    if (isCode || isFence || !line.startsWith("|") || !DELIMITER.test(lines[at + 1] ?? "")) {
      const isRaw = isCode || isFence || line.startsWith("|");
      shown.push(isRaw ? line : prose(line, columns - 1, isBold));
      continue;
    }
    let end = at + 2;
    while (lines[end]?.startsWith("|") === true) end += 1;
    const cells = [line, ...lines.slice(at + 2, end)].map(cellsOf);
    shown.push(await aligned(cells, columns));
    at = end - 1;
  }
  return shown.join("\n");
}

/** Wraps a paragraph or heading. Further lines of a list item are indented; those of a quotation have its mark. */
function prose(line: string, columns: number, isBold: boolean): string {
  const [mark] = HEADING.exec(line) ?? [];
  if (mark !== undefined) {
    const heading = line.slice(mark.length).trim().replace(/ #+$/, "");
    const lines = linesOf(unmarked(heading), columns);
    if (isBold) return lines.map(bold).join("\n");
    return [...lines, "─".repeat(Math.max(...lines.map(columnsOf)))].join("\n");
  }
  if (RULE.test(line)) return "─".repeat(columns);
  const [lead = ""] = LEAD.exec(line) ?? [];
  const below = lead.includes(">") ? lead : " ".repeat(lead.length);
  const rest = line.slice(lead.length);
  const lines = linesOf(unmarked(rest), columns - lead.length);
  return lead + (isBold ? emphasised(lines, rest) : lines).join(`\n${below}`);
}

function bold(text: string): string {
  return text === "" ? text : BOLD.join(text);
}

/** Makes the strong parts of a text bold in the lines that it was broken into. */
function emphasised(lines: readonly string[], text: string): readonly string[] {
  const plain = unmarked(text);
  const strong: (readonly [from: number, to: number])[] = [];
  let from = 0;
  for (const [, , words] of text.matchAll(STRONG)) {
    if (words === undefined) continue;
    const at = plain.indexOf(unmarked(words), from);
    from = at + unmarked(words).length;
    strong.push([at, from]);
  }
  let place = 0;
  return lines.map((line) => {
    const start = plain.indexOf(line, place);
    place = start + line.length;
    return strong.reduceRight((shown, [first, last]) => {
      const [left, right] = [Math.max(first - start, 0), Math.min(last - start, line.length)];
      return left < right
        ? shown.slice(0, left) + bold(shown.slice(left, right)) + shown.slice(right)
        : shown;
    }, line);
  });
}

function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => unmarked(cell.trim().replaceAll("\\|", "|")));
}

/** Removes marks of strong emphasis, and the escapes that prevent links (`inertMarkdown`): a terminal shows no links. */
function unmarked(words: string): string {
  return words.replace(STRONG, "$1$2").replaceAll("\\[", "[").replaceAll("\\<", "<");
}

async function aligned(cells: Cells, columns: number): Promise<string> {
  const colWidths = widthsOf(cells, columns - 1);
  if (colWidths === undefined) return inBlocks(cells, columns - 1);
  const { default: Table } = await import("cli-table3");
  const [head = [], ...body] = cells;
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
  const shown = table.toString().split("\n");
  return shown.map((row) => row.trimEnd()).join("\n");
}

const NO_LINES = Object.fromEntries(
  "top,top-mid,top-left,top-right,bottom,bottom-mid,bottom-left,bottom-right,left,left-mid,mid,mid-mid,right,right-mid"
    .split(",")
    .map((name) => [name, ""]),
);

/** Breaks a cell into lines of at most `width` columns, between words if possible. */
function inLines(cell: string, width: number): string {
  return linesOf(cell, width)
    .flatMap((line) => cut(line, width))
    .join("\n");
}

/** Splits code or a word that is too wide, after a space or hyphen if it has any. */
function cut(line: string, width: number): readonly string[] {
  const whole = fitted(line, width);
  if (whole === "" || whole === line) return [line];
  const part = /^.*[- ]/s.exec(whole)?.[0] ?? whole;
  return [part, ...cut(line.slice(part.length), width)];
}

function isFigures(rows: Cells, column: number): boolean {
  return rows.every((row) => FIGURE.test(row[column] ?? ""));
}

/** A block for each row: a line for each cell, after the name of its column. */
function inBlocks([head = [], ...rows]: Cells, columns: number): string {
  const width = Math.min(Math.max(...head.map(columnsOf)), columns >> 1);
  const room = columns - width - GAP.length;
  const pair = (name: string, cell: string): readonly string[] => {
    const [names, values] = [inLines(name, width).split("\n"), inLines(cell, room).split("\n")];
    return Array.from({ length: Math.max(names.length, values.length) }, (_, at) => {
      const left = names[at] ?? "";
      return `${left}${" ".repeat(width - columnsOf(left))}${GAP}${values[at] ?? ""}`.trimEnd();
    });
  };
  const blocks = rows.map((row) => head.flatMap((name, column) => pair(name, row[column] ?? "")).join("\n"));
  return blocks.join("\n\n");
}

/** The widths of the columns: if the table is too wide, heads are broken between words, then text. Undefined if figures would be. */
function widthsOf(cells: Cells, columns: number): readonly number[] | undefined {
  const [head = [], ...body] = cells;
  const widths = head.map((_, column) => Math.max(1, ...cells.map((row) => columnsOf(row[column] ?? ""))));
  const fewest = head.map((name, column) => {
    const words = isFigures(body, column)
      ? body.map((row) => row[column] ?? "")
      : [" ".repeat(ROOM_FOR_WORDS)];
    const widest = Math.max(...[...words, ...linesOf(name, 1)].map(columnsOf));
    return Math.min(widest, widths[column] ?? 0);
  });
  const unbroken = head.map((name, column) =>
    Math.max(
      ...body.map((row) => columnsOf(row[column] ?? "")),
      ...linesOf(name, 1).map((word) => columnsOf(word)),
    ),
  );
  for (const least of [unbroken, fewest]) {
    for (let over = sum(widths) + GAP.length * (widths.length - 1) - columns; over > 0; over -= 1) {
      const mayGive = (width: number, column: number): boolean => width > (least[column] ?? 0);
      const most = Math.max(...widths.filter(mayGive));
      const at = widths.findIndex((width, column) => width === most && mayGive(width, column));
      if (at < 0) break;
      widths[at] = most - 1;
    }
  }
  return sum(widths) + GAP.length * (widths.length - 1) > columns ? undefined : widths;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
