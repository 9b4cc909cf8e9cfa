import { join } from "node:path";
import type { Files, Programs } from "skillctl";
import type { Finding } from "../check/finding.ts";
import { regionsOf } from "../check/judge-file.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { linesOf } from "../regions/lines.ts";
import { MAX_IMAGE_BYTES } from "../worktree/change.ts";
import { LEFT_OUT } from "../worktree/exclusions.ts";
import { gitOnPath } from "../worktree/git.ts";
import { exactText } from "./exact-text.ts";
import { namesSession } from "./others.ts";
import { mayHoldTraces, type SessionTraces } from "./traces.ts";
import type { TreeFile } from "./tree-plan.ts";

interface Ports {
  readonly files: Files;
  readonly programs: Programs;
}

/** Files that may hold something of a session whose images of the code before are gone. */
export interface LostTree {
  readonly tree: readonly TreeFile[];
  readonly findings: readonly Finding[];
}

/**
 * Looks through the project, since nothing tells what has changed. What the commit holds that was checked out at the start
 * stands in for a file before; where there is none, only files whose regions all name this session are cleaned.
 * @throws SkillError `FILE_UNREADABLE`, `PROGRAM_FAILED`
 */
export async function lostTree(
  { root, entry }: OpenedSession,
  traces: SessionTraces,
  accepted: ReadonlyMap<string, ReadonlySet<number>>,
  { files, programs }: Ports,
): Promise<LostTree> {
  const tree: TreeFile[] = [];
  const findings: Finding[] = [];
  const git = entry.baseline.commit === undefined ? undefined : await gitOnPath(programs);
  const probed = new Set(entry.probes.map(({ file }) => file));
  const found = (await files.survey(root, (name) => !LEFT_OUT.has(name) && name !== ".dbg")) ?? [];
  for (const { path, kind, bytes } of found) {
    if (kind !== "file" || bytes > MAX_IMAGE_BYTES || path === `debug-${entry.id}.md`) continue;
    const now = await files.readBytes(join(root, path));
    const text = now && exactText(now).text;
    if (text === undefined || !(probed.has(path) || mayHoldTraces(text, traces))) continue;
    const committed = await git?.run(["cat-file", "blob", `${entry.baseline.commit ?? ""}:./${path}`], {
      folder: root,
    });
    const before = committed?.status === 0 ? committed.out : undefined;
    const line = before ? undefined : await foreignLine(path, text, entry.id);
    if (line === undefined || accepted.get(path)?.has(line) === true) tree.push({ path, before, now });
    else findings.push(unknown(path, line));
  }
  return { tree, findings };
}

/** The first line, from 1, of a region that does not name the session. */
async function foreignLine(path: string, text: string, session: string): Promise<number | undefined> {
  const lines = linesOf(text.replace(/^\uFEFF/, ""));
  const { regions } = await regionsOf(path, text);
  const other = regions.find(({ first, last }) => !namesSession(lines.slice(first + 1, last), session));
  return other && other.first + 1;
}

function unknown(file: string, line: number): Finding {
  return {
    file,
    line,
    code: "no-image",
    sentence: "How this file was before is not known, and the region does not name this session.",
    hint: `Take out by hand what belongs to the session, or pass --accept ${file}:${line} to remove all regions of the file.`,
  };
}
