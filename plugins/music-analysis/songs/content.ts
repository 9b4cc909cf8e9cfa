import { simplified } from "./fold.ts";

/** A table of a content, cells as plain text. */
export interface ContentTable {
  readonly kind: "table";
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A heading, a paragraph or one whole item of an outermost list, as plain text. */
export interface ContentText {
  readonly kind: "heading" | "paragraph" | "item";
  readonly text: string;
  /** The number an ordered list gives the item. */
  readonly number?: number;
}

export type ContentBlock = ContentTable | ContentText;

/** A paragraph or item that may go on. */
interface OpenText {
  readonly lines: string[];
  /** How far the words of an item are from the beginning of the line; undefined for a paragraph. */
  readonly width?: number;
  readonly number?: number;
}

const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/u;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/u;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)$/u;
const ITEM = /^(\s*)([-*+]|(\d{1,9})[.)])(\s+|$)(.*)$/u;
const QUOTES = /^(?: {0,3}> ?)+/u;
const DELIMITERS = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/u;

/**
 * A Markdown content as the blocks songs are looked for in, in document order: emphasis, links, addresses, tags, fenced
 * code and images are gone, escapes are read (docs/music-analysis.md, Reading songs 1 and 4). Line by line, in time in
 * proportion to its length. Never throws.
 */
export function contentBlocks(content: string): readonly ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let open: OpenText | undefined;
  const begin = (next?: OpenText): void => {
    if (open) blocks.push(textOf(open));
    open = next;
  };
  const lines = content
    .replace(/^\uFEFF/u, "")
    .split(/\r\n|\n|\r/u)
    .map((line) => line.replace(QUOTES, ""));
  let isAfterBlank = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const isBlank = line.trim() === "";
    const isInside = open?.width !== undefined && indentOf(line) >= open.width;
    const [, fence] = FENCE.exec(line) ?? [];
    if (fence !== undefined) at = fenceEnd(lines, at, fence);
    else if (isBlank && open?.width === undefined) begin();
    else if (isBlank) open?.lines.push("");
    else if (HEADING.test(line) && !isInside) {
      begin();
      blocks.push({ kind: "heading", text: inlineWords(line.replace(HEADING, "").replace(/\s#+\s*$/u, "")) });
    } else if (RULE.test(line) && !isInside) begin();
    else if (isTable(line, lines[at + 1]) && !isInside) {
      begin();
      const end = tableEnd(lines, at + 2);
      const [header = [], ...rows] = [line, ...lines.slice(at + 2, end)].map(cellsOf);
      blocks.push({ kind: "table", header, rows });
      at = end - 1;
    } else if (ITEM.test(line) && !isInside) begin(itemOf(line));
    else if (open && (isInside || !isAfterBlank)) open.lines.push(line.trim());
    else begin({ lines: [line.trim()] });
    isAfterBlank = isBlank;
  }
  begin();
  return blocks;
}

/** A header for comparison: without spaces, case, width and script (docs/music-analysis.md, Reading songs 2). */
export function headerKey(header: string): string {
  return simplified(header.normalize("NFKC").toLowerCase().replace(/\s+/gu, ""));
}

/** The first column whose header is in a list, the list's order deciding; -1 where there is none. */
export function columnOf(header: readonly string[], names: readonly string[]): number {
  const keys = header.map(headerKey);
  const name = names.find((candidate) => keys.includes(candidate));
  return name === undefined ? -1 : keys.indexOf(name);
}

function itemOf(line: string): OpenText {
  const [, indent = "", marker = "", digits, gap = "", words = ""] = ITEM.exec(line) ?? [];
  const width = indent.length + marker.length + Math.min(Math.max(1, gap.length), 4);
  return { lines: [words], width, ...(digits !== undefined && { number: Number(digits) }) };
}

function textOf({ lines, width, number }: OpenText): ContentText {
  const text = inlineWords(lines.join("\n"));
  return { kind: width === undefined ? "paragraph" : "item", text, ...(number !== undefined && { number }) };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isTable(line: string, next = ""): boolean {
  return line.includes("|") && DELIMITERS.test(next) && cellsOf(line).length === cellsOf(next).length;
}

/** The line after a table, of which the lines from `at` on are rows. */
function tableEnd(lines: readonly string[], at: number): number {
  const isRow = (line: string): boolean =>
    line.trim() !== "" &&
    !HEADING.test(line) &&
    !FENCE.test(line) &&
    (!ITEM.test(line) || line.includes("|"));
  let end = at;
  while (end < lines.length && isRow(lines[end] ?? "")) end += 1;
  return end;
}

/** What stands between the bars that are not escaped; the first and the last bar may be left out. */
function cellsOf(row: string): readonly string[] {
  const bare = row
    .trim()
    .replace(/^\|/u, "")
    .replace(/(?<!\\)\|$/u, "");
  return bare.split(/(?<!\\)\|/u).map((cell) => inlineWords(cell.replaceAll("\\|", "|")));
}

/** The last line of a fenced block; one that is never closed takes the rest. */
function fenceEnd(lines: readonly string[], at: number, fence: string): number {
  const closing = new RegExp(`^\\s*${fence.charAt(0)}{${fence.length},}\\s*$`, "u");
  let end = at + 1;
  while (end < lines.length && !closing.test(lines[end] ?? "")) end += 1;
  return end;
}

/** What a text is made of beside words: escapes, code, links and images, tags and comments, character names. */
const TOKEN =
  /\\([!-/:-@[-`{-~]|\n)|(`{1,3})(?!`)(.{1,1000}?)(?<!`)\2(?!`)|!?\[((?:[^[\]\\\n]|\\.){0,2000})\](?:\((?:[^()\s]|\([^()\s]*\)){0,4000}(?:\s+["'][^"'\n]*["'])?\)|\[[^[\]\n]{0,200}\])|<\/?[a-z][^<>]{0,4000}>|<!--.{0,300}?-->|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gisu;
/** Stars or underscores around words; underscores inside a word stay. */
const EMPHASIS =
  /(\*{1,3})(?=[^\s*])([^*]{0,1000}[^\s*])\1(?!\*)|(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^_]{0,1000}[^\s_])\3(?![\p{L}\p{N}_])/gu;
const ADDRESS = /\b(?:https?|ftp):\/\/[^\s<>《》（）]+/giu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  middot: "·",
  hellip: "…",
  mdash: "—",
  ndash: "–",
};

/**
 * The words of a text of one block: escapes and character names read, emphasis, code marks, links and tags gone, images
 * and addresses left out.
 */
function inlineWords(text: string): string {
  const words = text.replace(
    TOKEN,
    (token, escape?: string, _ticks?: string, code?: string, link?: string) => {
      // Stars and underscores that stand for themselves are out of sight while emphasis is read.
      const literal = escape ?? code;
      if (literal !== undefined) return literal.replaceAll("*", "\u0001").replaceAll("_", "\u0002");
      if (token.startsWith("!")) return "";
      if (link !== undefined) return inlineWords(link);
      if (token.startsWith("<")) return token.includes("://") ? token.slice(1, -1) : " ";
      return characterOf(token);
    },
  );
  const plain = words.replace(EMPHASIS, "$2$4").replace(EMPHASIS, "$2$4").replace(ADDRESS, " ");
  return plain.replaceAll("\u0001", "*").replaceAll("\u0002", "_").trim();
}

/** The character that a name or number in a text stands for. */
function characterOf(token: string): string {
  const [, base, digits] = /^&#(x?)([0-9a-f]+);$/iu.exec(token) ?? [];
  if (digits === undefined) return ENTITIES[token.slice(1, -1)] ?? token;
  const code = Number.parseInt(digits, base === "" ? 10 : 16);
  return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : token;
}
