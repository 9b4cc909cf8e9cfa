import { CLOCK, inject, injectable, isLoopbackOrigin } from "skillctl";
import type { Clock, RawBody, RouteHandler, RouteReply, RouteRequest, ServerProblem } from "skillctl";
import type {
  ClearQuery,
  HealthReply,
  KeyQuery,
  LogQuery,
  LogReceipt,
  Refusal,
  RunReply,
} from "../contract.ts";
import {
  CODE_WATCH,
  SESSION,
  type CodeWatch,
  type OpenSession,
  type SessionHolder,
} from "../open-session.ts";
import type { Rejection } from "../store/event/event-writer.ts";
import { inertJson } from "../store/event/inert-text.ts";
import { runName } from "../store/event/run-name.ts";
import { FOREIGN_ORIGIN, objectOf, OTHER_CODE, type LogSource } from "../store/log/log-lines.ts";
import { FORWARDER, type Forwarder } from "./forwarder.ts";
import { asked, eventLines, select } from "../store/read/selection.ts";
import { summary } from "../store/read/summary.ts";

/** Cursor's probes post to such a path, and name their session in a header. */
const INGEST = /^(\/event)?\/ingest(\/|$)/;
const SESSION_HEADER = "x-debug-session-id";
/** Statuses of refused bodies; the default is 400. */
const STATUS: Readonly<Record<string, number>> = {
  DEBUG_BAD_SESSION: 422,
  DEBUG_TOO_MANY: 413,
  BODY_TOO_LARGE: 413,
  MEDIA_TYPE_REFUSED: 415,
};
const OK: RouteReply = { status: 200, body: "ok" };

export type Post = RouteRequest<KeyQuery, RawBody>;
type Refused = Omit<Rejection, "text">;

/**
 * Accepts events. The response states that they are on disk, or names the first invalid line; in that case no event of
 * the body is stored.
 */
@injectable()
export class AppendRoute implements RouteHandler<KeyQuery, RawBody> {
  constructor(
    @inject(SESSION) private readonly session: SessionHolder,
    @inject(CODE_WATCH) private readonly code: CodeWatch,
  ) {}

  /** @throws SkillError `DEBUG_NOT_SERVED`, `STORAGE_FULL`, `STORAGE_FAILED`, `STORAGE_BUSY`. */
  async handle({ path, body, headers }: Post): Promise<RouteReply> {
    const { current } = this.session;
    const { log } = current;
    const fault = unreadable(body, headers);
    if (fault) {
      await log.refuse(fault, body.bytes);
      return rejected(fault);
    }
    const session = headers[SESSION_HEADER];
    const flags = await flagsOf(current, this.code, headers);
    const { accepted, seq, rejection } = await log.store(body.bytes, {
      source: INGEST.test(path) ? "ingest" : "event",
      ...(typeof session === "string" && { session }),
      flags,
    });
    if (rejection) return rejected(rejection);
    if (!wantsJson(headers)) return OK;
    const receipt: LogReceipt = { ok: true, accepted, seq };
    return { status: 200, body: receipt };
  }
}

/**
 * The flags of all events of a post. Events that arrive during a check of the code wait for it, which keeps their
 * order.
 */
export async function flagsOf(
  session: OpenSession,
  code: CodeWatch,
  headers: Post["headers"],
): Promise<readonly string[]> {
  const flags = (await code.isAsChecked(session)) ? [] : [OTHER_CODE];
  return isForeign(headers) ? [...flags, FOREIGN_ORIGIN] : flags;
}

/** The reason to refuse a whole body. */
function unreadable(body: RawBody, headers: Post["headers"]): Refused | undefined {
  if (!body.whole) return { code: "BODY_TOO_LARGE", sentence: "The body is over 1 MiB." };
  // Programs with hand-written HTTP/1.0 may omit the length, and the body is then ignored.
  const isAnnounced = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  if (body.bytes.byteLength === 0 && !isAnnounced)
    return { code: "DEBUG_BAD_JSON", sentence: "The body is empty: the request has no Content-Length." };
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return undefined;
  return {
    code: "MEDIA_TYPE_REFUSED",
    sentence: "Compressed bodies are not supported: omit Content-Encoding.",
  };
}

function isForeign({ origin }: Post["headers"]): boolean {
  return origin !== undefined && !(typeof origin === "string" && isLoopbackOrigin(origin));
}

function wantsJson({ accept }: Post["headers"]): boolean {
  return typeof accept === "string" && accept.includes("application/json");
}

function rejected(refused: Refused): RouteReply {
  return refusal(refused, { accepted: 0, rejected: 1 });
}

/** A refusal by a route, in the common format. */
export function refusal(
  { code, sentence }: Refused,
  more: Partial<Refusal>,
): RouteReply & { readonly body: Refusal } {
  const status = STATUS[code] ?? 400;
  return { status, body: { ...problemBody({ status, code, detail: sentence }), ...more } };
}

/** Maximum size of events in one response; `Debug-More` names the continuation. */
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;
/** Maximum number of concurrent queries: each holds its response and the files that it reads. */
const MOST_AT_ONCE = 2;
const TYPES = {
  json: "application/json; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
} as const;

/** Returns events or a summary: docs/runtime-debug.md, section Reading. */
@injectable()
export class QueryRoute implements RouteHandler<LogQuery, undefined> {
  #reading = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  async handle({ query, signal }: RouteRequest<LogQuery, undefined>): Promise<RouteReply> {
    if (this.#reading === MOST_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#reading += 1;
    try {
      signal.throwIfAborted();
      const session = this.session.current;
      return await session.log.read(
        (paths) => asked(paths, query),
        (sources) => answer(session, sources, query),
      );
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#reading -= 1;
    }
  }
}

async function answer(
  { id, log }: OpenSession,
  sources: readonly LogSource[],
  query: LogQuery,
): Promise<RouteReply> {
  const { format = "json" } = query;
  if (format === "summary") {
    const facts = { session: id, run: log.run, rejected: log.facts().rejected };
    return reply(inertJson(await summary(sources, query, facts)), "json");
  }
  const selection = await select(sources, query, undefined, MOST_ANSWER_BYTES);
  const { more, dropped } = selection;
  const next = more && ("since" in more ? `since=${more.since}` : `before=${more.before}`);
  return reply([...eventLines(selection, format)].join(""), format, {
    ...(next !== undefined && { "debug-more": next }),
    ...(dropped > 0 && { "debug-left-out": String(dropped) }),
  });
}

function reply(body: unknown, type: keyof typeof TYPES, more: RouteReply["headers"] = {}): RouteReply {
  return {
    status: 200,
    body,
    headers: { "content-type": TYPES[type], "cache-control": "no-store", ...more },
  };
}

/** Empties the visible log; earlier events stay for comparison unless `purge` removes them. */
@injectable()
export class ClearRoute implements RouteHandler<ClearQuery, undefined> {
  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  async handle({ query: { purge } }: RouteRequest<ClearQuery, undefined>): Promise<RouteReply> {
    await this.session.current.log.clear({ purge: purge === "1" || purge === "true" });
    return OK;
  }
}

const LONGEST_NAME = 200;

/**
 * Sets the run for events that name none, for any content type: curl declares a form. Like events, the change is on
 * disk before the response.
 */
@injectable()
export class RunRoute implements RouteHandler<KeyQuery, RawBody> {
  constructor(@inject(SESSION) private readonly session: SessionHolder) {}

  /** @throws SkillError `DEBUG_NOT_SERVED`, `FILE_UNWRITABLE` */
  async handle({ body }: RouteRequest<KeyQuery, RawBody>): Promise<RouteReply> {
    const { log, runChanged } = this.session.current;
    const hint = RUN_BODY;
    if (!body.whole)
      return refusal({ code: "BODY_TOO_LARGE", sentence: "The body is over 1 MiB." }, { hint });
    const run = runIn(Buffer.from(body.bytes).toString());
    if (run === undefined)
      return refusal({ code: "INPUT_INVALID", sentence: "The body names no run." }, { hint });
    const name = runName(run);
    // The files come first: after a failed response the run must be unchanged.
    await runChanged(name);
    log.setRun(name);
    const reply: RunReply = { ok: true, run: name };
    return { status: 200, body: reply };
  }
}

/** The run in a body, according to `runtime-debug/run-body`; the body must not contain anything else. */
function runIn(text: string): string | undefined {
  const value = objectOf(text) ?? {};
  const { runId } = value;
  if (Object.keys(value).length !== 1 || typeof runId !== "string") return undefined;
  return runId === "" || runId.length > LONGEST_NAME ? undefined : runId;
}

/** Returns the state of the server. The instance identifies this start. */
@injectable()
export class HealthRoute implements RouteHandler<KeyQuery, undefined> {
  constructor(
    @inject(SESSION) private readonly session: SessionHolder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(FORWARDER) private readonly forwarder: Forwarder,
  ) {}

  async handle(): Promise<RouteReply> {
    const { id, instance, port, startedMs, log } = this.session.current;
    const reply: HealthReply = {
      ok: log.fault === undefined,
      status: log.fault === undefined ? "ok" : "storage",
      session_id: id,
      sessionId: id,
      uptime: Math.floor((this.clock.monotonicMs() - startedMs) / 1_000),
      pid: process.pid,
      port,
      instance,
      ...log.facts(),
      ...this.forwarder.facts(),
    };
    return { status: 200, body: reply };
  }
}

/** Codes of refusals for programs that post events. A code without an entry is used in lower case. */
const WORDS: Readonly<Record<string, string>> = {
  DEBUG_BAD_JSON: "bad_json",
  DEBUG_NOT_OBJECT: "not_object",
  DEBUG_BAD_SESSION: "bad_session",
  DEBUG_TOO_MANY: "too_large",
  BODY_TOO_LARGE: "too_large",
  BODY_UNREADABLE: "bad_body",
  MEDIA_TYPE_REFUSED: "unsupported_encoding",
  ORIGIN_REFUSED: "forbidden_origin",
  HOST_REFUSED: "forbidden_host",
  KEY_REFUSED: "forbidden_key",
  METHOD_REFUSED: "method_not_allowed",
  DEBUG_NOT_SERVED: "not_served",
};
const TIME_OUT = 408;
const PARAMETERS =
  "GET /logs takes last, hypothesisId, runId, where, since, before, limit, segment and format; DELETE /logs takes purge.";

/** The hint of a refusal: the valid request. */
const RUN_BODY = 'The body of POST /run looks like {"runId":"post-fix"}.';

const KEYS =
  "Send events to the address in the environment file, unchanged; otherwise send `Authorization: Bearer KEY` with `control` of the file that `serve` names as key_file.";

/** All errors of the server: docs/runtime-debug.md, section Errors. */
export function problemBody({ status, code, detail, hint: given, pointer = "" }: ServerProblem): Refusal {
  const error = wordOf(code, status, pointer);
  // The general hint names a description that this server does not serve.
  const isGeneral = given?.includes("/openapi.json") ?? false;
  const own = isGeneral ? (isOfQuery(pointer) ? PARAMETERS : undefined) : given;
  const hint = code === "KEY_REFUSED" && given?.includes("Authorization") ? KEYS : own;
  return {
    ok: false,
    error,
    message: detail.slice(0, 4_000),
    ...(hint !== undefined && { hint: hint.slice(0, 1_000) }),
  };
}

function wordOf(code: string, status: number, pointer: string): string {
  if (code === "INPUT_INVALID") return isOfQuery(pointer) ? "bad_query" : "bad_body";
  if (code === "REQUEST_UNREADABLE") return status === TIME_OUT ? "time_out" : "bad_request";
  return WORDS[code] ?? code.toLowerCase();
}

/** Faults that only the query finds: a missing segment, and parameters that exclude each other. */
const FOUND_BY_QUERY = ["/segment", "/last", "/limit"];

/** Only `runId` is read from the body. */
function isOfQuery(pointer: string): boolean {
  return pointer.startsWith("/query") || FOUND_BY_QUERY.includes(pointer);
}
