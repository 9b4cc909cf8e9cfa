import { join } from "node:path";
import { SkillError, type Files } from "skillctl";
import type { Baseline } from "../worktree/baseline.ts";
import { MAX_IMAGE_BYTES, type Change } from "../worktree/change.ts";
import { exactText } from "../worktree/exact-text.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { instrumented } from "./instrumented.ts";
import { isRecord } from "./traces.ts";

/** A file that is not as it was at the start. */
export interface TreeFile {
  /** From the project folder, with `/`. */
  readonly path: string;
  /** Its bytes when the session began; `undefined` when it was not there, or is lost. */
  readonly before: Uint8Array | undefined;
  /** Its bytes now; `undefined` when it is gone. */
  readonly now: Uint8Array | undefined;
  /** Whether nobody knows how it was. */
  readonly isLost?: boolean;
}

export interface TreeFiles {
  readonly tree: readonly TreeFile[];
  /** Links, folders and very large files: what they hold is not looked at. */
  readonly others: readonly Change[];
}

/**
 * Reads what differs from how it was. What a link leads to is looked at under its own name; records of sessions are no
 * code.
 * @throws SkillError `FILE_UNREADABLE`, `PROGRAM_FAILED`, `DEBUG_STATE_DAMAGED`
 */
export async function treeFiles(
  worktree: Worktree,
  files: Files,
  root: string,
  baseline: Baseline,
  changes: readonly Change[],
): Promise<TreeFiles> {
  const added = await addedBytes(changes, root, files);
  const tree: TreeFile[] = [];
  const others: Change[] = [];
  for (const change of changes) {
    const { path, kind } = change;
    const now = change.now ?? added.get(path);
    if (!now && kind !== "removed") {
      others.push(change);
      continue;
    }
    const known =
      kind === "added"
        ? { before: undefined }
        : await bytesBefore(worktree, root, baseline, { ...change, ...(now && { now }) });
    const text = now ?? known.before;
    if (!text || !isRecord(path, exactText(text).text)) tree.push({ path, now, ...known });
  }
  return { tree, others };
}

async function bytesBefore(
  worktree: Worktree,
  root: string,
  baseline: Baseline,
  change: Change,
): Promise<Pick<TreeFile, "before" | "isLost">> {
  const bare = change.now && strippedOf(change.path, change.now);
  try {
    // The hash tells; git need not be asked for the bytes.
    if (bare && (await worktree.isBefore(root, baseline, change, bare))) return { before: bare };
    return { before: await worktree.before(root, baseline, change.path) };
  } catch (caught) {
    if (caught instanceof SkillError && caught.code === "FILE_UNREADABLE")
      return { before: undefined, isLost: true };
    throw caught;
  }
}

/** The bytes of a file without its regions; `undefined` when the markers are not balanced. */
function strippedOf(path: string, now: Uint8Array): Uint8Array | undefined {
  const { text, bytes } = exactText(now);
  const { stripped } = instrumented(path, text, undefined);
  return stripped === undefined ? undefined : bytes(stripped);
}

/** Of new files, unless they are too long for code. */
async function addedBytes(
  changes: readonly Change[],
  root: string,
  files: Files,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const paths = changes.filter(({ kind }) => kind === "added").map(({ path }) => path);
  const marks = await files.marks(paths.map((path) => join(root, path)));
  const short = paths.filter((_, index) => (marks[index]?.bytes ?? 0) <= MAX_IMAGE_BYTES);
  const bytes = await files.readMany(short.map((path) => join(root, path)));
  return new Map(short.flatMap((path, index) => (bytes[index] ? [[path, bytes[index]]] : [])));
}
