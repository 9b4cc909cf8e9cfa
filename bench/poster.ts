import type { Collector } from "./collector.ts";
import { numberedBody, writeNumbers, type NumberedBody } from "./event-body.ts";
import { SocketClient, postHead } from "./socket-client.ts";

/** A keep-alive connection that posts events to a server, each with a number of its own. */
export class Poster {
  readonly #client: SocketClient;
  readonly #request: Buffer;
  readonly #body: NumberedBody;
  readonly #collector: Collector;

  private constructor(client: SocketClient, request: Buffer, body: NumberedBody, collector: Collector) {
    this.#client = client;
    this.#request = request;
    this.#body = body;
    this.#collector = collector;
  }

  /** @param index tells the events of several posters apart */
  static async open(collector: Collector, batch: number, index = 0): Promise<Poster> {
    const body = numberedBody(batch, index * batch);
    const head = Buffer.from(postHead(collector.url, body.bytes.length, false), "latin1");
    const request = Buffer.concat([head, body.bytes]);
    return new Poster(await SocketClient.open(collector.url, request), request, body, collector);
  }

  /** Posts one body after the other until it is over. */
  until(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = (error?: Error): void => {
        if (error) reject(error);
        else if (isOver()) resolve();
        else {
          this.#number();
          this.#client.send(next);
        }
      };
      next();
    });
  }

  async post(): Promise<void> {
    this.#number();
    await this.#client.sent();
  }

  close(): void {
    this.#client.close();
  }

  #number(): void {
    const first = this.#collector.numbers.take(this.#body.count);
    writeNumbers(this.#request, this.#request.length - this.#body.bytes.length, this.#body, first);
  }
}
