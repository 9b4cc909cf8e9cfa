import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FastifyBodyParser, FastifyRequest } from "fastify";
import { SkillError } from "../../errors/skill-error.ts";
import type { RawBody } from "../../plugin.ts";

/** The most bytes of a request body: 1 MiB. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** A handler of a raw route gets this much of a body that is over the limit. */
const BODY_HEAD_BYTES = 4_096;

/** One JSON document. */
export const JSON_TYPE = "application/json";

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/**
 * Reads a body as the one value that it states. Nothing in it is coerced, repaired or dropped; keys that would change the
 * prototype of what the value is copied into are refused. `parse` is fastify's own.
 * @throws SkillError `BODY_UNREADABLE`, `MEDIA_TYPE_REFUSED`.
 */
export function jsonReader(parse: FastifyBodyParser<string>): FastifyBodyParser<Buffer> {
  return (request, bytes, done) => {
    let text: string;
    try {
      text = textOf(bytes, request.headers);
    } catch (caught) {
      return done(caught as Error);
    }
    void parse(request, text, (error, value) => (error ? done(unparsed(text)) : done(null, value)));
  };
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

/**
 * Bytes as they come, whatever they are. Of a body over the limit the rest is taken in and forgotten before anybody
 * answers: a connection that is closed under the hands of its sender is reset, and the answer lost with it.
 */
export function readRaw(
  { headers }: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, body?: RawBody) => void,
): void {
  const announced = Number(headers["content-length"] ?? 0);
  let parts: Buffer[] = [];
  let size = 0;
  let head: Buffer | undefined;
  payload.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (head && head.length >= BODY_HEAD_BYTES) return;
    parts.push(chunk);
    if (size <= MAX_BODY_BYTES && announced <= MAX_BODY_BYTES) return;
    head = Buffer.from(Buffer.concat(parts).subarray(0, BODY_HEAD_BYTES));
    parts = [head];
  });
  payload.once("end", () =>
    done(null, head ? { bytes: head, whole: false } : { bytes: joined(parts, size), whole: true }),
  );
  payload.once("error", done);
}

/** Most come at once. */
function joined(parts: readonly Buffer[], size: number): Buffer {
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, size);
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
