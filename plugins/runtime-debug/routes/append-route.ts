import { inject, injectable, isLoopbackOrigin } from "skillctl";
import type { RawBody, RouteHandler, RouteReply, RouteRequest } from "skillctl";
import type { KeyQuery, LogReceipt, Refusal } from "../contract.ts";
import type { Rejection, Source } from "../store/event/event-writer.ts";
import { SESSION, type SessionHolder } from "../open-session.ts";
import { wordOf } from "../problem-body.ts";

const FOREIGN = ["foreign-origin"] as const;
/** Cursor's probes post to such a path, and name their session in a header. */
const INGEST = /^(\/event)?\/ingest(\/|$)/;
const SESSION_HEADER = "x-debug-session-id";
/** Statuses of what is refused; all else is 400. */
const STATUS: Readonly<Record<string, number>> = {
  DEBUG_BAD_SESSION: 422,
  DEBUG_TOO_MANY: 413,
  BODY_TOO_LARGE: 413,
  MEDIA_TYPE_REFUSED: 415,
};
const OK: RouteReply = { status: 200, body: "ok" };

type Request = RouteRequest<KeyQuery, RawBody>;

/** Takes events. The answer says that they are on the disk, or which line is none; then nothing of the body is stored. */
@injectable()
export class AppendRoute implements RouteHandler<KeyQuery, RawBody> {
  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  /** @throws SkillError `DEBUG_NOT_SERVED`, `STORAGE_FULL`, `STORAGE_FAILED`, `STORAGE_BUSY`. */
  async handle({ path, body, headers }: Request): Promise<RouteReply> {
    const { log } = this.session.current;
    const fault = unreadable(body, headers);
    if (fault) {
      const unread = { ...fault, bytes: body.bytes };
      await log.refuse(unread);
      return refusal(unread);
    }
    const session = headers[SESSION_HEADER];
    const taken = await log.take(body.bytes, {
      source: sourceOf(path),
      ...(typeof session === "string" && { session }),
      ...(isForeign(headers) && { flags: FOREIGN }),
    });
    if (taken.rejection) return refusal(taken.rejection);
    if (!wantsJson(headers)) return OK;
    const receipt: LogReceipt = { ok: true, accepted: taken.accepted, seq: taken.seq };
    return { status: 200, body: receipt };
  }
}

/** Why a body is refused as a whole. */
function unreadable(body: RawBody, headers: Request["headers"]): Omit<Rejection, "bytes"> | undefined {
  if (!body.whole) return { code: "BODY_TOO_LARGE", sentence: "The body is over 1 MiB." };
  if (body.bytes.byteLength === 0 && !announcesBody(headers))
    return { code: "DEBUG_BAD_JSON", sentence: "The body is empty: the request has no Content-Length." };
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return undefined;
  return {
    code: "MEDIA_TYPE_REFUSED",
    sentence: "Compressed bodies are not read here: send it without Content-Encoding.",
  };
}

/** Without this a body that was sent is not seen, as programs find out that speak HTTP/1.0 by hand. */
function announcesBody(headers: Request["headers"]): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function sourceOf(path: string): Source {
  return INGEST.test(path) ? "ingest" : "event";
}

function isForeign({ origin }: Request["headers"]): boolean {
  return origin !== undefined && !(typeof origin === "string" && isLoopbackOrigin(origin));
}

function wantsJson({ accept }: Request["headers"]): boolean {
  return typeof accept === "string" && accept.includes("application/json");
}

function refusal({ code, sentence }: Rejection): RouteReply {
  const body: Refusal = {
    ok: false,
    error: wordOf(code),
    message: sentence.slice(0, 4_000),
    accepted: 0,
    rejected: 1,
  };
  return { status: STATUS[code] ?? 400, body };
}
