import { judgeFile } from "../check/judge-file.ts";
import type { Finding } from "../check/finding.ts";
import { isSource } from "../check/source-file.ts";
import type { SessionEntry } from "../session/entry.ts";
import { exactText } from "./exact-text.ts";
import { hashOf, type TreeFile } from "./tree-plan.ts";

/** Whether the code is still what the user has confirmed as fixed. */
export interface FixState {
  /** Files without the fix that was accepted: the session must not be closed as fixed. */
  readonly findings: readonly Finding[];
  /** Files that have changed since the fix was accepted. */
  readonly changed: readonly string[];
}

/** Holds the tree against what `fix` has accepted; nothing is found in a session without a fix. */
export async function fixState(tree: readonly TreeFile[], entry: SessionEntry): Promise<FixState> {
  const findings: Finding[] = [];
  const changed: string[] = [];
  if (entry.outcome !== "fixed" || entry.fixes.length === 0) return { findings, changed };
  const byPath = new Map(tree.map((file) => [file.path, file]));
  for (const [path, hash] of Object.entries(entry.accepted)) {
    const file = byPath.get(path);
    const [before, now] = [await bareText(path, file?.before), await bareText(path, file?.now)];
    if (file && (now === undefined ? "" : hashOf(now)) === hash) continue;
    if (file && now !== undefined && now !== before) changed.push(path);
    else findings.push(missing(path));
  }
  for (const { path, before, now } of tree) {
    if (path in entry.accepted) continue;
    const [was, is] = [await bareText(path, before), await bareText(path, now)];
    const isCode = before !== undefined || (is !== undefined && isSource(path, is));
    if (isCode && was !== is) changed.push(path);
  }
  return { findings, changed };
}

/** Without regions; as it is where they cannot be told. */
async function bareText(path: string, bytes: Uint8Array | undefined): Promise<string | undefined> {
  if (!bytes) return undefined;
  const { text } = exactText(bytes);
  return (await judgeFile(path, text)).stripped ?? text;
}

function missing(file: string): Finding {
  return {
    file,
    line: 1,
    code: "fix-missing",
    sentence: "The fix that was confirmed is not in this file: it is as before the session, or gone.",
    hint: `Bring it back (it may be in a stash or on another branch), or pass --accept ${file}:1 to close without it.`,
  };
}
