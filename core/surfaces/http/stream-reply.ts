import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { STREAM_END_MS } from "./limits.ts";

/** The body of a reply that is sent as it comes. */
export type Parts = AsyncIterable<string | Uint8Array>;

/** Whether the body of a route's reply is a stream. */
export function isStream(body: unknown): body is Parts {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

export interface StreamOptions {
  /** Writes the head. Called once, when the first part is there. */
  readonly open: () => void;
  /** Told what broke the stream off, or kept it from ending well. */
  readonly failed: (caught: unknown) => void;
  /** Aborted when the caller has gone, or when the server closes: then the stream has 1 s to end. */
  readonly signal: AbortSignal;
}

/**
 * Sends parts as they come, no faster than they are read; nothing is kept back. When one throws, the connection is
 * broken off, so that the reader can see that something is missing. When the caller has gone, `return()` of the
 * iterator is called. Settles when the answer is closed, and never rejects.
 */
export async function sendStream(
  response: ServerResponse,
  parts: Parts,
  { open, failed, signal }: StreamOptions,
): Promise<void> {
  let iterator: AsyncIterator<string | Uint8Array> | undefined;
  let isOver = false;
  let goOn = (): void => undefined;
  const next = async (
    from: AsyncIterator<string | Uint8Array>,
  ): Promise<IteratorResult<string | Uint8Array>> => {
    try {
      const result = await from.next();
      isOver = result.done === true;
      return result;
    } catch (caught) {
      isOver = true;
      throw caught;
    }
  };
  const send = async (): Promise<void> => {
    iterator = parts[Symbol.asyncIterator]();
    // Whoever asks for the head only gets it without a part being made.
    const headOnly = response.req.method === "HEAD";
    while (!response.closed) {
      const { done, value } = headOnly ? { done: true as const, value: undefined } : await next(iterator);
      if (response.closed) return;
      if (!response.headersSent) open();
      if (done) return void response.end();
      if (!response.write(value)) await new Promise<void>((settle) => (goOn = settle));
    }
  };

  const leave = async (): Promise<void> => {
    if (!isOver) await iterator?.return?.();
  };
  let late: NodeJS.Timeout | undefined;
  const hurry = (): void => {
    if (!response.closed) late = setTimeout(() => response.destroy(), STREAM_END_MS);
  };

  response.on("drain", () => goOn());
  send().catch((caught: unknown) => {
    failed(caught);
    // What has been written still goes out. A request that waits its turn on the connection has no socket yet.
    if (response.socket) response.socket.destroySoon();
    else response.once("socket", (socket: Socket) => socket.destroySoon());
  });
  if (signal.aborted) hurry();
  else signal.addEventListener("abort", hurry, { once: true });
  if (!response.closed) await new Promise((settle) => response.once("close", settle));
  clearTimeout(late);
  goOn();
  leave().catch(failed);
}
