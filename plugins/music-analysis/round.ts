import { SkillError, type Call, type SurfaceName } from "skillctl";
import type { AnalysisClient } from "./client.ts";
import type { ChatRequest } from "./contract.ts";
import { withSession } from "./conversation/account.ts";
import type { Ledger } from "./conversation/ledger.ts";
import type { Account } from "./conversation/state.ts";
import { asksForRetry, completed, failure, refusalOf, told } from "./outcome.ts";
import type { Reply, ReplyData } from "./reply.ts";
import type { Service, ServiceEndpoint } from "./service.ts";
import type { Language } from "./texts.ts";

/** What the requests of a round go through. */
export interface RoundParts {
  readonly service: Service;
  readonly client: AnalysisClient;
  readonly ledger: Ledger;
  readonly language: Language;
  readonly call: Call;
}

/** No answer came, but the service may have made one and counted it. */
const PERHAPS_USED: ReadonlySet<string> = new Set(["MUSIC_OUTCOME_UNKNOWN", "MUSIC_TIMEOUT", "CANCELLED"]);

/** The requests of one user request: at most one new login among them all. */
export class Round {
  /** How many requests the service was sent. */
  requests = 0;
  /** Whose data the answers are about. */
  account: Account;
  /** In which the person is told what failed: that of the question, which may be an earlier one than the last message. */
  language: Language;
  readonly #parts: RoundParts;
  #endpoint: ServiceEndpoint;
  #loggedIn = false;

  constructor(parts: RoundParts, endpoint: ServiceEndpoint) {
    this.#parts = parts;
    this.language = parts.language;
    this.#endpoint = endpoint;
    this.account = { login: endpoint.login };
  }

  /** Who asks. */
  get surface(): SurfaceName {
    return this.#parts.call.surface;
  }

  /** The questions used today, this round's among them. A hint only. */
  questionsUsed(): Promise<number | undefined> {
    return this.#parts.ledger.used(this.#endpoint.login);
  }

  /** Before a question that only looks up songs: says so when the day's last may go into it. */
  warn(): Promise<void> {
    return this.#parts.ledger.warn(this.#endpoint.login);
  }

  /**
   * One answer. `UPSTREAM_ERROR` is asked again once, a refused login after a new one; nothing else is (specification,
   * Handling of finishReason and Errors).
   * @throws SkillError with the sentence for the user when there is no complete answer.
   */
  async answer(question: ChatRequest): Promise<ReplyData> {
    const { ledger } = this.#parts;
    try {
      let reply = await this.#send(question);
      if (asksForRetry(reply)) reply = await this.#send(question);
      if (refusalOf(reply)?.code === "MUSIC_QUOTA_REACHED") await ledger.full(this.#endpoint.login);
      const data = completed(reply, this.language);
      await ledger.note(this.#endpoint.login);
      this.account = withSession(this.account, data.sessionId);
      return data;
    } catch (caught) {
      if (caught instanceof SkillError && PERHAPS_USED.has(caught.code))
        await ledger.note(this.#endpoint.login);
      throw told(caught, this.language);
    }
  }

  async #send(question: ChatRequest): Promise<Reply> {
    const reply = await this.#once(question);
    const refusal = refusalOf(reply);
    if (this.#loggedIn || refusal?.code !== "MUSIC_LOGIN_NEEDED") return reply;
    this.#loggedIn = true;
    const { service, call } = this.#parts;
    const { token: failed } = this.#endpoint;
    try {
      this.#endpoint = await service.renew(this.#endpoint, call);
    } catch (caught) {
      // What the service said is what the person is told; how to log in comes from the login skill.
      if (!(caught instanceof SkillError) || caught.code === "CANCELLED") throw caught;
      throw failure(refusal, this.language, caught);
    }
    if (this.#endpoint.token === failed) throw failure(refusal, this.language);
    this.account = { login: this.#endpoint.login };
    return this.#once(question);
  }

  #once(question: ChatRequest): Promise<Reply> {
    this.requests += 1;
    return this.#parts.client.send(question, this.#endpoint, this.#parts.call.signal);
  }
}
