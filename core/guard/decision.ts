import type { GuardDecision } from "../contract.ts";
import type { Judgement } from "./finding.ts";

/** A judgement as the contract words it: what all rules say that decide the same. */
export function decisionOf({ decision, findings, input, evaluation }: Judgement): GuardDecision {
  const deciding = findings.filter((finding) => finding.decision === decision);
  const [first] = deciding;
  if (!first) return { decision };
  const context = [...new Set(findings.flatMap((finding) => finding.context ?? []))];
  return {
    decision,
    reasonCode: first.reasonCode,
    message: joined(deciding.map(({ message }) => message)),
    agentMessage: joined(deciding.map(({ agentMessage }) => agentMessage)),
    ...(context.length > 0 && { context }),
    ...(decision === "transform" && { input: input as NonNullable<GuardDecision["input"]> }),
    rule: first.rule,
    version: first.version,
    ...(evaluation !== undefined && { evaluation }),
  };
}

function joined(sentences: readonly string[]): string {
  return [...new Set(sentences)].join("\n");
}
