import type { RuleHandler, Subject, Verdict } from "../plugin.ts";
import { SkillError, coreEntry, described } from "../errors/skill-error.ts";
import { STRICTNESS, failed, worded, type Finding } from "./judgement.ts";
import type { PlannedRule } from "./rules.ts";

/** Creates the handlers of rules on first use. */
export interface Handlers {
  readonly rule: (skill: string, name: string) => Promise<RuleHandler>;
}

/**
 * Calls the handler of a rule. A handler that cannot be opened, throws, times out or returns a malformed verdict denies
 * the request.
 */
export async function ask(planned: PlannedRule, subject: Subject, handlers: Handlers): Promise<Finding> {
  const { timeoutMs } = planned;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => resolve(failed(planned, `no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([answered(planned, subject, handlers), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function answered(planned: PlannedRule, subject: Subject, handlers: Handlers): Promise<Finding> {
  const { skill, name } = planned;
  if (skill === undefined) return failed(planned, "only a rule of a skill has code");
  let handler: RuleHandler;
  try {
    handler = await handlers.rule(skill, name);
  } catch (cause) {
    // The error of a plugin is reported in full, since the plugin has received nothing of the request.
    const isForPerson = cause instanceof SkillError && coreEntry(cause.code).fault === "user";
    const mend = isForPerson && cause.hint !== undefined ? ` ${cause.hint}` : "";
    return { ...failed(planned, `${described(cause)}${mend}`.replace(/\.$/, "")), cause, isUnopened: true };
  }
  try {
    const verdict: unknown = await handler.judge(subject);
    if (isVerdict(verdict)) return worded(planned, verdict);
    return failed(
      planned,
      `judge must return { decision } with one of ${Object.keys(STRICTNESS).join(", ")}`,
    );
  } catch (cause) {
    return failed(planned, "its code failed", cause, subject);
  }
}

function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== "object" || value === null) return false;
  const { decision, message = "", agentMessage = "" } = value as Partial<Record<keyof Verdict, unknown>>;
  if (typeof message !== "string" || typeof agentMessage !== "string") return false;
  if (typeof decision !== "string" || !Object.hasOwn(STRICTNESS, decision)) return false;
  return decision !== "transform" || Object.hasOwn(value, "input");
}
