/** What is wrong with a probe, or with a tree that holds probes. */
export interface Finding {
  /** From the project folder, with `/`. */
  readonly file?: string;
  /** Counts from 1. */
  readonly line?: number;
  readonly code: string;
  readonly sentence: string;
  readonly hint?: string;
}

/** What is wrong with a region, in short; `docs/runtime-debug.md` explains each. */
export type RegionFault =
  | "marker-unbalanced"
  | "marker-in-text"
  | "native-log"
  | "not-a-probe"
  | "impure-expression"
  | "await-in-probe"
  | "may-throw"
  | "declares-name"
  | "shadows-name"
  | "foreign-address"
  | "needed-statement"
  | "misplaced"
  | "does-not-parse";

/** A fault at a line of a text; lines count from 0. */
export interface Fault {
  readonly line: number;
  readonly code: RegionFault;
  readonly sentence: string;
}

/** What to do about each. */
export const HINTS: Readonly<Record<RegionFault, string>> = {
  "marker-unbalanced": "Give each region one begin and one end, and none inside another.",
  "marker-in-text": "Take the markers out of the text: only comments of one line mark a region.",
  "native-log": "Report over the network: `skillctl run runtime-debug probe` prints the line.",
  "not-a-probe":
    "Move the code out of the region, or take it out; `skillctl run runtime-debug probe` prints a probe.",
  "impure-expression": "Report values as they are: names, members, and functions that only read.",
  "await-in-probe": "Let the report go its own way, without waiting for it.",
  "may-throw": "Add `.catch(() => {})` to it.",
  "declares-name": "Declare it outside the region once the fix begins, or report the value itself.",
  "shadows-name": "Use __import__(...) in the probe, or import under a name of its own.",
  "foreign-address": "Send to the debug server: to DEBUG_SERVER_URL, or to its address on this machine.",
  "needed-statement": "Put the region beside a statement that stays.",
  misplaced: "Put the region between two statements.",
  "does-not-parse": "Write the probe anew; `skillctl run runtime-debug probe` prints one.",
};

/** A fault as people are told it. */
export function findingOf(file: string, { line, code, sentence }: Fault): Finding {
  return { file, line: line + 1, code, sentence, hint: HINTS[code] };
}
