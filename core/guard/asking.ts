import type { RuleHandler, Subject, Verdict } from "../plugin.ts";
import { SkillError, coreEntry, described } from "../errors/skill-error.ts";
import { failed, worded, type Finding } from "./finding.ts";
import type { PlannedRule } from "./planned-rule.ts";
import { STRICTNESS } from "./combined.ts";

/** Creates the handlers of rules on first use. */
export interface Handlers {
  readonly rule: (skill: string, name: string) => Promise<RuleHandler>;
}

const LATE = Symbol("late");
const SHAPE = "judge must return { decision: … }";

/** Calls the handler of a rule. A handler that cannot be opened, throws, times out or returns a malformed verdict has denied. */
export async function ask(planned: PlannedRule, subject: Subject, handlers: Handlers): Promise<Finding> {
  const { timeoutMs, skill, name } = planned;
  if (skill === undefined) return failed(planned, "only a rule of a skill has code");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, LATE);
  });
  try {
    const opened = await Promise.race([openedBy(handlers.rule(skill, name), planned), late]);
    if (opened !== LATE && "fault" in opened) return opened.fault;
    const verdict = opened === LATE ? LATE : await Promise.race([opened.handler.judge(subject), late]);
    if (verdict === LATE) return failed(planned, `no answer within ${timeoutMs} ms`);
    return isVerdict(verdict) ? worded(planned, verdict) : failed(planned, SHAPE);
  } catch (cause) {
    return failed(planned, "its code failed", cause, subject);
  } finally {
    clearTimeout(timer);
  }
}

type Opened = { readonly handler: RuleHandler } | { readonly fault: Finding };

/** The error of a plugin is reported in full, since the plugin has seen nothing of the request. */
async function openedBy(opening: Promise<RuleHandler>, planned: PlannedRule): Promise<Opened> {
  try {
    return { handler: await opening };
  } catch (cause) {
    const mend = isForPerson(cause) ? ` ${cause.hint}` : "";
    return { fault: { ...failed(planned, `${described(cause)}${mend}`.replace(/\.$/, "")), cause } };
  }
}

/** Whether the error is one that its reader can fix, with a hint that says how. */
function isForPerson(cause: unknown): cause is SkillError {
  return cause instanceof SkillError && cause.hint !== undefined && coreEntry(cause.code).fault === "user";
}

function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== "object" || value === null) return false;
  const { decision, message = "", agentMessage = "" } = value as Partial<Record<keyof Verdict, unknown>>;
  if (typeof message !== "string" || typeof agentMessage !== "string") return false;
  if (typeof decision !== "string" || !Object.hasOwn(STRICTNESS, decision)) return false;
  return decision !== "transform" || Object.hasOwn(value, "input");
}
