import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { simplified } from "./script.ts";

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

interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
  readonly ordered?: boolean | null | undefined;
  readonly start?: number | null | undefined;
}

const OPENS_LINE: ReadonlySet<string> = new Set(["paragraph", "heading", "listItem", "tableRow", "break"]);
const ADDRESS = /\b(?:https?|ftp):\/\/[^\s<>《》（）]+/giu;
const PAIRS = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] };

/**
 * A Markdown content as the blocks songs are looked for in, in document order: emphasis, links, addresses, HTML,
 * code blocks and images are gone, escapes are read (docs/music-analysis.md, Reading songs rules 1 and 4). Never throws.
 */
export function contentBlocks(content: string): readonly ContentBlock[] {
  const blocks: ContentBlock[] = [];
  const pending: MarkdownNode[] = [fromMarkdown(content, PAIRS)];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "table") blocks.push(tableBlock(node));
    else if (node.type === "list") blocks.push(...itemBlocks(node));
    else if (node.type === "heading" || node.type === "paragraph")
      blocks.push({ kind: node.type, text: plainText(node) });
    else pending.push(...(node.children ?? []).toReversed());
  }
  return blocks;
}

/** A header for comparison: without spaces, case, width and script (docs/music-analysis.md, Reading songs rule 2). */
export function headerKey(header: string): string {
  return simplified(header.normalize("NFKC").toLowerCase().replace(/\s+/gu, ""));
}

/** The first column whose header is in a list, the list's order deciding; -1 where there is none. */
export function columnOf(header: readonly string[], names: readonly string[]): number {
  const keys = header.map(headerKey);
  const name = names.find((candidate) => keys.includes(candidate));
  return name === undefined ? -1 : keys.indexOf(name);
}

function tableBlock(table: MarkdownNode): ContentTable {
  const [header = [], ...rows] = (table.children ?? []).map((row) => (row.children ?? []).map(plainText));
  return { kind: "table", header, rows };
}

function itemBlocks(list: MarkdownNode): readonly ContentText[] {
  return (list.children ?? []).map((item, place) => {
    const block = { kind: "item", text: plainText(item) } as const;
    return list.ordered === true ? { ...block, number: (list.start ?? 1) + place } : block;
  });
}

/** The words of a node, without recursion: contents may nest as deep as they are long. */
function plainText(root: MarkdownNode): string {
  const parts: string[] = [];
  const pending: MarkdownNode[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "code") continue;
    if (OPENS_LINE.has(node.type)) parts.push("\n");
    if (node.type === "html" || node.type === "tableCell") parts.push(" ");
    else if (node.value !== undefined) parts.push(node.value);
    pending.push(...(node.children ?? []).toReversed());
  }
  return parts.join("").replace(ADDRESS, " ").trim();
}
