import { CLOCK, STATE, inject, injectable, token, type Clock, type State, type Subject } from "skillctl";
import { sha256 } from "../answer/presentation.ts";
import { askedIn } from "./asked-questions.ts";
import { KEEP_MS, OUTCOMES, outcomeOf, type Outcome, type Outcomes } from "./outcomes.ts";

export const AGENT_TURNS = token<AgentTurns>("agent-turns");

/** What one request of a person to an agent has asked the analysis so far, and what came of it. */
export interface AgentTurn {
  /** In the order of their time. None for a tool call that asks nothing: it goes on whatever came before. */
  readonly outcomes: readonly Outcome[];
  /** tool.pre: SHA-256 of what may be the question that is about to be asked. */
  readonly asking: readonly string[];
}

/** Kept by the agent's session. */
interface KeptTurn {
  /** When the first question was asked, in milliseconds since the epoch. */
  readonly since: number;
  /** SHA-256 of each; an empty text for one that is not known. */
  readonly asked: readonly string[];
}

const COLLECTION = "music-analysis-turns";
const MOST = 100;
const NOTHING: AgentTurn = { outcomes: [], asking: [] };

/**
 * What the rules about an agent's turn know: commands say what became of a question, tool calls which session has asked
 * it, and a new prompt begins anew (specification, Tier C rules 3).
 */
@injectable()
export class AgentTurns {
  /** Several rules are asked about one request: it is taken in once. */
  readonly #heard = new WeakMap<Subject, Promise<AgentTurn>>();

  constructor(
    @inject(STATE) private readonly store: State,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(OUTCOMES) private readonly outcomes: Outcomes,
  ) {}

  /** Takes a request in, and answers how things stood before it. @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
  heard(subject: Subject): Promise<AgentTurn> {
    const known = this.#heard.get(subject);
    if (known) return known;
    const turn = this.#hear(subject);
    this.#heard.set(subject, turn);
    return turn;
  }

  async #hear(subject: Subject): Promise<AgentTurn> {
    const { event, session } = subject;
    if (event === "command.post") {
      const outcome = outcomeOf(subject);
      if (outcome) await this.outcomes.note(outcome);
      return NOTHING;
    }
    if (session === undefined) return NOTHING;
    const name = { collection: COLLECTION, id: session };
    const kept = (await this.store.read(name)) as KeptTurn | undefined;
    if (event === "prompt.submit") {
      if (kept) await this.store.update(name, KEEP_MS, () => undefined);
      return NOTHING;
    }
    const asked = event === "tool.pre" ? askedIn(subject) : undefined;
    if (event === "tool.pre" && !asked) return NOTHING;
    const outcomes = kept ? await this.#of(kept) : [];
    if (!asked) return { outcomes, asking: [] };
    const asking = asked.map(sha256);
    const now = this.clock.now();
    await this.store.update(name, KEEP_MS, (stored): KeptTurn => {
      const { since, asked: before } = (stored as KeptTurn | undefined) ?? { since: now, asked: [] };
      return {
        since,
        asked: [...new Set([...before, ...(asking.length === 0 ? [""] : asking)])].slice(-MOST),
      };
    });
    return { outcomes, asking };
  }

  async #of({ since, asked }: KeptTurn): Promise<readonly Outcome[]> {
    const outcomes = await this.outcomes.since(since);
    return asked.includes("") ? outcomes : outcomes.filter(({ question }) => asked.includes(question));
  }
}
