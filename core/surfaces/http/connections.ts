import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { descriptorLimit } from "../../adapters/descriptor-limit.ts";

/** Maximum number of open connections, if the system allows as many. */
const MAX_CONNECTIONS = 16_384;
/** Descriptors reserved for the rest of the program; at most half of all. */
const SPARE_DESCRIPTORS = 256;
/** Maximum number of unanswered requests on one connection. */
const MOST_UNANSWERED = 64;
/** Time without reading after which a client counts as quiet. The server's time limit must be set to it. */
export const QUIET_MS = 120_000;
/** A connection without traffic for this many periods is ended; a command may be silent for that long. */
const MOST_QUIET = 5;
/** Time for clients to finish sending requests and reading responses when the server closes. */
const CLOSING_MS = 3_000;

/**
 * The open connections of a server. Node's `maxConnections` refuses new connections, including health checks; here the
 * oldest silent or idle ones are closed instead (docs/decisions/0008). And since Node stops checking its time limits when
 * a server closes, an unfinished request would delay the close for ever.
 */
export class Connections {
  readonly #most = mostConnections();
  /** Connections without a request so far, oldest first. */
  readonly #silent = new Set<Socket>();
  /** The last response on each other connection. */
  readonly #answers = new Map<Socket, ServerResponse>();
  /** The unfinished responses of a connection. */
  readonly #unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  /** Byte count at the last check of a quiet connection, and the number of checks without traffic. */
  readonly #quiet = new WeakMap<Socket, { readonly moved: number; readonly times: number }>();

  constructor(server: Server) {
    server.on("connection", (socket) => this.#opened(socket));
    server.on("timeout", (socket) => this.#isQuiet(socket));
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      this.#silent.delete(socket);
      this.#answers.set(socket, response);
      const unanswered = this.#unanswered.get(socket);
      unanswered?.add(response);
      response.once("close", () => unanswered?.delete(response));
      if ((unanswered?.size ?? 0) > MOST_UNANSWERED) socket.destroy();
    });
  }

  /** Closes silent and idle connections now, and soon those with unfinished requests or unread responses. */
  close(): void {
    for (const socket of this.#silent) socket.destroy();
    for (const [socket, answer] of this.#answers) {
      if (answer.writableFinished) socket.destroy();
      else if (!answer.headersSent) answer.setHeader("connection", "close");
    }
    const late = (): void => {
      for (const [socket, answer] of this.#answers)
        if (!answer.req.complete || answer.headersSent) socket.destroy();
    };
    setTimeout(late, CLOSING_MS).unref();
  }

  #opened(socket: Socket): void {
    if (this.#silent.size + this.#answers.size >= this.#most) this.#makeRoom();
    this.#silent.add(socket);
    const unanswered = new Set<ServerResponse>();
    this.#unanswered.set(socket, unanswered);
    socket.once("close", () => {
      this.#silent.delete(socket);
      this.#answers.delete(socket);
      // Node emits `close` for the current response only; the queued ones would wait for ever.
      for (const response of unanswered) if (response.socket !== socket) response.destroy().emit("close");
    });
  }

  /** Ends a connection whose client does not read, or that waits for no response; commands may be silent for a while. */
  #isQuiet(socket: Socket): void {
    const answer = this.#answers.get(socket);
    const moved = socket.bytesRead + socket.bytesWritten;
    const before = this.#quiet.get(socket);
    const times = before?.moved === moved ? before.times + 1 : 1;
    const isAtWork = answer !== undefined && !answer.writableFinished && socket.writableLength === 0;
    if (!isAtWork || times >= MOST_QUIET) return void socket.destroy();
    this.#quiet.set(socket, { moved, times });
    socket.setTimeout(QUIET_MS);
  }

  /** Closes a sixteenth at once, so that not every new connection in a flood causes a search of all connections. */
  #makeRoom(): void {
    let count = Math.ceil(this.#most / 16);
    for (const socket of this.#idle()) {
      if (count === 0) return;
      count -= 1;
      socket.destroy();
      this.#silent.delete(socket);
      this.#answers.delete(socket);
    }
  }

  /** Idle connections; those with earlier requests last, because their clients expect to reuse them. */
  *#idle(): Generator<Socket> {
    yield* this.#silent;
    for (const [socket, { writableFinished, headersSent, req }] of this.#answers)
      if (writableFinished || (!req.complete && !headersSent)) yield socket;
  }
}

function mostConnections(): number {
  const limit = descriptorLimit();
  return Math.min(MAX_CONNECTIONS, limit - Math.min(SPARE_DESCRIPTORS, limit / 2));
}
