import { SkillError, inject, injectable, type Call, type CommandHandler } from "skillctl";
import { OUTCOMES, type Outcomes } from "./agent/outcomes.ts";
import { ASKING, type Asking } from "./asking.ts";
import { CHOICES, type Choices } from "./choices.ts";
import type { AskInput, AskOutput } from "./contract.ts";
import { CONVERSATIONS, type Conversations } from "./conversation/conversations.ts";
import { QUESTIONS_A_DAY } from "./conversation/ledger.ts";
import { isSameAccount, learnt, settled } from "./conversation/state.ts";
import {
  PRESENTATION,
  type Presentation,
  type Shown,
  type SongAnswer,
  type Unanswered,
} from "./presentation.ts";
import { resolveAmong, resolveSongs, type SongResolution } from "./song-questions.ts";
import { extractSongs } from "./songs/extraction.ts";
import { isOnlyReply } from "./songs/confirmation-reply.ts";
import { languageOf, sentence } from "./texts.ts";
import type { Turn } from "./turn.ts";

/**
 * Answers a question: the answer to a waiting choice first, then songs resolved, then one request a song or one for the
 * whole account. What the conversation learns on the way is kept in it.
 */
@injectable()
export class AskCommand implements CommandHandler<AskInput, AskOutput> {
  constructor(
    @inject(ASKING) private readonly asking: Asking,
    @inject(CONVERSATIONS) private readonly conversations: Conversations,
    @inject(CHOICES) private readonly choices: Choices,
    @inject(PRESENTATION) private readonly presentation: Presentation,
    @inject(OUTCOMES) private readonly outcomes: Outcomes,
  ) {}

  readonly run = (input: AskInput, call: Call): Promise<AskOutput> =>
    this.#asked(input, call).catch((caught: unknown) => this.outcomes.failed(input.question, caught));

  #asked({ question, conversation: named }: AskInput, call: Call): Promise<AskOutput> {
    return this.asking.round(languageOf(question), call, async (round) => {
      const conversation = await this.conversations.open(named ?? call.session, round.account);
      const shown = await this.#turn({ question, chosen: [], conversation, round });
      const used = await round.questionsUsed();
      return {
        ...shown,
        requests: round.requests,
        ...(conversation.id !== undefined && { conversation: conversation.id }),
        ...(used !== undefined && { questionsToday: { used, of: QUESTIONS_A_DAY } }),
      };
    });
  }

  async #turn(turn: Turn): Promise<Shown> {
    const { pending } = turn.conversation;
    // Sent as a question it would cost one, and answer for the whole account.
    if (!pending && isOnlyReply(turn.question))
      throw new SkillError("INPUT_INVALID", sentence("no-choice", turn.round.language));
    if (!pending) return this.#question(turn);
    const answer = await this.choices.read(pending, turn);
    if (answer.kind === "shown") return answer.shown;
    return this.#question(answer.kind === "chosen" ? answer.turn : turn);
  }

  async #question(turn: Turn): Promise<Shown> {
    const { question, conversation, round } = turn;
    const resolution = await resolveSongs(turn);
    if (resolution.kind !== "account") return this.#aboutSongs(resolution, turn);
    const data = await round.answer({ userMessage: question });
    const songs = extractSongs(data.content);
    await conversation.change(round.account, learnt(songs, "answer", conversation.now()));
    // The answer itself may tell that the question names a song, without marks: then it is not the one to show.
    const named = resolveAmong(turn, songs);
    return named ? this.#aboutSongs(named, turn) : this.presentation.account(data);
  }

  async #aboutSongs(resolution: SongResolution, turn: Turn): Promise<Shown> {
    if (resolution.kind === "choice") return this.choices.ask(turn, resolution);
    const { question, conversation, round } = turn;
    if (resolution.kind === "unsupported") {
      if (conversation.pending) await conversation.change(round.account, settled());
      return this.presentation.unsupported(resolution.name);
    }
    const { account } = conversation;
    let isSame = true;
    const found: SongAnswer[] = [];
    const unanswered: Unanswered[] = [];
    for (const entry of resolution.entries) {
      const data = await round.answer({ userMessage: question, songId: entry.songId }).catch((caught) => {
        // What has been answered before has been paid for, and is shown.
        if (found.length === 0 || !(caught instanceof SkillError) || caught.code === "CANCELLED")
          throw caught;
        unanswered.push({ entry, code: caught.code, message: caught.message });
      });
      if (!data) continue;
      isSame = isSameAccount(account, round.account);
      if (!isSame && account.login !== round.account.login) return this.#startedAnew(turn);
      found.push({ entry, data });
    }
    await conversation.change(round.account, settled(isSame ? found.map(({ entry }) => entry) : []));
    return this.presentation.songs(found, unanswered);
  }

  /** The new login that was needed on the way is another account's, whose songs are others. */
  async #startedAnew({ question, conversation, round }: Turn): Promise<Shown> {
    await conversation.change(round.account, settled());
    return this.#question({ question, chosen: [], conversation, round });
  }
}
