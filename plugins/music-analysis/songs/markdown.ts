import type { ContentBlock } from "./content/block.ts";
import { readBlocks } from "./content/blocks.ts";
import { parsedBlocks } from "./content/gfm-parser.ts";
import type { ContentLines } from "./content/lines.ts";
import { simplified } from "./script.ts";

export type { ContentBlock, ContentTable } from "./content/block.ts";

/** The beginning of a line that may define the target of links anywhere in the content. */
const DEFINITION = /^[ \t>*+\-0-9.)]*\[/mu;
/** What neither a normal form nor the removal of white space changes. */
const PLAIN_HEADER = /^[a-zA-Z0-9_\u4e00-\u9fff]*$/u;
const UNLIKE_LINE_ENDS = /(?:^|[^\r])\n|\r(?!\n)/u;

/**
 * A Markdown content as the blocks songs are looked for in, in document order: emphasis, links, addresses, HTML,
 * code blocks and images are gone, escapes are read (docs/music-analysis.md, Reading songs rules 1 and 4). Always the
 * blocks that the GFM parser makes of it, but most are read without it, in a hundredth of its time. Never throws.
 */
export function contentBlocks(content: string): readonly ContentBlock[] {
  const source = contentLines(content);
  return source === undefined ? parsedBlocks(content) : readBlocks(source);
}

/** A header for comparison: without spaces, case, width and script (docs/music-analysis.md, Reading songs rule 2). */
export function headerKey(header: string): string {
  if (PLAIN_HEADER.test(header)) return simplified(header.toLowerCase());
  return simplified(header.normalize("NFKC").toLowerCase().replace(/\s+/gu, ""));
}

/** The first column whose header is in a list, the list's order deciding; -1 where there is none. */
export function columnOf(header: readonly string[], names: readonly string[]): number {
  const keys = header.map(headerKey);
  const name = names.find((candidate) => keys.includes(candidate));
  return name === undefined ? -1 : keys.indexOf(name);
}

/** Undefined where lines alone make nothing certain: with link definitions, or with line ends of several kinds. */
function contentLines(content: string): ContentLines | undefined {
  const text = content.startsWith("\ufeff") ? content.slice(1) : content;
  if (text.includes("]:") && DEFINITION.test(text)) return undefined;
  if (!text.includes("\r")) return { lines: text.split("\n"), lineEnd: "\n" };
  return UNLIKE_LINE_ENDS.test(text) ? undefined : { lines: text.split("\r\n"), lineEnd: "\r\n" };
}
