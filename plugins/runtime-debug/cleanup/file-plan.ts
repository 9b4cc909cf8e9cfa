import { isAbsolute, join, relative, sep } from "node:path";
import { SkillError, type Files } from "skillctl";
import { differences } from "../check/differences.ts";
import type { Finding } from "../check/finding.ts";
import {
  bodyOf,
  hashOf,
  instrumented,
  isDocument,
  withoutMark,
  type Instrumented,
} from "../check/instrumented.ts";
import { newTraces } from "../check/traces.ts";
import { type TextLine, type Region, linesOf } from "../regions/regions.ts";
import { without } from "../regions/strip.ts";
import type { OpenedSession } from "../session/sessions.ts";
import type { Change } from "../worktree/change.ts";
import { exactTexts, exactText } from "../worktree/exact-text.ts";

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
  /** Whether it is, without regions, what a fix was accepted as. */
  readonly isFix: boolean;
}

/**
 * Plans one file: the regions of the session go. The rest must be what it was before the session or what a fix was
 * accepted as, byte for byte; what is neither is a finding, and so is a line that reports outside of all regions.
 */
export function planFile({ path, before, now, isLost }: Change, session: PlannedSession): FilePlan {
  const { accepted, fixes, id } = session;
  const known = fixes[path];
  if (!now) return { findings: [], notes: [], isAsBefore: before === undefined, isFix: known === "" };
  const { text, before: former, bytes } = exactTexts(now, before);
  const isAccepted = (line: number): boolean => accepted.get(path)?.has(line) === true;
  const file = instrumented(path, text, former, (line) => isAccepted(line + 1));
  const { isAsBefore, lines, regions } = file;
  const isFix = known !== undefined && file.stripped !== undefined && hashOf(file.stripped) === known;
  const plan = { findings: [], notes: [], isAsBefore, isFix };
  const isOpen = ({ line = 0 }: Finding): boolean => !isAccepted(line);
  const unbalanced = file.findings.filter(({ code }) => code === "marker-unbalanced");
  if (unbalanced.length > 0) return { ...plan, findings: unbalanced };
  const isProven = isAsBefore || isFix;
  const isCode = !isDocument(path) && !text.includes("\0");
  const residues = isProven || !isCode ? [] : residuesIn(path, file.outside, former, id).filter(isOpen);
  const own = regions.filter((region) => !isOfOthers(lines, region, regions, session));
  if (own.length === 0) return { ...plan, findings: residues };
  const notes = file.notes.filter(({ line }) => own.some(({ first }) => first + 1 === line));
  const bare = text.slice(0, text.length - withoutMark(text).length) + without(lines, own);
  const done = { ...plan, notes, bytes: bytes(bare) };
  const isNamed = isLost === true && own.every((region) => names(bodyOf(lines, region), id));
  if (isProven || (isNamed && residues.length === 0)) return done;
  if (before && former !== undefined && own.length === regions.length && isSameButEnds(bare, former))
    return { ...done, bytes: before, isAsBefore: true };
  if (residues.length > 0) return { ...plan, findings: residues };
  const unproven = isLost === true ? lost(path, own) : notProven(path, file, former, known !== undefined);
  return isOpen(unproven) ? { ...plan, findings: [unproven] } : done;
}

/** Lines outside all regions that were not there before and report to the debug server. */
function residuesIn(
  file: string,
  rest: Instrumented["outside"],
  before: string | undefined,
  session: string,
): readonly Finding[] {
  return newTraces(rest, before, session).map(({ line, trace }) => ({
    file,
    line,
    code: "residue",
    sentence: `This line is new, stands outside all regions and holds ${trace}.`,
    hint: `Take it out, or pass --accept ${file}:${line} to keep it.`,
  }));
}

function notProven(
  file: string,
  { regions, outside, outsideBefore }: Instrumented,
  before: string | undefined,
  hasFix: boolean,
): Finding {
  const first = (regions[0]?.first ?? 0) + 1;
  const isNew = before === undefined;
  const line = isNew ? first : differences(outside, outsideBefore)[0].line;
  const rest = isNew ? "This file" : "Without its regions this file";
  const sentence = hasFix
    ? `${rest} is not what the fix was accepted as; from here on it differs from the start.`
    : `${rest} ${isNew ? "was not there at the start" : "is not as at the start"}, and no fix was accepted with that.`;
  const hint = `Put back what is not meant, or pass --accept ${file}:${line} to take the regions out and keep the rest as it is.`;
  return { file, line, code: "unproven", sentence, hint };
}

function lost(file: string, own: readonly Region[]): Finding {
  const line = (own[0]?.first ?? 0) + 1;
  return {
    file,
    line,
    code: "no-image",
    sentence: "How this file was before is not known, and not every region in it names this session.",
    hint: `Take out by hand what belongs to the session, or pass --accept ${file}:${line} to remove all regions of the file.`,
  };
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

/**
 * The lines, from 1, that were accepted, by path from the project folder. Places that are not there were mistyped; a file
 * that a fix has accepted may be gone.
 * @throws SkillError `USAGE`
 */
export async function acceptedPlaces(
  places: readonly string[],
  { root, entry }: OpenedSession,
  files: Files,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const accepted = new Map<string, Set<number>>();
  for (const place of places) {
    const at = place.lastIndexOf(":");
    const named = place.slice(0, at);
    const line = Number(place.slice(at + 1));
    const path = relative(root, isAbsolute(named) ? named : join(root, named))
      .split(sep)
      .join("/");
    accepted.set(path, (accepted.get(path) ?? new Set()).add(line));
    const file = join(root, path);
    const kind = (await files.facts(file))?.kind;
    if (kind === undefined && path in entry.accepted) continue;
    const bytes = kind === "file" ? await files.readBytes(file) : undefined;
    if (bytes && line <= Math.max(1, linesOf(exactText(bytes).text).length)) continue;
    const what = bytes ? `${path} has no line ${line}` : `${path} is no file of the project`;
    throw new SkillError("USAGE", `--accept: ${what}.`, {
      hint: "Name places as cleanup shows them: FILE:LINE, from the project folder.",
    });
  }
  return accepted;
}
