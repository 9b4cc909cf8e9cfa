import type { Log } from "../ports/log.ts";
import type { Phases } from "../ports/phases.ts";
import type { GuardEvent, Subject } from "../plugin.ts";
import type { PlannedRule } from "./rules.ts";
import { refuse, type Judgement } from "./judgement.ts";

/** The members of the guard that changes of phases need. */
interface Judge {
  readonly plan: (event: GuardEvent, skill: string) => readonly PlannedRule[];
  readonly judge: (plan: readonly PlannedRule[], subject: Subject) => Judgement | Promise<Judgement>;
}

/** The port of one skill. Leaving comes before entering, since a rule may undo something at the end of a phase. */
export function phasesOf(skill: string, guard: Judge, log: Pick<Log, "notice">): Phases {
  const passed = async (event: GuardEvent, name: string, rest: Partial<Subject>): Promise<void> => {
    const plan = guard.plan(event, skill);
    if (plan.length === 0) return;
    const judgement = await guard.judge(plan, { event, surface: "host", skill, name, ...rest });
    for (const { decision, message } of judgement.findings) if (decision === "warn") log.notice(message);
    refuse(judgement);
  };
  return {
    change: async ({ folder, session, from, to }) => {
      const input = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      const rest = { cwd: folder, input, ...(session !== undefined && { session }) };
      if (from !== undefined) await passed("phase.leave", from, rest);
      if (to !== undefined) await passed("phase.enter", to, rest);
    },
  };
}
