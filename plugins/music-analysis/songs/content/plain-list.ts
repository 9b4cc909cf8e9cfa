import {
  isBlank,
  isHeading,
  isMarkerLike,
  isUnsure,
  itemMarker,
  leadingSpaces,
  openingFence,
  startsAtEdge,
  type ContentLines,
  type Marker,
  type Read,
} from "./lines.ts";
import { itemBlock, type ContentText } from "./block.ts";
import { paragraphWords } from "./plain-paragraph.ts";

/** The spaces a marker may have before it beyond what its place demands. */
const MOST_INDENT = 3;

/**
 * The items of the outermost lists that begin at a line, nested lists and paragraphs included; undefined where
 * something else may be among them, such as a table or code. Blank lines do not end a list, a line of text behind them
 * does.
 */
export function plainList({ lines, lineEnd }: ContentLines, at: number): Read<ContentText> | undefined {
  const list = new OpenList(lineEnd);
  let afterBlank = false;
  let next = at;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (isBlank(line)) {
      afterBlank = true;
      continue;
    }
    if (isHeading(line) || openingFence(line) !== undefined) break;
    const marker = itemMarker(line);
    const indent = marker?.indent ?? leadingSpaces(line);
    const text = line.slice(marker?.width ?? indent);
    const depth = list.depthOf(indent);
    if (afterBlank && startsAtEdge(line) && !isMarkerLike(line)) break;
    if (isUnsure(text)) return undefined;
    const isDeep = indent - list.widthAt(depth) > MOST_INDENT;
    if (marker !== undefined) {
      const interrupts = !afterBlank && depth > 0 && depth === list.depth;
      if (isDeep || (interrupts && (marker.number ?? 1) !== 1)) return undefined;
      list.addItem(depth, text, marker);
    } else if (!afterBlank) list.addLine(line);
    else if (isDeep || depth === 0) return undefined;
    else list.addParagraph(depth, text);
    afterBlank = false;
  }
  const blocks = list.close();
  return blocks && { blocks, next };
}

/** The items read so far, and the paragraph that may go on. */
class OpenList {
  readonly #lineEnd: string;
  readonly #items: ContentText[] = [];
  /** How far the content of each open item is from the beginning of the line, outermost first. */
  readonly #widths: number[] = [];
  #kind = "";
  #number: number | undefined;
  #words = "";
  #paragraph: string[] = [];
  #isSure = true;

  constructor(lineEnd: string) {
    this.#lineEnd = lineEnd;
  }

  get depth(): number {
    return this.#widths.length;
  }

  /** How many of the open items a line with so many spaces belongs to. */
  depthOf(indent: number): number {
    let depth = 0;
    while (this.widthAt(depth + 1) <= indent) depth += 1;
    return depth;
  }

  /** How far the content at a depth is from the beginning of the line. */
  widthAt(depth: number): number {
    return depth === 0 ? 0 : (this.#widths[depth - 1] ?? Infinity);
  }

  addItem(depth: number, text: string, { width, kind, number }: Marker): void {
    if (depth === 0) {
      this.#endItem();
      const before = kind === this.#kind ? this.#number : undefined;
      this.#number = before === undefined ? number : before + 1;
      this.#kind = kind;
    } else this.#endParagraph();
    this.#words += "\n\n";
    this.#widths.length = depth;
    this.#widths.push(width);
    this.#paragraph = [text];
  }

  addParagraph(depth: number, text: string): void {
    this.#endParagraph();
    this.#words += "\n";
    this.#widths.length = depth;
    this.#paragraph = [text];
  }

  addLine(line: string): void {
    this.#paragraph.push(line);
  }

  /** Undefined where a paragraph was uncertain. */
  close(): readonly ContentText[] | undefined {
    this.#endItem();
    return this.#isSure ? this.#items : undefined;
  }

  #endItem(): void {
    if (this.#paragraph.length === 0) return;
    this.#endParagraph();
    this.#items.push(itemBlock(this.#words, this.#number));
    this.#words = "";
  }

  #endParagraph(): void {
    const words = paragraphWords(this.#paragraph, this.#lineEnd);
    if (words === undefined) this.#isSure = false;
    else this.#words += words;
    this.#paragraph = [];
  }
}
