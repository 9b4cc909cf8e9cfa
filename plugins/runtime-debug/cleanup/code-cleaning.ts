import { dirname, join } from "node:path";
import { SkillError, type Files, type Programs } from "skillctl";
import { isSource } from "../check/check-tree.ts";
import type { Finding } from "../check/finding.ts";
import { treeFiles, type TreeFile, type TreeFiles } from "../check/tree-files.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { exactText, sameBytes } from "../worktree/exact-text.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { planFile, type FilePlan, type PlanContext } from "./file-plan.ts";
import { probesInGit } from "./git-look.ts";
import { lostTree } from "./lost-tree.ts";
import { removeAbandoned } from "./remains.ts";

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

export interface CleaningPorts {
  readonly files: Files;
  readonly worktree: Worktree;
  readonly programs: Programs;
}

type Planned = FilePlan & { readonly file: TreeFile };

/**
 * Takes everything of a session out of the code. All files are planned before the first is written; what is not proven is
 * left. Files in which something was accepted are written when nothing else is left, so that its line stays where it is.
 * @throws SkillError `DEBUG_CHANGED` when somebody writes one of the files meanwhile, `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
export async function cleanCode(
  opened: OpenedSession,
  context: PlanContext,
  ports: CleaningPorts,
  signal: AbortSignal,
): Promise<CleanedCode> {
  const { root, entry } = opened;
  const known = await knownTree(opened, ports);
  const isLost = known === undefined;
  const { tree, others } = known ?? {
    tree: await lostTree(opened, context.traces, ports.files, ports.programs),
    others: [],
  };
  const folders = tree.map(({ path }) => dirname(join(root, path)));
  await removeAbandoned(folders, ports.files, signal);
  const plans = tree.map((file): Planned => ({ ...planFile(file, context), file }));
  const isFixed = entry.outcome === "fixed" && entry.fixes.length > 0 && !isLost;
  const apart = new Set(others.map(({ path }) => path));
  const missing = isFixed
    ? missingFixes(plans, entry.accepted)
        .filter((path) => !apart.has(path))
        .map(fixMissing)
    : [];
  const findings = missing
    .filter(({ file = "", line = 1 }) => context.accepted.get(file)?.has(line) !== true)
    .concat(plans.flatMap((plan) => plan.findings));
  const cleaned: string[] = [];
  const notes: Finding[] = isLost ? [LOST] : [];
  for (const { file, bytes, notes: more } of plans) {
    const { path, now } = file;
    if (!bytes || !now || (findings.length > 0 && context.accepted.has(path))) continue;
    await writeOne(root, path, now, bytes, ports);
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
  notes.push(...(await probesInGit(root, looked, ports, signal)));
  const differing = plans.filter(({ isAsBefore }) => !isAsBefore).map(({ file }) => file.path);
  return {
    cleaned,
    fixed: isLost ? [] : [...differing, ...others.map(({ path }) => path)].sort(),
    findings,
    notes,
  };
}

/** What differs from the start; `undefined` when the images of it are gone. */
async function knownTree(
  { root, entry }: OpenedSession,
  { worktree, files }: CleaningPorts,
): Promise<TreeFiles | undefined> {
  try {
    const changes = await worktree.changes(root, entry.baseline);
    return await treeFiles(worktree, files, root, entry.baseline, changes);
  } catch (caught) {
    if (caught instanceof SkillError && caught.code === "DEBUG_STATE_DAMAGED") return undefined;
    throw caught;
  }
}

async function writeOne(
  root: string,
  path: string,
  now: Uint8Array,
  bytes: Uint8Array,
  { files, worktree }: CleaningPorts,
): Promise<void> {
  const file = join(root, path);
  const found = await files.readBytes(file);
  if (!found || !sameBytes(found, now))
    throw new SkillError("DEBUG_CHANGED", `${path} was changed while the cleanup was being planned.`, {
      file,
      hint: "Run cleanup again.",
    });
  await worktree.write(root, path, bytes);
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

function removed({ path }: TreeFile): Finding {
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
