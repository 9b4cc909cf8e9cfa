import { placesOf, type CutText } from "./cuts.ts";
import type { TextLine } from "../regions/lines.ts";

/** Something of the instrumentation outside its regions. Lines count from 0 in the text as it is now. */
export interface Leftover {
  readonly line: number;
  readonly code: string;
  readonly sentence: string;
}

/** A line that stays; without a number where it comes back from before. */
export interface Line extends TextLine {
  readonly line?: number;
}

/** Blocks that were put around regions and hold nothing else, or nothing but a return of what they were given. */
export function shellsIn(cut: CutText, now: readonly Line[], added: ReadonlySet<Line>): readonly Leftover[] {
  const found: Leftover[] = [];
  for (const { from, to } of placesOf(cut).values()) {
    if (from !== to) continue;
    const open = now.slice(0, from).findLast(({ text }) => text.trim() !== "");
    const [next, second] = now.slice(to).filter(({ text }) => text.trim() !== "");
    if (!open || !next || !added.has(open) || open.line === undefined) continue;
    const given = /^\s*return\s+(\w+);?\s*$/.exec(next.text)?.[1];
    const isReturn =
      given !== undefined && new RegExp(`\\(?\\b${given}\\b\\)?\\s*=>\\s*\\{\\s*$`).test(open.text);
    const close = isReturn ? second : next;
    if (!close || !added.has(close) || !/[{([]\s*(?:\|\w*\|\s*)?$/.test(open.text)) continue;
    if (/^\s*[)}\]]/.test(close.text))
      found.push({
        line: open.line,
        code: "probe-shell",
        sentence: "This block is new and holds nothing but probes.",
      });
  }
  return found;
}
