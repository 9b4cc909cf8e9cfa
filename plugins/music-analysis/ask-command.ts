import {
  LOG,
  SkillError,
  inject,
  injectable,
  type Call,
  type CommandHandler,
  type Log,
  languageOf,
} from "skillctl";
import { OUTCOMES, outcomeOfAsk, type Outcomes } from "./agent/outcomes.ts";
import { PICTURES, type Pictures } from "./answer/pictures.ts";
import { PRESENTATION, type Presentation, type Display, type SongOutcome } from "./answer/presentation.ts";
import type { AskInput, AskOutput } from "./contract.ts";
import { isSameAccount } from "./conversation/account.ts";
import {
  CONVERSATIONS,
  aside,
  learnt,
  settled,
  type Conversations,
  type PendingChoice,
} from "./conversation/conversation.ts";
import { failureOf } from "./failures.ts";
import { resolveAmong, resolveNames, resolveQuestion, type Resolution, type Turn } from "./resolution.ts";
import { ROUNDS, type Round, type Rounds } from "./round.ts";
import { isOnlyReply, isOrdinal, nameIn, readChoiceReply } from "./songs/choice-reply.ts";
import { extractSongs } from "./songs/extraction.ts";
import type { SongEntry } from "./songs/song.ts";
import { sentence } from "./texts.ts";

/** How often a choice is offered; the next vague answer counts as a refusal (docs/music-analysis.md, Confirmation). */
const MOST_ASKED = 2;
/** A choice for a question that names no song. */
const WHICH = { name: "", candidates: [] };

interface AskResult {
  readonly output: AskOutput;
  /** The error of a picture that could not be drawn. */
  readonly undrawn?: SkillError;
}

/**
 * Answers a question: first reads the answer to a pending choice, then resolves the songs, then sends one request per
 * song or one for the whole account. The conversation keeps the songs of the answers.
 */
@injectable()
export class AskCommand implements CommandHandler<AskInput, AskOutput> {
  constructor(
    @inject(ROUNDS) private readonly rounds: Rounds,
    @inject(CONVERSATIONS) private readonly conversations: Conversations,
    @inject(PRESENTATION) private readonly presentation: Presentation,
    @inject(OUTCOMES) private readonly outcomes: Outcomes,
    @inject(LOG) private readonly log: Log,
    @inject(PICTURES) private readonly pictures: Pictures,
  ) {}

  readonly run = async (input: AskInput, call: Call): Promise<AskOutput> => {
    const { output, undrawn } = await this.#asked(input, call).catch((caught: unknown) =>
      this.outcomes.failed(input.question, caught),
    );
    const [missing = undrawn] = output.unanswered ?? [];
    if (!missing) return output;
    // Other answers are still shown; the exit status reports that one is missing.
    await this.outcomes.note(outcomeOfAsk(input, output));
    return this.outcomes.failed(
      input.question,
      new SkillError(missing.code, missing.message, { result: output }),
    );
  };

  async #asked({ question, conversation: own, picture }: AskInput, call: Call): Promise<AskResult> {
    const named = own ?? call.session;
    // The path of a picture is checked before any request.
    const path = picture === undefined ? undefined : await this.pictures.path(picture, languageOf(question));
    const asked = async (round: Round): Promise<AskResult> => {
      const conversation = await this.conversations.open(named, round.account);
      round.titles = () => conversation.titles;
      const shown = await this.#turn({ question, chosen: [], conversation, round });
      const output = {
        ...shown,
        answers: await Promise.all(shown.answers.map((answer) => round.withTables(answer))),
        requests: round.requests,
        ...(conversation.id !== undefined && { conversation: conversation.id }),
      };
      if (path === undefined) return { output };
      const drawn = round.shown && { ...round.shown, conversation: named };
      const undrawn = await this.pictures.draw(path, drawn, languageOf(question, conversation.titles));
      return undrawn ? { output, undrawn } : { output: { ...output, picture: path } };
    };
    return this.rounds.open(question, call, asked, named);
  }

  async #turn(turn: Turn): Promise<Display> {
    const { pending } = turn.conversation;
    // As a question, it would use up one and get an answer about the whole account.
    const isOfRow = turn.conversation.isAside !== undefined && isOrdinal(turn.question);
    if (!pending?.name && isOnlyReply(turn.question) && !isOfRow)
      throw new SkillError("INPUT_INVALID", sentence("no-choice", turn.round.language), {
        hint: sentence("whole-question-hint", turn.round.language),
      });
    return pending ? this.#choiceReply(pending, turn) : this.#question(turn);
  }

  /** Reads the answer to a pending choice (specification, States and transitions 3). */
  async #choiceReply(pending: PendingChoice, turn: Turn): Promise<Display> {
    const { question: answer, conversation, round } = turn;
    const { question, name, candidates, chosen, asked } = pending;
    const first = { question, chosen, conversation, round };
    const { songs = candidates } = conversation.known ?? {};
    if (name === "") return this.#nameReply(nameIn(answer, conversation.known?.songs ?? []), first, turn);
    const reply = readChoiceReply(answer, candidates, songs);
    if (reply.kind === "chosen") return this.#chosen(reply.entry, name, first);
    // A question about the account does not end the choice; an answer about a song does.
    if (reply.kind === "new-question") return this.#question(turn);
    if (reply.kind === "vague" && asked < MOST_ASKED) return this.#ask(first, pending, asked + 1);
    return this.#unsupported(name, turn);
  }

  /** A name that answers "which song?" is looked up like one in a question; without one it is a new question. */
  async #nameReply(name: string | undefined, first: Turn, turn: Turn): Promise<Display> {
    if (name === undefined) return this.#question(turn);
    first.round.question = first.question;
    const found = await resolveNames([name], first);
    const [entry] = found.kind === "songs" ? found.entries : [];
    if (entry) return this.#chosen(entry, name, first);
    return found.kind === "choice" ? this.#ask(first, found) : this.#unsupported(name, first);
  }

  /** The first question continues with a song, and the choice stays open until the answer arrives. */
  async #chosen(entry: SongEntry, name: string, first: Turn): Promise<Display> {
    const { conversation, round, chosen, question } = first;
    // The song stays in focus if its question fails, since the user may repeat the question.
    await conversation.change(round.account, (state) => {
      const { isAside: _, ...rest } = state;
      return { ...rest, focus: entry };
    });
    round.question = question;
    return this.#question({ ...first, chosen: [...chosen, [name, entry] as const] });
  }

  /** Asks which song was meant. The conversation keeps the choice, and gets an id if it has none. */
  async #ask(
    { question, chosen, conversation, round }: Turn,
    { name, candidates }: Pick<PendingChoice, "name" | "candidates">,
    asked = 1,
  ): Promise<Display> {
    const isNew = conversation.id === undefined;
    const pending = { question, chosen, name, candidates, asked, at: conversation.now() };
    await conversation.change(round.account, (state) => ({ ...state, pending }));
    const id = await conversation.keep();
    if (isNew && id !== undefined && round.surface === "cli")
      this.log.notice(
        `To answer: skillctl run music-analysis --conversation ${id} "${name === "" ? "..." : "1"}"`,
      );
    return name === "" ? this.presentation.which(round.language) : this.presentation.choice(name, candidates);
  }

  async #unsupported(name: string, { conversation, round }: Turn): Promise<Display> {
    if (conversation.pending) await conversation.change(round.account, settled());
    return this.presentation.unsupported(name);
  }

  async #question(turn: Turn): Promise<Display> {
    const { question, conversation, round } = turn;
    const resolution = await resolveQuestion(turn);
    if (resolution.kind !== "account") return this.#aboutSongs(resolution, turn);
    const data = await round.answer({ userMessage: question });
    const songs = extractSongs(data.content);
    const learn = learnt(songs, "answer", conversation.now());
    const subject = await round.subjectOf(data);
    await conversation.change(round.account, (state) => aside(learn(state), subject));
    // The answer may reveal that the question names a song without marks. In that case, it must not be shown.
    const named = resolveAmong(turn, songs);
    if (named) return this.#aboutSongs(named, turn);
    round.shown = { question, songIds: [] };
    return this.presentation.account(data);
  }

  async #aboutSongs(resolution: Exclude<Resolution, { kind: "account" }>, turn: Turn): Promise<Display> {
    switch (resolution.kind) {
      case "choice":
        return this.#ask(turn, resolution);
      case "which":
        return resolution.waits ? this.#ask(turn, WHICH) : this.presentation.which(turn.round.language);
      case "unsupported":
        return this.#unsupported(resolution.name, turn);
      case "songs":
        return this.#answers(resolution.entries, turn);
    }
  }

  /** Sends one request per song. Answers have used up questions, so they are shown even if others fail. */
  async #answers(entries: readonly SongEntry[], turn: Turn): Promise<Display> {
    const { question, conversation, round } = turn;
    const { account } = conversation;
    const outcomes: SongOutcome[] = [];
    const answered: SongEntry[] = [];
    let isSame = true;
    let failure: SkillError | undefined;
    for (const entry of entries) {
      if (failure && failureOf(failure.code)?.endsAll) {
        outcomes.push({ entry, code: failure.code, message: failure.message });
        continue;
      }
      try {
        const data = await round.answer({ userMessage: question, songId: entry.songId });
        isSame = isSameAccount(account, round.account);
        if (!isSame && account.login !== round.account.login) return await this.#startedAnew(turn);
        outcomes.push({ entry, data });
        answered.push(entry);
      } catch (caught) {
        if (!(caught instanceof SkillError) || caught.code === "CANCELLED") throw caught;
        failure = caught;
        outcomes.push({ entry, code: caught.code, message: caught.message });
      }
    }
    if (failure && answered.length === 0) throw failure;
    await conversation.change(round.account, settled(isSame ? answered : []));
    round.shown = { question, songIds: answered.map(({ songId }) => songId) };
    return this.presentation.songs(outcomes, round.language);
  }

  /** Repeats the question after a new login to another account, which has other songs. */
  async #startedAnew({ question, conversation, round }: Turn): Promise<Display> {
    await conversation.change(round.account, settled());
    return this.#question({ question, chosen: [], conversation, round });
  }
}
