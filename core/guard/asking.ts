import type { RuleHandler, Subject, Verdict } from "../plugin.ts";
import { SkillError, coreEntry, described } from "../errors/skill-error.ts";
import { STRICTNESS, failed, worded, type Finding } from "./judgement.ts";
import type { PlannedRule } from "./rules.ts";

/** Creates the handlers of rules on first use. */
export interface Handlers {
  readonly rule: (skill: string, name: string) => Promise<RuleHandler>;
  /** The file and line of a skill that an error of its code names first. */
  readonly placeIn?: (skill: string, cause: unknown) => string | undefined | Promise<string | undefined>;
}

/**
 * Calls the handler of a rule. A handler that cannot be opened, throws, times out or returns a malformed verdict denies
 * the request.
 */
export async function ask(planned: PlannedRule, subject: Subject, handlers: Handlers): Promise<Finding> {
  const { timeoutMs } = planned;
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;
  const late = new Promise<Finding>((resolve) => {
    timer = setTimeout(() => {
      const open = isOpen ? "" : `, since the code of ${planned.skill} is still being loaded`;
      resolve(failed(planned, `no answer within ${timeoutMs} ms${open}`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([answered(planned, subject, handlers, () => (isOpen = true)), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function answered(
  planned: PlannedRule,
  subject: Subject,
  handlers: Handlers,
  opened: () => void,
): Promise<Finding> {
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
  opened();
  try {
    const verdict: unknown = await handler.judge(subject);
    const fault = faultOf(verdict);
    return fault === undefined ? worded(planned, verdict as Verdict) : failed(planned, fault);
  } catch (cause) {
    const place = await handlers.placeIn?.(skill, cause);
    return failed(planned, `its code failed${place === undefined ? "" : ` at ${place}`}`, cause, subject);
  }
}

/** The fault of the value that a handler returned; undefined if it is a verdict. */
function faultOf(value: unknown): string | undefined {
  const { decision, ...words }: Partial<Record<keyof Verdict, unknown>> = Object(value);
  if (typeof decision !== "string" || !Object.hasOwn(STRICTNESS, decision))
    return `judge must return { decision } with one of ${Object.keys(STRICTNESS).join(", ")}`;
  for (const key of ["message", "agentMessage"] as const)
    if (words[key] !== undefined && typeof words[key] !== "string")
      return `judge returned a verdict whose ${key} is not a string`;
  return decision === "transform" && !Object.hasOwn(words, "input")
    ? "judge returned transform without an input"
    : undefined;
}
