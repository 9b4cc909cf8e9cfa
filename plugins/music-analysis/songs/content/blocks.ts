import { blockText, type ContentBlock } from "./block.ts";
import { parsedBlocks } from "./gfm-parser.ts";
import {
  closingFence,
  isBlank,
  isHeading,
  itemMarker,
  openingFence,
  type ContentLines,
  type Read,
} from "./lines.ts";
import { nextStart } from "./next-start.ts";
import { plainInline } from "./plain-inline.ts";
import { plainList } from "./plain-list.ts";
import { plainParagraph } from "./plain-paragraph.ts";
import { plainTable, startsTable } from "./plain-table.ts";

const RULE = /^(?:-{3,}|\*{3,}|_{3,}) *$/u;
const NESTED = /^ *>/u;

/**
 * The blocks of a content. What its lines alone make certain is read from them, the rest is given to the GFM parser,
 * from where it begins to where something certainly begins anew.
 */
export function readBlocks(source: ContentLines): readonly ContentBlock[] {
  const { lines, lineEnd } = source;
  const blocks: ContentBlock[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const plain = plainBlocks(source, at);
    const next = plain?.next ?? nextStart(source, at);
    const read = plain?.blocks ?? parsedBlocks(lines.slice(at, next).join(lineEnd));
    for (const block of read) blocks.push(block);
    at = next;
  }
  return blocks;
}

/**
 * The block that begins at a line, where the lines alone say what the GFM parser makes of it; undefined where they do
 * not. The line must not be blank, and what stands before it must have ended. A block that ends without a blank line
 * comes with the one behind it: they are certain together or not at all.
 */
function plainBlocks(source: ContentLines, at: number): Read<ContentBlock> | undefined {
  const line = source.lines[at] ?? "";
  const fence = openingFence(line);
  if (fence !== undefined) return { blocks: [], next: closingFence(source, at, fence) + 1 };
  if (RULE.test(line)) return { blocks: [], next: at + 1 };
  if (isHeading(line)) return { blocks: heading(line), next: at + 1 };
  const first = longBlock(source, at);
  if (first === undefined || isBlank(source.lines[first.next])) return first;
  const second = plainBlocks(source, first.next);
  return second && { blocks: first.blocks.concat(second.blocks), next: second.next };
}

function longBlock(source: ContentLines, at: number): Read<ContentBlock> | undefined {
  const line = source.lines[at] ?? "";
  if (line.startsWith(">")) return quote(source, at);
  if (startsTable(source, at)) return plainTable(source, at);
  return itemMarker(line) === undefined ? plainParagraph(source, at) : plainList(source, at);
}

function heading(line: string): readonly ContentBlock[] {
  const text = line.replace(/^#+/u, "").trim();
  const words = text.endsWith("#") ? undefined : plainInline(text);
  return words === undefined ? parsedBlocks(line) : [{ kind: "heading", text: blockText(words) }];
}

/** What stands in a quote is a content of its own. Tabs and quotes in quotes are left to the parser. */
function quote({ lines, lineEnd }: ContentLines, at: number): Read<ContentBlock> | undefined {
  const quoted: string[] = [];
  for (let next = at; lines[next]?.startsWith(">"); next += 1) {
    const line = lines[next] ?? "";
    const text = line.slice(line.startsWith("> ") ? 2 : 1);
    if (text.includes("\t") || NESTED.test(text)) return undefined;
    quoted.push(text);
  }
  const next = at + quoted.length;
  const behind = lines[next];
  const isOver =
    behind === undefined || isBlank(behind) || isHeading(behind) || openingFence(behind) !== undefined;
  return isOver ? { blocks: readBlocks({ lines: quoted, lineEnd }), next } : undefined;
}
