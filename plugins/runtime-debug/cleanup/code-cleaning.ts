import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { createTwoFilesPatch } from "diff";
import { quotedName, SkillError, type Files } from "skillctl";
import type { Finding } from "../check/finding.ts";
import type { CleanupOutput } from "../contract.ts";
import { fileState, type FileState, type FileText } from "../check/file-state.ts";
import { bodyOf, differences } from "../check/instrumented.ts";
import { isRecord } from "../check/traces.ts";
import { builtFiles } from "./built-files.ts";
import { removeAbandoned } from "./remains.ts";
import { linesOf, strippedOf, withoutMark, type Region, type TextLine } from "../regions/regions.ts";
import type { Drift } from "../drift/drift.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { SessionEntry } from "../session/entry.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { MAX_IMAGE_BYTES, type Change } from "../worktree/change.ts";
import { TOOL_FOLDERS } from "../worktree/code-files.ts";
import { exactText, exactTexts, sameBytes } from "../worktree/exact-text.ts";
import type { Worktree } from "../worktree/worktree.ts";

/** The result of cleaning the code; files with a finding are unchanged. */
export type CleanedCode = Required<
  Pick<CleanupOutput, "cleaned" | "fixed" | "deleted" | "patch" | "findings" | "notes">
>;

type Planned = FilePlan & { readonly file: Change };

/**
 * Removes all parts of a session from the code. All files are planned before the first is written; unproven places are
 * left. Files with an accepted place are written last, so that its line number stays valid.
 */
export class CodeCleaning {
  constructor(
    private readonly files: Files,
    private readonly worktree: Worktree,
    private readonly drift: Drift,
    private readonly opened: OpenedSession,
  ) {}

  /**
   * @param places accepted places, FILE:LINE @param others the ids of the other sessions of the project @throws
   * SkillError `USAGE` for places that do not exist, `DEBUG_CHANGED` if a file changes in the meantime, `FILE_UNREADABLE`, `FILE_UNWRITABLE`
   */
  async run(places: readonly string[], others: readonly string[], signal: AbortSignal): Promise<CleanedCode> {
    const { root, entry } = this.opened;
    const accepted = await this.#acceptedLines(places);
    const known = await this.#knownTree();
    const tree = known ?? (await this.#lostTree());
    await removeAbandoned(
      tree.map(({ path }) => dirname(join(root, path))),
      this.files,
      signal,
    );
    const session: PlannedSession = { id: entry.id, others, accepted };
    const plans = tree.map((file): Planned => {
      const isAccepted = (line: number): boolean => accepted.get(file.path)?.has(line + 1) === true;
      return { ...planFile(fileState(entry, file, isAccepted), session), file };
    });
    const isFixed = known !== undefined && entry.outcome === "fixed" && entry.fixes.length > 0;
    const missing = isFixed ? missingFixes(plans, entry.accepted, accepted).map(fixMissing) : [];
    const findings = [...missing, ...plans.flatMap((plan) => plan.findings)];
    const cleaned: string[] = [];
    const notes: Finding[] = known ? [] : [LOST];
    for (const { file, bytes, notes: more } of plans) {
      const { path, now } = file;
      if (!bytes || !now || (findings.length > 0 && accepted.has(path))) continue;
      await this.#write(path, now, bytes);
      cleaned.push(path);
      notes.push(...more.map((one) => ({ ...one, sentence: `Removed with its region. ${one.sentence}` })));
    }
    // Only if the code is clean, since the user is to rebuild it.
    if (known && findings.length === 0) {
      const baseline = await this.worktree.tree(root, entry.baseline);
      notes.push(...(await builtFiles(root, entry.id, baseline, this.files)));
    }
    const differing = known ? plans.filter(({ isAsBefore }) => !isAsBefore) : [];
    const fixed = differing.map(({ file }) => file.path);
    const deleted = differing.flatMap(({ file: { path, kind } }) => (kind === "removed" ? [path] : []));
    return { cleaned, fixed, deleted, patch: patchOf(differing), findings, notes };
  }

  /**
   * The lines, from 1, that were accepted, by project-relative path. Places that do not exist are typing errors,
   * except files of the fix, which may have been removed.
   */
  async #acceptedLines(places: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
    const { root, entry } = this.opened;
    const accepted = new Map<string, Set<number>>();
    for (const place of places) {
      const at = place.lastIndexOf(":");
      const [named, line] = [place.slice(0, at), Number(place.slice(at + 1))];
      const full = isAbsolute(named) ? named : join(root, named);
      const path = relative(root, full).split(sep).join("/");
      const isThere = (await this.files.facts(full))?.kind === "file";
      const bytes = isThere ? await this.files.readBytes(full) : undefined;
      const lines = bytes ? Math.max(1, linesOf(exactText(bytes).text).length) : 0;
      if (line > lines && !(path in entry.accepted && !bytes))
        throw new SkillError(
          "USAGE",
          `--accept: ${bytes ? `${quotedName(path)} has no line ${line}` : `${quotedName(path)} is not a file of the project`}.`,
          { hint: "Name places as cleanup shows them: FILE:LINE, from the project folder." },
        );
      accepted.set(path, (accepted.get(path) ?? new Set()).add(line));
    }
    return accepted;
  }

  /** The changes since the start; `undefined` without its images. */
  async #knownTree(): Promise<readonly Change[] | undefined> {
    try {
      return (await this.drift.look(this.opened)).tree;
    } catch (caught) {
      if (caught instanceof SkillError && caught.code === "DEBUG_STATE_DAMAGED") return undefined;
      throw caught;
    }
  }

  /** Files that may contain probes of the session in a project without images, since their changes are unknown. */
  async #lostTree(): Promise<readonly Change[]> {
    const { root, entry } = this.opened;
    const isOurs = (name: string): boolean => !TOOL_FOLDERS.includes(name) && name !== DEFAULT_FOLDER;
    const found = ((await this.files.survey(root, isOurs)) ?? []).filter(
      ({ bytes }) => bytes <= MAX_IMAGE_BYTES,
    );
    const bytes = await this.files.readMany(found.map(({ path }) => join(root, path)));
    return found.flatMap(({ path }, index): readonly Change[] => {
      const now = bytes[index];
      const text = now ? exactText(now).text : "";
      if (!now || !text.includes(entry.id) || isRecord(path, text)) return [];
      return [{ path, kind: "changed", now, isLost: true }];
    });
  }

  async #write(path: string, now: Uint8Array, bytes: Uint8Array): Promise<void> {
    const file = join(this.opened.root, path);
    const found = await this.files.readBytes(file);
    if (!found || !sameBytes(found, now))
      throw new SkillError(
        "DEBUG_CHANGED",
        `${quotedName(path)} was changed while the cleanup was being planned.`,
        {
          file,
          hint: "Run cleanup again.",
        },
      );
    await this.worktree.write(this.opened.root, path, bytes);
  }
}

/** Files of a fix that are the same as at the start again, or missing, except accepted ones. */
function missingFixes(
  plans: readonly Planned[],
  fixes: SessionEntry["accepted"],
  accepted: PlannedSession["accepted"],
): readonly string[] {
  const byPath = new Map(plans.map((plan) => [plan.file.path, plan]));
  return Object.keys(fixes).filter((path) => {
    const plan = byPath.get(path);
    const isThere = plan && (plan.isFix || !(plan.isAsBefore || !plan.file.now));
    return !isThere && accepted.get(path)?.has(1) !== true;
  });
}

function fixMissing(file: string): Finding {
  return {
    file,
    line: 1,
    code: "fix-missing",
    sentence: "The confirmed fix is not in this file: the file is as before the session, or missing.",
    hint: `Restore it (it may be in a stash or on another branch), or pass --accept ${quotedName(file)}:1 to close without it.`,
  };
}

const LOST: Finding = {
  code: "no-image",
  sentence: "The images of the code before the session are missing: only regions that name it were removed.",
  hint: "Check the output of git diff, or compare the code with your own copy.",
};

/** The session whose probes are removed. */
export interface PlannedSession {
  readonly id: string;
  /** The ids of the other open sessions of the project. */
  readonly others: readonly string[];
  /** Accepted lines, from 1, by path. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<number>>;
}

/** The action on a file. With findings it is left unchanged. */
export interface FilePlan {
  readonly findings: readonly Finding[];
  /** Its new text; `undefined` when it stays. */
  readonly bytes?: Uint8Array;
  /** Lines of the removed regions that may have done more than report. */
  readonly notes: readonly Finding[];
  /** Whether it equals, without regions, the file at the start. */
  readonly isAsBefore: boolean;
  /** Whether it equals, without regions, the accepted fix; links, folders and very large files are not compared. */
  readonly isFix: boolean;
}

/**
 * Plans one file: removes the regions of the session. The rest must equal the file before the session or the
 * accepted fix, byte for byte; otherwise it is a finding, and so is a reporting line outside of all regions.
 */
export function planFile(state: FileState, session: PlannedSession): FilePlan {
  const { path, kind, before, code: file, isLost, isShared, own: fixed } = state;
  const none = { findings: [], notes: [] };
  // A file that only another session has changed counts as unchanged.
  const isOfOther = isShared && fixed === undefined;
  if (!file) {
    const isKnown = kind !== "removed" || state.isAccepted;
    return { ...none, isAsBefore: isOfOther && isKnown, isFix: isKnown };
  }
  const { accepted, id } = session;
  const isAccepted = (line: number): boolean => accepted.get(path)?.has(line) === true;
  const { lines, regions, stripped, text } = file;
  const isFix = state.isAccepted;
  const isAsBefore = state.isAsBefore || (isFix && isOfOther);
  const isProven = isAsBefore || isFix;
  const plan = { ...none, isAsBefore, isFix };
  if (stripped === undefined)
    return { ...plan, findings: file.findings.filter(({ code }) => code === "marker-unbalanced") };
  const residues =
    isProven || isLost === true ? [] : residuesIn(path, file).filter(({ line }) => !isAccepted(line));
  // Without the earlier file, only regions that name the session definitely belong to it.
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
  const unproven = notProven(path, file, isShared || fixed !== undefined);
  return isAccepted(unproven.line) ? done : { ...plan, findings: [unproven] };
}

type PlacedFinding = Finding & { readonly line: number };

/** Lines outside all regions that were not there before and report to the debug server. */
function residuesIn(file: string, { traces }: FileText): readonly PlacedFinding[] {
  return traces.map(({ line, trace }) => ({
    file,
    line,
    code: "residue",
    sentence: `This line is new, is outside of all regions and contains ${trace}.`,
    hint: `Remove it, or pass --accept ${quotedName(file)}:${line} to keep it.`,
  }));
}

function notProven(
  file: string,
  { regions, outside, outsideBefore, before }: FileText,
  hasFix: boolean,
): PlacedFinding {
  const isNew = before === undefined;
  const line = isNew ? (regions[0]?.first ?? 0) + 1 : differences(outside, outsideBefore)[0].line;
  const rest = isNew ? "This file" : "Without its regions this file";
  const sentence = hasFix
    ? `${rest} differs from the accepted fix; it differs from the start at this line.`
    : `${rest} ${isNew ? "was not there at the start" : "is not as it was at the start"}, and no accepted fix explains that.`;
  const hint = `Restore unintended changes, or pass --accept ${quotedName(file)}:${line} to remove the regions and keep the rest.`;
  return { file, line, code: "unproven", sentence, hint };
}

/**
 * Whether a region belongs to another running session: it names one, and not this session. The imports for probes stay as
 * long as there is such a region.
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

/** Whether two texts differ only in line endings, including that of the last line, and byte order marks. */
function isSameButEnds(one: string, other: string): boolean {
  const plain = (text: string): string => withoutMark(text).replaceAll(/\r\n?/g, "\n").replace(/\n$/, "");
  return plain(one) === plain(other);
}

/** The time limit for comparing a file, in milliseconds, and the length limit of the patch, in characters. */
const TIMEOUT_MS = 2_000;
const MOST_CHARACTERS = 200_000;
const NOWHERE = "/dev/null";

/** The fix as a patch for `git apply` and `patch -p1`; for files that are not text it has only the name. */
function patchOf(files: readonly Planned[]): string {
  const parts = files.map(partOf);
  let [length, count] = [0, 0];
  for (const part of parts) {
    length += part.length;
    if (length > MOST_CHARACTERS) break;
    count += 1;
  }
  const left = parts.length - count;
  return [
    ...parts.slice(0, count),
    ...(left > 0
      ? [`The patch is long: ${left} more ${left === 1 ? "file differs" : "files differ"}.\n`]
      : []),
  ].join("");
}

function partOf({ file: { path, before, now: there }, bytes: after = there }: Planned): string {
  const text = exactTexts(after ?? new Uint8Array(), before);
  const [old, now] = [before ? (text.before ?? exactText(before).text) : "", text.text];
  const from = before ? `a/${path}` : NOWHERE;
  const to = after ? `b/${path}` : NOWHERE;
  if (old.includes("\0") || now.includes("\0"))
    return `Binary files ${quotedName(from)} and ${quotedName(to)} differ\n`;
  const patch = createTwoFilesPatch(from, to, old, now, undefined, undefined, {
    timeout: TIMEOUT_MS,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return patch ?? `Files ${quotedName(from)} and ${quotedName(to)} differ in too many places to be shown\n`;
}
