import type { Finding, Judgement } from "./finding.ts";
import type { PlannedRule } from "./planned-rule.ts";
import { isAbove } from "./tier.ts";
import type { Decision } from "../plugin.ts";
import { equal } from "../schema/json.ts";

/** The strictest decision wins (docs/guards.md, Decisions): a rewrite never replaces a question or a denial. */
export const STRICTNESS: Readonly<Record<Decision, number>> = {
  allow: 0,
  warn: 1,
  transform: 2,
  ask: 3,
  deny: 4,
};

/** A rule with its finding. */
export interface RuleFinding {
  readonly planned: PlannedRule;
  readonly finding: Finding;
}

/** Decisions that need no weighing when one rule alone speaks, which is the usual case. */
const SIMPLE = new Set<Decision>(["warn", "ask", "deny"]);
const NONE: readonly Finding[] = [];

/** The strictest finding that counts. Findings that are only recorded are `idle`. */
export function combined(said: readonly RuleFinding[]): Judgement & { readonly idle: readonly Finding[] } {
  const [only] = said;
  if (said.length === 1 && only && SIMPLE.has(only.finding.decision) && only.finding.idle === undefined)
    return { decision: only.finding.decision, findings: [only.finding], idle: NONE };
  const spoken = said.filter(({ finding }) => finding.decision !== "allow").map((one) => lifted(one, said));
  const findings = spoken.filter(({ idle }) => idle === undefined);
  const idle = spoken.filter((finding) => finding.idle !== undefined);
  const [first, ...others] = findings;
  if (!first) return { decision: "allow", findings: [], idle };
  const strictest = others.reduce((a, b) => (STRICTNESS[b.decision] > STRICTNESS[a.decision] ? b : a), first);
  if (strictest.decision !== "transform") return { decision: strictest.decision, findings, idle };
  const rival = findings.find((one) => one.decision === "transform" && !equal(one.input, strictest.input));
  if (!rival) return { decision: "transform", findings, input: strictest.input, idle };
  const message = `The rules ${strictest.rule} and ${rival.rule} want different inputs.`;
  const clash: Finding = {
    ...strictest,
    decision: "deny",
    reasonCode: "GUARD_FAILED",
    message,
    agentMessage: message,
    failed: true,
  };
  return { decision: "deny", findings: [clash, ...findings], idle };
}

/**
 * A rule of a higher tier can answer the question of a rule with yes; a rule of a project cannot answer one that protects the
 * guard or a token. A denial, a warning and a failure are never lifted.
 */
function lifted({ planned, finding }: RuleFinding, said: readonly RuleFinding[]): Finding {
  if (finding.decision !== "ask" || finding.failed) return finding;
  const answered = said.some(
    (one) =>
      one.finding.decision === "allow" &&
      one.finding.idle === undefined &&
      one.planned.lifts.includes(finding.rule) &&
      !(planned.rule.protects && one.planned.tier === "workspace") &&
      isAbove(one.planned.tier, finding.tier),
  );
  return answered ? { ...finding, idle: "lifted" } : finding;
}
