import { createHash } from "node:crypto";
import { SkillError, type Files } from "skillctl";
import type { Worktree } from "../worktree/worktree.ts";
import type { SessionEntry } from "./entry.ts";
import type { OpenedSession } from "./sessions.ts";

/** What a fix has changed. */
export interface Fixed {
  /** All files that differ from how they were at the start, as `SessionEntry.accepted` keeps them. */
  readonly accepted: SessionEntry["accepted"];
  /** Those that this fix has changed: others than the fixes before it. Sorted. */
  readonly files: readonly string[];
}

/**
 * Looks what a fix changes beside the probes, which must still be there and pure.
 * @throws SkillError `DEBUG_CHECK_FAILED`, and what the look at the code throws
 */
export async function fixed(
  { root, entry }: OpenedSession,
  worktree: Worktree,
  files: Files,
): Promise<Fixed> {
  const { checkTree } = await import("../check/check-tree.ts");
  const { regions, findings, changed } = await checkTree(worktree, files, root, entry);
  const [first, ...more] = findings;
  if (first) {
    const place = [first.file, first.line].filter((part) => part !== undefined).join(":");
    const others = more.length === 0 ? "" : ` And ${more.length} more: check tells all.`;
    throw refused(`${place === "" ? "" : `${place}: `}${first.sentence}${others}`, first.hint);
  }
  if (regions === 0)
    throw refused("No probe is left in the code, so nothing would show whether the fix helps.");
  const accepted = hashesOf(changed);
  return { accepted, files: otherwise(entry.accepted, accepted) };
}

/**
 * What to tell when the code is not as `fix` has accepted it, so that what was tried may not be what stays.
 * @throws SkillError what the look at the code throws
 */
export async function changedSince(
  { root, entry }: OpenedSession,
  worktree: Worktree,
  files: Files,
): Promise<readonly string[]> {
  const { checkTree } = await import("../check/check-tree.ts");
  const { changed } = await checkTree(worktree, files, root, entry);
  const others = otherwise(entry.accepted, hashesOf(changed));
  if (others.length === 0) return [];
  return [
    `Changed after \`fix\`, so the events may not be those of the code as it is now: ${others.join(", ")}. ` +
      "Take that back and try again; or tell the user, and answer C to begin another round.",
    "",
  ];
}

type Hashes = SessionEntry["accepted"];

function hashesOf(
  changed: readonly { readonly path: string; readonly stripped: string | undefined }[],
): Hashes {
  return Object.fromEntries(
    changed.map(({ path, stripped }) => [path, stripped === undefined ? "" : hashOf(stripped)]),
  );
}

/** The files of which one of both says something else. */
function otherwise(before: Hashes, now: Hashes): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].filter((path) => before[path] !== now[path]).sort();
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function refused(sentence: string, hint = "Put the probes back as they were: probe --apply."): SkillError {
  return new SkillError("DEBUG_CHECK_FAILED", sentence, { hint });
}
