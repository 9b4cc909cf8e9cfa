import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { ByteBudget } from "./byte-budget.ts";

/** The most bytes of all answers that a server holds because their readers have not taken them yet: 32 MiB. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;
/** Answers under this size are not counted: with as many connections as there may be, they hold as much. */
const COUNTED_BYTES = 4_096;

/** Sends the answers of one server: none is lost to a sender that is still sending, and none is held for ever. */
export class Answers {
  readonly #budget = new ByteBudget(MAX_UNREAD_BYTES);

  /** Counts a whole answer until it is read or broken off. What waits is bytes: strings make the heap grow to four times that. */
  counted(answer: string, response: ServerResponse): string | Buffer {
    if (answer.length < COUNTED_BYTES || response.destroyed) return answer;
    const bytes = Buffer.from(answer);
    this.#budget.hold(response, bytes.length, ending(response));
    return bytes;
  }

  /** Passes on the parts of an answer, and counts those that its reader has not taken. */
  inParts<Part>(parts: AsyncIterable<Part>, response: ServerResponse): AsyncIterable<Part> {
    const iterator = parts[Symbol.asyncIterator]();
    const next = (): Promise<IteratorResult<Part>> => {
      this.note(response);
      return iterator.next();
    };
    const end = iterator.return?.bind(iterator);
    return { [Symbol.asyncIterator]: () => ({ next, ...(end && { return: end }) }) };
  }

  /**
   * Counts what of an answer in parts waits for its reader.
   * @param more bytes that wait elsewhere
   */
  note(response: ServerResponse, more = 0): void {
    if (response.destroyed) return;
    const end = ending(response);
    if (!this.#budget.hold(response, response.writableLength + more, end)) end();
  }

  release(response: ServerResponse): void {
    this.#budget.release(response);
  }
}

function ending(response: ServerResponse): () => void {
  // An answer behind another one of its connection has no socket yet.
  return () => response.req.socket.destroy();
}

/**
 * An answer to a request whose body still comes: it goes out at once and ends when the body has, which is thrown away. A
 * connection that is closed while its client sends is reset, and the answer lost with it.
 */
export function beforeTheBody(answer: string | Buffer, request: IncomingMessage): Readable {
  return Readable.from(parts());

  async function* parts(): AsyncGenerator<string | Buffer> {
    yield answer;
    request.resume();
    if (!request.complete)
      await new Promise<void>((resolve) => {
        for (const event of ["end", "close"]) request.once(event, resolve);
      });
  }
}
