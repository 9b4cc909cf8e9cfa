import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";
import type { Catalog } from "../../catalog.ts";
import type { Problem } from "../../contract.ts";
import { traceOf } from "../../errors/causes.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Log } from "../../ports/log.ts";
import type { ServerOptions } from "../../ports/server.ts";

/**
 * Turns what was thrown into RFC 9457 problem details, or into the body that a server asked for. `pointer` points
 * into the request body; a place in the query is `/query/<name>`. A status beside the table's is for what HTTP itself
 * names more exactly (408, 431).
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

  /** Answers with what was thrown; `place` names the request in the log, `skill` owns the row of a code of its own. */
  send(reply: FastifyReply, caught: unknown, place: string, skill?: string): void {
    const problem = this.of(translated(caught), place, skill);
    if (problem.status === 401) reply.header("www-authenticate", "Bearer");
    reply.code(problem.status).type(this.type).send(this.#text(problem));
  }

  /** What lies behind an error that nobody foresaw, that has a cause or that is the system's goes to the log, never over the wire. */
  of(caught: unknown, place: string, skill?: string, status?: number): Problem {
    const error = caught instanceof SkillError ? caught : unforeseen();
    const { http, summary, fault } = this.#catalog.codeEntry(error.code, skill);
    if (error !== caught || error.cause !== undefined || fault === "system") this.note(caught, place);
    return {
      type: `urn:skillctl:error:${error.code}`,
      title: summary.slice(0, 300),
      status: status ?? http,
      detail: error.message.slice(0, 4000),
      code: error.code,
      ...(error.hint !== undefined && { hint: error.hint.slice(0, 1000) }),
      ...(error.pointer !== undefined && { pointer: error.pointer.slice(0, 1000) }),
      ...(error.result !== undefined && { result: error.result }),
    };
  }

  /** Tells the log alone: what it was, and what lies behind it. */
  note(caught: unknown, place: string): void {
    for (const line of traceOf(caught)) this.#log.detail(`${place}: ${line}`);
  }

  /** Answers what Node's parser gives up on, where an answer can still be written. Its sender may go on until it has read it. */
  unreadable({ code }: NodeJS.ErrnoException, socket: Socket): void {
    // The parser complains again about all that still comes, and at last about the time.
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

const TIMEOUT = "ERR_HTTP_REQUEST_TIMEOUT";

/** A head that is not complete after this long ends the connection. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** A request, body included, that has not arrived after this long ends the connection. Handlers may run longer. */
export const REQUEST_TIMEOUT_MS = 20_000;
/** The most bytes of a request's head. */
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

/** The message of a fault that nobody foresaw may hold anything. */
function unforeseen(): SkillError {
  return new SkillError("INTERNAL", "The request failed for a reason that is not the caller's.", {
    hint: "Start the server with --verbose to see the cause.",
  });
}

/** What fastify itself refuses, in the words of the error table. */
function translated(caught: unknown): unknown {
  const { code } = (caught ?? {}) as { readonly code?: unknown };
  switch (code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new SkillError("MEDIA_TYPE_REFUSED", "The content type is not one that is read here.", {
        hint: "Send application/json.",
      });
    case "ECONNRESET":
      return new SkillError("REQUEST_UNREADABLE", "The body is not as long as its Content-Length says.");
    case "FST_ERR_BAD_URL":
      return new SkillError("REQUEST_UNREADABLE", "The path of the request holds a broken escape.");
    default:
      return caught;
  }
}
