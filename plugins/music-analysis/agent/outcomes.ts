import { tried } from "../conversation/account.ts";
import {
  CLOCK,
  LOG,
  STATE,
  SkillError,
  inject,
  injectable,
  token,
  type Clock,
  type Log,
  type State,
  type Subject,
} from "skillctl";
import { sha256, withHint } from "../answer/presentation.ts";
import { replyIn } from "../client.ts";
import type { AskInput, AskOutput, ChatRequest, ChatSyncOutput } from "../contract.ts";
import { failureOf, refusalOf } from "../failures.ts";
import { text } from "../texts.ts";

/** Flags that every skillctl command accepts. */
const GLOBAL = /^--(?:json|verbose|no-progress|plugin=.*)$/s;

/**
 * The words of a tool call that may contain the question of `ask` or `chat-sync`: one of them is the question.
 * Undefined if the call asks no question, empty if the question is unknown.
 */
export function askedIn({ tool, shell, name = "", input }: Subject): readonly string[] | undefined {
  if (tool === "mcp") {
    if (!name.endsWith("music-analysis_ask")) return undefined;
    const { question } = (input ?? {}) as { readonly question?: unknown };
    return typeof question === "string" ? [question] : [];
  }
  for (const program of shell?.programs ?? []) {
    const asked = program.name === "skillctl" ? inWords(program.args) : undefined;
    if (asked) return asked;
  }
  return undefined;
}

function inWords(args: readonly string[]): readonly string[] | undefined {
  const skill = args.indexOf("music-analysis");
  if (skill < 0 || !args.slice(0, skill).includes("run")) return undefined;
  const words = args.slice(skill + 1).filter((word) => !GLOBAL.test(word));
  const end = words.indexOf("--");
  const flags = end < 0 ? words : words.slice(0, end);
  if (words[0] === "songs" || flags.includes("--help") || flags.includes("-h")) return undefined;
  // The results of expansions, and the contents of files and standard input, are unknown.
  const isHidden =
    words.some((word) => /[$`]/.test(word)) || flags.some((word) => /^(?:--input\b|-$)/.test(word));
  return isHidden ? [] : words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
}

/** Whether a tool call bypasses `ask` for figures from music-gateway: a query, or the rows of an explained question. */
function bypasses({ tool, shell, name = "" }: Subject): boolean {
  if (tool === "mcp") return /music-gateway_(?:query|explain)$/.test(name);
  return (shell?.programs ?? []).some(({ name: program, args }) => {
    const skill = program === "skillctl" ? args.indexOf("music-gateway") : -1;
    const words = args.slice(skill + 1);
    const command = words.find((word) => !word.startsWith("-")) ?? "";
    const isHelp = words.includes("--help") || words.includes("-h");
    return skill > 0 && !isHelp && (command === "query" || command === "explain" || /[$`]/.test(command));
  });
}

export const OUTCOMES = token<Outcomes>("question-outcomes");

/** Identifies a text without storing it, so that figures of the user are not kept in the state folder. */
interface Fingerprint {
  /** Its first characters, at most 16 UTF-16 units. */
  readonly head: string;
  /** In UTF-16 units, at least 1. */
  readonly length: number;
  /** SHA-256 of its UTF-8 text, hexadecimal. */
  readonly sha256: string;
}

/** The outcome of a question: a text to show, or the reason for its absence. */
export interface Outcome {
  /** SHA-256 of the question. */
  readonly question: string;
  readonly kind: "answer" | "choice" | "unsupported" | "refused";
  /** refused: the error code. */
  readonly code?: string;
  /** All other kinds: the text to show. */
  readonly shown?: Fingerprint;
  /** Whether it came from `chat-sync`, of which only the last answer is for the user. */
  readonly raw?: boolean;
}

/** Milliseconds since the epoch. */
interface DatedOutcome extends Outcome {
  readonly at: number;
}

const NAME = { collection: "music-analysis-outcomes", id: "latest" };
const KEEP_MS = 86_400_000;
const MOST = 50;
const HEAD_LENGTH = 16;

/** The outcomes of the user's last questions, for the rules that check an agent's reply. */
@injectable()
export class Outcomes {
  constructor(
    @inject(STATE) private readonly store: State,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** @throws SkillError `FILE_UNREADABLE` */
  async since(at: number): Promise<readonly Outcome[]> {
    return listIn(await this.store.read(NAME)).filter((one) => one.at >= at);
  }

  /** Never throws, so that an answer is not lost if this cannot be written. */
  async note(outcome: Outcome): Promise<void> {
    const dated: DatedOutcome = { ...outcome, at: this.clock.now() };
    await tried(
      () => this.store.update(NAME, KEEP_MS, (stored) => ({ list: [...listIn(stored), dated].slice(-MOST) })),
      (reason) => this.log.detail(`The outcome of the question cannot be kept: ${reason}`),
    );
  }

  /** Records a question that failed, if the error means that it must not be sent again. Rethrows the error. */
  async failed(question: string, caught: unknown): Promise<never> {
    if (caught instanceof SkillError) await this.refused(question, caught.code);
    throw caught;
  }

  /** Records a code that means that the question must not be sent again; ignores any other code. */
  async refused(question: string, code: string): Promise<void> {
    if (failureOf(code)?.isFinal) await this.note({ question: sha256(question), kind: "refused", code });
  }
}

function listIn(stored: unknown): readonly DatedOutcome[] {
  const { list } = (stored ?? {}) as { readonly list?: unknown };
  return Array.isArray(list) ? (list as DatedOutcome[]) : [];
}

/** The outcome of a successful command; undefined if there is nothing to show. */
function outcomeOf({ name, input, output }: Subject): Outcome | undefined {
  if (name === "ask") return outcomeOfAsk(input as AskInput, output as AskOutput);
  return name === "chat-sync" ? ofChatSync(input as ChatRequest, output as ChatSyncOutput) : undefined;
}

/** The outcome of a question that `ask` has answered, at least in part. */
export function outcomeOfAsk({ question }: AskInput, { text: shown, kind }: AskOutput): Outcome {
  return {
    question: sha256(question),
    kind: kind === "account" || kind === "song" ? "answer" : kind,
    shown: fingerprintOf(shown),
  };
}

/** The presentation rules are the same, but here the model applies them (specification, Presentation rules 1 to 3). */
function ofChatSync(
  { userMessage, songId }: ChatRequest,
  { text: printed }: ChatSyncOutput,
): Outcome | undefined {
  const reply = replyIn(JSON.parse(printed));
  const question = sha256(userMessage);
  const code = reply && refusalOf(reply);
  if (code && failureOf(code)?.isFinal) return { question, kind: "refused", code };
  // The internal overall question, whose content is not shown (States and transitions 2).
  const isInternal = songId === undefined && userMessage === text("mapping-question");
  if (code || !reply?.data || isInternal) return undefined;
  const { content } = reply.data;
  const whole = songId === undefined ? withHint(content) : content;
  return { question, kind: "answer", raw: true, shown: fingerprintOf(whole) };
}

/** Trailing line feeds are ignored: the command line adds one. */
function fingerprintOf(text: string): Fingerprint {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end -= 1;
  const bare = text.slice(0, end);
  return { head: bare.slice(0, HEAD_LENGTH), length: bare.length, sha256: sha256(bare) };
}

/** The position of a fingerprint's text in an answer, character for character; undefined if it is missing. */
export function placeOf(
  { head, length, sha256: wanted }: Fingerprint,
  answer: string,
): { readonly start: number; readonly end: number } | undefined {
  for (let start = answer.indexOf(head); start >= 0; start = answer.indexOf(head, start + 1)) {
    const end = start + length;
    if (end > answer.length) return undefined;
    if (sha256(answer.slice(start, end)) === wanted) return { start, end };
  }
  return undefined;
}

export const AGENT_TURNS = token<AgentTurns>("agent-turns");

/** The questions to the analysis, and their outcomes, since the last prompt from a person to an agent. */
export interface AgentTurn {
  /** In chronological order. Empty for a tool call that asks for no figures, which is not stopped. */
  readonly outcomes: readonly Outcome[];
  /** tool.pre: SHA-256 of each text that may be the question of this call. */
  readonly asking: readonly string[];
}

/** The questions of a turn, stored under the id of the agent's session. */
interface KeptTurn {
  /** The time of the first question, in milliseconds since the epoch. */
  readonly since: number;
  /** SHA-256 of each; an empty text for an unknown question. */
  readonly asked: readonly string[];
}

const TURNS = "music-analysis-turns";
const MOST_ASKED = 100;
const NOTHING: AgentTurn = { outcomes: [], asking: [] };

/**
 * Follows the turns of agents: commands report the outcome of a question, tool calls the session that asked it, and a new
 * prompt begins a new turn (specification, Tier C rules 3).
 */
@injectable()
export class AgentTurns {
  /** Several rules check one request, which is recorded once. */
  readonly #heard = new WeakMap<Subject, Promise<AgentTurn>>();

  constructor(
    @inject(STATE) private readonly store: State,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(OUTCOMES) private readonly outcomes: Outcomes,
  ) {}

  /** Records a request, and returns the state before it. @throws SkillError `FILE_UNREADABLE`, `FILE_UNWRITABLE` */
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
    const name = { collection: TURNS, id: session };
    const kept = (await this.store.read(name)) as KeptTurn | undefined;
    if (event === "prompt.submit") {
      if (kept) await this.store.update(name, KEEP_MS, () => undefined);
      return NOTHING;
    }
    const asked = event === "tool.pre" ? askedIn(subject) : undefined;
    if (event === "tool.pre" && !asked && !bypasses(subject)) return NOTHING;
    const outcomes = kept ? await this.#of(kept) : [];
    if (!asked) return { outcomes, asking: [] };
    const asking = asked.map(sha256);
    const now = this.clock.now();
    await this.store.update(name, KEEP_MS, (stored): KeptTurn => {
      const { since, asked: before } = (stored as KeptTurn | undefined) ?? { since: now, asked: [] };
      return {
        since,
        asked: [...new Set([...before, ...(asking.length === 0 ? [""] : asking)])].slice(-MOST_ASKED),
      };
    });
    return { outcomes, asking };
  }

  async #of({ since, asked }: KeptTurn): Promise<readonly Outcome[]> {
    const outcomes = await this.outcomes.since(since);
    return asked.includes("") ? outcomes : outcomes.filter(({ question }) => asked.includes(question));
  }
}
