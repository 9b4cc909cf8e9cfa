import { inject, injectable, token, type RouteHandler, type RouteReply, type RouteRequest } from "skillctl";
import { randomBytes, createHash, timingSafeEqual } from "node:crypto";
import type { TalkAnswer } from "./answer/answer.ts";
import type { ChatReply } from "./contract.ts";
import type { Collection } from "./store/catalog.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";
import { LAST_QUESTIONS, type LastQuestions } from "./last-questions.ts";
import { text } from "./texts.ts";
import type { DataSource } from "./library/library.ts";

/** The account id of each source: digits, as required in the session id. Sample and imports are two accounts. */
const ACCOUNTS: Readonly<Record<DataSource, string>> = { sample: "10000001", imports: "20000001" };

export function accountOf(source: DataSource): string {
  return ACCOUNTS[source];
}

/** The name of the data source, for the notice of the service and the announcement of `serve`. */
export function dataLabel(source: DataSource, files: number): string {
  return source === "sample" ? "sample data" : `your imported files (${files})`;
}

/** The token that the gateway of this process accepts: random, kept in memory only, and new for every host. */
@injectable()
export class GatewayKey {
  readonly #value = randomBytes(32).toString("base64url");

  /** Sent in a single request header and nowhere else. */
  get value(): string {
    return this.#value;
  }

  /** Compares in constant time. */
  fits(header: string | readonly string[] | undefined): boolean {
    return typeof header === "string" && timingSafeEqual(digest(header), digest(this.#value));
  }
}

export const GATEWAY_KEY = token<GatewayKey>("music-gateway/key");

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

const SESSION_PREFIX = "svc.data.agent:svc.data.agent";
const FIELDS: ReadonlySet<string> = new Set(["userMessage", "songId"]);
/** Crockford's base 32. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The question in a body that follows the contract. */
interface ChatQuestion {
  readonly userMessage: string;
  readonly songId: number | undefined;
}

type KeptAnswer = Pick<TalkAnswer, "output" | "subject">;
/** The answers that are kept in memory. */
const MOST_KEPT = 20;

/** Implements the remote service's contract: a refusal has the status 200 and a code. Questions are not counted. */
@injectable()
export class ChatSyncRoute implements RouteHandler<undefined, unknown> {
  readonly #answers = new Map<string, KeptAnswer>();

  constructor(
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
    @inject(LAST_QUESTIONS) private readonly questions: LastQuestions,
  ) {}

  async handle(
    { headers, body }: RouteRequest<undefined, unknown>,
    conversation?: string,
  ): Promise<RouteReply> {
    const hasToken = this.key.fits(headers["svc-header-token"]);
    const reply = hasToken
      ? await this.collections.use((collection) => this.#reply(body, collection, conversation))
      : refusal("UNAUTHORIZED", text("unauthorized"));
    return { status: 200, body: reply };
  }

  /** One of the last answers, with the data that the contract of the service does not provide for. */
  answerOf(messageId: string): KeptAnswer | undefined {
    return this.#answers.get(messageId);
  }

  async #reply(body: unknown, collection: Collection, conversation?: string): Promise<ChatReply> {
    const chat = readChat(body);
    if (!("userMessage" in chat)) return chat;
    const { userMessage, songId } = chat;
    if (songId !== undefined && !collection.catalog.songs.some(({ id }) => id === songId))
      return refusal("SONG_NOT_SUPPORTED", text("song-not-supported"));
    const account = accountOf(collection.source);
    const earlier = await this.questions.of(account, conversation);
    const next = { message: userMessage, songId };
    const { answerTo } = await import("./answer/answers.ts");
    const { content, asked, output, subject } = await answerTo(
      next,
      earlier,
      collection,
      this.questions.today(),
    );
    await this.questions.keep(asked, account, conversation);
    const id = messageId();
    this.#answers.set(id, { output, subject });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_KEPT && oldest !== undefined) this.#answers.delete(oldest);
    const data = {
      sessionId: `${SESSION_PREFIX}:${account}:${this.questions.today().replaceAll("-", "")}`,
      messageId: id,
      content,
      finishReason: "COMPLETE",
      safetyRevoked: false,
    } as const;
    return { code: 0, message: null, data };
  }
}

export const CHAT_SYNC = token<ChatSyncRoute>("music-gateway/chat-sync");

/** Reads the body of chat-sync: exactly `userMessage` and, optionally, `songId`. */
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

/** `ag-msg-` and 26 random characters. */
function messageId(): string {
  return `ag-msg-${[...randomBytes(26)].map((byte) => ALPHABET.charAt(byte % 32)).join("")}`;
}
