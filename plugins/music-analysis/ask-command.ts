import { inject, injectable, type Call, type CommandHandler } from "skillctl";
import { ASKING, type Asking, type Round } from "./asking.ts";
import type { AskInput, AskOutput } from "./contract.ts";
import { PRESENTATION, type Presentation, type Shown } from "./presentation.ts";
import { resolveAmong, resolveSongs, type SongResolution } from "./song-questions.ts";
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
    if (resolution.kind !== "account") return this.#aboutSongs(resolution, question, round);
    const data = await round.answer({ userMessage: question });
    // The answer itself may tell that the question names a song, without marks: then it is not the one to show.
    const named = resolveAmong(question, data.content);
    return named ? this.#aboutSongs(named, question, round) : this.presentation.account(data);
  }

  async #aboutSongs(resolution: SongResolution, question: string, round: Round): Promise<Shown> {
    if (resolution.kind === "choice") {
      return this.presentation.choice(resolution.name, resolution.candidates);
    }
    if (resolution.kind === "unsupported") return this.presentation.unsupported(resolution.name);
    const found = [];
    for (const entry of resolution.entries) {
      found.push({ entry, data: await round.answer({ userMessage: question, songId: entry.songId }) });
    }
    return this.presentation.songs(found);
  }
}
