import { SkillError, type Call, type Files } from "skillctl";
import type { CheckOutput } from "../contract.ts";
import type { DebugServers } from "../server/ensure-server.ts";
import { ending, guidance } from "../session/next-step.ts";
import { runOf } from "../session/rounds.ts";
import { withSigns } from "../session/signs.ts";
import { standing, type OpenedSession, type Sessions } from "../session/sessions.ts";
import type { Change } from "../worktree/change.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { checkTree, type CheckedTree } from "./check-tree.ts";
import { findingsText, placed, type Finding } from "./finding.ts";

interface CheckParts {
  readonly sessions: Sessions;
  readonly worktree: Worktree;
  readonly servers: DebugServers;
  readonly files: Files;
}

/**
 * Checks the work tree of a session, and takes the step to the reproduction when that is what comes next.
 * @throws SkillError `DEBUG_CHECK_FAILED` with the output as its result, and as the manifest lists
 */
export async function checkSession(
  opened: OpenedSession,
  looked: Promise<readonly Change[]>,
  call: Call,
  parts: CheckParts,
): Promise<CheckOutput> {
  const { root, entry } = opened;
  const checked = await checkTree(parts.worktree, parts.files, root, entry, looked);
  const isStep = entry.state === "instrumenting";
  const findings = [...checked.findings, ...(isStep ? unprobed(opened, checked) : [])];
  const { files, regions } = checked;
  const counts = { files, regions, findings };
  if (findings.length > 0) {
    const text = [findingsText(findings), "", ...notesOf(checked), ending(entry)].join("\n");
    throw new SkillError("DEBUG_CHECK_FAILED", summary(findings), {
      ...hintOf(findings),
      result: { ...standing(entry), ok: false, ...counts, text } satisfies CheckOutput,
    });
  }
  const told = `${regions} ${regions === 1 ? "probe" : "probes"} in ${files} ${files === 1 ? "file" : "files"}.`;
  const signs = withSigns(entry.signs ?? [], [...checked.signs]);
  if (!isStep) {
    if (signs.length !== (entry.signs ?? []).length) await parts.sessions.write(root, { ...entry, signs });
    const text = [`${told} ${differenceOf(checked)}`, "", ...notesOf(checked), ending(entry)].join("\n");
    return { ...standing(entry), ok: true, ...counts, text };
  }
  const { eventUrl } = await parts.servers.begin(opened, call);
  const { entry: next } = await parts.sessions.step(opened, "check", new Set(["instrumented"]), () => ({
    signs,
  }));
  const text = [
    `${told} Nothing else differs from before. Events of the run ${runOf(next)} are collected at ${eventUrl}.`,
    "",
    ...notesOf(checked),
    ...guidance(next.steps, "the probes"),
    "",
    ending(next),
  ].join("\n");
  return { ...standing(next), ok: true, ...counts, text };
}

/** What may be right as it is, and is to be looked at. */
function notesOf({ notes }: CheckedTree): readonly string[] {
  return notes.length === 0 ? [] : ["To be looked at:", findingsText(notes), ""];
}

function unprobed({ entry }: OpenedSession, { hypotheses }: CheckedTree): readonly Finding[] {
  return entry.hypotheses
    .filter(({ id }) => !hypotheses.has(id))
    .map(({ id, observe }) => ({
      code: "no-probe",
      sentence: `Hypothesis ${id} has no probe. Its observation point: ${observe}`,
      hint: `Set one whose label begins with ${id}: \`skillctl run runtime-debug probe --hypothesis ${id}\`.`,
    }));
}

function differenceOf({ changed }: CheckedTree): string {
  if (changed.length === 0) return "Nothing else differs from before.";
  return `Beside them ${changed.length === 1 ? "this file differs" : "these files differ"} from before: ${changed
    .map(({ path }) => path)
    .join(", ")}.`;
}

function summary([first, ...more]: readonly Finding[]): string {
  const told = first ? placed(first) : "";
  return more.length === 0 ? told : `${told} And ${more.length} more.`;
}

function hintOf([first]: readonly Finding[]): { readonly hint?: string } {
  return first?.hint === undefined ? {} : { hint: first.hint };
}
