import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { AGENT_TURNS, type AgentTurns } from "./agent/agent-turns.ts";

/** Stops a call while the user has not yet said which song was meant (specification, States and transitions 3, B). */
@injectable()
export class ChoiceWaitsRule implements RuleHandler {
  constructor(@inject(AGENT_TURNS) private readonly turns: AgentTurns) {}

  readonly judge = async (subject: Subject): Promise<Verdict> => {
    const { outcomes } = await this.turns.heard(subject);
    const isWaiting = subject.event === "tool.pre" && outcomes.at(-1)?.kind === "choice";
    return { decision: isWaiting ? "deny" : "allow" };
  };
}
