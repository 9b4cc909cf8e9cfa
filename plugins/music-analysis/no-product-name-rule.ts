import { config, inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { AGENT_TURNS, type AgentTurns } from "./agent/agent-turns.ts";
import { filterKeywords } from "./answer/keyword-filter.ts";
import type { Config } from "./contract.ts";

/**
 * Stops an answer with a product name that is never shown, in a turn that has asked the analysis (specification,
 * Presentation rule 2). Elsewhere an agent may well speak of the product.
 */
@injectable()
export class NoProductNameRule implements RuleHandler {
  constructor(
    @inject(AGENT_TURNS) private readonly turns: AgentTurns,
    @inject(config<Config>()) private readonly settings: Config,
  ) {}

  readonly judge = async (subject: Subject): Promise<Verdict> => {
    const { outcomes } = await this.turns.heard(subject);
    const { answer = "", repeated, event } = subject;
    if (outcomes.length === 0 || (event !== "turn.stop" && event !== "output.pre"))
      return { decision: "allow" };
    const { forbiddenWords: keywords, strictFilter } = this.settings;
    const { removed } = filterKeywords(answer, { keywords, mode: strictFilter ? "strict" : "words" });
    if (removed === 0) return { decision: "allow" };
    return { decision: repeated ? "warn" : "deny" };
  };
}
