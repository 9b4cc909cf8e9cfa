import type { ServerResponse } from "node:http";
import { LINGER_BYTES, LINGER_MS } from "./limits.ts";

/** What an answer holds. Header lines are name and value in turn. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly text: string;
}

/**
 * Answers a request whose body may still be arriving, and ends the connection. Closed under its sender's hands, the
 * connection would be reset and the answer lost with it, so what comes is taken in and forgotten for a while.
 */
export function answerLast(response: ServerResponse, { status, headers, text }: Answer): void {
  const { req: request } = response;
  const length = String(Buffer.byteLength(text));
  response.writeHead(status, [...headers, "Content-Length", length, "Connection", "close"]);
  // Whoever waits for `100 Continue` has sent nothing, and will not.
  const isOver = request.readableEnded || request.destroyed;
  const isUnsent = request.headers.expect !== undefined && !request.readableDidRead;
  if (isOver || isUnsent) {
    response.end(text);
    return;
  }
  response.write(text);
  let left = LINGER_BYTES;
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
  request.once("end", end).once("close", end);
}
