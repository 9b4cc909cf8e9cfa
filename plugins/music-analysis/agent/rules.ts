import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { sha256 } from "../answer/presentation.ts";
import { PRODUCT_NAMES, type ProductNames } from "../answer/product-names.ts";
import type { AskOutput, ChatRequest } from "../contract.ts";
import { readQuestion } from "../songs/question.ts";
import { text } from "../texts.ts";
import { askedIn, AGENT_TURNS, placeOf, type AgentTurn, type AgentTurns, type Outcome } from "./outcomes.ts";

/** In UTF-16 units: one short sentence. */
const LEAD_IN_LENGTH = 120;
const ALLOWED: Verdict = { decision: "allow" };
const QUOTA = "MUSIC_QUOTA_REACHED";
/** The hint line with any name, preceded only by line endings. */
const HINT = new RegExp(
  `^\\s*${text("account-hint")
    .split("《{TOP_SONG_NAME}》")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[^\\r\\n]+")}$`,
  "u",
);

function deniedIf(isDenied: boolean): Verdict {
  return isDenied ? { decision: "deny" } : ALLOWED;
}

/** Stops a question about one song without a songId (specification, Tier C rules 4). Other values are never sent. */
@injectable()
export class NoSongFallbackRule implements RuleHandler {
  readonly judge = ({ input }: Subject): Verdict => {
    const { userMessage } = input as Partial<ChatRequest>;
    if (typeof userMessage !== "string") return ALLOWED;
    return deniedIf(readQuestion(userMessage, []).kind !== "account");
  };
}

/**
 * Stops a reply that differs from the service's answer (specification, Presentation rule 1): each content must match
 * its hash, and the text must consist of the contents in order, followed by at most the hint line.
 */
@injectable()
export class VerbatimReplyRule implements RuleHandler {
  readonly judge = ({ output }: Subject): Verdict => {
    const { text: shown, kind, answers } = output as AskOutput;
    if (kind !== "account" && kind !== "song") return deniedIf(answers.length > 0);
    const isGenuine = answers.every(({ content, contentSha256 }) => sha256(content) === contentSha256);
    const contents = answers.map(({ content }) => content).join("\n\n");
    const rest = shown.startsWith(contents) ? shown.slice(contents.length) : undefined;
    const fits = rest !== undefined && (rest === "" || (kind === "account" && HINT.test(rest)));
    return deniedIf(!isGenuine || !fits);
  };
}

/**
 * Stops a question whose answer does not go to the agent (specification, Presentation rule 1). The rule's `when` matches a
 * command with other words next to the question; calls without a question, such as `songs` and `--help`, may be piped.
 */
@injectable()
export class WholeReplyRule implements RuleHandler {
  readonly judge = (subject: Subject): Verdict => deniedIf(askedIn(subject) !== undefined);
}

/** A rule that decides by the outcomes since the person's last prompt. */
function aboutTurn(
  judge: (turn: AgentTurn, subject: Subject, products: ProductNames) => Verdict,
): new (turns: AgentTurns, products: ProductNames) => RuleHandler {
  @injectable()
  class TurnRule implements RuleHandler {
    constructor(
      @inject(AGENT_TURNS) private readonly turns: AgentTurns,
      @inject(PRODUCT_NAMES) private readonly products: ProductNames,
    ) {}

    readonly judge = async (subject: Subject): Promise<Verdict> =>
      judge(await this.turns.heard(subject), subject, this.products);
  }
  return TurnRule;
}

/** Stops a call while the user has not yet said which song was meant (specification, States and transitions 3, B). */
export const ChoiceWaitsRule = aboutTurn(({ outcomes }, { event }) =>
  deniedIf(event === "tool.pre" && outcomes.at(-1)?.kind === "choice"),
);

/** Stops a further attempt after a song was not found (specification, Tier C rules 2 and 3). */
export const TierCNoAttemptRule = aboutTurn(({ outcomes }, { event }) =>
  deniedIf(event === "tool.pre" && outcomes.some(({ kind }) => kind === "unsupported")),
);

/**
 * Stops a question that the service has refused in the same request of the user (specification, Handling of
 * data.finishReason and Errors); after the daily limit, stops every question.
 */
export const NoRetryRule = aboutTurn(({ outcomes, asking }, { event }) => {
  const isRefused = outcomes.some(
    ({ kind, code, question }) => kind === "refused" && (code === QUOTA || asking.includes(question)),
  );
  return deniedIf(event === "tool.pre" && isRefused);
});

/**
 * Stops an answer that contains a forbidden product name, in a turn with a question to the analysis (specification,
 * Presentation rule 2). In other turns, an agent may mention the product.
 */
export const NoProductNameRule = aboutTurn(({ outcomes }, subject, products) => {
  const { answer = "", repeated } = subject;
  if (outcomes.length === 0 || !isAnswer(subject) || products.filtered(answer).removed === 0) return ALLOWED;
  return { decision: repeated ? "warn" : "deny" };
});

/**
 * Compares an agent's final answer with its commands' output (specification, Presentation rules 1 and 3, Tier C rules 1):
 * it must contain each reply character for character; a single reply may follow a short sentence, with nothing after it; a
 * line or question of the resolution must stand alone. The rule stops a turn once, then it only warns.
 */
export const ReplyUnchangedRule = aboutTurn(({ outcomes }, subject) => {
  const { answer, repeated } = subject;
  const message = isAnswer(subject) && answer !== undefined && faultOf(shownOf(outcomes), answer);
  if (message === false || message === undefined) return ALLOWED;
  const agentMessage = `${message} Repeat it now: at most one short lead-in sentence, then the unchanged output of the command, and nothing after it.`;
  return { decision: repeated ? "warn" : "deny", message, agentMessage };
});

function isAnswer({ event }: Subject): boolean {
  return event === "turn.stop" || event === "output.pre";
}

/** The outcomes that the user is shown. Of the raw replies of `chat-sync`, only the last one: earlier ones served the resolution. */
function shownOf(outcomes: readonly Outcome[]): readonly Outcome[] {
  const raw = outcomes.findLast((one) => one.raw);
  return outcomes.filter((one) => one.shown && (!one.raw || one === raw));
}

function faultOf(shown: readonly Outcome[], answer: string): string | undefined {
  const places = shown.map((one) => one.shown && placeOf(one.shown, answer));
  if (places.includes(undefined))
    return "The answer does not contain the reply of music-analysis character for character.";
  const [only, ...more] = shown;
  const [place] = places;
  if (!only || !place || more.length > 0) return undefined;
  const [before, after] = [answer.slice(0, place.start).trim(), answer.slice(place.end).trim()];
  if (only.kind !== "answer" && before + after !== "")
    return only.kind === "choice"
      ? "Show the question about which song was meant as printed, with nothing added."
      : "The line about a song that cannot be analysed must be the whole answer, with nothing added.";
  if (after !== "") return "The answer has text after the reply of music-analysis.";
  return isLeadIn(before)
    ? undefined
    : "The answer has more than one short sentence before the reply of music-analysis.";
}

function isLeadIn(text: string): boolean {
  return (
    text.length <= LEAD_IN_LENGTH &&
    !/[\r\n]|[.!?。！？]\s*[\p{L}\p{N}]/u.test(text.replaceAll(/\d\.\d/g, ""))
  );
}
