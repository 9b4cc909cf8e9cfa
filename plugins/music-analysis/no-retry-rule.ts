import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { AGENT_TURNS, type AgentTurns } from "./agent/agent-turns.ts";

const QUOTA = "MUSIC_QUOTA_REACHED";

/**
 * Stops a question that the service has refused in the same request of the user (specification, Handling of
 * data.finishReason and Errors); after the daily limit every question.
 */
@injectable()
export class NoRetryRule implements RuleHandler {
  constructor(@inject(AGENT_TURNS) private readonly turns: AgentTurns) {}

  readonly judge = async (subject: Subject): Promise<Verdict> => {
    const { outcomes, asking } = await this.turns.heard(subject);
    if (subject.event !== "tool.pre") return { decision: "allow" };
    const isRefused = outcomes.some(
      ({ kind, code, question }) => kind === "refused" && (code === QUOTA || question === asking),
    );
    return { decision: isRefused ? "deny" : "allow" };
  };
}
