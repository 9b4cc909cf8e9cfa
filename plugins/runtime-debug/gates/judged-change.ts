import { SkillError } from "skillctl";
import { instrumented, isAccepted } from "../check/instrumented.ts";
import { exactText } from "../worktree/exact-text.ts";
import type { SessionEntry } from "../session/entry.ts";
import type { Worktree } from "../worktree/worktree.ts";
import type { Edited } from "./edited.ts";

/** Why a change of a file is not only probes; `undefined` when it is. */
export type Refusal =
  /** `why` completes "total.js: ". */
  { readonly kind: "code" | "new-file"; readonly why: string } | undefined;

/**
 * Holds what a file would be against how it was when a session began: regions may be added, and what was changed may
 * be put back (specification, Gates 1; guards.md 2.3). `path` is from the project folder.
 */
export async function judgedChange(
  root: string,
  entry: SessionEntry,
  path: string,
  change: Edited,
  worktree: Worktree,
): Promise<Refusal> {
  const known = await textBefore(root, entry, path, worktree);
  if (!known) return { kind: "code", why: "how it was when the session began is not known" };
  const { before } = known;
  if ("unknown" in change)
    return before === undefined
      ? { kind: "new-file", why: "it would be a new file" }
      : { kind: "code", why: `that only probes come in cannot be seen, since ${change.unknown}` };
  if ("gone" in change)
    return before === undefined ? undefined : { kind: "code", why: "it would be removed" };
  const { text } = change;
  if (before === undefined) return { kind: "new-file", why: "it would be a new file" };
  if (text === before) return undefined;
  const { findings, stripped, isAsBefore, regions } = instrumented(path, text, before);
  const [finding] = findings;
  if (finding)
    return { kind: "code", why: `line ${finding.line ?? 1} is no probe: ${lowered(finding.sentence)}` };
  if (!isAsBefore && (stripped === undefined || !isAccepted(entry, path, stripped)))
    return { kind: "code", why: "more than probes would be changed" };
  return entry.state === "observing" && regions.length > 0
    ? { kind: "code", why: "a probe comes after the hypotheses, and there are none yet" }
    : undefined;
}

/** Without `before` it was not there; `undefined` when nobody knows. */
async function textBefore(
  root: string,
  { baseline }: SessionEntry,
  path: string,
  worktree: Worktree,
): Promise<{ readonly before?: string } | undefined> {
  if (baseline.images === "") return undefined;
  try {
    const bytes = await worktree.before(root, baseline, path);
    return bytes ? { before: exactText(bytes).text } : {};
  } catch (caught) {
    // An image that was not kept, or was lost: then nothing shows that the change is harmless.
    if (caught instanceof SkillError) return undefined;
    throw caught;
  }
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}
