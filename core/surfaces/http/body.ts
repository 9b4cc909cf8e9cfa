import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBodyParser, FastifyContentTypeParser, FastifyRequest } from "fastify";
import { SkillError } from "../../errors/skill-error.ts";
import { jsonFault } from "../../adapters/json-fault.ts";
import type { RawBody } from "../../plugin.ts";
import { ByteBudget } from "./byte-budget.ts";

/** Maximum size of a request body: 1 MiB, unless a route sets another limit. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Limit for all bodies that a server holds, from their first byte to the response: 32 MiB. */
const MAX_OPEN_BYTES = 32 * MAX_BODY_BYTES;
/** Handlers of raw routes receive this much of a body that exceeds the limit. */
const BODY_HEAD_BYTES = 4_096;
const NO_BYTES: Buffer = Buffer.alloc(0);

/** One JSON document. */
export const JSON_TYPE = "application/json";

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** Receives a body: all of it, or the beginning of one that exceeds the limit. */
type BodyCallback = (error: Error | null, bytes: Buffer, whole: boolean) => void;

/**
 * Reads the bodies of one server. A body that `Content-Length` announces as too long is refused unread. A client that sends
 * `Expect: 100-continue` is asked for its body only after all checks that may refuse the request.
 */
export class BodyReader {
  readonly #budget = new ByteBudget(MAX_OPEN_BYTES);
  /** Requests whose clients wait for `100 Continue`. */
  readonly #expecting = new WeakMap<IncomingMessage, () => void>();

  /** Registers a request with `Expect: 100-continue`. If its body is never requested, the connection ends. */
  expect(request: IncomingMessage, response: ServerResponse): void {
    const { shouldKeepAlive } = response;
    response.shouldKeepAlive = false;
    this.#expecting.set(request, () => {
      response.shouldKeepAlive = shouldKeepAlive;
      response.writeContinue();
    });
  }

  /** Whether the client is still sending a body that was not read to its end. */
  isSending(request: IncomingMessage): boolean {
    const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
    return !request.complete && (length !== "0" || coding !== undefined) && !this.#expecting.has(request);
  }

  /** Releases the body of a request that was answered or aborted. */
  release(request: IncomingMessage): void {
    this.#budget.release(request);
  }

  /**
   * Parses a body as one JSON value, without coercing, repairing or dropping parts of it; keys that would change the
   * prototype of an object are refused. `parse` is fastify's own.
   * @throws SkillError `BODY_UNREADABLE`, `BODY_TOO_LARGE`, `MEDIA_TYPE_REFUSED`, `SERVER_BUSY`
   */
  json(parse: FastifyBodyParser<string>): FastifyContentTypeParser {
    return (request, _payload, done) =>
      this.#read(request, (error, bytes, whole) => {
        const { bodyLimit } = request.routeOptions;
        if (error ?? !whole) return done(error ?? tooLarge(bodyLimit));
        let text: string;
        try {
          text = textOf(bytes, request.headers);
        } catch (caught) {
          return done(caught as Error);
        }
        void parse(request, text, (fault, value) => (fault ? done(unparsed(text)) : done(null, value)));
      });
  }

  /** Reads a body as bytes. If it exceeds the limit, the handler receives its beginning and responds. */
  readonly raw = (
    request: FastifyRequest,
    _payload: IncomingMessage,
    done: (error: Error | null, body?: RawBody) => void,
  ): void =>
    this.#read(request, (error, bytes, whole) => (error ? done(error) : done(null, { bytes, whole })));

  #read({ raw, headers, routeOptions }: FastifyRequest, take: BodyCallback): void {
    const { bodyLimit: limit } = routeOptions;
    if (Number(headers["content-length"] ?? 0) > limit) return take(null, NO_BYTES, false);
    this.#expecting.get(raw)?.();
    this.#expecting.delete(raw);
    let bytes = NO_BYTES;
    let size = 0;
    const done: BodyCallback = (...result) => {
      raw.off("data", add).off("end", end).off("error", fail);
      take(...result);
    };
    const fail = (error: Error): void => {
      // Otherwise the share would be ended a second time, and the request answered twice.
      this.#budget.release(raw);
      done(error, NO_BYTES, false);
    };
    const giveWay = (): void => fail(busy());
    const add = (chunk: Buffer): void => {
      if (size + chunk.length > limit) {
        this.#budget.release(raw);
        return done(null, Buffer.from(bytes.subarray(0, Math.min(size, BODY_HEAD_BYTES))), false);
      }
      // Most bodies arrive in one chunk. Others are copied into one buffer: a chunk of one byte costs hundreds of bytes.
      if (size === 0) bytes = chunk;
      else {
        if (size + chunk.length > bytes.length) bytes = grown(bytes, size, size + chunk.length, limit);
        chunk.copy(bytes, size);
      }
      size += chunk.length;
      if (!this.#budget.hold(raw, bytes.length, giveWay)) giveWay();
    };
    const end = (): void => {
      // From here on the body is needed until the response.
      if (!this.#budget.hold(raw, bytes.length)) return giveWay();
      done(null, size === bytes.length ? bytes : bytes.subarray(0, size), true);
    };
    raw.on("data", add).once("end", end).once("error", fail);
  }
}

/** A buffer with room for at least this many bytes: doubled in size, at most the limit. */
function grown(bytes: Buffer, size: number, wanted: number, limit: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(2 * bytes.length, wanted)));
  bytes.copy(larger, 0, 0, size);
  return larger;
}

function tooLarge(limit: number): SkillError {
  return new SkillError("BODY_TOO_LARGE", `The body is over ${limit} bytes.`, {
    hint: "Send a smaller body.",
  });
}

function busy(): SkillError {
  const most = MAX_OPEN_BYTES / MAX_BODY_BYTES;
  return new SkillError("SERVER_BUSY", `The server is processing ${most} MiB of request bodies.`, {
    hint: "Send the request again in a moment.",
  });
}

function unparsed(text: string): SkillError {
  try {
    JSON.parse(text);
  } catch (cause) {
    return new SkillError("BODY_UNREADABLE", `The body is not valid JSON: ${jsonFault(text)}.`, {
      pointer: "",
      cause,
    });
  }
  return new SkillError(
    "BODY_UNREADABLE",
    "The body has a key __proto__ or constructor, which is not allowed.",
  );
}

function textOf(
  bytes: Buffer,
  { "content-type": type = "", "content-encoding": encoding }: IncomingHttpHeaders,
): string {
  if (encoding !== undefined && encoding !== "identity") {
    throw new SkillError("MEDIA_TYPE_REFUSED", "Compressed bodies are not supported.", {
      hint: "Send the body without Content-Encoding.",
    });
  }
  const charset = type === JSON_TYPE ? undefined : CHARSET.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== "utf-8" && charset.toLowerCase() !== "utf8") {
    throw new SkillError("MEDIA_TYPE_REFUSED", "The only supported charset is utf-8.", {
      hint: "Send UTF-8.",
    });
  }
  if (bytes.length === 0) {
    throw new SkillError("BODY_UNREADABLE", "The content type is JSON, but the body is empty.", {
      hint: "Send {}, or omit the content type.",
    });
  }
  if (!isUtf8(bytes)) throw new SkillError("BODY_UNREADABLE", "The body is not valid UTF-8.");
  return bytes.toString("utf8");
}
