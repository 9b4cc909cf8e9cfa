import { join } from "node:path";
import type { Files, Programs } from "skillctl";
import { isRecord, mayHoldTraces, type SessionTraces } from "../check/traces.ts";
import type { TreeFile } from "../check/tree-files.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { MAX_IMAGE_BYTES } from "../worktree/change.ts";
import { exactText } from "../worktree/exact-text.ts";
import { LEFT_OUT } from "../worktree/exclusions.ts";
import { gitOnPath } from "../worktree/git.ts";

/**
 * Looks through a project whose images of the code before are gone, since nothing tells what has changed. What the commit
 * holds that was checked out at the start stands in for a file before.
 * @throws SkillError `FILE_UNREADABLE`, `PROGRAM_FAILED`
 */
export async function lostTree(
  { root, entry }: OpenedSession,
  traces: SessionTraces,
  files: Files,
  programs: Programs,
): Promise<readonly TreeFile[]> {
  const tree: TreeFile[] = [];
  const { commit } = entry.baseline;
  const git = commit === undefined ? undefined : await gitOnPath(programs);
  const found = (await files.survey(root, (name) => !LEFT_OUT.has(name) && name !== ".dbg")) ?? [];
  for (const { path, kind, bytes } of found) {
    if (kind !== "file" || bytes > MAX_IMAGE_BYTES) continue;
    const now = await files.readBytes(join(root, path));
    const text = now && exactText(now).text;
    if (text === undefined || isRecord(path, text) || !mayHoldTraces(text, traces)) continue;
    const committed = await git?.run(["cat-file", "blob", `${commit ?? ""}:./${path}`], { folder: root });
    const before = committed?.status === 0 ? committed.out : undefined;
    tree.push({ path, before, now, isLost: before === undefined });
  }
  return tree;
}
