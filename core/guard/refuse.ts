import { SkillError } from "../errors/skill-error.ts";
import { decisionOf } from "./decision.ts";
import type { Judgement } from "./finding.ts";

/**
 * Throws for a request that the rules do not permit. A change of the input counts as a refusal where the input cannot be changed.
 * The hint names the rule, the command that explains the decision, and further words for the model.
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

/** The lines for the model that are not in the message for the person. */
function beside(agentMessage: string, message: string): readonly string[] {
  const told = new Set(message.split("\n"));
  return agentMessage.split("\n").filter((line) => !told.has(line));
}
