import { SkillError, inject, injectable, type Call, type CommandHandler } from "skillctl";
import { OUTCOMES, outcomeOfAsk, type Outcomes } from "./agent/outcomes.ts";
import { PICTURES, type Pictures } from "./answer/pictures.ts";
import { PRESENTATION, type Presentation, type Shown, type SongOutcome } from "./answer/presentation.ts";
import { CHOICES, WHICH, type Choices } from "./choices.ts";
import type { AskInput, AskOutput } from "./contract.ts";
import { CONVERSATIONS, type Conversations } from "./conversation/conversation.ts";
import { isSameAccount, learnt, settled } from "./conversation/state.ts";
import { resolveAmong, resolveQuestion, type Resolution, type Turn } from "./resolution.ts";
import { ROUNDS, type Rounds } from "./round.ts";
import { isOnlyReply } from "./songs/choice-reply.ts";
import { extractSongs } from "./songs/extraction.ts";
import type { SongEntry } from "./songs/song.ts";
import { languageOf, sentence } from "./texts.ts";

/** After these no further song is asked about: the same would come of it. */
const ENDS_ALL: ReadonlySet<string> = new Set([
  "MUSIC_QUOTA_REACHED",
  "MUSIC_LOGIN_NEEDED",
  "MUSIC_FIELD_REFUSED",
  "TOKEN_MISSING",
  "NETWORK_UNREACHED",
]);

/**
 * Answers a question: the answer to a waiting choice first, then songs resolved, then one request a song or one for the
 * whole account. What the conversation learns on the way is kept in it.
 */
@injectable()
export class AskCommand implements CommandHandler<AskInput, AskOutput> {
  constructor(
    @inject(ROUNDS) private readonly rounds: Rounds,
    @inject(CONVERSATIONS) private readonly conversations: Conversations,
    @inject(CHOICES) private readonly choices: Choices,
    @inject(PRESENTATION) private readonly presentation: Presentation,
    @inject(OUTCOMES) private readonly outcomes: Outcomes,
    @inject(PICTURES) private readonly pictures: Pictures,
  ) {}

  readonly run = async (input: AskInput, call: Call): Promise<AskOutput> => {
    const output = await this.#asked(input, call).catch((caught: unknown) =>
      this.outcomes.failed(input.question, caught),
    );
    const [missing = undrawn(input, output)] = output.unanswered ?? [];
    if (!missing) return output;
    // What was answered is shown all the same, and the exit status says that something is missing.
    await this.outcomes.note(outcomeOfAsk(input, output));
    return this.outcomes.failed(
      input.question,
      new SkillError(missing.code, missing.message, { result: output }),
    );
  };

  async #asked({ question, conversation: named, picture }: AskInput, call: Call): Promise<AskOutput> {
    // Where a picture goes is looked at before anything is asked.
    const path =
      picture === undefined ? undefined : await this.pictures.path(picture, call, languageOf(question));
    return this.rounds.open(languageOf(question), call, async (round) => {
      const conversation = await this.conversations.open(named ?? call.session, round.account);
      const shown = await this.#turn({ question, chosen: [], conversation, round });
      const questionsToday = await round.questionsToday();
      const isDrawn = path !== undefined && (await this.pictures.draw(path, round.shown));
      return {
        ...shown,
        requests: round.requests,
        ...(isDrawn && { picture: path }),
        ...(conversation.id !== undefined && { conversation: conversation.id }),
        ...(questionsToday && { questionsToday }),
      };
    });
  }

  async #turn(turn: Turn): Promise<Shown> {
    const { pending } = turn.conversation;
    // Sent as a question it would cost one, and answer for the whole account.
    if (!pending?.name && isOnlyReply(turn.question))
      throw new SkillError("INPUT_INVALID", sentence("no-choice", turn.round.language));
    if (!pending) return this.#question(turn);
    const answer = await this.choices.read(pending, turn);
    if (answer.kind === "shown") return answer.shown;
    return this.#question(answer.kind === "chosen" ? answer.turn : turn);
  }

  async #question(turn: Turn): Promise<Shown> {
    const { question, conversation, round } = turn;
    const resolution = await resolveQuestion(turn);
    if (resolution.kind !== "account") return this.#aboutSongs(resolution, turn);
    const data = await round.answer({ userMessage: question });
    const songs = extractSongs(data.content);
    await conversation.change(round.account, learnt(songs, "answer", conversation.now()));
    // The answer itself may tell that the question names a song, without marks: then it is not the one to show.
    const named = resolveAmong(turn, songs);
    if (named) return this.#aboutSongs(named, turn);
    round.shown = { question, songIds: [] };
    return this.presentation.account(data);
  }

  async #aboutSongs(resolution: Exclude<Resolution, { kind: "account" }>, turn: Turn): Promise<Shown> {
    const { conversation, round } = turn;
    switch (resolution.kind) {
      case "choice":
        return this.choices.ask(turn, resolution);
      case "which":
        return resolution.waits ? this.choices.ask(turn, WHICH) : this.presentation.which(round.language);
      case "unsupported":
        if (conversation.pending) await conversation.change(round.account, settled());
        return this.presentation.unsupported(resolution.name);
      case "songs":
        return this.#answers(resolution.entries, turn);
    }
  }

  /** One request a song. What has been answered has been paid for, and is shown whatever becomes of the others. */
  async #answers(entries: readonly SongEntry[], turn: Turn): Promise<Shown> {
    const { question, conversation, round } = turn;
    const { account } = conversation;
    const outcomes: SongOutcome[] = [];
    const answered: SongEntry[] = [];
    let isSame = true;
    let failure: SkillError | undefined;
    for (const entry of entries) {
      if (failure && ENDS_ALL.has(failure.code)) {
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

  /** The new login that was needed on the way is another account's, whose songs are others. */
  async #startedAnew({ question, conversation, round }: Turn): Promise<Shown> {
    await conversation.change(round.account, settled());
    return this.#question({ question, chosen: [], conversation, round });
  }
}

/** Why a picture that was asked for is missing. */
function undrawn({ question, picture }: AskInput, output: AskOutput) {
  if (picture === undefined || output.picture !== undefined) return undefined;
  return { code: "MUSIC_NO_PICTURE", message: sentence("picture-none", languageOf(question)) };
}
