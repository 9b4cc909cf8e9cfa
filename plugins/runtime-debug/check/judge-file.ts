import { basename, extname } from "node:path";
import { linesOf, type TextLine } from "../regions/lines.ts";
import { type Found, type Region, regionsIn } from "../regions/regions.ts";
import { replacedBy, without } from "../regions/strip.ts";
import { GRAMMARS } from "../syntax/grammars.ts";
import { type Language, languageOf } from "../probes/languages.ts";
import { DOCUMENT_NAMES } from "./documents.ts";
import { type Fault, type Finding, findingOf } from "./finding.ts";
import { ownProbeIn } from "./judge/own-probe.ts";
import { isQuickPlace } from "./judge/quick-place.ts";

export type { Finding } from "./finding.ts";

/** What is thought of the regions of a file. */
export interface Judgement {
  /** How many there are. */
  readonly regions: number;
  /** In order of lines; none when every region is pure. */
  readonly findings: readonly Finding[];
  /** The text without its regions; `undefined` when the markers are not balanced. */
  readonly stripped?: string;
}

const BYTE_ORDER_MARK = "\uFEFF";
/** Documents: what stands in them is told, not run. */
const DOCUMENTS = /^\.(?:md|mdx|markdown|txt|text|rst|adoc|asciidoc|org|tex|log|ndjson|jsonl)$/i;
/** A marker of ours as `probe` writes it: a comment in every language that it is written for. */
const STRICT = /^\s*(?:\/\/|#|--|<!--|\/\*)? ?#(?:end)?region debug-point [\w:.-]+(?: -->| \*\/)?$/;
const SHEBANG =
  /^#!.*\b(?:(bash|dash|zsh|ksh|sh)|(python)[\d.]*|(node|deno|bun)|(ruby)|(perl)|(php)[\d.]*|(lua)[\d.]*)\s*(?:-.*)?$/;
const SHEBANG_LANGUAGES: readonly Language[] = [
  "shell",
  "python",
  "javascript",
  "ruby",
  "perl",
  "php",
  "lua",
];

/**
 * Judges the regions of instrumentation in a file: whether each of them only reports to the debug server, and leaves
 * everything else as it would be without it (specification, rules on instrumentation; guards.md, 2.3.2). The text
 * before is not known here. `path` decides the language; without a name that says it, the first line does.
 */
export async function judgeFile(path: string, text: string): Promise<Judgement> {
  if (isDocument(path) || !/region/i.test(text)) return { regions: 0, findings: [], stripped: text };
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const rest = text.slice(mark.length);
  const lines = linesOf(rest);
  const replacing = regionsIn(lines).regions.filter((region) => replacedBy(lines, region) !== undefined);
  if (replacing.length > 0) {
    // What stands instead of a line is judged by the line.
    const { regions, ...judgement } = await judgeFile(path, mark + without(lines, replacing));
    return { regions: regions + replacing.length, ...judgement };
  }
  const { found, faults } = await judged(languageOf(path) ?? languageByShebang(lines), rest, lines);
  const all = [...faults, ...found.faults.map(({ line, sentence }) => unbalanced(line, sentence))];
  const findings = all.sort((one, other) => one.line - other.line).map((fault) => findingOf(path, fault));
  if (found.faults.length > 0) return { regions: found.regions.length, findings };
  return { regions: found.regions.length, findings, stripped: mark + without(lines, found.regions) };
}

/**
 * The regions of a file: markers in texts that go over several lines, and in documents, are none. Faults are markers
 * without their other half.
 */
export async function regionsOf(path: string, text: string): Promise<Found> {
  if (isDocument(path) || !/region/i.test(text)) return { regions: [], faults: [] };
  const lines = linesOf(text.replace(BYTE_ORDER_MARK, ""));
  return (await judged(languageOf(path) ?? languageByShebang(lines), textOfLines(lines), lines)).found;
}

async function judged(
  language: Language | undefined,
  text: string,
  lines: readonly TextLine[],
): Promise<{ readonly found: Found; readonly faults: readonly Fault[] }> {
  const found = regionsIn(lines);
  if (found.regions.length === 0 && found.faults.length === 0) return { found, faults: [] };
  if (language && isQuick(language, lines, found)) return { found, faults: [] };
  if (language && GRAMMARS[language] !== undefined) {
    const { judgeByTree } = await import("./judge/tree-judge.ts");
    const byTree = await judgeByTree(language, text, lines);
    if (byTree) return byTree;
  }
  if (found.faults.length > 0) return { found, faults: [] };
  const { textFaults } = await import("./judge/text-judge.ts");
  const faults: Fault[] = [];
  for (const region of found.regions) faults.push(...(await textFaults(language, lines, region)));
  return { found, faults };
}

/** Whether everything is in order by the text alone: our own probes of plain values, between two statements. */
function isQuick(language: Language, lines: readonly TextLine[], { regions, faults }: Found): boolean {
  return (
    faults.length === 0 &&
    isQuickPlace(language, lines, regions) &&
    regions.every((region) => isStrict(lines, region) && ownProbeIn(language, lines, region) !== undefined)
  );
}

function isStrict(lines: readonly TextLine[], { first, last }: Region): boolean {
  return [first, last].every((line) => STRICT.test(lines[line]?.text ?? ""));
}

function isDocument(path: string): boolean {
  return DOCUMENTS.test(extname(path)) || DOCUMENT_NAMES.test(basename(path));
}

function languageByShebang(lines: readonly TextLine[]): Language | undefined {
  const found = SHEBANG.exec(lines[0]?.text.trimEnd() ?? "")
    ?.slice(1)
    .findIndex((part) => part !== undefined);
  return found === undefined ? undefined : SHEBANG_LANGUAGES[found];
}

function textOfLines(lines: readonly TextLine[]): string {
  return lines.map(({ text, end }) => text + end).join("");
}

function unbalanced(line: number, sentence: string): Fault {
  return { line, code: "marker-unbalanced", sentence };
}
