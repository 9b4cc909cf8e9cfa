import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { descriptorLimit } from "../../adapters/descriptor-limit.ts";

/** The most open connections, where the system allows as many. */
const MAX_CONNECTIONS = 16_384;
/** Descriptors that connections leave to the rest of the program, or half of all, if that is less. */
const SPARE_DESCRIPTORS = 256;
/** A client may send so many requests on one connection before the first of them has been answered. */
const MOST_UNANSWERED = 64;
/** How long a client may read nothing of an answer that waits for it. The server has to be given this time limit. */
export const QUIET_MS = 120_000;
/** A connection on which nothing has moved for so many times as long ends; no command takes longer without a word. */
const MOST_QUIET = 5;
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
  /** The answers on a connection that are not out. */
  readonly #unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  /** How many bytes had come and gone when nothing had moved for a while, and how often that was found. */
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
    const unanswered = new Set<ServerResponse>();
    this.#unanswered.set(socket, unanswered);
    socket.once("close", () => {
      this.#silent.delete(socket);
      this.#answers.delete(socket);
      // Node tells the one whose turn it was; those behind it would wait for ever.
      for (const response of unanswered) if (response.socket !== socket) response.destroy().emit("close");
    });
  }

  /** Ends who does not read, and who waits for nothing; a command may work for a while without a word. */
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
