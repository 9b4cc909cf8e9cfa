import { once } from "node:events";
import { SkillError, inject, injectable, type Http, type HttpRequest, type HttpResponse } from "skillctl";
import type { AnalysisEndpoint, AnalysisService, AnalysisSubject, AnalysisTable } from "../ports.ts";
import {
  accountOf,
  dataLabel,
  CHAT_SYNC,
  GATEWAY_KEY,
  type ChatSyncRoute,
  type GatewayKey,
} from "./chat-sync-route.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";
import { LAST_QUESTIONS, type LastQuestions } from "./last-questions.ts";
import { text } from "./texts.ts";

const ORIGIN = "http://music-gateway.localhost";
const PATH = "/openapi/v1/musician/data/agent/chat-sync";
const JSON_UTF8 = "application/json; charset=utf-8";

/** Lends the gateway to other skills: the route's handler takes the requests in this process; no port is opened. */
@injectable()
export class EmbeddedService implements AnalysisService {
  constructor(
    @inject(CHAT_SYNC) private readonly route: ChatSyncRoute,
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
    @inject(LAST_QUESTIONS) private readonly questions: LastQuestions,
  ) {}

  async picture(
    question: string,
    songIds: readonly number[],
    conversation?: string,
  ): Promise<string | undefined> {
    return this.collections.use(async (collection) => {
      const { pictureOf } = await import("./answer/answers.ts");
      const earlier = await this.questions.of(accountOf(collection.source), conversation);
      return pictureOf(question, songIds, earlier, collection, this.questions.today());
    });
  }

  tables(messageId: string): readonly AnalysisTable[] | undefined {
    return this.route.answerOf(messageId)?.output.tables;
  }

  subject(messageId: string): AnalysisSubject | undefined {
    return this.route.answerOf(messageId)?.subject;
  }

  async endpoint(conversation?: string): Promise<AnalysisEndpoint> {
    const http: Http = { send: (request) => this.#send(request, conversation) };
    // A collection that cannot be opened is reported here, before a question is asked.
    return this.collections.use(
      ({ source, catalog }) => ({
        baseUrl: ORIGIN,
        http,
        token: this.key.value,
        account: accountOf(source),
        notice: text(source === "sample" ? "notice" : "notice-own", {
          DATA: dataLabel(source, catalog.files.length),
        }),
      }),
      // A failure is reported by the question that needs the code.
      () => void import("./answer/answers.ts").catch(() => undefined),
    );
  }

  /** The reply exactly as the route sends it over a socket. */
  async #send(
    { method, url, headers = {}, body, timeoutMs, maxBytes, signal }: HttpRequest,
    conversation: string | undefined,
  ): Promise<HttpResponse> {
    const { origin, pathname } = new URL(url);
    if (method !== "POST" || origin !== ORIGIN || pathname !== PATH)
      throw new SkillError("NETWORK_UNREACHED", "The embedded gateway only answers chat-sync.");
    const late = AbortSignal.timeout(timeoutMs);
    const over = signal === undefined ? late : AbortSignal.any([late, signal]);
    const ended = async (): Promise<never> => {
      if (!over.aborted) await once(over, "abort");
      throw late.aborted
        ? new SkillError("NETWORK_TIMEOUT", "The embedded gateway did not answer in time.")
        : new SkillError("CANCELLED", "The question was cancelled.");
    };
    const asked = { path: PATH, query: undefined, body: JSON.parse(body ?? "null") as unknown };
    const reply = await Promise.race([
      ended(),
      this.route.handle({ ...asked, headers: { ...headers }, signal: over }, conversation),
    ]);
    const content = JSON.stringify(reply.body);
    if (Buffer.byteLength(content) > maxBytes)
      throw new SkillError("NETWORK_TOO_LARGE", `The answer is longer than ${maxBytes} bytes.`);
    return {
      status: reply.status,
      contentType: JSON_UTF8,
      headers: { "content-type": JSON_UTF8 },
      body: content,
    };
  }
}
