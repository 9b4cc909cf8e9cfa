import { linesOf, type TextLine } from "../regions/lines.ts";
import type { Found } from "../regions/regions.ts";
import { probeIn } from "../probes/read-probe.ts";
import { languageOf } from "../probes/languages.ts";
import type { IsOthers } from "./cuts.ts";
import type { SessionTraces } from "./traces.ts";

/**
 * Tells which regions of a text are provably of other sessions under way: they name one of them, and not this session.
 * Imports for probes, which name none, stay as long as there is one of those.
 */
export function othersIn(
  path: string,
  text: string,
  { regions }: Found,
  { others, traces: { session } }: { readonly others: readonly string[]; readonly traces: SessionTraces },
): IsOthers {
  if (others.length === 0) return () => false;
  const language = languageOf(path);
  const isNamed: IsOthers = ({ first, last }, lines) => {
    const body = lines.slice(first + 1, last);
    return !namesSession(body, session) && others.some((one) => namesSession(body, one));
  };
  const hasOthers = regions.some((region) => isNamed(region, linesOf(text.replace(/^\uFEFF/, ""))));
  if (!hasOthers) return () => false;
  return (region, lines) => {
    if (isNamed(region, lines)) return true;
    const texts = lines.slice(region.first, region.last + 1).map((line) => line.text);
    return language !== undefined && probeIn(language, texts)?.hypothesis === "";
  };
}

/** Whether lines name a session, as all probes do that `probe` prints. */
export function namesSession(lines: readonly TextLine[], session: string): boolean {
  const word = new RegExp(`(?<![\\w-])${session}(?![\\w-])`);
  return lines.some(({ text }) => word.test(text));
}
