import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { ByteBudget } from "./byte-budget.ts";

/** Limit for all bytes that a server buffers for clients which do not read them: 32 MiB. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;
/** Smaller responses are not counted: even at the maximum number of connections they need no more than that limit. */
const COUNTED_BYTES = 4_096;

/** Sends the responses of one server within a memory limit, without losing one to a client that is still sending. */
export class Answers {
  readonly #budget = new ByteBudget(MAX_UNREAD_BYTES);

  /** Counts a complete response until it is read or aborted. It is buffered as bytes: a string needs four times the heap. */
  counted(answer: string, response: ServerResponse): string | Buffer {
    if (answer.length < COUNTED_BYTES || response.destroyed) return answer;
    const bytes = Buffer.from(answer);
    this.#budget.hold(response, bytes.length, ending(response));
    return bytes;
  }

  /** Passes on the parts of a response and counts the unread ones. */
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
   * Updates the number of unread bytes of a streamed response.
   * @param more bytes buffered elsewhere
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
  // A response queued behind another one on its connection has no socket yet.
  return () => response.req.socket.destroy();
}

/**
 * A response to a request whose body is still arriving: it is sent at once and ends when the body has been received and
 * discarded. Closing the connection earlier would reset it and lose the response.
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
