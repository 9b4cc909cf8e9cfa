import type { GuardDecision } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Subject } from "../../plugin.ts";
import { resolved, type Place } from "./paths.ts";

/** What mends a file: agents read it before they change it. */
const EDITORS = new Set<Subject["tool"]>(["write", "edit", "read"]);

/**
 * The question about a call that may mend the very file for which nothing can be judged; undefined for any other call.
 * Without it, one wrong character in skillctl.json would shut the agent out of everything, its own mending included.
 */
export async function mendingOf(
  { event, tool, cwd, paths = [] }: Subject,
  caught: unknown,
  place: Place,
): Promise<GuardDecision | undefined> {
  const file = caught instanceof SkillError ? caught.file : undefined;
  if (file === undefined || event !== "tool.pre" || !EDITORS.has(tool) || paths.length === 0)
    return undefined;
  const broken = await resolved([file], { ...place, cwd: cwd ?? place.cwd });
  if (!paths.every((path) => broken.includes(path))) return undefined;
  const message = `The rules cannot be asked, because this file is broken: ${(caught as Error).message}`;
  return {
    decision: "ask",
    reasonCode: "GUARD_FAILED",
    message: `${message} This call may mend it.`,
    agentMessage: `${message} Nothing else is permitted until it is mended. If this is denied, the person has to mend it.`,
  };
}
