import { inject, injectable, type Call, type CommandHandler } from "skillctl";
import { ASKING, type Asking, type Round } from "./asking.ts";
import type { AskInput, AskOutput } from "./contract.ts";
import { PRESENTATION, type Presentation, type Shown } from "./presentation.ts";
import { resolveSongs } from "./song-questions.ts";
import { languageOf } from "./texts.ts";

/** Answers a question: songs resolved first, then one request a song or one for the whole account. */
@injectable()
export class AskCommand implements CommandHandler<AskInput, AskOutput> {
  constructor(
    @inject(ASKING) private readonly asking: Asking,
    @inject(PRESENTATION) private readonly presentation: Presentation,
  ) {}

  readonly run = ({ question }: AskInput, call: Call): Promise<AskOutput> =>
    this.asking.round(languageOf(question), call, async (round) => {
      const shown = await this.#shown(question, round);
      return { ...shown, requests: round.requests };
    });

  async #shown(question: string, round: Round): Promise<Shown> {
    const resolution = await resolveSongs(question, round);
    switch (resolution.kind) {
      case "account":
        return this.presentation.account(await round.answer({ userMessage: question }));
      case "choice":
        return this.presentation.choice(resolution.name, resolution.candidates);
      case "unsupported":
        return this.presentation.unsupported(resolution.name);
      case "songs": {
        const found = [];
        for (const entry of resolution.entries) {
          found.push({ entry, data: await round.answer({ userMessage: question, songId: entry.songId }) });
        }
        return this.presentation.songs(found);
      }
    }
  }
}
