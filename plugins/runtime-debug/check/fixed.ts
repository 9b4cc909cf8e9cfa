import { SkillError, type Files } from "skillctl";
import type { SessionEntry } from "../session/entry.ts";
import type { OpenedSession } from "../session/sessions.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { checkTree, type ChangedCode } from "./check-tree.ts";
import { placed, type Finding } from "./finding.ts";

type Hashes = SessionEntry["accepted"];

/** What a fix has changed. */
export interface Fixed {
  /** All files that differ from how they were at the start, as `SessionEntry.accepted` keeps them. */
  readonly accepted: Hashes;
  /** Those that this fix has changed: others than the fixes before it. Sorted. */
  readonly files: readonly string[];
  /** What looks like more than a report in a region, and goes with it. */
  readonly notes: readonly Finding[];
}

/**
 * Looks what a fix changes beside the probes, which must still be there, and keeps it, so that it can be put back.
 * @throws SkillError `DEBUG_CHECK_FAILED`, and what the look at the code throws
 */
export async function fixed(
  { root, entry }: OpenedSession,
  worktree: Worktree,
  files: Files,
): Promise<Fixed> {
  const { regions, findings, changed, notes } = await checkTree(worktree, files, root, entry);
  const [first, ...more] = findings;
  if (first) {
    const others = more.length === 0 ? "" : ` And ${more.length} more: check tells all.`;
    throw refused(`${placed(first)}${others}`, first.hint);
  }
  if (regions === 0)
    throw refused("No probe is left in the code, so nothing would show whether the fix helps.");
  const accepted = hashesOf(changed);
  await worktree.keepAccepted(entry.baseline, changed);
  return { accepted, files: otherwise(entry.accepted, accepted), notes };
}

function hashesOf(changed: readonly ChangedCode[]): Hashes {
  return Object.fromEntries(changed.map(({ path, hash }) => [path, hash]));
}

/** The files of which one of both says something else. */
function otherwise(before: Hashes, now: Hashes): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).sort();
}

function refused(sentence: string, hint = "Put the probes back as they were: probe --apply."): SkillError {
  return new SkillError("DEBUG_CHECK_FAILED", sentence, { hint });
}
