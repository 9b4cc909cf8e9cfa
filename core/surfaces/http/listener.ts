import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { SkillError } from "../../errors/skill-error.ts";
import type { Access } from "./access.ts";
import type { Connections } from "./connections.ts";
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_HEADER_BYTES,
  PREFLIGHT_SECONDS,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from "./limits.ts";
import { PROBLEM_TYPE, type Problems } from "./problem.ts";

/** What stands between the socket and the router. */
export interface Gate {
  readonly access: Access;
  readonly connections: Connections;
  readonly problems: Problems;
}

/** Node's server, with the checks of `Access` before the router sees a request. */
export function gatedServer({ access, connections, problems }: Gate, route: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Access refuses a request without one, in the shape of all other refusals.
      requireHostHeader: false,
    },
    (request, response) => {
      connections.answering(response);
      const refusal = access.refusal(request) ?? strangeTarget(request);
      if (refusal) return refuse(response, problems, refusal);
      if (access.sharesWithOrigins) {
        response.setHeader("vary", "Origin");
        const origin = access.sharedOrigin(request);
        if (origin !== undefined) {
          response.setHeader("access-control-allow-origin", origin);
          if (isPreflight(request)) return answerPreflight(request, response);
        }
      }
      const keyless = access.keyRefusal(request);
      if (keyless) return refuse(response, problems, keyless);
      route(request, response);
    },
  );
  server.on("connection", (socket) => connections.opened(socket));
  server.once("listening", () => access.listensOn((server.address() as { port: number }).port));
  return server;
}

/** Answers what Node's parser gave up on, where an answer can still be written. */
export function answerClientError(
  { connections, problems }: Gate,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || !socket.writable || connections.isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const [status, sentence] = complaint(error.code);
  const body = JSON.stringify(
    problems.of(new SkillError("REQUEST_UNREADABLE", sentence), "", undefined, status),
  );
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
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

/** An address that names a host of its own would be routed by its path alone. */
function strangeTarget({ url = "" }: IncomingMessage): SkillError | undefined {
  if (url.startsWith("/")) return undefined;
  return new SkillError("REQUEST_UNREADABLE", "The request target must be a path that begins with a slash.");
}

function refuse(response: ServerResponse, problems: Problems, refusal: SkillError): void {
  const problem = problems.of(refusal, "");
  const body = JSON.stringify(problem);
  if (problem.status === 401) response.setHeader("www-authenticate", "Bearer");
  // The body was not read, so that the connection cannot be used again.
  response.writeHead(problem.status, {
    "content-type": PROBLEM_TYPE,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const asked = headers["access-control-request-headers"];
  response.writeHead(204, {
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    ...(asked !== undefined && { "access-control-allow-headers": asked }),
    "access-control-max-age": String(PREFLIGHT_SECONDS),
  });
  response.end();
}
