import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { CLOSING_MS } from "./limits.ts";

/**
 * The open connections of a server, the oldest first, and the last answer on each. Node no longer checks its time
 * limits once a server closes, so that a connection that never finishes its request would hold the close for ever.
 */
export class Connections {
  readonly #answers = new Map<Socket, ServerResponse | undefined>();
  readonly #most: number;

  /** With more than `most`, the oldest that are silent, half-sent or idle make room for new ones. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  opened(socket: Socket): void {
    if (this.#answers.size >= this.#most) this.#makeRoom();
    this.#answers.set(socket, undefined);
    socket.once("close", () => this.#answers.delete(socket));
  }

  answering(response: ServerResponse): void {
    this.#answers.set(response.req.socket, response);
  }

  /** The answer to the last request of which the head has come; `undefined` before the first. */
  lastAnswer(socket: Socket): ServerResponse | undefined {
    return this.#answers.get(socket);
  }

  /**
   * Ends what is idle or half-sent now, each answer's connection with the answer, and soon the requests that are still
   * arriving and the answers that nobody reads.
   */
  closeUnanswered(): void {
    for (const [socket, answer] of this.#answers) {
      if (!answer || answer.writableFinished) {
        socket.destroy();
        continue;
      }
      if (!answer.headersSent) answer.setHeader("connection", "close");
      answer.once("finish", () => socket.end());
    }
    if (this.#answers.size === 0) return;
    setTimeout(() => {
      for (const [socket, answer] of this.#answers)
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
      for (const [socket, answer] of this.#answers) {
        if (count === 0) return;
        if (!isSpare(answer)) continue;
        socket.destroy();
        this.#answers.delete(socket);
        count -= 1;
      }
    }
  }
}
