import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { SkillError } from "../../errors/skill-error.ts";
import { answerOf, type Answer } from "./answer.ts";
import type { Connections } from "./connections.ts";
import { HEADERS_TIMEOUT_MS, MAX_HEADER_BYTES, REQUEST_TIMEOUT_MS } from "./limits.ts";
import { linger } from "./linger.ts";
import type { Problems } from "./problem.ts";

/**
 * Answers what Node's parser gives up on, where an answer can still be written, and ends the connection. Requests that
 * came whole before it are answered first: whoever sent them counts the answers.
 */
export class ParserErrors {
  readonly #connections: Connections;
  readonly #problems: Problems;
  readonly #givenUp = new WeakSet<Socket>();

  constructor(connections: Connections, problems: Problems) {
    this.#connections = connections;
    this.#problems = problems;
  }

  answer(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === "ECONNRESET") socket.destroy();
    // The parser complains again about all that still comes.
    if (socket.destroyed || this.#givenUp.has(socket)) return;
    this.#givenUp.add(socket);
    const last = this.#connections.lastAnswer(socket);
    const complaint = this.#complaint(error.code);
    if (!last || last.writableFinished) end(socket, complaint);
    else if (last.req.complete && (!last.headersSent || last.writableEnded))
      last.once("finish", () => end(socket, complaint));
    else if (last.headersSent) socket.destroy();
    else endBy(last, complaint);
  }

  #complaint(code: string | undefined): Answer {
    const [status, sentence] = complaintOf(code);
    const refusal = new SkillError("REQUEST_UNREADABLE", sentence);
    const text = this.#problems.text(this.#problems.of(refusal, "", undefined, status));
    return answerOf(status, ["Content-Type", this.#problems.type, "Connection", "close"], text);
  }
}

/** The answer to a request whose body is broken; Node sends it when its turn has come. */
function endBy(response: ServerResponse, { status, headers, text }: Answer): void {
  response.writeHead(status, [...headers]);
  response.end(text);
}

/** There is no request to answer. */
function end(socket: Socket, { status, headers, text }: Answer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
  linger(socket, () => socket.destroy());
}

function complaintOf(code: string | undefined): readonly [status: number, sentence: string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    const [head, all] = [HEADERS_TIMEOUT_MS / 1000, REQUEST_TIMEOUT_MS / 1000];
    return [408, `The head of the request was not complete within ${head} s, or all of it within ${all} s.`];
  }
  if (code === "HPE_HEADER_OVERFLOW")
    return [431, `The head of the request is over ${MAX_HEADER_BYTES} bytes.`];
  return [400, "The request is not well-formed HTTP/1.1."];
}
