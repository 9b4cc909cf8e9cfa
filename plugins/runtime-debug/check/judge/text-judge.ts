import type { TextLine } from "../../regions/lines.ts";
import type { Region } from "../../regions/regions.ts";
import type { Language } from "../../probes/languages.ts";
import type { Fault } from "../finding.ts";
import { nativeLogIn } from "./native-log.ts";
import { type OwnProbe, ownLinesIn, ownProbeIn } from "./own-probe.ts";
import { positionFault } from "./text-position.ts";

/** A line that wants something behind it: a condition without a body, or an operator. */
const WANTS_MORE =
  /^\s*(?:(?:\}\s*)?(?:else\s+)?(?:if|for|while|when)\b.*\)|.*\belse|.*(?:[-+*/%&|^<=?,(]|[^=]>|\bdo))$/;
const COMMENT = /^\s*(?:\/\/|#|--|$)/;

/**
 * What is wrong with a region, by its text alone: it is to be letter for letter what `probe` writes, and to report
 * plain values.
 */
export async function textFaults(
  language: Language | undefined,
  lines: readonly TextLine[],
  region: Region,
): Promise<readonly Fault[]> {
  const own = ownProbeIn(language, lines, region);
  if (!own) {
    const faults = strangeFaults(lines, region, ownLinesIn(language, lines, region));
    // In a language without a template every probe is written by hand.
    return language === undefined ? faults.filter(({ code }) => code !== "not-a-probe") : faults;
  }
  const line = region.first + 1;
  const faults: Fault[] = [];
  const above = lines.slice(0, region.first).findLast(({ text }) => !COMMENT.test(text));
  if (above && own.hypothesis !== "" && language !== "html" && goesOn(language, above.text.trimEnd()))
    faults.push({ line, code: "misplaced", sentence: "The line above the region goes on behind it." });
  const position = own.hypothesis === "" ? undefined : positionFault(language, lines, region);
  if (position !== undefined && faults.length === 0)
    faults.push({ line, code: "misplaced", sentence: position });
  return faults;
}

function goesOn(language: Language | undefined, text: string): boolean {
  // In Lua these words begin a block.
  return WANTS_MORE.test(text) && !(language === "lua" && /\b(?:else|do)$/.test(text));
}

function strangeFaults(
  lines: readonly TextLine[],
  { first, last }: Region,
  probes: ReadonlyMap<number, OwnProbe>,
): readonly Fault[] {
  const inside = lines.slice(first + 1, last);
  const faults: Fault[] = [];
  for (const [index, { text }] of inside.entries()) {
    const log = probes.has(first + 1 + index) ? undefined : nativeLogIn(text);
    const sentence = `${log} writes to a console or log of the program.`;
    if (log !== undefined) faults.push({ line: first + 1 + index, code: "native-log", sentence });
  }
  const code = inside.findIndex(({ text }, index) => !COMMENT.test(text) && !probes.has(first + 1 + index));
  if (faults.length > 0 || code < 0) return faults;
  const sentence = "In this file only probes are known that are letter for letter as `probe` writes them.";
  return [{ line: first + 1 + code, code: "not-a-probe", sentence }];
}
