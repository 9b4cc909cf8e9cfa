import { isUtf8 } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { inject, injectable, SkillError } from "skillctl";
import type { RawBody, RouteHandler, RouteReply } from "skillctl";
import type { KeyQuery } from "../contract.ts";
import { CODE_WATCH, SESSION, type CodeWatch, type SessionHolder } from "../open-session.ts";
import { hasPassed } from "../otlp/log-records.ts";
import { eventsOf, type Signal } from "../otlp/otlp-events.ts";
import type { LogStore } from "../store/log/log-store.ts";
import { flagsOf, refusal, type Post } from "./routes.ts";

/** Content types of requests and responses. */
const [JSON_TYPE, PROTOBUF_TYPE] = ["application/json", "application/x-protobuf"] as const;
const MESSAGES = { logs: "Logs", traces: "Traces" } as const;
const REJECTED = { logs: "rejectedLogRecords", traces: "rejectedSpans" } as const;
/** Maximum size of an unpacked body, in bytes. */
const MOST_UNPACKED = 4 * 1024 * 1024;
/** Events per write. */
const AT_ONCE = 1_000;
const BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest";
const RETURNED = "This server has forwarded the events before: its collector leads back to it.";
/** Statuses after which the client sends the same request again. */
const RETRY = { status: 503, headers: { "retry-after": "1" } } as const;

/**
 * Accepts log records and spans of OpenTelemetry exporters (OTLP/HTTP 1, JSON and protobuf): docs/opentelemetry.md. The
 * response states that their events are on disk, or the number that could not be stored.
 */
@injectable()
export class OtlpRoute implements RouteHandler<KeyQuery, RawBody> {
  constructor(
    @inject(SESSION) private readonly session: SessionHolder,
    @inject(CODE_WATCH) private readonly code: CodeWatch,
  ) {}

  /** @throws SkillError `DEBUG_NOT_SERVED`; refusals of the body are sent in its encoding. */
  async handle(post: Post): Promise<RouteReply> {
    const { current } = this.session;
    const { body, headers, path } = post;
    const signal: Signal = path.endsWith("/traces") ? "traces" : "logs";
    const type = String(headers["content-type"]).split(";", 1).join("").trim().toLowerCase();
    const isBinary = type === PROTOBUF_TYPE;
    const flags = await flagsOf(current, this.code, headers);
    try {
      const request = isBinary ? await messageIn(post, MESSAGES[signal]) : jsonIn(post, type);
      const events = eventsOf(signal, request, current.id);
      const fresh = events.filter((event) => !hasPassed(event, current.instance));
      const returned = events.slice(fresh.length).map(() => RETURNED);
      const rejected = [...(await stored(fresh, current.log, flags)), ...returned];
      const [errorMessage] = rejected;
      const partialSuccess = { [REJECTED[signal]]: String(rejected.length), errorMessage };
      const reply = errorMessage === undefined ? {} : { partialSuccess };
      return await answer(200, isBinary, `${MESSAGES[signal]}Reply`, reply);
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      const { code, message: sentence } = caught;
      const { status, body: refused } = refusal({ code, sentence }, {});
      if (code.startsWith("STORAGE_"))
        return answer(RETRY.status, isBinary, "Status", refused, RETRY.headers);
      await current.log.refuse({ code, sentence }, body.bytes);
      const details = status === 400 ? { details: [await badRequest(isBinary, sentence)] } : {};
      return answer(status, isBinary, "Status", { ...refused, ...details });
    }
  }
}

/**
 * Stores events in order; returns the reasons of those that could not be stored. @throws SkillError as `LogStore.store`
 */
async function stored(
  events: readonly object[],
  log: LogStore,
  flags: readonly string[],
): Promise<readonly string[]> {
  const rejected: string[] = [];
  for (let at = 0; at < events.length; at += AT_ONCE) {
    const bytes = Buffer.from(JSON.stringify(events.slice(at, at + AT_ONCE)));
    const { rejection, leftOut = [] } = await log.store(bytes, { source: "otlp", flags, each: true });
    if (rejection) throw new SkillError(rejection.code, rejection.sentence);
    rejected.push(...leftOut.map(({ sentence }) => sentence));
  }
  return rejected;
}

/** The detail that OTLP requires for bad data. */
async function badRequest(isBinary: boolean, description: string): Promise<object> {
  const violation = { fieldViolations: [{ field: "", description }] };
  if (!isBinary) return { "@type": BAD_REQUEST, ...violation };
  return { type_url: BAD_REQUEST, value: await encoded("BadRequest", violation) };
}

function jsonIn(post: Post, type: string): unknown {
  if (type !== JSON_TYPE)
    throw new SkillError(
      "MEDIA_TYPE_REFUSED",
      `The content type is neither ${JSON_TYPE} nor ${PROTOBUF_TYPE}.`,
    );
  const bytes = unpacked(post);
  try {
    if (isUtf8(bytes)) return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    // Reported below, like bytes that are not text.
  }
  throw new SkillError("BODY_UNREADABLE", "The body is not valid JSON.");
}

async function messageIn(post: Post, name: string): Promise<object> {
  const bytes = unpacked(post);
  const { decoded } = await import("../otlp/messages.ts");
  try {
    return decoded(`${name}Request`, bytes);
  } catch (cause) {
    throw new SkillError("BODY_UNREADABLE", `The body is not an Export${name} request in protobuf.`, {
      cause,
    });
  }
}

function unpacked({ body, headers }: Post): Uint8Array {
  if (!body.whole) throw new SkillError("BODY_TOO_LARGE", "The body is over 1 MiB.");
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return body.bytes;
  if (encoding !== "gzip")
    throw new SkillError("MEDIA_TYPE_REFUSED", "The body is compressed, but not with gzip.");
  try {
    return gunzipSync(body.bytes, { maxOutputLength: MOST_UNPACKED });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw new SkillError("BODY_TOO_LARGE", "The unpacked body is over 4 MiB.", { cause });
    throw new SkillError("BODY_UNREADABLE", "The body is not valid gzip.", { cause });
  }
}

async function encoded(name: string, message: object): Promise<Uint8Array> {
  return (await import("../otlp/messages.ts")).encoded(name, message);
}

/** Sends the encoding of the request under its content type. A stream keeps the type without a charset. */
async function answer(
  status: number,
  isBinary: boolean,
  name: string,
  message: object,
  headers: RouteReply["headers"] = {},
): Promise<RouteReply> {
  const bytes = isBinary ? await encoded(name, message) : Buffer.from(JSON.stringify(message));
  const type = isBinary ? PROTOBUF_TYPE : JSON_TYPE;
  return { status, body: pieces(bytes), headers: { ...headers, "content-type": type } };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
