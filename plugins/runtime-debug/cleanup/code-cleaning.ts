import { dirname, join } from "node:path";
import { SkillError, type Files, type Programs } from "skillctl";
import { isSource } from "../check/check-tree.ts";
import type { Finding } from "../check/finding.ts";
import { isRecord, traceOf } from "../check/traces.ts";
import { planFile, type FilePlan, type PlannedSession } from "./file-plan.ts";
import { removeAbandoned } from "./remains.ts";
import { linesOf } from "../regions/regions.ts";
import type { Drift } from "../drift/drift.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { LEFT_OUT } from "../worktree/baseline.ts";
import { MAX_IMAGE_BYTES, type Change } from "../worktree/change.ts";
import { exactText, sameBytes } from "../worktree/exact-text.ts";
import { gitOnPath, names } from "../worktree/git.ts";
import type { Worktree } from "../worktree/worktree.ts";

/** What has become of the code. */
export interface CleanedCode {
  /** Files that were written. */
  readonly cleaned: readonly string[];
  /** Files that differ from before now. */
  readonly fixed: readonly string[];
  /** What is left and why; files with one of these are as they were. */
  readonly findings: readonly Finding[];
  /** What is to be known beside. */
  readonly notes: readonly Finding[];
}

type Planned = FilePlan & { readonly file: Change };

/**
 * Takes everything of a session out of the code. All files are planned before the first is written; what is not proven is
 * left. Files in which something was accepted are written when nothing else is left, so that its line stays where it is.
 */
export class CodeCleaning {
  readonly #planned: PlannedSession;

  constructor(
    private readonly files: Files,
    private readonly programs: Programs,
    private readonly worktree: Worktree,
    private readonly drift: Drift,
    private readonly opened: OpenedSession,
    others: PlannedSession["others"],
    accepted: PlannedSession["accepted"],
  ) {
    const { id, accepted: fixes } = opened.entry;
    this.#planned = { id, others, accepted, fixes };
  }

  /** @throws SkillError `DEBUG_CHANGED` when somebody writes one of the files meanwhile, `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
  async run(signal: AbortSignal): Promise<CleanedCode> {
    const { root, entry } = this.opened;
    const { accepted } = this.#planned;
    const known = await this.#knownTree();
    const isLost = known === undefined;
    const all = known ?? (await this.#lostTree());
    // Links, folders and very large files: what they hold is not looked at.
    const others = all.filter(({ now, kind }) => !now && kind !== "removed");
    const tree = all.filter((file) => !others.includes(file));
    const folders = tree.map(({ path }) => dirname(join(root, path)));
    await removeAbandoned(folders, this.files, signal);
    const plans = tree.map((file): Planned => ({ ...planFile(file, this.#planned), file }));
    const isFixed = entry.outcome === "fixed" && entry.fixes.length > 0 && !isLost;
    const apart = new Set(others.map(({ path }) => path));
    const missing = isFixed ? missingFixes(plans, entry.accepted).filter((path) => !apart.has(path)) : [];
    const findings = missing
      .filter((path) => accepted.get(path)?.has(1) !== true)
      .map(fixMissing)
      .concat(plans.flatMap((plan) => plan.findings));
    const cleaned: string[] = [];
    const notes: Finding[] = isLost ? [LOST] : [];
    for (const { file, bytes, notes: more } of plans) {
      const { path, now } = file;
      if (!bytes || !now || (findings.length > 0 && accepted.has(path))) continue;
      await this.#write(path, now, bytes);
      cleaned.push(path);
      notes.push(...more.map((one) => ({ ...one, sentence: `Removed with its region. ${one.sentence}` })));
    }
    const told = new Set(findings.map(({ file }) => file));
    if (isFixed)
      notes.push(...plans.filter((plan) => isLater(plan) && !told.has(plan.file.path)).map(changedLater));
    if (entry.outcome === "aborted")
      notes.push(...tree.filter(({ before, now }) => before && !now).map(removed));
    const probed = entry.probes.flatMap(({ file }) => file ?? []);
    const looked = [...cleaned, ...probed, ...tree.map(({ path }) => path)];
    notes.push(...(await probesInGit(root, looked, this.files, this.programs, signal)));
    const differing = plans.filter(({ isAsBefore }) => !isAsBefore).map(({ file }) => file.path);
    const fixed = isLost ? [] : [...differing, ...others.map(({ path }) => path)].sort();
    return { cleaned, fixed, findings, notes };
  }

  /** What differs from the start; `undefined` when the images of it are gone. */
  async #knownTree(): Promise<readonly Change[] | undefined> {
    try {
      return (await this.drift.look(this.opened)).tree;
    } catch (caught) {
      if (caught instanceof SkillError && caught.code === "DEBUG_STATE_DAMAGED") return undefined;
      throw caught;
    }
  }

  /**
   * What may hold probes in a project whose images of the code before are gone, since nothing tells what has changed. What
   * the commit holds that was checked out at the start stands in for a file before.
   */
  async #lostTree(): Promise<readonly Change[]> {
    const { root, entry } = this.opened;
    const { commit } = entry.baseline;
    const git = commit === undefined ? undefined : await gitOnPath(this.programs);
    const isOurs = (name: string): boolean => !LEFT_OUT.has(name) && name !== DEFAULT_FOLDER;
    const traceIn = traceOf(entry.id);
    const tree: Change[] = [];
    for (const { path, kind, bytes } of (await this.files.survey(root, isOurs)) ?? []) {
      if (kind !== "file" || bytes > MAX_IMAGE_BYTES) continue;
      const now = await this.files.readBytes(join(root, path));
      const text = now ? exactText(now).text : "";
      if (!now || isRecord(path, text)) continue;
      if (!linesOf(text).some((line) => traceIn(line.text) !== undefined)) continue;
      const committed = await git?.run(["cat-file", "blob", `${commit ?? ""}:./${path}`], { folder: root });
      const before = committed?.status === 0 ? committed.out : undefined;
      tree.push({ path, kind: "changed", now, ...(before ? { before } : { isLost: true }) });
    }
    return tree;
  }

  async #write(path: string, now: Uint8Array, bytes: Uint8Array): Promise<void> {
    const file = join(this.opened.root, path);
    const found = await this.files.readBytes(file);
    if (!found || !sameBytes(found, now))
      throw new SkillError("DEBUG_CHANGED", `${path} was changed while the cleanup was being planned.`, {
        file,
        hint: "Run cleanup again.",
      });
    await this.worktree.write(this.opened.root, path, bytes);
  }
}

/** Files that a fix has changed and that are as at the start again, or gone. */
function missingFixes(
  plans: readonly Planned[],
  accepted: Readonly<Record<string, string>>,
): readonly string[] {
  const byPath = new Map(plans.map((plan) => [plan.file.path, plan]));
  return Object.keys(accepted).filter((path) => {
    const plan = byPath.get(path);
    return !plan || (!plan.isFix && (plan.isAsBefore || !plan.file.now));
  });
}

/** Whether code differs from the start and from what the fix was accepted as. */
function isLater({ file: { path, before, now }, isAsBefore, isFix }: Planned): boolean {
  if (isAsBefore || isFix) return false;
  return before !== undefined || (now !== undefined && isSource(path, exactText(now).text));
}

function changedLater({ file }: Planned): Finding {
  return {
    file: file.path,
    code: "changed-after-fix",
    sentence: "Changed after the fix was accepted: the runs that were compared have not shown this.",
  };
}

function removed({ path }: Change): Finding {
  return {
    file: path,
    code: "file-removed",
    sentence: "Removed by somebody since the start; what the session has kept of it goes with the cleanup.",
  };
}

function fixMissing(file: string): Finding {
  return {
    file,
    line: 1,
    code: "fix-missing",
    sentence: "The fix that was confirmed is not in this file: it is as before the session, or gone.",
    hint: `Bring it back (it may be in a stash or on another branch), or pass --accept ${file}:1 to close without it.`,
  };
}

const LOST: Finding = {
  code: "no-image",
  sentence: "The images of the code before the session are gone: only regions were removed.",
  hint: "Look through what git diff shows, or hold the code against a copy of your own.",
};

const MARKER = "region[[:space:]:]*(debug-point|agent log)";
const MARKED = /region[\s:]*(?:debug-point|agent log)/i;
/** So many files are looked at. */
const MOST = 500;

/**
 * Tells which files hold probes in the index or the last commit of git, although the files themselves hold none any more.
 * Nothing where there is no git.
 * @throws SkillError `CANCELLED`, `FILE_UNREADABLE`, `PROGRAM_FAILED` when git cannot be started
 */
export async function probesInGit(
  root: string,
  paths: readonly string[],
  files: Files,
  programs: Programs,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const clean: string[] = [];
  for (const path of [...new Set(paths)].slice(0, MOST)) {
    const file = join(root, path);
    const bytes = (await files.facts(file))?.kind === "file" ? await files.readBytes(file) : undefined;
    if (!bytes || !MARKED.test(exactText(bytes).text)) clean.push(path);
  }
  const git = clean.length === 0 ? undefined : await gitOnPath(programs);
  if (!git) return [];
  const holding = async (where: string): Promise<readonly string[]> => {
    const specs = clean.map((path) => `:(literal)${path}`);
    const args = ["grep", "-l", "-z", "-i", "-E", "-e", MARKER, where, "--", ...specs];
    const { status, out } = await git.run(args, { folder: root, signal });
    // 1: none; more: no repository, or no commit yet.
    return status === 0 ? names(out).map((name) => name.replace(/^HEAD:/, "")) : [];
  };
  const staged = await holding("--cached");
  const committed = await holding("HEAD");
  return [
    ...staged.map((file) => ({
      file,
      code: "probes-staged",
      sentence: "The index of git still holds probes in this file: the next commit would take them in.",
      hint: `Run git add -- ${file} before you commit.`,
    })),
    ...committed.map((file) => ({
      file,
      code: "probes-committed",
      sentence: "The last commit holds probes in this file.",
      hint: `Commit the file as it is now: ${file}`,
    })),
  ];
}
