import type { TextLine } from "../../regions/lines.ts";
import { type Region, regionsIn } from "../../regions/regions.ts";
import type { Language } from "../../probes/languages.ts";
import { textFault } from "../../probes/place.ts";

/** Languages whose places are told by the lines around them, as `probe --apply` does. */
const BY_TEXT: ReadonlySet<Language> = new Set<Language>([
  "lua",
  "perl",
  "powershell",
  "kotlin",
  "swift",
  "dart",
]);
/** What begins the first case of a switch: no statement stands in front of it. */
const CASE = /^(?:case\b|default\b|(?:is|in|else)\b.*->|[^{}()]+->)/;
const SWITCH = /\b(?:switch|when)\b[^{}]*\{$/;

/** Why no region can stand where one does, by the look of the lines around it; other regions are left out. */
export function positionFault(
  language: Language | undefined,
  lines: readonly TextLine[],
  region: Region,
): string | undefined {
  if (!language || !BY_TEXT.has(language)) return undefined;
  const { regions } = regionsIn(lines);
  const around = (from: number, to: number): readonly TextLine[] =>
    lines
      .slice(from, to)
      .filter((_, at) => !regions.some(({ first, last }) => first <= at + from && at + from <= last));
  const above = around(0, region.first);
  const below = around(region.last + 1, lines.length);
  const last = above.findLast(({ text }) => text.trim() !== "")?.text.trim() ?? "";
  const next = below.find(({ text }) => text.trim() !== "")?.text.trim() ?? "";
  if (language === "powershell" && last.endsWith("`")) return "The line above the region goes on behind it.";
  if (
    language === "powershell" &&
    below.some(({ text }) => /^(?:\[CmdletBinding|param\s*\(|using\s)/i.test(text))
  )
    return "In PowerShell `param` and `using` have to come before every statement.";
  if (SWITCH.test(last) && CASE.test(next)) return "No statement can stand in front of the first case.";
  return textFault(language, [...above, ...below], above.length);
}
