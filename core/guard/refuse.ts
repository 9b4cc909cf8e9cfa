import { SkillError } from "../errors/skill-error.ts";
import { decisionOf } from "./decision.ts";
import type { Judgement } from "./finding.ts";

/**
 * Ends a request that the rules do not permit; a change of the input is no permission where nothing makes it. The hint
 * names the rule, what explains the decision later, and what a model is told beside the message.
 * @throws SkillError `GUARD_DENIED`, `GUARD_ASKS`, `GUARD_FAILED`
 */
export function refuse(judgement: Judgement): void {
  const { decision, findings } = judgement;
  if (decision === "allow" || decision === "warn") return;
  const finding = findings.find((one) => one.decision === decision);
  const code = decision === "ask" ? "GUARD_ASKS" : finding?.failed ? "GUARD_FAILED" : "GUARD_DENIED";
  const { message = "A rule forbids it.", agentMessage = message, rule, evaluation } = decisionOf(judgement);
  const hint = [
    `Rule: ${rule ?? "unknown"}.`,
    ...(evaluation === undefined ? [] : [`See: skillctl why ${evaluation}.`]),
    ...beside(agentMessage, message),
  ].join(" ");
  throw new SkillError(code, message, { hint, cause: finding?.cause });
}

/** What the model is told that the person is not told already, line by line. */
function beside(agentMessage: string, message: string): readonly string[] {
  const told = new Set(message.split("\n"));
  return agentMessage.split("\n").filter((line) => !told.has(line));
}
