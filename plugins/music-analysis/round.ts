import {
  SkillError,
  inject,
  injectable,
  languageOf,
  token,
  type Call,
  type Language,
  type SurfaceName,
} from "skillctl";
import type { PictureRequest } from "./answer/pictures.ts";
import type { AnalysisSubject } from "../ports.ts";
import { PRODUCT_NAMES, type ProductNames } from "./answer/product-names.ts";
import { ANALYSIS_CLIENT, type AnalysisClient, type Reply, type ReplyData } from "./client.ts";
import type { AskOutput, ChatRequest } from "./contract.ts";
import { withSession, type Account } from "./conversation/account.ts";
import { refusalOf, refused, told } from "./failures.ts";
import { SERVICE, type Service, type ServiceEndpoint } from "./service.ts";
import { sentence } from "./texts.ts";

export const ROUNDS = token<Rounds>("question-rounds");

/** The delay of the second progress message (docs/music-analysis.md, Replies). */
const SECOND_SENTENCE_MS = 5_000;
type Answer = AskOutput["answers"][number];

/** Longer than any ordinary word. */
const TOKEN_LIKE = /[!-~]{32,}/g;

/** Opens rounds of requests to the service. */
@injectable()
export class Rounds {
  constructor(
    @inject(SERVICE) readonly service: Service,
    @inject(ANALYSIS_CLIENT) readonly client: AnalysisClient,
    @inject(PRODUCT_NAMES) readonly products: ProductNames,
  ) {}

  /** Opens a round for a user request, and shows progress messages until it ends. */
  async open<T>(
    question: string,
    call: Call,
    ask: (round: Round) => Promise<T>,
    conversation?: string,
  ): Promise<T> {
    const language = languageOf(question);
    call.progress(sentence("progress-started", language));
    const usual = (): void => call.progress(sentence("progress-usual", language));
    const timer = setTimeout(usual, SECOND_SENTENCE_MS);
    try {
      const endpoint = await this.service.endpoint(call, conversation).catch((caught: unknown) => {
        throw told(caught, language);
      });
      return await ask(new Round(this, call, question, endpoint));
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The requests to the service for one user request, with at most one new login. */
export class Round {
  /** The number of requests that were sent to the service. */
  requests = 0;
  /** The account of the answers. */
  account: Account;
  /** The question and the songs of the shown answers. */
  shown: PictureRequest | undefined;
  readonly #rounds: Rounds;
  readonly #call: Call;
  #endpoint: ServiceEndpoint;
  #isRenewed = false;
  /** The error of the failed new login. */
  #loginFault: SkillError | undefined;

  /** Returns the known song titles, which are ignored when the language of a question is determined. */
  titles: () => readonly string[] = () => [];

  /** `question` determines the language of messages to the person. It may be earlier than the last message. */
  constructor(
    rounds: Rounds,
    call: Call,
    public question: string,
    endpoint: ServiceEndpoint,
  ) {
    this.#rounds = rounds;
    this.#call = call;
    this.#endpoint = endpoint;
    this.account = { login: endpoint.login };
  }

  get language(): Language {
    return languageOf(this.question, this.titles());
  }

  /** The surface of the request. */
  get surface(): SurfaceName {
    return this.#call.surface;
  }

  /**
   * Requests one answer. `UPSTREAM_ERROR` is retried once, and a refused login is retried after a new one; nothing
   * else is retried (specification, Handling of finishReason and Errors).
   * @throws SkillError with the message for the user if there is no complete answer.
   */
  async answer(question: ChatRequest): Promise<ReplyData> {
    const reply = await this.#replyTo(question).catch((caught: unknown) => {
      throw told(caught, this.language, this.#endpoint);
    });
    const refusal = refusalOf(reply);
    if (refusal || !reply.data) {
      // A service may echo the request of another client.
      const reason = this.#rounds.products.without(reply.message).replace(TOKEN_LIKE, "");
      const code = refusal ?? "MUSIC_REPLY_BROKEN";
      throw refused(code, this.language, this.#endpoint, reason, this.#loginFault);
    }
    this.account = withSession(this.account, reply.data.sessionId);
    return reply.data;
  }

  /** The song that an answer is about, or `other`, if the service says so. */
  async subjectOf({ messageId }: ReplyData): Promise<AnalysisSubject | undefined> {
    return messageId === undefined ? undefined : this.#rounds.service.subject(messageId);
  }

  /** Adds the rows to an answer if the service provides them; product names are removed from them as from the answer. */
  async withTables(answer: Answer): Promise<Answer> {
    const tables = answer.messageId && (await this.#rounds.service.tables(answer.messageId));
    if (!tables || tables.length === 0) return answer;
    const plain = (_: string, value: unknown): unknown =>
      typeof value === "string" ? this.#rounds.products.without(value) : value;
    return { ...answer, tables: JSON.parse(JSON.stringify(tables, plain)) as NonNullable<Answer["tables"]> };
  }

  async #replyTo(question: ChatRequest): Promise<Reply> {
    const reply = await this.#send(question);
    return refusalOf(reply) === "MUSIC_BUSY" ? this.#send(question) : reply;
  }

  async #send(question: ChatRequest): Promise<Reply> {
    const reply = await this.#once(question);
    if (this.#isRenewed || refusalOf(reply) !== "MUSIC_LOGIN_NEEDED") return reply;
    this.#isRenewed = true;
    const { token: failed } = this.#endpoint;
    try {
      this.#endpoint = await this.#rounds.service.renew(this.#endpoint, this.#call);
    } catch (caught) {
      // The message contains the service's reply; the hint about the login comes from the login skill.
      if (!(caught instanceof SkillError) || caught.code === "CANCELLED") throw caught;
      this.#loginFault = caught;
      return reply;
    }
    if (this.#endpoint.token === failed) return reply;
    this.account = { login: this.#endpoint.login };
    return this.#once(question);
  }

  #once(question: ChatRequest): Promise<Reply> {
    this.requests += 1;
    return this.#rounds.client.send(question, this.#endpoint, this.#call.signal);
  }
}
