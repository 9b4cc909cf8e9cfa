import type { GuardDecision } from "../contract.ts";
import { SkillError, described, textOf } from "../errors/skill-error.ts";
import type { Decision, Subject, Verdict } from "../plugin.ts";
import { equal } from "../schema/json.ts";
import { isAbove, type PlannedRule, type Tier } from "./rules.ts";

/** The strictest decision wins (docs/guards.md, Decisions): a rewrite never replaces a question or a denial. */
export const STRICTNESS: Readonly<Record<Decision, number>> = {
  allow: 0,
  warn: 1,
  transform: 2,
  ask: 3,
  deny: 4,
};

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
  /** The code of the rule could not be opened: a command ends in the error of its skill. */
  readonly isUnopened?: boolean;
}

/** The strictest of all findings; `allow` if no rule matched. */
export interface Judgement {
  readonly decision: Decision;
  readonly findings: readonly Finding[];
  /** transform: the new input. */
  readonly input?: unknown;
  /** The name of the evaluation, if it was recorded. */
  readonly evaluation?: string;
}

/** A rule with its finding. */
export interface RuleFinding {
  readonly planned: PlannedRule;
  readonly finding: Finding;
}

function base({ id, version, tier, rule }: PlannedRule): Pick<Finding, "rule" | "version" | "tier" | "idle"> {
  return { rule: id, version, tier, ...(rule.mode === "audit" && { idle: "audit" as const }) };
}

/** A verdict with the messages of its rule. */
export function worded(planned: PlannedRule, verdict: Verdict): Finding {
  const { rule, reasonCode } = planned;
  const message = verdict.message ?? rule.message ?? rule.tell;
  return {
    ...base(planned),
    decision: verdict.decision,
    reasonCode,
    message,
    agentMessage: verdict.agentMessage ?? rule.agentMessage ?? message,
    ...(rule.context && { context: rule.context }),
    ...(verdict.decision === "transform" && { input: verdict.input }),
    failed: false,
  };
}

/** The denial of a rule that failed with the error `cause`. A rule in audit mode denies nothing. */
export function failed(planned: PlannedRule, reason: string, cause?: unknown, subject?: Subject): Finding {
  const message = `The rule ${planned.id} failed to decide: ${reason}.`;
  return {
    ...base(planned),
    decision: "deny",
    reasonCode: "GUARD_FAILED",
    message,
    agentMessage: message,
    failed: true,
    failure: cause === undefined ? reason : `${reason}: ${lineOf(cause, subject)}`,
    ...(cause !== undefined && { cause }),
  };
}

/** Shorter words are common and reveal nothing. */
const SHORTEST = 4;

/** The first line of an error. Words that occur in the request become `…`, since nothing of a request is recorded. */
function lineOf(cause: unknown, subject: Subject | undefined): string {
  const name = (cause instanceof Error && textOf(cause, "name")) || "Error";
  const [line = ""] = described(cause).slice(0, 300).split("\n");
  const request = JSON.stringify(subject ?? {}).replaceAll("\\\\", "\\");
  const words = line.replaceAll(/[^\s"'`,;:(){}[\]]+/g, (word) =>
    word.length >= SHORTEST && request.includes(word) ? "…" : word,
  );
  return name === "Error" ? words : `${name}: ${words}`;
}

/** The strictest finding that counts. Findings that are only recorded are `idle`. */
export function combined(said: readonly RuleFinding[]): Judgement & { readonly idle: readonly Finding[] } {
  const spoken = said.filter(({ finding }) => finding.decision !== "allow").map((one) => lifted(one, said));
  const findings = spoken.filter(({ idle }) => idle === undefined);
  const idle = spoken.filter((finding) => finding.idle !== undefined);
  return { ...strictestOf(findings), idle };
}

/** A judgement after the person has approved its questions: the other findings decide. */
export function answeredWithYes({ findings, ...judgement }: Judgement): Judgement {
  return { ...judgement, ...strictestOf(findings.filter(({ decision }) => decision !== "ask")) };
}

/** A judgement after the person has refused its questions: each is a denial. */
export function answeredWithNo({ findings, ...judgement }: Judgement): Judgement {
  const denials = findings.map((finding): Finding => {
    if (finding.decision !== "ask") return finding;
    const message = `Not approved: ${finding.message}`;
    return { ...finding, decision: "deny", message, agentMessage: message };
  });
  return { ...judgement, ...strictestOf(denials) };
}

function strictestOf(findings: readonly Finding[]): Judgement {
  const [first, ...others] = findings;
  if (!first) return { decision: "allow", findings };
  const strictest = others.reduce((a, b) => (STRICTNESS[b.decision] > STRICTNESS[a.decision] ? b : a), first);
  const { decision, input } = strictest;
  if (decision !== "transform") return { decision, findings };
  const rival = findings.find((one) => one.decision === "transform" && !equal(one.input, input));
  if (!rival) return { decision, findings, input };
  const message = `The rules ${strictest.rule} and ${rival.rule} want different inputs.`;
  const denial = { decision: "deny", reasonCode: "GUARD_FAILED", failed: true } as const;
  const clash: Finding = { ...strictest, ...denial, message, agentMessage: message };
  return { decision: "deny", findings: [clash, ...findings] };
}

/**
 * A rule of a higher tier can approve the question of a rule; a rule of a project cannot approve one that protects the
 * guard or a token. A denial, a warning and a failure are never lifted.
 */
function lifted({ planned, finding }: RuleFinding, said: readonly RuleFinding[]): Finding {
  if (finding.decision !== "ask" || finding.failed) return finding;
  const answered = said.some(
    (one) =>
      one.finding.decision === "allow" &&
      one.finding.idle === undefined &&
      one.planned.rule.lifts?.includes(finding.rule) &&
      !(planned.rule.protects && one.planned.tier === "workspace") &&
      isAbove(one.planned.tier, finding.tier),
  );
  return answered ? { ...finding, idle: "lifted" } : finding;
}

/** The longest message, in UTF-16 units. */
const MAX_MESSAGE = 2_000;
/** The bound of `core/guard-decision`. */
const MAX_FACTS = 64;

/** A judgement as a `core/guard-decision`: the messages of all rules that made the strictest decision. */
export function decisionOf({ decision, findings, input, evaluation }: Judgement): GuardDecision {
  const deciding = findings.filter((finding) => finding.decision === decision);
  const [first] = deciding;
  if (!first) return { decision };
  const facts = [...new Set(findings.flatMap((finding) => finding.context ?? []))];
  const context = facts.slice(0, MAX_FACTS).map((fact) => cut(fact, MAX_MESSAGE));
  return {
    decision,
    reasonCode: first.reasonCode,
    message: joined(deciding.map(({ message }) => message)),
    agentMessage: joined(deciding.map(({ agentMessage }) => agentMessage)),
    ...(context.length > 0 && { context }),
    ...(decision === "transform" && { input }),
    rule: first.rule,
    version: first.version,
    ...(evaluation !== undefined && { evaluation }),
  };
}

/** The first sentence, shortened if necessary, and as many of the others as fit. */
function joined(sentences: readonly string[]): string {
  const [first = "", ...others] = new Set(sentences);
  let text = cut(first, MAX_MESSAGE);
  for (const [index, sentence] of others.entries()) {
    const left = others.length - index;
    const more = `\n${left} more ${left === 1 ? "rule says" : "rules say"} so.`;
    if (text.length + 1 + sentence.length + (left > 1 ? more.length : 0) <= MAX_MESSAGE)
      text += `\n${sentence}`;
    else return cut(text, MAX_MESSAGE - more.length) + more;
  }
  return text;
}

/** A text of at most `length` UTF-16 units. Surrogate pairs stay whole. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/**
 * Throws for a request that the rules do not permit. A change of the input counts as a refusal where the input cannot be changed.
 * The hint names the rule and has further words for the model; the surface adds how the evaluation is looked up.
 * @throws SkillError `GUARD_DENIED`, `GUARD_ASKS`, `GUARD_FAILED`; the error of the skill if its code could not be opened
 */
export function refuse(judgement: Judgement): void {
  const { decision, findings } = judgement;
  if (decision === "allow" || decision === "warn") return;
  const finding = findings.find((one) => one.decision === decision);
  if (finding?.isUnopened && finding.cause instanceof SkillError) throw finding.cause;
  const code = decision === "ask" ? "GUARD_ASKS" : finding?.failed ? "GUARD_FAILED" : "GUARD_DENIED";
  const {
    message = "A rule denies the operation.",
    agentMessage = message,
    rule,
    evaluation,
  } = decisionOf(judgement);
  const told = new Set(message.split("\n"));
  const hint = [
    `Rule: ${rule ?? "unknown"}.`,
    ...agentMessage.split("\n").filter((line) => !told.has(line)),
  ].join(" ");
  throw new SkillError(code, message, { hint, evaluation, cause: finding?.cause });
}
