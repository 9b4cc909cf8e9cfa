import { inject, injectable, token, type Call } from "skillctl";
import { ANALYSIS_CLIENT, type AnalysisClient } from "./client.ts";
import { LEDGER, type Ledger } from "./conversation/ledger.ts";
import { told } from "./outcome.ts";
import { Round } from "./round.ts";
import { SERVICE, type Service } from "./service.ts";
import { sentence, type Language } from "./texts.ts";

/** The second progress sentence comes after this long (docs/music-analysis.md, Replies). */
const SECOND_SENTENCE_MS = 5_000;

export const ASKING = token<Asking>("asking");

/** Opens the rounds of questions that user requests are made of. */
@injectable()
export class Asking {
  constructor(
    @inject(SERVICE) private readonly service: Service,
    @inject(ANALYSIS_CLIENT) private readonly client: AnalysisClient,
    @inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  /** A round of questions in one language, with positive progress sentences while it lasts. */
  async round<T>(language: Language, call: Call, ask: (round: Round) => Promise<T>): Promise<T> {
    call.progress(sentence("progress-started", language));
    const usual = (): void => call.progress(sentence("progress-usual", language));
    const timer = setTimeout(usual, SECOND_SENTENCE_MS);
    try {
      const { service, client, ledger } = this;
      const endpoint = await service.endpoint(call).catch((caught: unknown) => {
        throw told(caught, language);
      });
      return await ask(new Round({ service, client, ledger, language, call }, endpoint));
    } finally {
      clearTimeout(timer);
    }
  }
}
