import { dirname, join } from "node:path";
import { SkillError, type Files, type Programs } from "skillctl";
import type { Finding } from "../check/finding.ts";
import type { OpenedSession } from "../session/sessions.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { removeAbandoned } from "./abandoned.ts";
import { sameBytes } from "./exact-text.ts";
import type { PlanContext } from "./file-plan.ts";
import { fixState } from "./fix-state.ts";
import { codeNotes } from "./code-notes.ts";
import { treeFiles } from "./tree-files.ts";
import { planTree, type PlannedWrite } from "./tree-plan.ts";

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

/**
 * Takes everything of a session out of the code. All files are planned before the first is written; what is not safe is
 * left. Files in which something was accepted are written when nothing else is left, so that its line stays where it is.
 * @throws SkillError `DEBUG_CHANGED` when somebody writes one of the files meanwhile, `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
export async function cleanCode(
  opened: OpenedSession,
  accepted: ReadonlyMap<string, ReadonlySet<number>>,
  context: PlanContext,
  ports: CleaningPorts,
  signal: AbortSignal,
): Promise<CleanedCode> {
  const { entry } = opened;
  const { tree, others, findings: unread, isLost } = await treeFiles(opened, context.traces, accepted, ports);
  const folders = tree.map(({ path }) => dirname(join(opened.root, path)));
  await removeAbandoned(folders, ports.files, signal);
  const plan = await planTree(tree, { accepted, fixes: entry.accepted }, context);
  const state = isLost ? { findings: [], changed: [] } : await fixState(tree, entry);
  const missing = state.findings.filter(({ file = "", line = 1 }) => !accepted.get(file)?.has(line));
  const findings = [...unread.filter(({ file = "" }) => !accepted.has(file)), ...missing, ...plan.findings];
  const writes = plan.writes.filter(({ isAccepted }) => findings.length === 0 || !isAccepted);
  for (const write of writes) await writeOne(opened.root, write, ports);
  const cleaned = writes.map(({ path }) => path);
  const notes = await codeNotes(
    opened,
    { tree, isLost, cleaned, changed: state.changed, dropped: plan.dropped },
    ports,
    signal,
  );
  const records = new Set(context.others.map((id) => `debug-${id}.md`));
  const kept = isLost ? [] : [...plan.fixed, ...others].filter((path) => !records.has(path)).sort();
  return { cleaned, fixed: kept, findings, notes };
}

async function writeOne(
  root: string,
  { path, now, bytes }: PlannedWrite,
  ports: CleaningPorts,
): Promise<void> {
  const file = join(root, path);
  const found = await ports.files.readBytes(file);
  if (!found || !sameBytes(found, now)) {
    throw new SkillError("DEBUG_CHANGED", `${path} was changed while the cleanup was being planned.`, {
      file,
      hint: "Run cleanup again.",
    });
  }
  await ports.worktree.write(root, path, bytes);
}
