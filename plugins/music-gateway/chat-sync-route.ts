import {
  CLOCK,
  inject,
  injectable,
  type Clock,
  type RouteHandler,
  type RouteReply,
  type RouteRequest,
} from "skillctl";
import { accountOf } from "./accounts.ts";
import { readChat, type ChatFault } from "./chat-request.ts";
import type { ChatReply } from "./contract.ts";
import { ENGINE, type Engine } from "./engine.ts";
import { faultOf, type AnswerData } from "./faults.ts";
import { GATEWAY_KEY, type GatewayKey } from "./gateway-key.ts";
import { messageId } from "./message-id.ts";
import { QUOTA, type Quota } from "./quota.ts";
import { REHEARSAL, type Rehearsal } from "./rehearsal.ts";
import { text } from "./texts.ts";

const SESSION_PREFIX = "svc.data.agent:svc.data.agent";
const FAULT_CODES: Readonly<Record<ChatFault, ChatReply["code"]>> = {
  "wrong-field": "100010",
  "blank-message": "INVALID_PARAM",
  "bad-song-id": "INVALID_PARAM",
};

/**
 * The contract of the remote service: business faults answer with status 200 and a code. Only a question that is
 * answered counts against the day's ten. Faults that are rehearsed come after the token and before all else.
 */
@injectable()
export class ChatSyncRoute implements RouteHandler<undefined, unknown> {
  constructor(
    @inject(ENGINE) private readonly engine: Engine,
    @inject(QUOTA) private readonly quota: Quota,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(REHEARSAL) private readonly rehearsal: Rehearsal,
  ) {}

  async handle({ headers, body, signal }: RouteRequest<undefined, unknown>): Promise<RouteReply> {
    const hasToken = this.key.fits(headers["svc-header-token"]);
    const name = this.rehearsal.take(hasToken);
    if (!hasToken && name === undefined)
      return { status: 200, body: refusal("UNAUTHORIZED", "unauthorized") };
    await this.rehearsal.delay(signal);
    if (name === undefined) return { status: 200, body: await this.#reply(body) };
    const fault = faultOf(name);
    const host = String(headers["host"]);
    if (!fault.spoils) return fault.reply(await this.#data(text("withheld")), host);
    const reply = await this.#reply(body);
    return reply.data === null ? { status: 200, body: reply } : fault.reply(reply.data, host);
  }

  async #reply(body: unknown): Promise<ChatReply> {
    const chat = readChat(body);
    if (typeof chat === "string") return refusal(FAULT_CODES[chat], chat);
    if (chat.songId !== undefined && !(await this.engine.knows(chat.songId)))
      return refusal("SONG_NOT_SUPPORTED", "song-not-supported");
    const slot = await this.quota.take(await this.#account());
    if (slot === undefined) return refusal("QUOTA_EXCEEDED", "quota-exceeded");
    try {
      const content = await this.engine.answer(chat.userMessage, chat.songId);
      if (content !== undefined) return { code: 0, message: null, data: await this.#data(content) };
      await slot.release();
      return refusal("SONG_NOT_SUPPORTED", "song-not-supported");
    } catch (caught) {
      await slot.release();
      throw caught;
    }
  }

  async #data(content: string): Promise<AnswerData> {
    const sessionId = `${SESSION_PREFIX}:${await this.#account()}:${this.quota.today()}`;
    const id = messageId(this.clock.now());
    return { sessionId, messageId: id, content, finishReason: "COMPLETE", safetyRevoked: false };
  }

  async #account(): Promise<string> {
    return accountOf((await this.engine.holdings()).source);
  }
}

function refusal(code: ChatReply["code"], name: Parameters<typeof text>[0]): ChatReply {
  return { code, message: text(name), data: null };
}
