import { blockText, type ContentText } from "./block.ts";
import { parsedWords } from "./gfm-parser.ts";
import {
  isBlank,
  isHeading,
  isUnsure,
  itemMarker,
  leadingSpaces,
  openingFence,
  type ContentLines,
  type Read,
} from "./lines.ts";
import { plainInline } from "./plain-inline.ts";
import { startsTable } from "./plain-table.ts";

/** The paragraph that begins at a line. It ends at a blank line and before what may interrupt it. */
export function plainParagraph(source: ContentLines, at: number): Read<ContentText> | undefined {
  const { lines, lineEnd } = source;
  if (lines[at]?.startsWith(" ")) return undefined;
  let next = at;
  for (; !isBlank(lines[next]) && (next === at || !interrupts(source, next)); next += 1) {
    const line = lines[next] ?? "";
    if (isUnsure(line.slice(leadingSpaces(line)))) return undefined;
  }
  const words = paragraphWords(lines.slice(at, next), lineEnd);
  return words === undefined ? undefined : { blocks: [{ kind: "paragraph", text: blockText(words) }], next };
}

/**
 * The words of a paragraph by its lines; the first begins with its words. Undefined where the parser would have to see
 * what stands around it: white space before a line is nothing, except inside code.
 */
export function paragraphWords(lines: readonly string[], lineEnd: string): string | undefined {
  const words = plainInline(withoutEdges(lines, lineEnd));
  if (words !== undefined) return words;
  return lines.some((line) => line.startsWith(" ")) ? undefined : parsedWords(lines.join(lineEnd));
}

function interrupts(source: ContentLines, at: number): boolean {
  const line = source.lines[at] ?? "";
  if (isHeading(line) || openingFence(line) !== undefined || startsTable(source, at)) return true;
  const marker = itemMarker(line);
  return marker !== undefined && marker.indent === 0 && (marker.number ?? 1) === 1;
}

/** Two spaces at the end of a line break it, whatever ends the lines; others count for nothing. */
function withoutEdges(lines: readonly string[], lineEnd: string): string {
  let words = "";
  let between = "";
  for (const line of lines) {
    let end = line.length;
    while (line.endsWith(" ", end)) end -= 1;
    words += between + line.slice(leadingSpaces(line), end);
    between = line.length - end > 1 ? "\n" : lineEnd;
  }
  return words;
}
