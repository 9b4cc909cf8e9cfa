import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";
import type { Catalog } from "../../catalog.ts";
import type { Problem } from "../../contract.ts";
import { hintOf } from "../../errors/surface-hint.ts";
import { traceOf } from "../../errors/causes.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Log } from "../../ports/log.ts";
import type { ServerOptions } from "../../ports/server.ts";

/**
 * Turns errors into RFC 9457 problem details, or into the server's own error body. `pointer` points into the request
 * body; `/query/<name>` is a query parameter. A status that differs from the table is one that HTTP defines more
 * precisely (408, 431).
 */
export class Problems {
  /** Content type of every error. */
  readonly type: string;
  readonly #catalog: Catalog;
  readonly #log: Log;
  readonly #body: (problem: Problem) => unknown;

  constructor(catalog: Catalog, log: Log, body?: ServerOptions["problemBody"]) {
    this.#catalog = catalog;
    this.#log = log;
    this.type = `application/${body ? "json" : "problem+json"}; charset=utf-8`;
    this.#body = body ?? ((problem) => problem);
  }

  /** Responds with an error; `place` names the request in the log, `skill` is the owner of codes that are not the core's. */
  send(reply: FastifyReply, caught: unknown, place: string, skill?: string): void {
    const problem = this.of(translated(caught), place, skill);
    if (problem.status === 401) reply.header("www-authenticate", "Bearer");
    reply.code(problem.status).type(this.type).send(this.#text(problem));
  }

  /** Writes the causes of unexpected and of system errors to the log; they are never sent to the client. */
  of(caught: unknown, place: string, skill?: string, status?: number): Problem {
    const error = caught instanceof SkillError ? caught : unforeseen();
    const { http, summary, fault } = this.#catalog.codeEntry(error.code, skill);
    if (error !== caught || error.cause !== undefined || fault === "system") this.note(caught, place);
    const hint = hintOf(error, { ...TERMS, input: "The schema of the request is in /openapi.json." });
    return {
      type: `urn:skillctl:error:${error.code}`,
      title: summary.slice(0, 300),
      status: status ?? http,
      detail: error.message.slice(0, 4000),
      code: error.code,
      ...(hint !== undefined && { hint: hint.slice(0, 1000) }),
      ...(error.pointer !== undefined && { pointer: error.pointer.slice(0, 1000) }),
      ...(error.result !== undefined && { result: error.result }),
    };
  }

  /** Writes an error with its causes to the log only. */
  note(caught: unknown, place: string): void {
    for (const line of traceOf(caught)) this.#log.detail(`${place}: ${line}`);
  }

  /** Responds to a request that Node cannot parse, if possible. The client may continue sending until it has read the response. */
  unreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
    // The parser reports each further chunk as an error, and at the end the time limit.
    if (code === "ECONNRESET" || (!socket.writable && code === TIMEOUT)) socket.destroy();
    if (!socket.writable) return;
    const [status, sentence] = complaintOf(code);
    const problem = this.of(new SkillError("REQUEST_UNREADABLE", sentence), "", undefined, status);
    const text = this.#text(problem);
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Content-Type: ${this.type}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Connection: close",
    ];
    socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
  }

  #text(problem: Problem): string {
    return JSON.stringify(this.#body(problem));
  }
}

const TERMS = {
  question: "Only a person at a terminal can answer the question of this rule.",
  evaluation: (id: string): string => `Evaluation: ${id}.`,
};

const TIMEOUT = "ERR_HTTP_REQUEST_TIMEOUT";

/** Time limit for the head of a request. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Time limit for receiving a request including its body. Handlers may run longer. */
export const REQUEST_TIMEOUT_MS = 20_000;
/** Maximum size of a request's head, in bytes. */
export const MAX_HEADER_BYTES = 16 * 1024;

function complaintOf(code: string | undefined): readonly [status: number, sentence: string] {
  if (code === TIMEOUT) {
    const [head, all] = [HEADERS_TIMEOUT_MS / 1000, REQUEST_TIMEOUT_MS / 1000];
    return [408, `The head of the request was not complete within ${head} s, or all of it within ${all} s.`];
  }
  if (code === "HPE_HEADER_OVERFLOW")
    return [431, `The head of the request is over ${MAX_HEADER_BYTES} bytes.`];
  return [400, "The request is not well-formed HTTP/1.1."];
}

/** A general error, since the message of an unexpected one may contain secrets. */
function unforeseen(): SkillError {
  return new SkillError("INTERNAL", "The request failed through no fault of the caller.", {
    hint: "Start the server with --verbose to see the cause.",
  });
}

/** Translates errors of fastify to codes of the error table. */
function translated(caught: unknown): unknown {
  const { code } = (caught ?? {}) as { readonly code?: unknown };
  switch (code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new SkillError("MEDIA_TYPE_REFUSED", "The content type is not supported.", {
        hint: "Send application/json.",
      });
    case "ECONNRESET":
      return new SkillError("REQUEST_UNREADABLE", "The length of the body differs from its Content-Length.");
    case "FST_ERR_BAD_URL":
      return new SkillError("REQUEST_UNREADABLE", "The path of the request has an invalid escape.");
    default:
      return caught;
  }
}
