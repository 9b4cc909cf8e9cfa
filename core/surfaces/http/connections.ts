import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { descriptorLimit } from "../../adapters/descriptor-limit.ts";

/** The most open connections, where the system allows as many. */
const MAX_CONNECTIONS = 16_384;
/** Descriptors that connections leave to the rest of the program, or half of all, if that is less. */
const SPARE_DESCRIPTORS = 256;
/** When a server closes, whoever is still sending a request, or reads no answer, has this long. */
const CLOSING_MS = 3_000;

/**
 * The open connections of a server. `maxConnections` of Node refuses the newest, and with them whoever asks how the server
 * does; here the oldest that are silent or idle make room (docs/decisions/0022). And Node no longer checks its time limits
 * once a server closes, so that a request that never ends would hold the close for ever.
 */
export class Connections {
  readonly #most = mostConnections();
  /** That have never asked, the oldest first. */
  readonly #silent = new Set<Socket>();
  /** The last answer on each of the others. */
  readonly #answers = new Map<Socket, ServerResponse>();

  constructor(server: Server) {
    server.on("connection", (socket) => this.#opened(socket));
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#silent.delete(request.socket);
      this.#answers.set(request.socket, response);
    });
  }

  /** Ends who is silent or idle now, and soon the requests that are still arriving and the answers that nobody reads. */
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
    socket.once("close", () => {
      this.#silent.delete(socket);
      this.#answers.delete(socket);
    });
  }

  /** Ends a sixteenth at once, so that a flood does not look through all of them each time. */
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

  /** Whoever has asked before comes last: their clients expect the connection to be there. */
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
