import type { ServerResponse } from "node:http";
import { HEARTBEAT_MS } from "./limits.ts";

export type EventName = "progress" | "announce" | "result" | "problem";

/** Whether who asks wants to hear of the progress: `Accept: text/event-stream`. */
export function wantsEvents(accept: string | undefined): boolean {
  return accept !== undefined && /(^|,)\s*text\/event-stream\s*($|[;,])/i.test(accept);
}

/** An answer as server-sent events. Nothing is sent before the first event, so that an early refusal keeps its status. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #open: () => void;
  readonly #heartbeat: NodeJS.Timeout;
  #opened = false;

  /** `open` takes the answer over from the router, before the first byte. */
  constructor(response: ServerResponse, open: () => void, heartbeatMs = HEARTBEAT_MS) {
    this.#response = response;
    this.#open = open;
    this.#heartbeat = setInterval(() => this.#write(": waiting\n\n"), heartbeatMs);
    response.once("close", () => clearInterval(this.#heartbeat));
  }

  get opened(): boolean {
    return this.#opened;
  }

  send(event: EventName, data: unknown): void {
    // Progress is for who watches; for a reader that does not keep up it must not pile up in memory.
    if (event === "progress" && this.#response.writableNeedDrain) return;
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    if (this.#opened && !this.#gone) this.#response.end();
  }

  get #gone(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  #write(text: string): void {
    if (this.#gone) return;
    if (!this.#opened) {
      this.#opened = true;
      this.#open();
      this.#response.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    }
    this.#response.write(text);
  }
}
