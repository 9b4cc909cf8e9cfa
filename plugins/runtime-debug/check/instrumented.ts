import { createHash } from "node:crypto";
import { diffArrays } from "diff";
import type { Finding } from "./finding.ts";
import { actsIn, type Act } from "../places/acts.ts";
import { loadedGrammar } from "../places/grammars.ts";
import { seenText } from "../probes/application.ts";
import { languageOf } from "../probes/languages.ts";
import { isNativeLog, nativeLogIn, reports } from "./traces.ts";
import {
  linesOf,
  textOf,
  type TextLine,
  regionsIn,
  type Found,
  type Region,
  strippedOf,
  withoutMark,
  outside,
  replacedBy,
  type PlacedLine,
} from "../regions/regions.ts";
import { isDocument } from "../worktree/code-files.ts";

/** A line that assigns a value to a name, or to a member of it. */
const SETTING =
  /^\s*[$@]{0,2}([A-Za-z_]\w*)(?:[.[\]'"][\w.[\]'"]*)?\s*(?:[-+*/%|&^]|<<|>>|\?\?|\|\|)?=(?![=>~])/;
const NONE: Found = { regions: [], faults: [] };

/** The instrumentation in a file, and whether it is the only change to the file. */
export interface Instrumented {
  /** Its lines, without a byte order mark; the line numbers of regions and findings refer to them. */
  readonly lines: readonly TextLine[];
  /** Regions that are not identical to one in the earlier text. */
  readonly regions: readonly Region[];
  /** The lines outside of all regions, now and before. */
  readonly outside: readonly PlacedLine[];
  readonly outsideBefore: readonly PlacedLine[];
  /** The text without any regions; `undefined` when the markers are not balanced. */
  readonly stripped: string | undefined;
  /** Whether the text before, without its regions, is the same. */
  readonly isAsBefore: boolean;
  /** Faults of markers, and of regions that were not in the text before. */
  readonly findings: readonly Finding[];
  /** Lines that look like more than a report; they do not fail the check. */
  readonly notes: readonly Finding[];
}

/**
 * Checks the regions of a text and compares the rest with the earlier text, byte for byte. The cleanup removes the content of
 * a region, so only native logging is a fault there (specification, rules on instrumentation, 1). Regions of other
 * sessions in the earlier text may stay or be removed. @param isAccepted whether a faulty mark was accepted, by its line
 * from 0
 */
export function instrumented(
  path: string,
  text: string,
  before: string | undefined,
  isAccepted: (line: number) => boolean = () => false,
): Instrumented {
  const lines = linesOf(withoutMark(text));
  const former = linesOf(withoutMark(before ?? ""));
  const formerly = regionsIn(former);
  // If the earlier text had an unbalanced mark, pairs are ambiguous: all marks count as ordinary text.
  const isPlain = isDocument(path) || formerly.faults.length > 0;
  const was = isPlain ? NONE : formerly;
  const found = isPlain ? NONE : regionsBut(lines, isAccepted);
  const stripped = found.faults.length > 0 ? undefined : strippedOf(text, lines, found.regions);
  const bare = before === undefined ? before : strippedOf(before, former, was.regions);
  const regions = unknownRegions(lines, found.regions, former, was.regions);
  const findings = found.faults.map(({ line, sentence }) => unbalanced(path, line, sentence));
  const notes: Finding[] = [];
  const rest = outside(lines, found.regions);
  const acted = actsOf(path, lines, regions);
  for (const [index, region] of regions.entries()) {
    const acts = acted[index];
    findings.push(...nativeLogs(path, lines, region, acts));
    notes.push(...notesOf(path, lines, region, rest, acts));
  }
  notes.push(...otherEnds(path, rest, former));
  return {
    lines,
    regions,
    outside: rest,
    outsideBefore: outside(former, was.regions),
    stripped,
    isAsBefore: before !== undefined && (text === before || (stripped !== undefined && stripped === bare)),
    findings: findings.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    notes,
  };
}

/** The lines between the markers of a region. */
export function bodyOf(lines: readonly TextLine[], { first, last }: Region): readonly TextLine[] {
  return lines.slice(first + 1, last);
}

/** The hash of a text without its regions, as in `SessionEntry.accepted`; "" for a removed file. */
export function hashOf(stripped: string | undefined): string {
  return stripped === undefined ? "" : createHash("sha256").update(stripped).digest("hex");
}

/** An accepted faulty mark counts as ordinary text. */
function regionsBut(lines: readonly TextLine[], isAccepted: (line: number) => boolean): Found {
  const found = regionsIn(lines);
  const accepted = new Set(found.faults.map(({ line }) => line).filter(isAccepted));
  return accepted.size === 0 ? found : regionsIn(lines, (line) => !accepted.has(line));
}

function unknownRegions(
  lines: readonly TextLine[],
  regions: readonly Region[],
  former: readonly TextLine[],
  formerRegions: readonly Region[],
): readonly Region[] {
  if (formerRegions.length === 0) return regions;
  const known = formerRegions.map((region) => regionText(former, region));
  return regions.filter((region) => {
    const at = known.indexOf(regionText(lines, region));
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

/** The text of a region, with its marks. */
export function regionText(lines: readonly TextLine[], { first, last }: Region): string {
  return lines
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join("\n");
}

/** The calls and assignments of each line of a region; `undefined` if its parser is not loaded or does not understand it. */
type LineActs = readonly (readonly Act[])[] | undefined;

/** By region. */
function actsOf(path: string, lines: readonly TextLine[], regions: readonly Region[]): readonly LineActs[] {
  if (regions.length === 0) return [];
  const text = textOf(lines);
  const language = languageOf(path, text);
  const grammar = language && loadedGrammar(language);
  if (!grammar) return [];
  const bounds = regions.map(({ first, last }) => {
    const ends = [textOf(lines.slice(0, first + 1)).length];
    for (const { text: line, end } of lines.slice(first + 1, last))
      ends.push((ends.at(-1) ?? 0) + line.length + end.length);
    return ends;
  });
  const parts = bounds.map((ends) => [ends[0] ?? 0, ends.at(-1) ?? 0] as const);
  return actsIn(grammar, seenText(language, text), parts).map(
    (acts, index) =>
      acts &&
      bounds[index]?.slice(1).map((end, at) => {
        return acts.filter((one) => one.at < end && one.at >= (bounds[index]?.[at] ?? 0));
      }),
  );
}

function nativeLogs(
  path: string,
  lines: readonly TextLine[],
  region: Region,
  acts: LineActs,
): readonly Finding[] {
  const replaced = replacedBy(lines, region)?.text ?? "";
  return bodyOf(lines, region).flatMap(({ text }, index): readonly Finding[] => {
    const log = acts
      ? acts[index]
          ?.find(({ kind, name }) => kind === "prints" || (kind === "calls" && isNativeLog(name)))
          ?.name.replaceAll(/[\s\\]+/g, "")
      : nativeLogIn(text);
    // Logging in a line that the region replaces is the program's own.
    if (log === undefined || replaced.includes(log)) return [];
    return [
      {
        file: path,
        line: region.first + index + 2,
        code: "native-log",
        sentence: `${log} writes to a console or log of the program.`,
        hint: "Report over the network, as the lines of other probes do, or remove the region.",
      },
    ];
  });
}

/** Suspicious regions: one without a report, and a line that sets names that the program uses. */
function notesOf(
  file: string,
  lines: readonly TextLine[],
  region: Region,
  rest: readonly TextLine[],
  acts: LineActs,
): readonly Finding[] {
  const body = bodyOf(lines, region);
  // The imports for the probes of a file are in a separate region.
  if (region.label.startsWith("shared:") || replacedBy(lines, region)) return [];
  const note = (at: number, sentence: string): Finding => ({
    file,
    line: at + 1,
    code: "more-than-report",
    sentence: `${sentence} The cleanup removes it with its region.`,
  });
  if (!body.some(({ text }) => reports(text)))
    return [note(region.first, "Nothing in this region reports to the debug server.")];
  return body.flatMap(({ text }, index) => {
    const set = acts?.[index]?.find(({ kind, name }) => kind === "sets" && uses(rest, name))?.name;
    const name = acts ? set : !reports(text) ? SETTING.exec(text)?.[1] : undefined;
    if (name === undefined || !uses(rest, name)) return [];
    return [note(region.first + index + 1, `This sets ${name}, which is also used outside of the region.`)];
  });
}

/** An editor that does not keep the line endings of a file changes every line. */
function otherEnds(
  file: string,
  now: readonly PlacedLine[],
  before: readonly TextLine[],
): readonly Finding[] {
  const known = new Set(before.map(({ end }) => end).filter((end) => end !== ""));
  const others = now.filter(({ end }) => end !== "" && !known.has(end));
  if (known.size === 0 || others.length === 0) return [];
  const sentence = `${others.length} of ${now.length} lines have a line ending that the file did not have before: ${JSON.stringify(others[0]?.end)}.`;
  return [{ file, line: (others[0]?.line ?? 0) + 1, code: "line-ends", sentence }];
}

function uses(lines: readonly TextLine[], name: string): boolean {
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
  return lines.some(({ text }) => word.test(text));
}

function unbalanced(file: string, line: number, sentence: string): Finding {
  return {
    file,
    line: line + 1,
    code: "marker-unbalanced",
    sentence,
    hint: "Give each region one begin marker and one end marker, without nesting.",
  };
}

/** A place at which a text differs from the earlier text. */
export interface Difference {
  /** Counts from 1, in the present text. */
  readonly line: number;
  /** The new lines here; empty if lines are missing. */
  readonly added: readonly string[];
  /** How many lines of the earlier text are missing here. */
  readonly removed: number;
}

/** With more edits than this, only the first place is reported. */
const MOST_EDITS = 500;

/** The places at which lines differ from the earlier lines, in order; at least one. */
export function differences(
  now: readonly PlacedLine[],
  before: readonly TextLine[],
): readonly [Difference, ...Difference[]] {
  const texts = [before, now].map((lines) => lines.map(({ text }) => text)) as [string[], string[]];
  const found: { line: number; added: string[]; removed: number }[] = [];
  let [at, last] = [0, -1];
  for (const { added, removed, value, count } of diffArrays(...texts, { maxEditLength: MOST_EDITS }) ?? []) {
    if (added || removed) {
      if (last !== at || found.length === 0)
        found.push({ line: (now[at]?.line ?? now.at(-1)?.line ?? 0) + 1, added: [], removed: 0 });
      const open = found.at(-1);
      if (added) open?.added.push(...value);
      else if (open) open.removed += count;
    }
    if (!removed) at += count;
    if (added || removed) last = at;
  }
  const [first, ...more] = found;
  if (first) return [first, ...more];
  // Too much differs, or only line endings or a byte order mark differ.
  const other = now.find(({ text, end }, index) => text !== before[index]?.text || end !== before[index].end);
  const isText = other !== undefined && other.text !== before[now.indexOf(other)]?.text;
  return [{ line: (other?.line ?? 0) + 1, added: isText ? [other.text] : [], removed: isText ? 1 : 0 }];
}
