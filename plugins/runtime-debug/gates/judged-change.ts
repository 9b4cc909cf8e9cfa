import { SkillError } from "skillctl";
import { isAccepted } from "../check/accepted.ts";
import { judgeFile, type Finding } from "../check/judge-file.ts";
import { exactText } from "../cleanup/exact-text.ts";
import type { SessionEntry } from "../session/entry.ts";
import type { Worktree } from "../worktree/worktree.ts";
import type { Edited } from "./edited.ts";

/** Why a change of a file is not only probes; `undefined` when it is. */
export type Refusal =
  /** `why` completes "total.js: ". */
  { readonly kind: "code" | "new-file"; readonly why: string } | undefined;

/**
 * Holds what a file would be against how it was when a session began: pure regions may be added, and what was changed may
 * be put back (specification, Gates 1). `path` is from the project folder.
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
  const [after, earlier] = [await judgeFile(path, text), await judgeFile(path, before)];
  const [finding] = newFindings(after.findings, earlier.findings);
  if (finding)
    return { kind: "code", why: `line ${finding.line ?? 1} is no pure probe: ${lowered(finding.sentence)}` };
  if (after.stripped === undefined || !isAsBefore(entry, path, after.stripped, earlier.stripped))
    return { kind: "code", why: "more than probes would be changed" };
  return entry.state === "observing" && after.regions > earlier.regions
    ? { kind: "code", why: "a probe comes after the hypotheses, and there are none yet" }
    : undefined;
}

function isAsBefore(
  entry: SessionEntry,
  path: string,
  stripped: string,
  before: string | undefined,
): boolean {
  return stripped === before || isAccepted(entry, path, stripped);
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

/** Without those that were to be found before the session: each of them excuses one. */
function newFindings(findings: readonly Finding[], known: readonly Finding[]): readonly Finding[] {
  const excused = known.map(signOf);
  return findings.filter((one) => {
    const at = excused.indexOf(signOf(one));
    if (at >= 0) excused.splice(at, 1);
    return at < 0;
  });
}

function signOf({ code, sentence }: Finding): string {
  return `${code} ${sentence.replaceAll(/\d+/g, "")}`;
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}
