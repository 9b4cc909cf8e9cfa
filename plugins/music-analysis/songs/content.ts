import { simplified } from "./fold.ts";
import { inlineWords } from "./inline-words.ts";

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

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/u;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/u;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/u;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/u;
const ITEM = /^([ \t]*)([-*+]|(\d{1,9})[.)])([ \t]+|$)(.*)$/u;
const QUOTES = /^(?: {0,3}> ?)+/u;
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/u;
const DEFINITION = /^ {0,3}\[[^\]]{1,200}\]:[ \t]*\S+/u;
const CODE = /^(?: {4}|\t)/u;
const HTML =
  /^ {0,3}<(?:!--|\/?(?:div|p|table|tr|td|th|ul|ol|li|h[1-6]|section|details|summary|script|style|pre|iframe|blockquote|center|hr|br)\b)/iu;

/**
 * A Markdown content as the blocks songs are looked for in, in document order: emphasis, links, addresses, HTML, code
 * blocks and images are gone, escapes are read (docs/music-analysis.md, Reading songs 1 and 4). Line by line, in time in
 * proportion to its length. Never throws.
 */
export function contentBlocks(content: string): readonly ContentBlock[] {
  const reader = new BlockReader();
  const lines = content.replace(/^\uFEFF/u, "").split(/\r\n|\n|\r/u);
  for (let at = 0; at < lines.length;) at = reader.read(lines, at);
  return reader.close();
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

/** The blocks read so far, and the paragraph or item that may go on. */
class BlockReader {
  readonly #blocks: ContentBlock[] = [];
  #lines: string[] = [];
  /** How far the words of the open item are from the beginning of the line; undefined outside of lists. */
  #itemWidth: number | undefined;
  #number: number | undefined;
  #afterBlank = true;

  /** Reads what begins at a line. Answers the line after it. */
  read(lines: readonly string[], at: number): number {
    const line = unquoted(lines[at] ?? "");
    const isBlank = line.trim() === "";
    const end = isBlank ? undefined : this.#whole(lines, line, at);
    if (end === undefined && isBlank && this.#itemWidth === undefined) this.#flush();
    this.#afterBlank = isBlank || end !== undefined;
    return end ?? at + 1;
  }

  close(): readonly ContentBlock[] {
    this.#flush();
    return this.#blocks;
  }

  /** Reads a line with words, and the lines that belong to the same table, code or page part. */
  #whole(lines: readonly string[], line: string, at: number): number | undefined {
    const [, fence, info = ""] = FENCE.exec(line.trimStart()) ?? [];
    if (fence !== undefined && !(fence.startsWith("`") && info.includes("`")))
      return fenceEnd(lines, at, fence);
    const isInside = this.#itemWidth !== undefined && indentOf(line) >= this.#itemWidth;
    if (!isInside && HEADING.test(line)) this.#heading(line);
    else if (!isInside && this.#lines.length > 0 && this.#itemWidth === undefined && UNDERLINE.test(line))
      this.#flush("heading");
    else if (!isInside && RULE.test(line)) this.#flush();
    else if (!isInside && isTable(line, lines[at + 1])) return this.#table(lines, at);
    else if (ITEM.test(line) && !CODE.test(isInside || this.#lines.length > 0 ? "" : line))
      this.#item(line, isInside);
    else if (this.#lines.length === 0 && CODE.test(line)) return at + 1;
    else if (this.#lines.length === 0 && (HTML.test(line) || DEFINITION.test(line)))
      return partEnd(lines, at);
    else {
      if (this.#afterBlank && this.#itemWidth !== undefined && !isInside) this.#flush();
      if (!(this.#afterBlank && isInside && indentOf(line) >= (this.#itemWidth ?? 0) + 4))
        this.#lines.push(this.#afterBlank && isInside ? `\n${line.trim()}` : line.trim());
    }
    return undefined;
  }

  /** A new item of the outermost list, or one inside an item, which is part of its words. */
  #item(line: string, isInside: boolean): void {
    const [, indent = "", marker = "", digits, gap = "", words = ""] = ITEM.exec(line) ?? [];
    // A number other than 1 does not interrupt a paragraph.
    const isParagraph = this.#itemWidth === undefined && this.#lines.length > 0;
    if (isParagraph && ((digits !== undefined && Number(digits) !== 1) || words === "")) {
      this.#lines.push(line.trim());
      return;
    }
    if (isInside) {
      this.#lines.push(`\n\n${words.trim()}`);
      return;
    }
    const number = this.#number === undefined || digits === undefined ? undefined : this.#number + 1;
    this.#flush();
    this.#number = number ?? (digits === undefined ? undefined : Number(digits));
    this.#itemWidth = indentOf(indent) + marker.length + Math.min(Math.max(1, gap.length), 4);
    this.#lines = [words.trim()];
  }

  #table(lines: readonly string[], at: number): number {
    this.#flush();
    let end = at + 2;
    const rows: string[] = [];
    for (; end < lines.length; end += 1) {
      const row = unquoted(lines[end] ?? "");
      if (row.trim() === "" || HEADING.test(row) || FENCE.test(row) || (ITEM.test(row) && !row.includes("|")))
        break;
      rows.push(row);
    }
    const header = cellsOf(unquoted(lines[at] ?? "")).map(cellWords);
    this.#blocks.push({ kind: "table", header, rows: rows.map((row) => cellsOf(row).map(cellWords)) });
    return end;
  }

  #heading(line: string): void {
    this.#flush();
    const words = line
      .trim()
      .replace(/^#+/u, "")
      .replace(/[ \t]#+$/u, "");
    this.#blocks.push({ kind: "heading", text: inlineWords(words).trim() });
  }

  #flush(kind: ContentText["kind"] = this.#itemWidth === undefined ? "paragraph" : "item"): void {
    if (this.#lines.length > 0) {
      const text = inlineWords(this.#lines.join("\n")).trim();
      const number = kind === "item" ? this.#number : undefined;
      this.#blocks.push(number === undefined ? { kind, text } : { kind, text, number });
    }
    this.#lines = [];
    this.#itemWidth = undefined;
    this.#number = undefined;
  }
}

function unquoted(line: string): string {
  return line.replace(QUOTES, "");
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isTable(line: string, next = ""): boolean {
  const delimiters = unquoted(next);
  if (!line.includes("|") || !DELIMITERS.test(delimiters)) return false;
  return cellsOf(line).length === cellsOf(delimiters).length;
}

/** What stands between the bars that are not escaped; the first and the last bar may be left out. */
function cellsOf(row: string): readonly string[] {
  const bare = row
    .trim()
    .replace(/^\|/u, "")
    .replace(/(?<!\\)\|$/u, "");
  return bare.split(/(?<!\\)\|/u);
}

function cellWords(cell: string): string {
  return inlineWords(cell.trim().replaceAll("\\|", "|")).trim();
}

/** The line after a fenced block; one that is never closed takes the rest. */
function fenceEnd(lines: readonly string[], at: number, fence: string): number {
  const closing = new RegExp(`^[ \\t]*${fence.charAt(0)}{${fence.length},}[ \\t]*$`, "u");
  let end = at + 1;
  while (end < lines.length && !closing.test(unquoted(lines[end] ?? ""))) end += 1;
  return end + 1;
}

/** The line after a part of a page: its end is a blank line, that of a comment its mark. */
function partEnd(lines: readonly string[], at: number): number {
  if (DEFINITION.test(lines[at] ?? "")) return at + 1;
  const isComment = lines[at]?.trimStart().startsWith("<!--") ?? false;
  const isLast = (line: string): boolean => (isComment ? line.includes("-->") : line.trim() === "");
  let end = isComment ? at : at + 1;
  while (end < lines.length && !isLast(lines[end] ?? "")) end += 1;
  return end + 1;
}
