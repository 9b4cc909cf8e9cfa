import type { RuleHandler, Subject, Verdict } from "../plugin.ts";
import { failed, worded, type Finding } from "./finding.ts";
import type { PlannedRule } from "./planned-rule.ts";
import { STRICTNESS } from "./strictness.ts";

/** Makes the handlers of rules, on first need. */
export interface Handlers {
  readonly rule: (skill: string, name: string) => Promise<RuleHandler>;
}

const LATE = Symbol("late");
const SHAPE = "judge must return { decision: … }";

/** Asks the code of a rule. One that throws, is late or answers out of shape has denied. */
export async function ask(planned: PlannedRule, subject: Subject, handlers: Handlers): Promise<Finding> {
  const { timeoutMs } = planned;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, LATE);
  });
  try {
    const verdict = await Promise.race([verdictOf(planned, subject, handlers), late]);
    if (verdict === LATE) return failed(planned, `no answer within ${timeoutMs} ms`);
    return isVerdict(verdict) ? worded(planned, verdict) : failed(planned, SHAPE);
  } catch (cause) {
    return failed(planned, "its code failed", cause, subject);
  } finally {
    clearTimeout(timer);
  }
}

async function verdictOf(
  { skill, name }: PlannedRule,
  subject: Subject,
  handlers: Handlers,
): Promise<Verdict> {
  if (skill === undefined) throw new Error("Only a skill's rule has a handler.");
  return (await handlers.rule(skill, name)).judge(subject);
}

function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== "object" || value === null) return false;
  const { decision, message = "", agentMessage = "" } = value as Partial<Record<keyof Verdict, unknown>>;
  if (typeof message !== "string" || typeof agentMessage !== "string") return false;
  if (typeof decision !== "string" || !Object.hasOwn(STRICTNESS, decision)) return false;
  return decision !== "transform" || Object.hasOwn(value, "input");
}
