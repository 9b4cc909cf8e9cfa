import { LOG, inject, injectable, token, type Log } from "skillctl";
import { confirmed, settled, waiting, type PendingChoice } from "./conversation/state.ts";
import { PRESENTATION, type Presentation, type Shown } from "./presentation.ts";
import { readConfirmation } from "./songs/confirmation-reply.ts";
import { songIndex } from "./songs/song-index.ts";
import { languageOf } from "./texts.ts";
import type { Turn } from "./turn.ts";

export const CHOICES = token<Choices>("song-choices");

/** What the answer to a choice comes to. */
export type ChoiceAnswer =
  /** The first question goes on with the song. */
  | { readonly kind: "chosen"; readonly turn: Turn }
  /** The choice once more, or the line of tier C. */
  | { readonly kind: "shown"; readonly shown: Shown }
  /** It was no answer: a request of its own. */
  | { readonly kind: "new-question" };

type Choice = Pick<PendingChoice, "name" | "candidates">;

/** After so many vague answers the choice ends like a refusal (docs/music-analysis.md, Confirmation). */
const MOST_ASKED = 2;

/** The question of tier B, and the reading of its answer (specification, States and transitions 3). */
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
      this.log.notice(`To answer: skillctl run music-analysis --conversation ${id} "1"`);
    return this.presentation.choice(name, candidates);
  }

  /** Reads the answer to a choice that waits. A chosen song waits on until its answer is there. */
  async read(pending: PendingChoice, { question: answer, conversation, round }: Turn): Promise<ChoiceAnswer> {
    const { question, name, candidates, chosen, asked } = pending;
    const index = songIndex(conversation.known?.songs ?? candidates);
    const reply = readConfirmation(answer, { candidates, index });
    if (reply.kind === "chosen") {
      await conversation.change(round.account, confirmed(reply.entry));
      round.language = languageOf(question);
      const turn = { question, chosen: [...chosen, [name, reply.entry] as const], conversation, round };
      return { kind: "chosen", turn };
    }
    if (reply.kind === "vague" && asked < MOST_ASKED) {
      const turn = { question, chosen, conversation, round };
      return { kind: "shown", shown: await this.ask(turn, pending, asked + 1) };
    }
    // A question in between about the account leaves the choice waiting; an answer about a song ends it.
    if (reply.kind === "new-question") return { kind: "new-question" };
    await conversation.change(round.account, settled());
    return { kind: "shown", shown: this.presentation.unsupported(name) };
  }
}
