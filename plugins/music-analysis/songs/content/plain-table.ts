import { blockText, type ContentTable } from "./block.ts";
import { parsedBlocks } from "./gfm-parser.ts";
import { isBlank, isHeading, openingFence, type ContentLines, type Read } from "./lines.ts";
import { plainInline } from "./plain-inline.ts";

const DELIMITER = /^\|(?: *:?-+:? *\|)*(?: *:?-+:? *)?$/u;
const MARKED = /[\\`*_<&[\0\t]/u;
const UNESCAPED_BAR = /(?<!\\)\|/u;

/** Whether a table with bars before its rows begins at a line, and not one line before it. */
export function startsTable({ lines }: ContentLines, at: number): boolean {
  const [header, delimiter] = [lines[at] ?? "", lines[at + 1] ?? ""];
  return (
    header.startsWith("|") &&
    !header.includes("\\") &&
    !DELIMITER.test(header) &&
    DELIMITER.test(delimiter) &&
    delimiter.includes("-") &&
    cellsOf(header).length === cellsOf(delimiter).length
  );
}

/**
 * The table there; undefined where the line behind it may be a row without a bar before it. Rows that are uncertain are
 * parsed as a table of their own.
 */
export function plainTable({ lines }: ContentLines, at: number): Read<ContentTable> | undefined {
  let next = at + 2;
  while (lines[next]?.startsWith("|")) next += 1;
  const behind = lines[next] ?? "";
  if (!isBlank(behind) && !isHeading(behind) && openingFence(behind) === undefined) return undefined;
  const table = lines.slice(at, next);
  const [header = "", delimiter = "", ...rows] = table;
  const cells = rows.map(rowCells);
  const head = rowCells(header);
  const unsure = rows.filter((_, number) => cells[number] === undefined);
  if (head !== undefined && unsure.length === 0)
    return { blocks: [{ kind: "table", header: head, rows: cells.map((row) => row ?? []) }], next };
  const [parsed, more] = parsedBlocks([header, delimiter, ...unsure].join("\n"));
  if (parsed?.kind !== "table" || more !== undefined || parsed.rows.length !== unsure.length)
    return undefined;
  const rest = parsed.rows.values();
  const all = cells.map((row) => row ?? rest.next().value ?? []);
  return { blocks: [{ kind: "table", header: parsed.header, rows: all }], next };
}

/** The cells of a row as words; undefined where the parser must decide. */
function rowCells(row: string): readonly string[] | undefined {
  if (row.includes("\\\\")) return undefined;
  const cells = cellsOf(row);
  const isPlain = !MARKED.test(row);
  if (isPlain && !row.includes("://")) return cells;
  const words = cells.map((cell) => (isPlain ? cell : plainInline(cell)));
  return words.every((text) => text !== undefined) ? words.map(blockText) : undefined;
}

/** What stands between the bars, without white space around it; the last bar may be left out. */
function cellsOf(row: string): readonly string[] {
  const cells = row.slice(1).split(row.includes("\\|") ? UNESCAPED_BAR : "|");
  if (cells.length > 1 && isBlank(cells.at(-1))) cells.pop();
  return cells.map((cell) => cell.trim());
}
