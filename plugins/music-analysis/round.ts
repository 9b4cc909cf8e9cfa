import { SkillError, inject, injectable, token, type Call, type SurfaceName } from "skillctl";
import type { Drawn } from "./answer/pictures.ts";
import { PRODUCT_NAMES, type ProductNames } from "./answer/product-names.ts";
import { ANALYSIS_CLIENT, type AnalysisClient } from "./client.ts";
import type { ChatRequest } from "./contract.ts";
import { isEmbedded, withSession } from "./conversation/account.ts";
import { LEDGER, QUESTIONS_A_DAY, type Ledger } from "./conversation/ledger.ts";
import type { Account } from "./conversation/state.ts";
import { REPLY_BROKEN, asksForRetry, failure, refusalOf, told } from "./outcome.ts";
import type { Reply, ReplyData } from "./reply.ts";
import { SERVICE, type Service, type ServiceEndpoint } from "./service.ts";
import { sentence, type Language } from "./texts.ts";

export const ROUNDS = token<Rounds>("question-rounds");

/** The second progress sentence comes after this long (docs/music-analysis.md, Replies). */
const SECOND_SENTENCE_MS = 5_000;
/** No answer came, but the service may have made one and counted it. */
const PERHAPS_USED: ReadonlySet<string> = new Set(["MUSIC_OUTCOME_UNKNOWN", "MUSIC_TIMEOUT", "CANCELLED"]);

/** No word of a sentence is so long without a space. */
const TOKEN_LIKE = /[!-~]{32,}/g;

/** Opens the rounds of questions that user requests are made of. */
@injectable()
export class Rounds {
  constructor(
    @inject(SERVICE) readonly service: Service,
    @inject(ANALYSIS_CLIENT) readonly client: AnalysisClient,
    @inject(LEDGER) readonly ledger: Ledger,
    @inject(PRODUCT_NAMES) readonly products: ProductNames,
  ) {}

  /** A round of questions in one language, with positive progress sentences while it lasts. */
  async open<T>(language: Language, call: Call, ask: (round: Round) => Promise<T>): Promise<T> {
    call.progress(sentence("progress-started", language));
    const usual = (): void => call.progress(sentence("progress-usual", language));
    const timer = setTimeout(usual, SECOND_SENTENCE_MS);
    try {
      const endpoint = await this.service.endpoint(call).catch((caught: unknown) => {
        throw told(caught, language);
      });
      return await ask(new Round(this, call, language, endpoint));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The requests of one user request: at most one new login among them all. */
export class Round {
  /** How many requests the service was sent. */
  requests = 0;
  /** Whose data the answers are about. */
  account: Account;
  /** The question that the shown answers are to, and their songs. */
  shown: Drawn | undefined;
  /** In which the person is told what failed: that of the question, which may be an earlier one than the last message. */
  language: Language;
  readonly #rounds: Rounds;
  readonly #call: Call;
  #endpoint: ServiceEndpoint;
  #isRenewed = false;

  constructor(rounds: Rounds, call: Call, language: Language, endpoint: ServiceEndpoint) {
    this.#rounds = rounds;
    this.#call = call;
    this.language = language;
    this.#endpoint = endpoint;
    this.account = { login: endpoint.login };
  }

  /** Who asks. */
  get surface(): SurfaceName {
    return this.#call.surface;
  }

  /** The questions used today, this round's among them. A hint only; undefined where there is no limit. */
  async questionsToday(): Promise<{ readonly used: number; readonly of: number } | undefined> {
    const used = await this.#rounds.ledger.used(this.#endpoint.login);
    return used === undefined ? undefined : { used, of: QUESTIONS_A_DAY };
  }

  /** Before a question that only looks up songs: says so when the day's last may go into it. */
  warn(): Promise<void> {
    return this.#rounds.ledger.warn(this.#endpoint.login);
  }

  /**
   * One answer. `UPSTREAM_ERROR` is asked again once, a refused login after a new one; nothing else is (specification,
   * Handling of finishReason and Errors).
   * @throws SkillError with the sentence for the user when there is no complete answer.
   */
  async answer(question: ChatRequest): Promise<ReplyData> {
    const { ledger, products } = this.#rounds;
    try {
      let reply = await this.#send(question);
      if (asksForRetry(reply)) reply = await this.#send(question);
      const refusal = refusalOf(reply);
      if (refusal?.code === "MUSIC_QUOTA_REACHED") await ledger.full(this.#endpoint.login);
      if (refusal || !reply.data)
        throw failure(refusal ?? REPLY_BROKEN, this.language, {
          reason: this.#withoutToken(products.without(reply.message)),
        });
      await ledger.note(this.#endpoint.login);
      this.account = withSession(this.account, reply.data.sessionId);
      return reply.data;
    } catch (caught) {
      const { login } = this.#endpoint;
      if (caught instanceof SkillError && PERHAPS_USED.has(caught.code)) await ledger.note(login);
      throw told(caught, this.language, isEmbedded(login));
    }
  }

  /** A service may repeat what it was sent. */
  #withoutToken(message: string): string {
    return message.replaceAll(this.#endpoint.token, "").replace(TOKEN_LIKE, "");
  }

  async #send(question: ChatRequest): Promise<Reply> {
    const reply = await this.#once(question);
    const refusal = refusalOf(reply);
    if (this.#isRenewed || refusal?.code !== "MUSIC_LOGIN_NEEDED") return reply;
    this.#isRenewed = true;
    const { token: failed } = this.#endpoint;
    try {
      this.#endpoint = await this.#rounds.service.renew(this.#endpoint, this.#call);
    } catch (caught) {
      // What the service said is what the person is told; how to log in comes from the login skill.
      if (!(caught instanceof SkillError) || caught.code === "CANCELLED") throw caught;
      throw failure(refusal, this.language, { login: caught });
    }
    if (this.#endpoint.token === failed) throw failure(refusal, this.language);
    this.account = { login: this.#endpoint.login };
    return this.#once(question);
  }

  #once(question: ChatRequest): Promise<Reply> {
    this.requests += 1;
    return this.#rounds.client.send(question, this.#endpoint, this.#call.signal);
  }
}
