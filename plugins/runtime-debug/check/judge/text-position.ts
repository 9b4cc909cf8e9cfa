import type { TextLine } from "../../regions/lines.ts";
import { type Region, regionsIn } from "../../regions/regions.ts";
import type { Language } from "../../probes/languages.ts";
import { textFault } from "../../probes/text-place.ts";

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
/** What begins the documentation of Perl. */
const POD = /^=(?!cut\b)[a-z]/i;
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
  const { code: above, isOpen } = withoutLongTexts(language, around(0, region.first));
  const below = around(region.last + 1, lines.length);
  const last = above.findLast(({ text }) => text.trim() !== "")?.text.trim() ?? "";
  const next = below.find(({ text }) => text.trim() !== "")?.text.trim() ?? "";
  if (isOpen) return "The region is in the middle of a text.";
  if (language === "powershell" && last.endsWith("`")) return "The line above the region goes on behind it.";
  if (
    language === "powershell" &&
    below.some(({ text }) => /^(?:\[CmdletBinding|param\s*\(|using\s)/i.test(text))
  )
    return "In PowerShell `param` and `using` have to come before every statement.";
  if (SWITCH.test(last) && CASE.test(next)) return "No statement can stand in front of the first case.";
  return textFault(language, [...above, ...below], above.length);
}

/** Lines without those of texts that go over several: here documents and the like; and whether one is still open. */
function withoutLongTexts(
  language: Language,
  lines: readonly TextLine[],
): { readonly code: readonly TextLine[]; readonly isOpen: boolean } {
  let end: RegExp | undefined;
  const code = lines.filter(({ text }) => {
    const ends = end?.test(text.trimEnd()) === true;
    // Of Lua the end is one of brackets.
    const isCode = end === undefined ? !POD.test(text) || language !== "perl" : ends && language === "lua";
    end = end === undefined ? longTextEnd(language, text) : ends ? undefined : end;
    return isCode;
  });
  return { code, isOpen: end !== undefined };
}

/** What ends the long text that a line begins. */
function longTextEnd(language: Language, text: string): RegExp | undefined {
  if (language === "powershell") {
    const [, quote] = /@(["'])\s*$/.exec(text) ?? [];
    return quote === undefined ? undefined : new RegExp(`^${quote}@`);
  }
  if (language === "lua") {
    const [, level] = /\[(=+)\[(?!.*\]\1\])/.exec(text) ?? [];
    return level === undefined ? undefined : new RegExp(`\\]${level}\\]`);
  }
  if (language !== "perl") return undefined;
  if (POD.test(text)) return /^=cut\b/;
  const [, , name] = /<<~?(["']?)([A-Za-z_]\w*)\1/.exec(text) ?? [];
  return name === undefined || /^\s*#/.test(text) ? undefined : new RegExp(`^\\s*${name}$`);
}
