import type { GuardDecision } from "../contract.ts";
import type { Judgement } from "./finding.ts";

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
