import type { Finding } from "../check/finding.ts";
import { bodyOf, checkedFile, differences, type CheckedFile } from "../check/instrumented.ts";
import { strippedOf, withoutMark, type TextLine, type Region } from "../regions/regions.ts";
import type { Change } from "../worktree/change.ts";

/** The session whose probes go, and what is known beside of the files that it has changed. */
export interface PlannedSession {
  readonly id: string;
  /** The ids of the other sessions of the project that are under way. */
  readonly others: readonly string[];
  /** Lines, from 1, that somebody has looked at and accepts, by path. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<number>>;
  /** What fixes have made of files: `SessionEntry.accepted`. */
  readonly fixes: Readonly<Record<string, string>>;
}

/** What is to be done with a file. With findings it is left as it is. */
export interface FilePlan {
  readonly findings: readonly Finding[];
  /** What it shall hold; `undefined` when it stays. */
  readonly bytes?: Uint8Array;
  /** Of the regions that go: what may have been more than a report. */
  readonly notes: readonly Finding[];
  /** Whether it is, without regions, what it was at the start. */
  readonly isAsBefore: boolean;
  /** Whether it is, without regions, what a fix was accepted as; nobody looks into links, folders and very large files. */
  readonly isFix: boolean;
}

/**
 * Plans one file: the regions of the session go. The rest must be what it was before the session or what a fix was
 * accepted as, byte for byte; what is neither is a finding, and so is a line that reports outside of all regions.
 */
export function planFile({ path, kind, before, now, isLost }: Change, session: PlannedSession): FilePlan {
  const { accepted, fixes, id } = session;
  const known = fixes[path];
  const none = { findings: [], notes: [] };
  if (!now) return { ...none, isAsBefore: false, isFix: kind !== "removed" || known === "" };
  const isAccepted = (line: number): boolean => accepted.get(path)?.has(line) === true;
  const file = checkedFile(path, now, before, id, (line) => isAccepted(line + 1));
  const { isAsBefore, lines, regions, stripped, text } = file;
  const isFix = stripped !== undefined && file.hash === known;
  const isProven = isAsBefore || isFix;
  const plan = { ...none, isAsBefore, isFix };
  if (stripped === undefined)
    return { ...plan, findings: file.findings.filter(({ code }) => code === "marker-unbalanced") };
  const residues =
    isProven || isLost === true ? [] : residuesIn(path, file).filter(({ line }) => !isAccepted(line));
  // Where nobody knows how the file was, only what names the session is certainly of it.
  const own = regions.filter((region) =>
    isLost === true ? names(bodyOf(lines, region), id) : !isOfOthers(lines, region, regions, session),
  );
  if (own.length === 0) return { ...plan, findings: residues };
  const notes = file.notes.filter(({ line }) => own.some(({ first }) => first + 1 === line));
  const bare = strippedOf(text, lines, own);
  const done = { ...plan, notes, bytes: file.bytes(bare) };
  if (isProven || isLost === true) return done;
  if (before && own.length === regions.length && isSameButEnds(bare, file.before ?? ""))
    return { ...done, bytes: before, isAsBefore: true };
  if (residues.length > 0) return { ...plan, findings: residues };
  const unproven = notProven(path, file, known !== undefined);
  return isAccepted(unproven.line) ? done : { ...plan, findings: [unproven] };
}

type PlacedFinding = Finding & { readonly line: number };

/** Lines outside all regions that were not there before and report to the debug server. */
function residuesIn(file: string, { traces }: CheckedFile): readonly PlacedFinding[] {
  return traces.map(({ line, trace }) => ({
    file,
    line,
    code: "residue",
    sentence: `This line is new, stands outside all regions and holds ${trace}.`,
    hint: `Take it out, or pass --accept ${file}:${line} to keep it.`,
  }));
}

function notProven(
  file: string,
  { regions, outside, outsideBefore, before }: CheckedFile,
  hasFix: boolean,
): PlacedFinding {
  const isNew = before === undefined;
  const line = isNew ? (regions[0]?.first ?? 0) + 1 : differences(outside, outsideBefore)[0].line;
  const rest = isNew ? "This file" : "Without its regions this file";
  const sentence = hasFix
    ? `${rest} is not what the fix was accepted as; from here on it differs from the start.`
    : `${rest} ${isNew ? "was not there at the start" : "is not as at the start"}, and no fix was accepted with that.`;
  const hint = `Put back what is not meant, or pass --accept ${file}:${line} to take the regions out and keep the rest as it is.`;
  return { file, line, code: "unproven", sentence, hint };
}

/**
 * Whether a region is of another session under way: it names one, and not this session. What a file imports for its probes
 * stays as long as there is one of those.
 */
function isOfOthers(
  lines: readonly TextLine[],
  region: Region,
  all: readonly Region[],
  { id, others }: PlannedSession,
): boolean {
  const isNamed = (one: Region): boolean => {
    const body = bodyOf(lines, one);
    return !names(body, id) && others.some((other) => names(body, other));
  };
  return isNamed(region) || (region.label.startsWith("shared:") && all.some(isNamed));
}

/** Whether lines name a session, as all probes do that `probe` prints. */
function names(lines: readonly TextLine[], session: string): boolean {
  const word = new RegExp(`(?<![\\w-])${session}(?![\\w-])`);
  return lines.some(({ text }) => word.test(text));
}

/** Whether two texts differ in line ends and byte order marks only, and in whether the last line has an end. */
function isSameButEnds(one: string, other: string): boolean {
  const plain = (text: string): string => withoutMark(text).replaceAll(/\r\n?/g, "\n").replace(/\n$/, "");
  return plain(one) === plain(other);
}
