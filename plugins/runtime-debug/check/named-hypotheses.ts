import { hypothesisNames } from "../store/read/hypothesis-names.ts";
import { linesOf, type TextLine } from "../regions/lines.ts";
import { regionsIn, type Region } from "../regions/regions.ts";
import { languageOf, type Language } from "../syntax/languages.ts";
import { ownProbeIn } from "./judge/own-probe.ts";

/** How events of both public formats name theirs: `hypothesisId: "A"` in code of any language. */
const IN_CODE = /hypothesis_?id\W{1,12}?([A-Za-z]\w{0,3}(?:\s*[,-]\s*[A-Za-z]\w{0,3})*)\b/gi;
const SESSION_IN_CODE = /session_?id\W{1,12}?([a-z0-9]+(?:-[a-z0-9]+){1,3})(?![\w-])/i;

/**
 * The hypotheses that the regions of a text look at: by their labels, such as `A:token`, or by what they report. Regions
 * that name another session are not counted.
 */
export function namedHypotheses(text: string, path: string, session: string): ReadonlySet<string> {
  const lines = linesOf(text);
  const language = languageOf(path);
  const found = new Set<string>();
  for (const region of regionsIn(lines).regions) {
    if ((sessionOfRegion(language, lines, region) ?? session) !== session) continue;
    const own = ownProbeIn(language, lines, region);
    for (const names of own ? [own.hypothesis] : namesIn(lines, region))
      for (const name of hypothesisNames(names)) found.add(name.toUpperCase());
  }
  return found;
}

function namesIn(lines: readonly TextLine[], region: Region): readonly string[] {
  const [beforeColon = ""] = region.label.split(":");
  const inCode = [...bodyOf(lines, region).matchAll(IN_CODE)].map(([, names = ""]) => names);
  return [beforeColon.trim(), ...inCode];
}

/** The session that a region names, as probes of ours and events of both public formats do; `undefined` without one. */
export function sessionOfRegion(
  language: Language | undefined,
  lines: readonly TextLine[],
  region: Region,
): string | undefined {
  const own = ownProbeIn(language, lines, region)?.session;
  return own ?? SESSION_IN_CODE.exec(bodyOf(lines, region))?.[1];
}

function bodyOf(lines: readonly TextLine[], { first, last }: Region): string {
  return lines
    .slice(first + 1, last)
    .map(({ text }) => text)
    .join("\n");
}
