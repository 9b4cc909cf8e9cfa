import {
  isBlank,
  isMarkerLike,
  leadingSpaces,
  openingFence,
  startsAtEdge,
  type ContentLines,
} from "./lines.ts";

/** HTML that runs over blank lines. */
const LONG_HTML = /^ {0,3}<(?:script|pre|style|textarea|!|\?)/iu;
/** May be code by its indentation; the parser takes what follows it for an interruption, over blank lines too. */
const CODE_LIKE = /^(?: {4}| {0,3}\t)/u;
const MOST_INDENT = 3;

/**
 * The next line at which, for certain, a block begins that does not depend on what stands before it: behind a blank line
 * without white space or the marker of an item, or a block of code. The end, where that cannot be said: behind HTML
 * that may run over blank lines, and behind code of which only its surroundings tell where it ends.
 */
export function nextStart(source: ContentLines, at: number): number {
  const { lines } = source;
  let html = false;
  let inCode = false;
  for (let next = at; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    const isFree = next > at && isBlank(lines[next - 1]) && startsAtEdge(line) && !isMarkerLike(line);
    if (isFree && !inCode) return next;
    if (!isBlank(line)) inCode = CODE_LIKE.test(line);
    if (LONG_HTML.test(line)) return lines.length;
    const indent = leadingSpaces(line);
    html ||= line.startsWith("<", indent);
    const fence = indent > MOST_INDENT ? undefined : openingFence(line.slice(indent));
    if (fence === undefined) continue;
    if (html) return lines.length;
    if (indent === 0) return next;
    const closing = sureClosing(source, next, fence);
    if (closing === undefined) return lines.length;
    next = closing;
  }
  return lines.length;
}

/** Where a block of code ends, whether it is part of an item or not: no line before that is less indented. */
function sureClosing({ lines }: ContentLines, opening: number, fence: string): number | undefined {
  const indent = leadingSpaces(lines[opening] ?? "");
  for (let next = opening + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (isBlank(line)) continue;
    const text = line.trimStart();
    if (leadingSpaces(line) < indent) return undefined;
    if (!text.startsWith(fence) || !isBlank(text.slice(fence.length).replaceAll(fence.charAt(0), "")))
      continue;
    return leadingSpaces(line) === indent ? next : undefined;
  }
  return undefined;
}
