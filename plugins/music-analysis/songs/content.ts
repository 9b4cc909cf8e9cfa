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

interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
  readonly ordered?: boolean | null | undefined;
  readonly start?: number | null | undefined;
}

type Parse = (markdown: string) => MarkdownNode;

/** In UTF-16 units: what stands behind is shown, but no songs are read there. */
const MOST_READ = 500_000;
/** As many quotes and lists inside one another, or emphasis marks in one line, no answer has. */
const DEEPEST = 32;
const MOST_MARKS = 400;
const DEEP = new RegExp(`^((?:[ \\t]*(?:[>*+-]|\\d{1,9}[.)])){${DEEPEST}})[ \\t>*+\\-0-9.)]+`, "gmu");
const ADDRESS = /\b(?:https?|ftp):\/\/[^\s<>《》（）]+/giu;
const OPENS_LINE: ReadonlySet<string> = new Set(["paragraph", "heading", "listItem", "tableRow", "break"]);

let parser: Promise<Parse> | undefined;
/** The songs and the hint of one answer are read from the same content. */
let latest: { readonly content: string; readonly blocks: readonly ContentBlock[] } | undefined;

/**
 * A Markdown content as the blocks songs are looked for in, in document order: emphasis, links, addresses, HTML, code
 * blocks and images are gone, escapes are read (docs/music-analysis.md, Reading songs 1 and 4). Never throws.
 */
export async function contentBlocks(content: string): Promise<readonly ContentBlock[]> {
  if (latest?.content === content) return latest.blocks;
  parser ??= loaded();
  const parse = await parser;
  const blocks: ContentBlock[] = [];
  const pending: MarkdownNode[] = [parse(tamed(content.slice(0, MOST_READ)))];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "table") blocks.push(tableBlock(node));
    else if (node.type === "list") blocks.push(...itemBlocks(node));
    else if (node.type === "heading" || node.type === "paragraph")
      blocks.push({ kind: node.type, text: blockText(node) });
    else pending.push(...(node.children ?? []).toReversed());
  }
  latest = { content, blocks };
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

/** The parser is loaded with the first answer: what asks nothing starts without it. */
async function loaded(): Promise<Parse> {
  const [{ fromMarkdown }, { gfmTableFromMarkdown }, { gfmTable }] = await Promise.all([
    import("mdast-util-from-markdown"),
    import("mdast-util-gfm-table"),
    import("micromark-extension-gfm-table"),
  ]);
  const options = { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] };
  return (markdown) => fromMarkdown(markdown, options);
}

function tableBlock(table: MarkdownNode): ContentTable {
  const [header = [], ...rows] = (table.children ?? []).map((row) => (row.children ?? []).map(blockText));
  return { kind: "table", header, rows };
}

function itemBlocks(list: MarkdownNode): readonly ContentBlock[] {
  return (list.children ?? []).map((item, place) => {
    const block = { kind: "item", text: blockText(item) } as const;
    return list.ordered === true ? { ...block, number: (list.start ?? 1) + place } : block;
  });
}

/** The words of a block without addresses; without recursion, since contents may nest deeply. */
function blockText(block: MarkdownNode): string {
  const parts: string[] = [];
  const pending: MarkdownNode[] = [block];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "code") continue;
    if (OPENS_LINE.has(node.type)) parts.push("\n");
    if (node.type === "html" || node.type === "tableCell") parts.push(" ");
    else if (node.value !== undefined) parts.push(node.value);
    pending.push(...(node.children ?? []).toReversed());
  }
  return parts.join("").replace(ADDRESS, " ").trim();
}

/**
 * A Markdown that a parser reads in time in proportion to its length: nesting beyond 32 levels and the emphasis of lines
 * with more than 400 marks are taken out. Either would keep the process busy for seconds, deaf to Ctrl-C.
 */
function tamed(markdown: string): string {
  return markdown
    .replace(DEEP, "$1 ")
    .replace(/^.{400,}$/gmu, (line) =>
      (line.match(/[*_]/gu)?.length ?? 0) > MOST_MARKS ? line.replace(/[*_]/gu, "") : line,
    );
}
