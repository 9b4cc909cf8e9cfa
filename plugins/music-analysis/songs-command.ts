import { LOG, inertMarkdown, inject, injectable, type Call, type CommandHandler, type Log } from "skillctl";
import { PRODUCT_NAMES, type ProductNames } from "./answer/product-names.ts";
import type { SongsInput, SongsOutput } from "./contract.ts";
import { CONVERSATIONS, type Conversation, type Conversations } from "./conversation/conversation.ts";
import { learnOverallSongs } from "./resolution.ts";
import { ROUNDS, type Rounds } from "./round.ts";
import { SERVICE, type Service } from "./service.ts";
import { listedNames, type SongEntry } from "./songs/song.ts";
import { text } from "./texts.ts";

/** Shows the songs of a conversation. Calls the service only with `refresh`. */
@injectable()
export class SongsCommand implements CommandHandler<SongsInput, SongsOutput> {
  constructor(
    @inject(SERVICE) private readonly service: Service,
    @inject(ROUNDS) private readonly rounds: Rounds,
    @inject(CONVERSATIONS) private readonly conversations: Conversations,
    @inject(PRODUCT_NAMES) private readonly products: ProductNames,
    @inject(LOG) private readonly log: Log,
  ) {}

  readonly run = async (
    { conversation: named, refresh = false }: SongsInput,
    call: Call,
  ): Promise<SongsOutput> => {
    const id = named ?? call.session;
    if (refresh)
      // Without a question, failures are in English, like the list.
      return this.rounds.open("songs", call, async (round) => {
        const conversation = await this.conversations.open(id, round.account);
        await learnOverallSongs(conversation, round);
        const kept = await conversation.keep();
        if (id === undefined && kept !== undefined)
          this.log.notice(`To continue: skillctl run music-analysis --conversation ${kept} "..."`);
        return this.#shown(conversation);
      });
    const { login } = await this.service.endpoint(call);
    return this.#shown(await this.conversations.open(id, { login }));
  };

  #shown(conversation: Conversation): SongsOutput {
    const { known, focus, id } = conversation;
    const entries = known?.songs ?? [];
    const shown = ({ name, songId }: SongEntry) => ({ name: this.products.without(name), songId });
    const facts = {
      ...(known && {
        source: known.source,
        readAt: new Date(known.at).toISOString(),
        ageSeconds: Math.max(0, Math.round((conversation.now() - known.at) / 1000)),
      }),
      ...(focus && { focus: shown(focus) }),
      ...(id !== undefined && { conversation: id }),
    };
    const list = listedNames(entries).map((name, place) => `${place + 1}. ${name}`);
    const whole = [list.length === 0 ? text("no-songs") : list.join("\n"), notesOf(facts, focus)];
    const lines = this.products.shown(inertMarkdown(whole.filter((part) => part !== "").join("\n\n")));
    return { text: lines, songs: entries.map(shown), ...facts };
  }
}

/** The source and age of the songs, and the song in focus. */
function notesOf(
  { source, ageSeconds = 0 }: Pick<SongsOutput, "source" | "ageSeconds">,
  focus: SongEntry | undefined,
): string {
  const origin = source === "overall" ? "an overall answer" : "other answers about the account";
  return [
    ...(source ? [`From ${origin}, ${age(ageSeconds)}.`] : []),
    ...(focus ? [`In focus: ${listedNames([focus]).join("")}.`] : []),
  ].join("\n");
}

function age(seconds: number): string {
  if (seconds < 60) return "less than a minute old";
  const unit = seconds < 3600 ? "minute" : "hour";
  const whole = Math.floor(seconds / (unit === "minute" ? 60 : 3600));
  return `${whole} ${unit}${whole === 1 ? "" : "s"} old`;
}
