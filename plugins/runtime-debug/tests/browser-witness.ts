import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { until } from "./client.ts";

/** A request that was answered. */
export interface Answer {
  readonly method: string;
  readonly url: string;
  readonly origin: string | undefined;
  /** 0 without an answer. */
  readonly status: number;
}

const CHANNEL = "http.server.request.start";

/** Sees what the servers of this process answer: a page is not told what became of a beacon or a form. */
export class Witness {
  readonly #seen: Answer[] = [];
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
    subscribe(CHANNEL, this.#note);
  }

  /** What was answered under an address that holds the text, once something was. */
  answered(text: string): Promise<readonly Answer[]> {
    return until(
      () => Promise.resolve(this.#seen.filter(({ url }) => url.includes(text))),
      (seen) => seen.length > 0,
    );
  }

  end(): void {
    unsubscribe(CHANNEL, this.#note);
  }

  readonly #note = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.socket.localPort !== this.#port) return;
    const { method = "", url = "", headers } = request;
    // Not when it has finished: who goes away leaves before that.
    response.once("close", () => {
      const status = response.headersSent ? response.statusCode : 0;
      this.#seen.push({ method, url, origin: headers.origin, status });
    });
  };
}
