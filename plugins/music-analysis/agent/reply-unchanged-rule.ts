import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { AGENT_TURNS, type AgentTurns } from "./agent-turns.ts";
import { placeOf, type DatedOutcome } from "./outcomes.ts";

/** In UTF-16 units: one short sentence. */
const LEAD_IN_LENGTH = 120;
const ALLOWED: Verdict = { decision: "allow" };

/**
 * Holds an agent's last words against what the commands of its turn answered (specification, Presentation rules 1 and 3,
 * Tier C rules 1): each reply stands in them character for character; a single one with at most a short sentence before
 * it and nothing behind, a line or question of the resolution quite alone. It stops a turn once: the second time it warns.
 */
@injectable()
export class ReplyUnchangedRule implements RuleHandler {
  constructor(@inject(AGENT_TURNS) private readonly turns: AgentTurns) {}

  readonly judge = async (subject: Subject): Promise<Verdict> => {
    const { outcomes } = await this.turns.heard(subject);
    const { event, answer, repeated } = subject;
    if ((event !== "turn.stop" && event !== "output.pre") || answer === undefined) return ALLOWED;
    const message = faultOf(shownOf(outcomes), answer);
    if (message === undefined) return ALLOWED;
    const agentMessage = `${message} Give it again now: at most one short lead-in sentence, then what the command printed, unchanged, and nothing after it.`;
    return { decision: repeated ? "warn" : "deny", message, agentMessage };
  };
}

/** What is for the user. Of the raw replies of `chat-sync` that is the last: those before it served the resolution. */
function shownOf(outcomes: readonly DatedOutcome[]): readonly DatedOutcome[] {
  const raw = outcomes.findLast((one) => one.raw);
  return outcomes.filter((one) => one.shown && (!one.raw || one === raw));
}

function faultOf(shown: readonly DatedOutcome[], answer: string): string | undefined {
  const places = shown.map((one) => one.shown && placeOf(one.shown, answer));
  if (places.includes(undefined))
    return "The answer does not hold the reply of music-analysis character for character.";
  const [only, ...more] = shown;
  const [place] = places;
  if (!only || !place || more.length > 0) return undefined;
  const [before, after] = [answer.slice(0, place.start).trim(), answer.slice(place.end).trim()];
  if (only.kind !== "answer" && before + after !== "")
    return only.kind === "choice"
      ? "The question which song was meant is shown as it is, with nothing beside it."
      : "The line about a song that cannot be analysed is the whole answer, with nothing beside it.";
  if (after !== "") return "Something stands after the reply of music-analysis.";
  return isLeadIn(before)
    ? undefined
    : "More than one short sentence stands before the reply of music-analysis.";
}

function isLeadIn(text: string): boolean {
  return (
    text.length <= LEAD_IN_LENGTH &&
    !/[\r\n]|[.!?。！？]\s*[\p{L}\p{N}]/u.test(text.replaceAll(/\d\.\d/g, ""))
  );
}
