import { described } from "../errors/skill-error.ts";
import type { Decision, Subject, Verdict } from "../plugin.ts";
import type { PlannedRule } from "./planned-rule.ts";
import type { Tier } from "./tier.ts";

/** The result of one rule for a request. */
export interface Finding {
  /** `<skill>/<rule>`, or `<tier>/<rule>` of a rule without a skill. */
  readonly rule: string;
  readonly version: number;
  readonly tier: Tier;
  readonly decision: Decision;
  readonly reasonCode: string;
  readonly message: string;
  readonly agentMessage: string;
  readonly context?: readonly string[];
  /** transform: the new input. */
  readonly input?: unknown;
  /** The finding is only recorded: the rule is in audit mode, or a rule of a higher tier has answered its question. */
  readonly idle?: "audit" | "lifted";
  /** The rule failed: the denial has the code `GUARD_FAILED`. */
  readonly failed: boolean;
  /** Of a failed rule: the reason and the first line of the error, without words of the request. For the record. */
  readonly failure?: string;
  /** The error of a failed rule. For the log and `--verbose`; the message does not contain it. */
  readonly cause?: unknown;
}

/** The strictest of all findings; `allow` when no rule spoke. */
export interface Judgement {
  readonly decision: Decision;
  readonly findings: readonly Finding[];
  /** transform: the new input. */
  readonly input?: unknown;
  /** The name of the evaluation, if it was recorded. */
  readonly evaluation?: string;
}

/** A verdict with the messages of its rule. */
export function worded(planned: PlannedRule, verdict: Verdict): Finding {
  const { id, rule, version, tier, reasonCode } = planned;
  const message = verdict.message ?? rule.message ?? rule.tell;
  const agentMessage = verdict.agentMessage ?? rule.agentMessage ?? message;
  return {
    rule: id,
    version,
    tier,
    decision: verdict.decision,
    reasonCode,
    message,
    agentMessage,
    ...(rule.context && { context: rule.context }),
    ...(verdict.decision === "transform" && { input: verdict.input }),
    ...(rule.mode === "audit" && { idle: "audit" as const }),
    failed: false,
  };
}

/** The denial of a rule that failed with the error `cause`. A rule in audit mode denies nothing. */
export function failed(planned: PlannedRule, reason: string, cause?: unknown, subject?: Subject): Finding {
  const { id, version, tier, rule } = planned;
  const message = `The rule ${id} failed to decide: ${reason}.`;
  return {
    rule: id,
    version,
    tier,
    decision: "deny",
    reasonCode: "GUARD_FAILED",
    message,
    agentMessage: message,
    ...(rule.mode === "audit" && { idle: "audit" as const }),
    failed: true,
    failure: cause === undefined ? reason : `${reason}: ${lineOf(cause, subject)}`,
    ...(cause !== undefined && { cause }),
  };
}

/** Shorter words occur in every sentence and reveal nothing. */
const SHORTEST = 4;

/** The first line of an error. Words that occur in the request become `…`, since nothing of a request is recorded. */
function lineOf(cause: unknown, subject: Subject | undefined): string {
  const name = cause instanceof Error && cause.name !== "Error" ? `${cause.name}: ` : "";
  const [line = ""] = described(cause).slice(0, 300).split("\n");
  const request = JSON.stringify(subject ?? {}).replaceAll("\\\\", "\\");
  const words = line.replaceAll(/[^\s"'`,;:(){}[\]]+/g, (word) =>
    word.length >= SHORTEST && request.includes(word) ? "…" : word,
  );
  return `${name}${words}`;
}
