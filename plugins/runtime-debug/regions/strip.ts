import { linesOf, textOf, type TextLine, regionsIn, type MarkerFault, type Region } from "./regions.ts";

const BYTE_ORDER_MARK = "\uFEFF";
/** What follows is the whole line, its indentation included. */
const INSTEAD = /^[\t ]*(?:\/\/|#|--|%|;|'|!) instead of: ([^]*)$/;

export type Stripped =
  | { readonly ok: true; readonly text: string; readonly count: number }
  | { readonly ok: false; readonly faults: readonly MarkerFault[] };

/**
 * The text without its regions of instrumentation, every other byte as it was. What was inserted behind a last line
 * without a line end goes with the line end that was needed for it. With a fault in the markers nothing is taken out.
 */
export function strip(text: string): Stripped {
  // It is no part of the first line: a region there goes without it.
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const rest = strip(text.slice(1));
    return rest.ok ? { ...rest, text: BYTE_ORDER_MARK + rest.text } : rest;
  }
  const lines = linesOf(text);
  const { regions, faults } = regionsIn(lines);
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, text: without(lines, regions), count: regions.length };
}

/** A line and its number in a text, from 0. */
export interface PlacedLine extends TextLine {
  readonly line: number;
}

/** The lines outside of some regions, with those that a region stands instead of. */
export function outside(lines: readonly TextLine[], regions: readonly Region[]): readonly PlacedLine[] {
  const gone = new Map<number, readonly PlacedLine[]>();
  for (const region of regions) {
    const { first, last } = region;
    const replaced = replacedBy(lines, region);
    for (let line = first; line <= last; line += 1) gone.set(line, []);
    if (replaced) gone.set(last, [{ ...replaced, line: first }]);
  }
  return lines.flatMap((one, line) => gone.get(line) ?? [{ ...one, line }]);
}

/** The text of lines without some of its regions; lines that they stand instead of come back. */
export function without(lines: readonly TextLine[], regions: readonly Region[]): string {
  const text = textOf(outside(lines, regions));
  const last = regions.find((region) => region.last === lines.length - 1);
  const hadNoEnd = last && lines.at(-1)?.end === "" && !replacedBy(lines, last);
  return hadNoEnd ? text.replace(/(?:\r\n|\r|\n)$/, "") : text;
}

/** The line that a region stands instead of, with the end that it had; its first line inside says so. */
export function replacedBy(lines: readonly TextLine[], { first, last }: Region): TextLine | undefined {
  const [, text] = first + 1 < last ? (INSTEAD.exec(lines[first + 1]?.text ?? "") ?? []) : [];
  return text === undefined ? undefined : { text, end: lines[last]?.end ?? "" };
}

/** Puts a region, which says which line it stands instead of, there; lines count from 1. */
export function replace(text: string, line: number, region: readonly string[]): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + replace(text.slice(1), line, region);
  const lines = linesOf(text);
  const end = lineEndOf(lines);
  const put = region.join(end) + (lines[line - 1]?.end ?? "");
  return textOf(lines.slice(0, line - 1)) + put + textOf(lines.slice(line));
}

/** Puts a region in front of a line; lines count from 1, and one more than there are is the end. */
export function insert(text: string, line: number, region: readonly string[]): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARK + insert(text.slice(1), line, region);
  const lines = linesOf(text);
  const end = lineEndOf(lines);
  const before = lines.slice(0, line - 1);
  const after = lines.slice(line - 1);
  const last = before.at(-1);
  // Only the last line of a text can be without an end.
  if (last?.end === "") return textOf(before) + end + region.join(end);
  return textOf(before) + region.map((one) => one + end).join("") + textOf(after);
}

function lineEndOf(lines: readonly TextLine[]): string {
  return lines.find((one) => one.end !== "")?.end ?? "\n";
}
