import { inject, injectable, token, type RouteHandler, type RouteReply, type RouteRequest } from "skillctl";
import { randomBytes } from "node:crypto";
import { accountOf } from "./accounts.ts";
import { answerTo } from "./answer/answer.ts";
import type { ChatReply } from "./contract.ts";
import { FAULTS, faultReply, type AnswerData } from "./faults.ts";
import { GATEWAY_KEY, type GatewayKey } from "./gateway-key.ts";
import { QUOTA, type Quota } from "./quota.ts";
import { REHEARSAL, type Rehearsal } from "./rehearsal.ts";
import type { Collection } from "./store/catalog.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";
import { text } from "./texts.ts";

const SESSION_PREFIX = "svc.data.agent:svc.data.agent";
const FIELDS: ReadonlySet<string> = new Set(["userMessage", "songId"]);
/** Crockford's base 32. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** What a body asks, once it fits the contract. */
interface ChatQuestion {
  readonly userMessage: string;
  readonly songId: number | undefined;
}

/**
 * The contract of the remote service: business faults answer with status 200 and a code. Where `serve` was given a quota,
 * only a question that is answered counts. Faults that are rehearsed come after the token and before all else.
 */
@injectable()
export class ChatSyncRoute implements RouteHandler<undefined, unknown> {
  constructor(
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(QUOTA) private readonly quota: Quota,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
    @inject(REHEARSAL) private readonly rehearsal: Rehearsal,
  ) {}

  async handle({ headers, body, signal }: RouteRequest<undefined, unknown>): Promise<RouteReply> {
    const hasToken = this.key.fits(headers["svc-header-token"]);
    const name = this.rehearsal.take(hasToken);
    if (!hasToken && name === undefined)
      return { status: 200, body: refusal("UNAUTHORIZED", text("unauthorized")) };
    await this.rehearsal.delay(signal);
    return this.collections.use(async (collection): Promise<RouteReply> => {
      const fault = name && FAULTS[name];
      const host = String(headers["host"]);
      if (fault && !fault.spoils) return faultReply(fault, this.#data(text("withheld"), collection), host);
      const reply = await this.#reply(body, collection);
      return fault && reply.data ? faultReply(fault, reply.data, host) : { status: 200, body: reply };
    });
  }

  async #reply(body: unknown, collection: Collection): Promise<ChatReply> {
    const chat = readChat(body);
    if (!("userMessage" in chat)) return chat;
    const { userMessage, songId } = chat;
    if (songId !== undefined && !collection.catalog.songs.some(({ id }) => id === songId))
      return refusal("SONG_NOT_SUPPORTED", text("song-not-supported"));
    const slot = await this.quota.take(accountOf(collection.source));
    if (slot === undefined) return refusal("QUOTA_EXCEEDED", this.quota.sentence());
    try {
      const content = await answerTo(userMessage, songId, collection);
      return { code: 0, message: null, data: this.#data(content, collection) };
    } catch (caught) {
      await slot.release();
      throw caught;
    }
  }

  #data(content: string, { source }: Collection): AnswerData {
    const sessionId = `${SESSION_PREFIX}:${accountOf(source)}:${this.quota.today()}`;
    return { sessionId, messageId: messageId(), content, finishReason: "COMPLETE", safetyRevoked: false };
  }
}

export const CHAT_SYNC = token<ChatSyncRoute>("music-gateway/chat-sync");

/** Reads the body of chat-sync: exactly `userMessage` and, if need be, `songId`. */
function readChat(body: unknown): ChatQuestion | ChatReply {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (!isObject || Object.keys(body).some((name) => !FIELDS.has(name)))
    return refusal("100010", text("wrong-field"));
  const { userMessage, songId } = body as Readonly<Record<string, unknown>>;
  if (typeof userMessage !== "string" || userMessage.trim() === "")
    return refusal("INVALID_PARAM", text("blank-message"));
  if (songId === undefined) return { userMessage, songId: undefined };
  if (typeof songId !== "number" || !Number.isSafeInteger(songId) || songId < 1)
    return refusal("INVALID_PARAM", text("bad-song-id"));
  return { userMessage, songId };
}

function refusal(code: ChatReply["code"], message: string): ChatReply {
  return { code, message, data: null };
}

/** `ag-msg-` and 26 signs by chance. */
function messageId(): string {
  return `ag-msg-${[...randomBytes(26)].map((byte) => ALPHABET.charAt(byte % 32)).join("")}`;
}
