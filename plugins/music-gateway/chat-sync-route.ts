import {
  CLOCK,
  LOG,
  inject,
  injectable,
  token,
  type Clock,
  type Log,
  type RouteHandler,
  type RouteReply,
  type RouteRequest,
} from "skillctl";
import { randomBytes, createHash, timingSafeEqual } from "node:crypto";
import { answerTo } from "./answer/answer.ts";
import type { ChatReply } from "./contract.ts";
import { FAULTS, faultReply, REHEARSAL, type AnswerData, type Rehearsal } from "./faults.ts";
import type { Collection } from "./store/catalog.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";
import { dayIn, LAST_QUESTIONS, type LastQuestions } from "./last-questions.ts";
import { text } from "./texts.ts";
import type { DataSource } from "./library/library.ts";

/** The account id of each source: digits, as the session id has them. The sample and one's own files are two accounts. */
const ACCOUNTS: Readonly<Record<DataSource, string>> = { sample: "10000001", imports: "20000001" };

export function accountOf(source: DataSource): string {
  return ACCOUNTS[source];
}

/** What the data are, for the notice of the service and the announcement of `serve`. */
export function dataLabel(source: DataSource, files: number): string {
  return source === "sample" ? "sample data" : `your imported files (${files})`;
}

/** The token that this process's gateway takes: random, held in memory only, new with every host. */
@injectable()
export class GatewayKey {
  readonly #value = randomBytes(32).toString("base64url");

  /** Goes into one request header and nowhere else. */
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

/** The quota of the remote service, which its sentence names. */
const REMOTE_QUOTA = "10";

/** No quota, unless `serve --quota` rehearses the remote service's: then each account has so many questions a day of Shanghai. */
@injectable()
export class Quota {
  #perDay: number | undefined;
  #day = "";
  readonly #used = new Map<string, number>();

  constructor(
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** From now on an account has so many questions a calendar day; undefined means any number. */
  limit(perDay: number | undefined): void {
    this.#perDay = perDay;
    this.#used.clear();
  }

  /** Today in Asia/Shanghai, `yyyymmdd`. */
  today(): string {
    return dayIn(this.clock).replaceAll("-", "");
  }

  /** Counts one question, which is told on standard error; false when the day's are used up. */
  take(accountId: string): boolean {
    if (this.#perDay === undefined) return true;
    if (this.#day !== this.today()) this.#used.clear();
    this.#day = this.today();
    const used = this.#used.get(accountId) ?? 0;
    if (used >= this.#perDay) return false;
    this.#used.set(accountId, used + 1);
    this.log.notice(`Question ${used + 1} of ${this.#perDay} today.`);
    return true;
  }

  /** What is said when the day's questions are used up. */
  sentence(): string {
    return text("quota-exceeded").replace(REMOTE_QUOTA, String(this.#perDay));
  }
}

export const QUOTA = token<Quota>("music-gateway/quota");

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
    @inject(LAST_QUESTIONS) private readonly questions: LastQuestions,
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
    const account = accountOf(collection.source);
    const earlier = await this.questions.of(account);
    const next = { message: userMessage, songId };
    const { content, asked } = await answerTo(next, earlier, collection, this.questions.today());
    // Only now: a question that cannot be answered does not count.
    if (!this.quota.take(account)) return refusal("QUOTA_EXCEEDED", this.quota.sentence());
    await this.questions.keep(account, asked);
    return { code: 0, message: null, data: this.#data(content, collection) };
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
