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
import { GATEWAY_KEY, type GatewayKey } from "./gateway-key.ts";
import { messageId } from "./message-id.ts";
import { QUOTA, type Quota } from "./quota.ts";
import { text } from "./texts.ts";

const SESSION_PREFIX = "svc.data.agent:svc.data.agent";
const FAULT_CODES: Readonly<Record<ChatFault, ChatReply["code"]>> = {
  "wrong-field": "100010",
  "blank-message": "INVALID_PARAM",
  "bad-song-id": "INVALID_PARAM",
};

/**
 * The contract of the remote service: business faults answer with status 200 and a code. Only a question that is
 * answered counts against the day's ten.
 */
@injectable()
export class ChatSyncRoute implements RouteHandler<undefined, unknown> {
  constructor(
    @inject(ENGINE) private readonly engine: Engine,
    @inject(QUOTA) private readonly quota: Quota,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle({ headers, body }: RouteRequest<undefined, unknown>): Promise<RouteReply> {
    return { status: 200, body: await this.#reply(headers["svc-header-token"], body) };
  }

  async #reply(header: string | readonly string[] | undefined, body: unknown): Promise<ChatReply> {
    if (!this.key.fits(header)) return refusal("UNAUTHORIZED", "unauthorized");
    const chat = readChat(body);
    if (typeof chat === "string") return refusal(FAULT_CODES[chat], chat);
    if (chat.songId !== undefined && !(await this.engine.knows(chat.songId)))
      return refusal("SONG_NOT_SUPPORTED", "song-not-supported");
    const accountId = accountOf((await this.engine.holdings()).source);
    const slot = await this.quota.take(accountId);
    if (slot === undefined) return refusal("QUOTA_EXCEEDED", "quota-exceeded");
    try {
      const content = await this.engine.answer(chat.userMessage, chat.songId);
      if (content !== undefined) return this.#success(accountId, content);
      await slot.release();
      return refusal("SONG_NOT_SUPPORTED", "song-not-supported");
    } catch (caught) {
      await slot.release();
      throw caught;
    }
  }

  #success(accountId: string, content: string): ChatReply {
    const sessionId = `${SESSION_PREFIX}:${accountId}:${this.quota.today()}`;
    const id = messageId(this.clock.now());
    return {
      code: 0,
      message: null,
      data: { sessionId, messageId: id, content, finishReason: "COMPLETE", safetyRevoked: false },
    };
  }
}

function refusal(code: ChatReply["code"], name: Parameters<typeof text>[0]): ChatReply {
  return { code, message: text(name), data: null };
}
