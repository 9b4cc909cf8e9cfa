import { LOG, inject, injectable, token, type Log } from "skillctl";
import { PRESENTATION, type Presentation, type Shown } from "./answer/presentation.ts";
import { confirmed, settled, waiting, type PendingChoice } from "./conversation/state.ts";
import { resolveNames, type Turn } from "./resolution.ts";
import { nameIn, readChoiceReply } from "./songs/choice-reply.ts";
import type { SongEntry } from "./songs/song.ts";
import { languageOf } from "./texts.ts";

export const CHOICES = token<Choices>("song-choices");

/** What the answer to a choice comes to. */
export type ChoiceAnswer =
  /** The first question goes on with the song. */
  | { readonly kind: "chosen"; readonly turn: Turn }
  /** The choice once more, or the line of tier C. */
  | { readonly kind: "shown"; readonly shown: Shown }
  /** It was no answer: a request of its own. */
  | { readonly kind: "new-question" };

/** What is asked: a name and its similar songs, or neither when the question names none. */
type Choice = Pick<PendingChoice, "name" | "candidates">;

/** After so many vague answers the choice ends like a refusal (docs/music-analysis.md, Confirmation). */
const MOST_ASKED = 2;
/** Which song is meant, where the question names none. */
export const WHICH: Choice = { name: "", candidates: [] };

/** The questions which song is meant, and the reading of their answers (specification, States and transitions 3). */
@injectable()
export class Choices {
  constructor(
    @inject(PRESENTATION) private readonly presentation: Presentation,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** Asks which song was meant, and waits for the answer in the conversation, which gets an id if it has none. */
  async ask({ question, chosen, conversation, round }: Turn, choice: Choice, asked = 1): Promise<Shown> {
    const { name, candidates } = choice;
    const isNew = conversation.id === undefined;
    const pending = { question, chosen, name, candidates, asked, at: conversation.now() };
    await conversation.change(round.account, waiting(pending));
    const id = await conversation.keep();
    if (isNew && id !== undefined && round.surface === "cli")
      this.log.notice(
        `To answer: skillctl run music-analysis --conversation ${id} "${name === "" ? "..." : "1"}"`,
      );
    return name === "" ? this.presentation.which(round.language) : this.presentation.choice(name, candidates);
  }

  /** Reads the answer to a choice that waits. A chosen song waits on until its answer is there. */
  async read(pending: PendingChoice, turn: Turn): Promise<ChoiceAnswer> {
    const { question: answer, conversation, round } = turn;
    const { question, name, candidates, chosen, asked } = pending;
    const first = { question, chosen, conversation, round };
    if (name === "") return this.#readName(answer, first);
    const songs = conversation.known?.songs ?? candidates;
    const reply = readChoiceReply(answer, { candidates, songs });
    if (reply.kind === "chosen") return this.#chosen(reply.entry, name, first);
    if (reply.kind === "vague" && asked < MOST_ASKED)
      return { kind: "shown", shown: await this.ask(first, pending, asked + 1) };
    // A question in between about the account leaves the choice waiting; an answer about a song ends it.
    if (reply.kind === "new-question") return { kind: "new-question" };
    await conversation.change(round.account, settled());
    return { kind: "shown", shown: this.presentation.unsupported(name) };
  }

  /** The name that answers "which song?" is looked up like one in a question. */
  async #readName(answer: string, first: Turn): Promise<ChoiceAnswer> {
    const { conversation, round } = first;
    const name = nameIn(answer, conversation.known?.songs ?? []);
    if (name === undefined) return { kind: "new-question" };
    round.language = languageOf(first.question);
    const found = await resolveNames([name], first);
    const [entry] = found.kind === "songs" ? found.entries : [];
    if (entry) return this.#chosen(entry, name, first);
    if (found.kind === "choice") return { kind: "shown", shown: await this.ask(first, found) };
    await conversation.change(round.account, settled());
    return { kind: "shown", shown: this.presentation.unsupported(name) };
  }

  async #chosen(entry: SongEntry, name: string, first: Turn): Promise<ChoiceAnswer> {
    const { conversation, round, chosen, question } = first;
    await conversation.change(round.account, confirmed(entry));
    round.language = languageOf(question);
    return { kind: "chosen", turn: { ...first, chosen: [...chosen, [name, entry] as const] } };
  }
}
