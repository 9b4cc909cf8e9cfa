import type { Language } from "../../probes/languages.ts";
import type { Fault, RegionFault } from "../finding.ts";
import { RULES } from "../purity/rules-of.ts";
import { Walker } from "../purity/walker.ts";
import { declaredIn } from "./declared.ts";
import type { Extent, Piece } from "./places.ts";

/** What stays what it is, whether its statement reports or not. */
const ALWAYS: ReadonlySet<RegionFault> = new Set([
  "native-log",
  "declares-name",
  "shadows-name",
  "does-not-parse",
]);

/**
 * What is wrong with what stands in a region that somebody wrote by hand. It is to report, and to do nothing else:
 * guards.md, 2.3.2. `reported` counts what else in the region reports.
 */
export function bodyFaults(
  language: Language,
  pieces: readonly Piece[],
  region: Extent,
  line: number,
  reported = 0,
): readonly Fault[] {
  const rules = RULES[language];
  if (!rules) return [{ line, code: "not-a-probe", sentence: "This is not a probe as `probe` writes it." }];
  const { locals, faults } = declaredIn(pieces, region, rules);
  const found = [...faults];
  let reports = reported;
  for (const { node } of pieces) {
    if (!node.isNamed) continue;
    const seen = Walker.seen(node, rules, locals);
    reports += seen.reports;
    const kept = seen.faults.filter(({ code }) => seen.reports > 0 || ALWAYS.has(code));
    found.push(...kept);
    const line = node.startPosition.row;
    if (seen.faults.length > 0 && kept.length === 0 && !found.some((one) => one.line === line))
      found.push(production(line, seen.faults[0]));
  }
  const [first] = pieces;
  if (first && reports === 0 && found.length === 0)
    found.push(production(first.node.startPosition.row, undefined));
  // What may be thrown is told when all else is in order.
  const worse = found.filter(({ code }) => code !== "may-throw");
  return onePerLine(worse.length > 0 ? worse : found);
}

function production(line: number, fault: Fault | undefined): Fault {
  const why = fault ? ` ${fault.sentence}` : "";
  return { line, code: "not-a-probe", sentence: `This does not report to the debug server.${why}` };
}

function onePerLine(faults: readonly Fault[]): readonly Fault[] {
  return [...new Map(faults.map((fault) => [`${fault.line} ${fault.code}`, fault])).values()];
}
