import { join } from "node:path";
import { SkillError, type Files, type Programs } from "skillctl";
import type { Finding } from "../check/finding.ts";
import { isRecord, mayHoldTraces } from "../check/traces.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { MAX_IMAGE_BYTES, type Change } from "../worktree/change.ts";
import { exactText } from "../worktree/exact-text.ts";
import { LEFT_OUT } from "../worktree/exclusions.ts";
import { gitOnPath } from "../worktree/git.ts";
import type { Worktree } from "../worktree/worktree.ts";
import type { PlanContext, TreeFile } from "./file-plan.ts";

/** What of a project is to be looked at, and what cannot be. */
export interface TreeFiles {
  readonly tree: readonly TreeFile[];
  /** Links, folders and very large files that differ. */
  readonly others: readonly string[];
  readonly findings: readonly Finding[];
  /** Whether the images of the code before are gone. */
  readonly isLost: boolean;
}

export interface CleaningPorts {
  readonly files: Files;
  readonly worktree: Worktree;
  readonly programs: Programs;
}

/** Nobody writes longer files by hand, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads what differs from how it was, and files that probes were put into. Links and folders are left out: what a link
 * leads to is looked at under its own name. Records of sessions are no code.
 * @throws SkillError `FILE_UNREADABLE`, `PROGRAM_FAILED`, `DEBUG_STATE_DAMAGED`
 */
export async function treeFiles(
  opened: OpenedSession,
  { traces }: PlanContext,
  ports: CleaningPorts,
): Promise<TreeFiles> {
  const { root, entry } = opened;
  const seen = await knownChanges(opened, ports);
  if (!seen) return { tree: await lostTree(opened, traces, ports), others: [], findings: [], isLost: true };
  const changes = new Map<string, Change | undefined>(seen.map((change) => [change.path, change]));
  for (const { file } of entry.probes)
    if (file !== undefined && !changes.has(file)) changes.set(file, undefined);
  const tree: TreeFile[] = [];
  const others: string[] = [];
  const findings: Finding[] = [];
  for (const [path, change] of changes) {
    const now = change?.now ?? (await plainBytes(join(root, path), ports.files));
    if (!now && change?.kind !== "removed") {
      if (change) others.push(path);
      continue;
    }
    try {
      const before =
        change?.kind === "added" ? undefined : await ports.worktree.before(root, entry.baseline, path);
      const known = now ?? before;
      if (!known || !isRecord(path, exactText(known).text)) tree.push({ path, before, now });
    } catch (caught) {
      if (!(caught instanceof SkillError) || caught.code !== "FILE_UNREADABLE") throw caught;
      if (now && mayHoldTraces(exactText(now).text, traces)) findings.push(unkept(path, caught));
    }
  }
  return { tree, others, findings, isLost: false };
}

/** `undefined` when the images are gone. */
async function knownChanges(
  { root, entry }: OpenedSession,
  { worktree }: CleaningPorts,
): Promise<readonly Change[] | undefined> {
  try {
    return await worktree.changes(root, entry.baseline);
  } catch (caught) {
    if (caught instanceof SkillError && caught.code === "DEBUG_STATE_DAMAGED") return undefined;
    throw caught;
  }
}

/**
 * Looks through the project, since nothing tells what has changed. What the commit holds that was checked out at the start
 * stands in for a file before.
 */
async function lostTree(
  { root, entry }: OpenedSession,
  traces: PlanContext["traces"],
  { files, programs }: CleaningPorts,
): Promise<readonly TreeFile[]> {
  const tree: TreeFile[] = [];
  const git = entry.baseline.commit === undefined ? undefined : await gitOnPath(programs);
  const probed = new Set(entry.probes.map(({ file }) => file));
  const found = (await files.survey(root, (name) => !LEFT_OUT.has(name) && name !== ".dbg")) ?? [];
  for (const { path, kind, bytes } of found) {
    if (kind !== "file" || bytes > MAX_IMAGE_BYTES) continue;
    const now = await files.readBytes(join(root, path));
    const text = now && exactText(now).text;
    if (text === undefined || isRecord(path, text)) continue;
    if (!probed.has(path) && !mayHoldTraces(text, traces)) continue;
    const committed = await git?.run(["cat-file", "blob", `${entry.baseline.commit ?? ""}:./${path}`], {
      folder: root,
    });
    const before = committed?.status === 0 ? committed.out : undefined;
    tree.push({ path, before, now, isLost: before === undefined });
  }
  return tree;
}

/** Of a plain file that can be code. */
async function plainBytes(path: string, files: Files): Promise<Uint8Array | undefined> {
  const facts = await files.facts(path);
  return facts?.kind === "file" && facts.bytes <= MOST_BYTES ? files.readBytes(path) : undefined;
}

function unkept(file: string, { message }: SkillError): Finding {
  return {
    file,
    line: 1,
    code: "no-image",
    sentence: `How it was is not known, and it may hold probes: ${message}`,
    hint: `Take out by hand what belongs to the session, and pass --accept ${file}:1.`,
  };
}
