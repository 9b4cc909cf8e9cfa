import { LOG, inject, injectable, type Call, type CommandHandler, type Log } from "skillctl";
import { ASKING, type Asking } from "./asking.ts";
import type { SongsInput, SongsOutput } from "./contract.ts";
import type { Conversation } from "./conversation/conversation.ts";
import { CONVERSATIONS, type Conversations } from "./conversation/conversations.ts";
import { LEDGER, QUESTIONS_A_DAY, type Ledger } from "./conversation/ledger.ts";
import { PRESENTATION, type Presentation } from "./presentation.ts";
import { SERVICE, type Service } from "./service.ts";
import { overallSongs } from "./song-questions.ts";
import type { SongEntry } from "./songs/mapping.ts";
import { songsText } from "./songs-text.ts";

/** Shows the songs that a conversation knows. Asks the service only when it is told to. */
@injectable()
export class SongsCommand implements CommandHandler<SongsInput, SongsOutput> {
  constructor(
    @inject(SERVICE) private readonly service: Service,
    @inject(ASKING) private readonly asking: Asking,
    @inject(CONVERSATIONS) private readonly conversations: Conversations,
    @inject(LEDGER) private readonly ledger: Ledger,
    @inject(PRESENTATION) private readonly presentation: Presentation,
    @inject(LOG) private readonly log: Log,
  ) {}

  readonly run = async (
    { conversation: named, refresh = false }: SongsInput,
    call: Call,
  ): Promise<SongsOutput> => {
    const id = named ?? call.session;
    if (refresh)
      return this.asking.round("zh", call, async (round) => {
        const conversation = await this.conversations.open(id, round.account);
        await overallSongs(conversation, round);
        const kept = await conversation.keep();
        if (id === undefined && kept !== undefined)
          this.log.notice(`To go on: skillctl run music-analysis --conversation ${kept} "..."`);
        return this.#shown(conversation, await round.questionsUsed());
      });
    const { login } = await this.service.endpoint(call);
    return this.#shown(await this.conversations.open(id, { login }), await this.ledger.used(login));
  };

  #shown(conversation: Conversation, used: number | undefined): SongsOutput {
    const { known, focus, id } = conversation;
    const shown = ({ name, songId }: SongEntry) => ({ name: this.presentation.filtered(name), songId });
    const songs = (known?.songs ?? []).map(shown);
    const facts = {
      ...(known && {
        source: known.source,
        readAt: new Date(known.at).toISOString(),
        ageSeconds: Math.max(0, Math.round((conversation.now() - known.at) / 1000)),
      }),
      ...(focus && { focus: shown(focus) }),
      ...(id !== undefined && { conversation: id }),
      ...(used !== undefined && { questionsToday: { used, of: QUESTIONS_A_DAY } }),
    };
    return { text: songsText(songs, facts), songs, ...facts };
  }
}
