import { HTTP, SkillError, inject, injectable, token, type Http, type HttpResponse } from "skillctl";
import type { ChatRequest } from "./contract.ts";
import { SENT_TOKENS, type SentTokens } from "./sent-tokens.ts";
import type { ServiceEndpoint } from "./service.ts";

/** A reply from the service, validated as far as the contract requires; `raw` is the whole document. */
export interface Reply {
  readonly code: number | string;
  readonly message: string;
  readonly data: ReplyData | undefined;
  readonly raw: unknown;
}

/** `data` of a reply (specification, Response body). */
export interface ReplyData {
  readonly content: string;
  readonly finishReason: string;
  readonly safetyRevoked: boolean;
  readonly sessionId: string;
  readonly messageId: string;
}

/** Headers and body together; the service gives up at 240 s (specification, Limits). */
const TIMEOUT_MS = 260_000;
/** The limit for the decoded body (docs/music-analysis.md, Replies). */
const MAX_BYTES = 8 * 1024 * 1024;
const PATH = "/openapi/v1/musician/data/agent/chat-sync";

export const ANALYSIS_CLIENT = token<AnalysisClient>("analysis-client");

/** The one remote operation: fixed path, header and time-out, and exactly two fields. */
@injectable()
export class AnalysisClient {
  constructor(
    @inject(HTTP) private readonly http: Http,
    @inject(SENT_TOKENS) private readonly tokens: SentTokens,
  ) {}

  /**
   * Sends a question once, or twice if no byte of the first attempt can have left the machine. Tokens that were sent are
   * removed from all texts of the reply, including field names.
   * @throws SkillError `MUSIC_OUTCOME_UNKNOWN`, `MUSIC_REPLY_BROKEN`, `MUSIC_TIMEOUT`, `NETWORK_UNREACHED`,
   * `CANCELLED`. No error contains the token or the body.
   */
  async send(question: ChatRequest, endpoint: ServiceEndpoint, signal: AbortSignal): Promise<Reply> {
    const { origin, token: value, viaEnvironment = false, http = this.http } = endpoint;
    this.tokens.add(value);
    const post = (): Promise<HttpResponse> =>
      http.send({
        method: "POST",
        url: origin + PATH,
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "svc-header-token": value,
          // Calls are minutes apart: a connection that is kept open would be closed by then.
          connection: "close",
        },
        body: bodyOf(question),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        signal,
        viaEnvironment,
      });
    try {
      return readReply(
        await post().catch((caught: unknown) => (notSent(caught) ? post() : Promise.reject(caught))),
        (text) => this.tokens.without(text),
      );
    } catch (caught) {
      throw translated(caught);
    }
  }
}

/** Built field by field, so that no other field of the object can be sent. */
function bodyOf({ userMessage, songId }: ChatRequest): string {
  return JSON.stringify(songId === undefined ? { userMessage } : { userMessage, songId });
}

function notSent(caught: unknown): boolean {
  return caught instanceof SkillError && caught.code === "NETWORK_UNREACHED";
}

function translated(caught: unknown): unknown {
  if (!(caught instanceof SkillError)) return caught;
  if (caught.code === "NETWORK_TIMEOUT") return new SkillError("MUSIC_TIMEOUT", caught.message);
  const open = caught.code === "NETWORK_BROKEN" || caught.code === "NETWORK_TOO_LARGE";
  return open ? outcomeUnknown(caught.message) : caught;
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a response, more tolerantly than the schema `music-analysis/chat-reply` states it: a missing field of `data`,
 * or one of another type, counts as empty, and a safety flag counts as set unless it is false.
 * @throws SkillError `MUSIC_REPLY_BROKEN`, or `MUSIC_OUTCOME_UNKNOWN` for an answer that broke off or got lost behind
 * the service's door. Neither shows the body.
 */
function readReply(
  { status, contentType, body }: HttpResponse,
  withoutTokens: (text: string) => string,
): Reply {
  const isJson = JSON_TYPE.test(contentType);
  const raw = isJson ? withTexts(parsed(body), withoutTokens) : undefined;
  const reply = replyIn(raw);
  // The user is not logged in, whatever the body: a gateway in front of the service may answer with a page.
  if (status === 401)
    return { code: "UNAUTHORIZED", message: reply?.message ?? "", data: undefined, raw: raw ?? null };
  if (status >= 300 && status < 400) throw broken(`a redirect (${status}), which is not followed`);
  if (reply) return reply;
  if (status >= 500)
    throw outcomeUnknown(`An intermediary answered with status ${status} instead of the service.`);
  if (!isJson || (raw === undefined && status >= 400)) throw broken(`status ${status} and no JSON`);
  if (raw === undefined) throw outcomeUnknown("The service's reply is not a complete JSON document.");
  throw broken(`status ${status} and no code`);
}

/** The maximum depth of lists and objects in a reply; the contract has two levels. */
const DEEPEST = 100;

/**
 * Applies a function to every text in a JSON value, including field names.
 * @throws SkillError `MUSIC_REPLY_BROKEN` for more than 100 levels
 */
export function withTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) throw broken(`JSON of more than ${DEEPEST} levels`);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change, depth + 1));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, each]) => [change(name), withTexts(each, change, depth + 1)]),
  );
}

/** Reads a document from the service as a reply; undefined if it has no code. */
export function replyIn(raw: unknown): Reply | undefined {
  const { code, message, data } = isRecord(raw) ? raw : {};
  if (typeof code !== "number" && typeof code !== "string") return undefined;
  return { code, message: textOf(message), data: isRecord(data) ? dataOf(data) : undefined, raw };
}

/** 0 and "0" mean success; any other or missing code does not (docs/music-analysis.md, Replies). */
export function isSuccess({ code }: Reply): boolean {
  return code === 0 || code === "0";
}

function dataOf(data: Readonly<Record<string, unknown>>): ReplyData {
  return {
    content: textOf(data["content"]),
    finishReason: textOf(data["finishReason"]),
    safetyRevoked: (data["safetyRevoked"] ?? false) !== false,
    sessionId: textOf(data["sessionId"]),
    messageId: textOf(data["messageId"]),
  };
}

/** Undefined if the text is not JSON. A byte-order mark is not part of it (RFC 8259, section 8.1). */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body.replace(/^\uFEFF/, ""));
  } catch {
    // The parser's message may quote the body.
    return undefined;
  }
}

/** The error for an answer that may have been given but did not arrive. */
function outcomeUnknown(sentence: string): SkillError {
  return new SkillError("MUSIC_OUTCOME_UNKNOWN", sentence, {
    hint: "The question may have counted against today's limit. Check the limit before you ask again.",
  });
}

function broken(what: string): SkillError {
  return new SkillError("MUSIC_REPLY_BROKEN", `The service answered with ${what}.`, {
    hint: "Check SVC_BASE_URL.",
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
