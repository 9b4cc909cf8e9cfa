import { join } from "node:path";
import { SkillError, type Files, type Programs } from "skillctl";
import type { Finding } from "../check/finding.ts";
import type { OpenedSession } from "../session/sessions.ts";
import type { Change } from "../worktree/change.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { exactText } from "./exact-text.ts";
import { lostTree } from "./lost-images.ts";
import { mayHoldTraces, type SessionTraces } from "./traces.ts";
import type { TreeFile } from "./tree-plan.ts";

/** What of a project is to be looked at, and what cannot be. */
export interface TreeFiles {
  readonly tree: readonly TreeFile[];
  /** Links, folders and very large files that differ. */
  readonly others: readonly string[];
  readonly findings: readonly Finding[];
  /** Whether the images of the code before are gone. */
  readonly isLost: boolean;
}

/** Nobody writes longer files by hand, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

interface Ports {
  readonly files: Files;
  readonly worktree: Worktree;
  readonly programs: Programs;
}

/**
 * Reads what differs from how it was, and files that probes were put into. Links and folders are left out: what a link
 * leads to is looked at under its own name.
 * @throws SkillError `FILE_UNREADABLE`, `PROGRAM_FAILED`, `DEBUG_STATE_DAMAGED`
 */
export async function treeFiles(
  opened: OpenedSession,
  traces: SessionTraces,
  accepted: ReadonlyMap<string, ReadonlySet<number>>,
  ports: Ports,
): Promise<TreeFiles> {
  const { root, entry } = opened;
  const changes = new Map<string, Change | undefined>();
  const seen = await knownChanges(opened, ports);
  if (!seen) return { ...(await lostTree(opened, traces, accepted, ports)), others: [], isLost: true };
  for (const change of seen) changes.set(change.path, change);
  for (const { file } of entry.probes)
    if (file !== undefined && !changes.has(file)) changes.set(file, undefined);
  const tree: TreeFile[] = [];
  const others: string[] = [];
  const findings: Finding[] = [];
  for (const [path, change] of changes) {
    const now = change?.now ?? (await plainBytes(join(root, path), ports.files));
    if (now === undefined && change?.kind !== "removed") {
      if (change) others.push(path);
      continue;
    }
    if (change?.kind === "added") {
      tree.push({ path, before: undefined, now });
      continue;
    }
    try {
      tree.push({ path, before: await ports.worktree.before(root, entry.baseline, path), now });
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
  { worktree }: Ports,
): Promise<readonly Change[] | undefined> {
  try {
    return await worktree.changes(root, entry.baseline);
  } catch (caught) {
    if (caught instanceof SkillError && caught.code === "DEBUG_STATE_DAMAGED") return undefined;
    throw caught;
  }
}

/** Of a plain file that can be code. */
async function plainBytes(path: string, files: Files): Promise<Uint8Array | undefined> {
  const facts = await files.facts(path);
  return facts?.kind === "file" && facts.bytes <= MOST_BYTES ? files.readBytes(path) : undefined;
}

function unkept(file: string, { message }: SkillError): Finding {
  return {
    file,
    code: "no-image",
    sentence: `How it was is not known, and it may hold probes: ${message}`,
    hint: "Take out by hand what belongs to the session.",
  };
}
