import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBodyParser, FastifyContentTypeParser, FastifyRequest } from "fastify";
import { SkillError } from "../../errors/skill-error.ts";
import type { RawBody } from "../../plugin.ts";
import { ByteBudget } from "./byte-budget.ts";

/** The most bytes of a request body: 1 MiB, unless a route names another limit. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The most bytes of all bodies that a server holds, from their first byte until they are answered: 32 MiB. */
const MAX_OPEN_BYTES = 32 * MAX_BODY_BYTES;
/** A handler of a raw route gets this much of a body that turns out to be over the limit. */
const BODY_HEAD_BYTES = 4_096;
const NO_BYTES: Buffer = Buffer.alloc(0);

/** One JSON document. */
export const JSON_TYPE = "application/json";

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** Takes a body: all of it, or the beginning of one that is over the limit. */
type Take = (error: Error | null, bytes: Buffer, whole: boolean) => void;

/**
 * Reads the bodies of one server. A body that is announced over the limit is refused before a byte of it is read, and one
 * that is announced with `Expect: 100-continue` is asked for only here, after everything that may refuse its request.
 */
export class BodyReader {
  readonly #budget = new ByteBudget(MAX_OPEN_BYTES);
  /** Requests whose senders wait to be asked for the body. */
  readonly #expecting = new WeakMap<IncomingMessage, () => void>();

  /** Takes note of a request with `Expect: 100-continue`. Where the body is not asked for, the connection ends. */
  expect(request: IncomingMessage, response: ServerResponse): void {
    const { shouldKeepAlive } = response;
    response.shouldKeepAlive = false;
    this.#expecting.set(request, () => {
      response.shouldKeepAlive = shouldKeepAlive;
      response.writeContinue();
    });
  }

  /** Whether the sender of a request still sends a body that was not read to its end. */
  isSending(request: IncomingMessage): boolean {
    const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
    return !request.complete && (length !== "0" || coding !== undefined) && !this.#expecting.has(request);
  }

  /** Forgets the body of a request that has been answered or broken off. */
  release(request: IncomingMessage): void {
    this.#budget.release(request);
  }

  /**
   * Reads a body as the one JSON value that it states. Nothing in it is coerced, repaired or dropped; keys that would change
   * the prototype of what the value is copied into are refused. `parse` is fastify's own.
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

  /** Reads a body as its bytes. One that is over the limit goes to the handler too, which answers in its own words. */
  readonly raw = (
    request: FastifyRequest,
    _payload: IncomingMessage,
    done: (error: Error | null, body?: RawBody) => void,
  ): void =>
    this.#read(request, (error, bytes, whole) => (error ? done(error) : done(null, { bytes, whole })));

  #read({ raw, headers, routeOptions }: FastifyRequest, take: Take): void {
    const { bodyLimit: limit } = routeOptions;
    if (Number(headers["content-length"] ?? 0) > limit) return take(null, NO_BYTES, false);
    this.#expecting.get(raw)?.();
    this.#expecting.delete(raw);
    let bytes = NO_BYTES;
    let size = 0;
    const done: Take = (...what) => {
      raw.off("data", add).off("end", end).off("error", fail);
      take(...what);
    };
    const fail = (error: Error): void => {
      // A share that stayed would be ended a second time, and the request answered twice.
      this.#budget.release(raw);
      done(error, NO_BYTES, false);
    };
    const giveWay = (): void => fail(busy());
    const add = (chunk: Buffer): void => {
      if (size + chunk.length > limit) {
        this.#budget.release(raw);
        return done(null, Buffer.from(bytes.subarray(0, Math.min(size, BODY_HEAD_BYTES))), false);
      }
      // Most come at once. What comes in pieces is copied into one buffer: a piece of one byte costs hundreds.
      if (size === 0) bytes = chunk;
      else {
        if (size + chunk.length > bytes.length) bytes = grown(bytes, size, size + chunk.length, limit);
        chunk.copy(bytes, size);
      }
      size += chunk.length;
      if (!this.#budget.hold(raw, bytes.length, giveWay)) giveWay();
    };
    const end = (): void => {
      // From here on it is needed until it has been answered.
      if (!this.#budget.hold(raw, bytes.length)) return giveWay();
      done(null, size === bytes.length ? bytes : bytes.subarray(0, size), true);
    };
    raw.on("data", add).once("end", end).once("error", fail);
  }
}

/** Room for at least so many bytes, doubled each time, at most the limit. */
function grown(bytes: Buffer, size: number, wanted: number, limit: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(2 * bytes.length, wanted)));
  bytes.copy(larger, 0, 0, size);
  return larger;
}

function tooLarge(limit: number): SkillError {
  return new SkillError("BODY_TOO_LARGE", `The body is over ${limit} bytes.`, {
    hint: "Send less in one request.",
  });
}

function busy(): SkillError {
  const most = MAX_OPEN_BYTES / MAX_BODY_BYTES;
  return new SkillError("SERVER_BUSY", `The server holds ${most} MiB of bodies that are not answered yet.`, {
    hint: "Send the request again in a moment.",
  });
}

function unparsed(text: string): SkillError {
  try {
    JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    return new SkillError("BODY_UNREADABLE", `The body is no JSON: ${message.slice(0, 200)}.`, {
      pointer: "",
      cause,
    });
  }
  return new SkillError(
    "BODY_UNREADABLE",
    "The body has a key __proto__ or constructor, which is not read here.",
  );
}

function textOf(
  bytes: Buffer,
  { "content-type": type = "", "content-encoding": encoding }: IncomingHttpHeaders,
): string {
  if (encoding !== undefined && encoding !== "identity") {
    throw new SkillError("MEDIA_TYPE_REFUSED", "Compressed bodies are not read here.", {
      hint: "Send the body without Content-Encoding.",
    });
  }
  const charset = type === JSON_TYPE ? undefined : CHARSET.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== "utf-8" && charset.toLowerCase() !== "utf8") {
    throw new SkillError("MEDIA_TYPE_REFUSED", "Only the charset utf-8 is read here.", {
      hint: "Send UTF-8.",
    });
  }
  if (bytes.length === 0) {
    throw new SkillError("BODY_UNREADABLE", "The content type promises JSON, and the body is empty.", {
      hint: "Send {} or leave the content type out.",
    });
  }
  if (!isUtf8(bytes)) throw new SkillError("BODY_UNREADABLE", "The body is not valid UTF-8.");
  return bytes.toString("utf8");
}
