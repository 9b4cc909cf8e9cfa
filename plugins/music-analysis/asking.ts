import { inject, injectable, token, type Call } from "skillctl";
import { ANALYSIS_CLIENT, type AnalysisClient } from "./client.ts";
import type { ChatRequest } from "./contract.ts";
import { asksForRetry, completed } from "./outcome.ts";
import type { ReplyData } from "./reply.ts";
import { sentence, type Language } from "./texts.ts";

/** The second progress sentence comes after this long (docs/music-analysis.md, Replies). */
const SECOND_SENTENCE_MS = 5_000;

export const ASKING = token<Asking>("asking");

/** Sends questions of one user request until each has a complete answer, and counts the requests. */
@injectable()
export class Asking {
  constructor(@inject(ANALYSIS_CLIENT) private readonly client: AnalysisClient) {}

  /** A round of questions in one language, with positive progress sentences while it lasts. */
  async round<T>(language: Language, call: Call, ask: (round: Round) => Promise<T>): Promise<T> {
    call.progress(sentence("progress-started", language));
    const timer = setTimeout(() => call.progress(sentence("progress-usual", language)), SECOND_SENTENCE_MS);
    try {
      return await ask(new Round(this.client, language, call.signal));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The requests of one user request. */
export class Round {
  requests = 0;

  constructor(
    private readonly client: AnalysisClient,
    private readonly language: Language,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * One answer. `UPSTREAM_ERROR` is asked again once; nothing else is (specification, Limits).
   * @throws SkillError with the sentence for the user when there is no complete answer.
   */
  async answer(question: ChatRequest): Promise<ReplyData> {
    const first = await this.#send(question);
    return completed(asksForRetry(first) ? await this.#send(question) : first, this.language);
  }

  #send(question: ChatRequest) {
    this.requests += 1;
    return this.client.send(question, this.signal);
  }
}
