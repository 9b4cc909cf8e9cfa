import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { SkillError } from "../../errors/skill-error.ts";
import type { Gate } from "./listener.ts";
import { HEADERS_TIMEOUT_MS, MAX_HEADER_BYTES, REQUEST_TIMEOUT_MS } from "./limits.ts";

/** Answers what Node's parser gave up on, where an answer can still be written. */
export function answerParserError(
  { connections, problems }: Gate,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || !socket.writable || connections.isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const [status, sentence] = complaint(error.code);
  const body = problems.text(
    problems.of(new SkillError("REQUEST_UNREADABLE", sentence), "", undefined, status),
  );
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${problems.type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

function complaint(code: string | undefined): readonly [status: number, sentence: string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    const [head, all] = [HEADERS_TIMEOUT_MS / 1000, REQUEST_TIMEOUT_MS / 1000];
    return [408, `The head of the request was not complete within ${head} s, or all of it within ${all} s.`];
  }
  if (code === "HPE_HEADER_OVERFLOW")
    return [431, `The head of the request is over ${MAX_HEADER_BYTES} bytes.`];
  return [400, "The request is not well-formed HTTP/1.1."];
}
