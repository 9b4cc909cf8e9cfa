import { SkillError, type HttpResponse } from "skillctl";

/** A reply of the service, read as far as the contract goes; `raw` is the whole document. */
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

/**
 * Reads a response, more tolerantly than the schema `music-analysis/chat-reply` states it: a field of `data` that is
 * missing or of another type counts as empty.
 * @throws SkillError `MUSIC_REPLY_BROKEN`, or `MUSIC_OUTCOME_UNKNOWN` for an answer that broke off. Neither shows the body.
 */
export function readReply({ status, contentType, body }: HttpResponse): Reply {
  if (status >= 300 && status < 400) throw broken(`a redirect (${status}), which is not followed`);
  if (!/^application\/(json|[\w.-]+\+json)\b/i.test(contentType))
    throw broken(`status ${status} and no JSON`);
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch {
    throw new SkillError("MUSIC_OUTCOME_UNKNOWN", "The service's reply is no whole JSON document.", {
      hint: "The question may have used one of today's. Look before you ask it again.",
    });
  }
  if (!isRecord(raw)) throw broken("JSON that is no object");
  const { code, message, data } = raw;
  if (status === 401) return { code: "UNAUTHORIZED", message: textOf(message), data: undefined, raw };
  if (typeof code !== "number" && typeof code !== "string") throw broken(`status ${status} and no code`);
  return { code, message: textOf(message), data: isRecord(data) ? dataOf(data) : undefined, raw };
}

/** 0 and "0" are success; everything else, a missing code too, is not (docs/music-analysis.md, Replies). */
export function isSuccess({ code }: Reply): boolean {
  return code === 0 || code === "0";
}

function dataOf(data: Readonly<Record<string, unknown>>): ReplyData {
  return {
    content: textOf(data["content"]),
    finishReason: textOf(data["finishReason"]),
    safetyRevoked: data["safetyRevoked"] === true,
    sessionId: textOf(data["sessionId"]),
    messageId: textOf(data["messageId"]),
  };
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
