import type { Finding } from "../check/finding.ts";
import { linesOf, type TextLine } from "../regions/lines.ts";
import type { Found } from "../regions/regions.ts";
import { withoutBlanks } from "./blank-lines.ts";
import { cutText, cutsOf, remaining, remainingText, withoutOthers, type Cut, type CutText } from "./cuts.ts";
import { doubtsIn } from "./doubts.ts";
import { leftoversIn } from "./leftovers.ts";
import { markerFaults } from "./marker-faults.ts";
import { namesIn, wordsOf } from "./names.ts";
import { languageOf } from "../probes/languages.ts";
import { ownProbe } from "./region-names.ts";
import { withEnclosed, withOverwritten } from "./restoration.ts";
import { harmIn, type Syntax } from "./harm.ts";
import { sameButEnds, withFormerEnd } from "./ends.ts";
import { othersIn } from "./others.ts";
import { statementEnds } from "./statement-ends.ts";
import type { SessionTraces } from "./traces.ts";

/** A file of the project that a session may have changed. */
export interface FileCase {
  /** From the project folder. */
  readonly path: string;
  /** Its text before the session; `undefined` when it was not there. */
  readonly before: string | undefined;
  readonly now: string;
  /** Lines, from 1, that somebody has looked at and accepts. */
  readonly accepted: ReadonlySet<number>;
  /** Whether a text is what a confirmed fix has made of the file. */
  readonly isFix: (text: string) => boolean;
  /** The file that this one is a copy of, where it is one. */
  readonly copyOf?: string;
}

export interface PlanContext {
  readonly traces: SessionTraces;
  /** Whether the code goes back to what it was, since no fix was confirmed. */
  readonly isAborted: boolean;
  /** The regions of a text and the faults of its markers. */
  readonly regions: (path: string, text: string) => Promise<Found>;
  /** Findings about the regions of a text: which ones are more than reports. */
  readonly judge: (path: string, text: string) => Promise<readonly Finding[]>;
  readonly syntax: Syntax;
  /** The ids of the other sessions of the project that are under way. */
  readonly others: readonly string[];
}

/** What is to be done with a file. With findings it is left as it is. */
export interface FilePlan {
  readonly path: string;
  /** What it shall hold; `undefined` when it stays. */
  readonly text?: string;
  readonly findings: readonly Finding[];
  /** What goes that may be more than a probe, after an abort. */
  readonly dropped: readonly Finding[];
  /** Whether it is then as it was before, but for probes of other sessions. */
  readonly isBack: boolean;
}

/**
 * Plans one file: regions go, the fix stays, and what the session has taken away comes back. What cannot be proven to
 * be just that is a finding (design of runtime debugging, section 9).
 */
export async function planFile(file: FileCase, context: PlanContext): Promise<FilePlan> {
  const { path, before, now, accepted } = file;
  const isOpen = ({ line }: Finding): boolean => line === undefined || !accepted.has(line);
  const found = await context.regions(path, now);
  const cut = cutText(now, found, before ?? "", othersIn(path, now, found, context));
  const faults = markerFaults(file, cut).filter(isOpen);
  const formerLines = linesOf(before ?? "");
  const asIs = { path, dropped: [], isBack: isFormer(cut, before) };
  if (cutsOf(cut).length === 0) {
    const others = leftovers(file, cut, formerLines, context).filter(isOpen);
    const more = others.filter(({ line }) => faults.every((fault) => fault.line !== line));
    return { ...asIs, findings: [...faults, ...more] };
  }
  if (faults.length > 0) return { ...asIs, findings: faults };
  if (file.copyOf !== undefined && !cutsOf(cut).some((one) => isAccepted(one, accepted)))
    return { ...asIs, findings: [copyFound(file, cut)] };
  const impure = impureRegions(path, cut, await context.judge(path, now));
  const solved = await solve(file, cut, (one) => !impure.has(one.region.first), context);
  const doubts = cutsOf(solved.cut).filter(
    (one) => impure.has(one.region.first) && !isAccepted(one, accepted),
  );
  const isBack = solved.text === before || isFormer(solved.cut, before);
  const production = await productionIn(file, solved.cut, doubts, context);
  const isDropped = isBack && context.isAborted;
  const findings = [
    ...(isDropped ? [] : production),
    ...(isBack ? [] : leftovers(file, solved.cut, formerLines, context)),
    ...solved.findings,
  ].filter(isOpen);
  const dropped = isDropped
    ? production.map((one) => ({ ...one, hint: "Write it again where it belongs, if it is needed." }))
    : [];
  return { path, findings, dropped, isBack, ...(findings.length === 0 && { text: solved.text }) };
}

function isFormer(cut: CutText, before: string | undefined): boolean {
  return before !== undefined && remainingText(withoutOthers(cut)) === before;
}

interface Solved {
  readonly cut: CutText;
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** The text without regions: what they enclosed and, where it would be broken otherwise, what they were written over comes back. */
async function solve(
  file: FileCase,
  cut: CutText,
  isProbe: (region: Cut) => boolean,
  { syntax }: PlanContext,
): Promise<Solved> {
  const { before } = file;
  if (before === undefined) return proven(file, cut, syntax);
  const lines = linesOf(before);
  const bare = remainingText(cut);
  if (isFormer(cut, before)) return { cut, text: bare, findings: [] };
  const enclosing = withoutBlanks(withEnclosed(cut, lines, isProbe), lines);
  const first = await proven(file, enclosing, syntax);
  if (first.findings.length === 0) return first;
  const second = await proven(file, withOverwritten(enclosing, lines), syntax);
  return second.findings.length === 0 ? second : first;
}

async function proven(file: FileCase, cut: CutText, syntax: Syntax): Promise<Solved> {
  const { path, before, now, isFix } = file;
  const bare = remainingText(cut);
  const alone = withoutOthers(cut);
  const hasOthers = alone !== cut;
  if (hasOthers && isFormer(cut, before)) return { cut, text: bare, findings: [] };
  const text = before === undefined || hasOthers || isFix(bare) ? bare : withFormerEnd(bare, before);
  if (before !== undefined && !hasOthers && (text === before || (!isFix(text) && sameButEnds(text, before))))
    return { cut, text: before, findings: [] };
  const place = cutsOf(cut).find((one) => one.restored.length === 0) ?? cutsOf(cut)[0];
  const harm = await harmIn({ path, before, now, after: text }, remaining(cut), syntax);
  if (!harm) return { cut, text, findings: [] };
  return { cut, text, findings: [{ file: path, line: (place?.region.first ?? 0) + 1, ...harm }] };
}

/** The first lines of regions that are more than a report. */
function impureRegions(path: string, cut: CutText, findings: readonly Finding[]): ReadonlySet<number> {
  const language = languageOf(path);
  const impure = cutsOf(cut).filter((one) => {
    const { first, last } = one.region;
    const isFound = findings.some(({ line }) => line === undefined || (line > first && line <= last + 1));
    return isFound && !ownProbe(one, language);
  });
  return new Set(impure.map(({ region }) => region.first));
}

async function productionIn(
  { path, before = "", now }: FileCase,
  cut: CutText,
  doubtful: readonly Cut[],
  { traces }: PlanContext,
): Promise<readonly Finding[]> {
  const language = languageOf(path);
  const lines = linesOf(now.replace(/^\uFEFF/, ""));
  const ends = await statementEnds(
    language,
    lines,
    doubtful.map(({ region }) => region),
  );
  const known = wordsOf(before);
  const declared = namesIn(cutsOf(cut).flatMap(({ body }) => body.map(({ text }) => text)));
  const own = new Set([...declared].filter((name) => !known.has(name)));
  return doubtful.flatMap((one) => {
    const [first] = doubtsIn(one, { own, traces, language, ends });
    if (first === undefined) return [];
    return {
      file: path,
      line: one.region.first + first + 2,
      code: "production-code",
      sentence: `The region holds more than a report: ${one.body[first]?.text.trim().slice(0, 80) ?? ""}`,
      hint: `Move it out of the region to keep it, or pass --accept ${path}:${one.region.first + first + 2} to remove all of the region.`,
    };
  });
}

function leftovers(
  { path, before }: FileCase,
  cut: CutText,
  lines: readonly TextLine[],
  { traces }: PlanContext,
): readonly Finding[] {
  if (isFormer(cut, before)) return [];
  return leftoversIn(path, cut, lines, traces).map(({ line, code, sentence }) => ({
    file: path,
    line: line + 1,
    code,
    sentence,
    hint: `Take it out, or pass --accept ${path}:${line + 1} to keep it.`,
  }));
}

function copyFound({ path, copyOf }: FileCase, cut: CutText): Finding {
  const line = (cutsOf(cut)[0]?.region.first ?? 0) + 1;
  return {
    file: path,
    line,
    code: "backup-copy",
    sentence: `This new file looks like a copy of ${copyOf ?? "another file"} and holds probes.`,
    hint: `Remove it when nobody needs it, or pass --accept ${path}:${line} to take the probes out.`,
  };
}

function isAccepted({ region: { first, last } }: Cut, accepted: ReadonlySet<number>): boolean {
  return [...accepted].some((line) => line > first && line <= last + 1);
}
