import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { REQUEST_TIMEOUT_MS } from "./limits.ts";

/**
 * The open connections of a server and the last answer on each. Node no longer checks its time limits once a server
 * closes, so that a connection that never finishes its request would hold the close for ever.
 */
export class Connections {
  readonly #answers = new Map<Socket, ServerResponse | undefined>();

  opened(socket: Socket): void {
    this.#answers.set(socket, undefined);
    socket.once("close", () => this.#answers.delete(socket));
  }

  answering(response: ServerResponse): void {
    this.#answers.set(response.req.socket, response);
  }

  /** Whether the head of an answer is already out, so that nothing else may be written. */
  isAnswering(socket: Socket): boolean {
    const answer = this.#answers.get(socket);
    return answer !== undefined && answer.headersSent && !answer.writableFinished;
  }

  /**
   * Ends what is idle or half-sent now, each answer's connection with the answer, and requests that are still arriving
   * when their time is up.
   */
  closeUnanswered(): void {
    const late: Socket[] = [];
    for (const [socket, answer] of this.#answers) {
      if (!answer || answer.writableFinished) {
        socket.destroy();
        continue;
      }
      if (!answer.headersSent) answer.setHeader("connection", "close");
      answer.once("finish", () => socket.end());
      if (!answer.req.complete) late.push(socket);
    }
    if (late.length === 0) return;
    setTimeout(() => {
      for (const socket of late) if (this.#answers.get(socket)?.req.complete === false) socket.destroy();
    }, REQUEST_TIMEOUT_MS).unref();
  }
}
