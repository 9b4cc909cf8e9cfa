import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { CLOSING_MS } from "./limits.ts";

const CONNECTION = Symbol("connection");

/** A link of the list. */
interface Connection {
  readonly socket: Socket & { [CONNECTION]?: Connection | undefined };
  /** To the last request of which the head has come; `undefined` before the first. */
  answer: ServerResponse | undefined;
  older: Connection | undefined;
  newer: Connection | undefined;
}

/**
 * The open connections of a server, the oldest first, and the last answer on each. Node no longer checks its time
 * limits once a server closes, so that a connection that never finishes its request would hold the close for ever.
 *
 * They are linked, not in a Map: each time V8 tidies up a long-lived Map it leaves the old table behind as it was, and
 * with it connections that have ended, until the next full collection. That took four times as long to collect.
 */
export class Connections {
  readonly #most: number;
  #count = 0;
  #oldest: Connection | undefined;
  #newest: Connection | undefined;

  /** With more than `most`, the oldest that are silent, half-sent or idle make room for new ones. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  opened(socket: Connection["socket"]): void {
    if (this.#count >= this.#most) this.#makeRoom();
    const connection = { socket, answer: undefined, older: this.#newest, newer: undefined };
    if (this.#newest) this.#newest.newer = connection;
    else this.#oldest = connection;
    this.#newest = connection;
    this.#count += 1;
    socket[CONNECTION] = connection;
    socket.once("close", () => this.#leave(connection));
  }

  answering(response: ServerResponse): void {
    const connection = connectionOf(response.req.socket);
    if (connection) connection.answer = response;
  }

  /** The answer to the last request of which the head has come; `undefined` before the first. */
  lastAnswer(socket: Socket): ServerResponse | undefined {
    return connectionOf(socket)?.answer;
  }

  /**
   * Gives who has an answer to read so many milliseconds to take some of it. Node's own timer on each connection would be
   * set twice a request, for readers that are hardly ever slow.
   */
  timeReaders(milliseconds: number): void {
    for (const { socket } of this.#all())
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(milliseconds);
  }

  /** Ends a connection on which nothing has moved for its time. A handler that takes its time is not the reader's fault. */
  timedOut(socket: Socket): void {
    const answer = this.lastAnswer(socket);
    if (socket.writableLength > 0 || !answer || answer.writableFinished) socket.destroy();
  }

  /**
   * Ends what is idle or half-sent now, each answer's connection with the answer, and soon the requests that are still
   * arriving and the answers that nobody reads.
   */
  closeUnanswered(): void {
    for (const { socket, answer } of this.#all()) {
      if (!answer || answer.writableFinished) {
        socket.destroy();
        continue;
      }
      if (!answer.headersSent) answer.setHeader("connection", "close");
      answer.once("finish", () => socket.end());
    }
    if (this.#count === 0) return;
    setTimeout(() => {
      for (const { socket, answer } of this.#all())
        if (!answer?.req.complete || socket.writableLength > 0) socket.destroy();
    }, CLOSING_MS).unref();
  }

  /** Ends a sixteenth at once, so that a flood does not look through all of them each time. */
  #makeRoom(): void {
    let count = Math.ceil(this.#most / 16);
    // Whoever has asked before comes first: their clients expect the connection to be there.
    const silent = (answer: ServerResponse | undefined): boolean => !answer;
    const idle = (answer: ServerResponse | undefined): boolean =>
      answer !== undefined && (answer.writableFinished || (!answer.req.complete && !answer.headersSent));
    for (const isSpare of [silent, idle]) {
      for (const connection of this.#all()) {
        if (count === 0) return;
        if (!isSpare(connection.answer)) continue;
        connection.socket.destroy();
        this.#leave(connection);
        count -= 1;
      }
    }
  }

  /** The oldest first; who is given may leave. */
  *#all(): Generator<Connection> {
    for (let next = this.#oldest; next;) {
      const connection: Connection = next;
      next = connection.newer;
      yield connection;
    }
  }

  /** Once; its links are cut, so that what has ended holds nothing that came later. */
  #leave(connection: Connection): void {
    const { socket, older, newer } = connection;
    if (socket[CONNECTION] !== connection) return;
    socket[CONNECTION] = undefined;
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
    connection.older = connection.newer = undefined;
    this.#count -= 1;
  }
}

function connectionOf(socket: Connection["socket"]): Connection | undefined {
  return socket[CONNECTION];
}
