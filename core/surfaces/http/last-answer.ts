import type { ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";
import { linger } from "./linger.ts";

/** Answers a request whose body may still be arriving, and ends the connection once it has been taken in. */
export function answerLast(response: ServerResponse, { status, headers, text }: Answer): void {
  const { req: request } = response;
  response.writeHead(status, [...headers, "Connection", "close"]);
  // Whoever waits for `100 Continue` has sent nothing, and will not.
  const isOver = request.readableEnded || request.destroyed;
  const isUnsent = request.headers.expect !== undefined && !request.readableDidRead;
  if (isOver || isUnsent) {
    response.end(text);
    return;
  }
  response.write(text);
  linger(request, () => response.end());
}
