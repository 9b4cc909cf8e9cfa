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

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a response, more tolerantly than the schema `music-analysis/chat-reply` states it: a field of `data` that is
 * missing or of another type counts as empty, and a safety flag that is not plainly false as set.
 * @throws SkillError `MUSIC_REPLY_BROKEN`, or `MUSIC_OUTCOME_UNKNOWN` for an answer that broke off or got lost behind
 * the service's door. Neither shows the body.
 */
export function readReply({ status, contentType, body }: HttpResponse): Reply {
  const isJson = JSON_TYPE.test(contentType);
  const raw = isJson ? parsed(body) : undefined;
  const { code, message, data } = isRecord(raw) ? raw : {};
  // Not logged in, whatever stands in the body: a gateway before the service may answer with a page.
  if (status === 401)
    return { code: "UNAUTHORIZED", message: textOf(message), data: undefined, raw: raw ?? null };
  if (status >= 300 && status < 400) throw broken(`a redirect (${status}), which is not followed`);
  const hasCode = typeof code === "number" || typeof code === "string";
  if (status >= 500 && !hasCode)
    throw outcomeUnknown(`Something before the service answered with status ${status} in its place.`);
  if (!isJson) throw broken(`status ${status} and no JSON`);
  if (raw === undefined) throw outcomeUnknown("The service's reply is no whole JSON document.");
  if (!hasCode) throw broken(`status ${status} and no code`);
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
    safetyRevoked: (data["safetyRevoked"] ?? false) !== false,
    sessionId: textOf(data["sessionId"]),
    messageId: textOf(data["messageId"]),
  };
}

/** Undefined when the text is no JSON. A byte-order mark is no part of it (RFC 8259, section 8.1). */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body.replace(/^\uFEFF/, ""));
  } catch {
    // What the parser says of it may quote the body.
    return undefined;
  }
}

/** The error of an answer that may have been given, and did not arrive. */
export function outcomeUnknown(sentence: string): SkillError {
  return new SkillError("MUSIC_OUTCOME_UNKNOWN", sentence, {
    hint: "The question may have used one of today's. Look before you ask it again.",
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
