import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { AGENT_TURNS, type AgentTurns } from "./agent/agent-turns.ts";

/** Stops a further attempt after a song turned out not to be there (specification, Tier C rules 2 and 3). */
@injectable()
export class TierCNoAttemptRule implements RuleHandler {
  constructor(@inject(AGENT_TURNS) private readonly turns: AgentTurns) {}

  readonly judge = async (subject: Subject): Promise<Verdict> => {
    const { outcomes } = await this.turns.heard(subject);
    const hasEnded = subject.event === "tool.pre" && outcomes.some(({ kind }) => kind === "unsupported");
    return { decision: hasEnded ? "deny" : "allow" };
  };
}
