import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { SkillError } from "../../errors/skill-error.ts";
import type { Access } from "./access.ts";
import { answerOf } from "./answer.ts";
import type { AddressBook } from "./address-book.ts";
import type { Connections } from "./connections.ts";
import { Head } from "./head.ts";
import { answerLast } from "./last-answer.ts";
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  READER_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from "./limits.ts";
import { answerPreflight, isPreflight } from "./preflight.ts";
import type { ParserErrors } from "./parser-error.ts";
import type { Problems } from "./problem.ts";

/** What the sender of a request waits for before it sends the body. */
type Expectation = "nothing" | "100-continue" | "something else";

/** Of Node's servers, though not in its types: the end of one side of a connection does not end the other. */
const HALF_OPEN = { httpAllowHalfOpen: true };

/** What stands between the socket and the router. */
export interface Gate {
  readonly access: Access;
  readonly addresses: AddressBook;
  readonly connections: Connections;
  readonly parserErrors: ParserErrors;
  readonly problems: Problems;
  /** Called when the head of a request has come. */
  readonly requestBegan?: (() => void) | undefined;
  /** Called once for each of them, when it has ended. */
  readonly requestEnded?: (() => void) | undefined;
}

/**
 * Node's server, with the checks of `Access` before anything else sees a request. Addresses that answer by themselves
 * are answered here, all others by the router.
 */
export function gatedServer(gate: Gate, route: RequestListener): Server {
  const { access, connections, parserErrors } = gate;
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Access refuses a request without one, in the shape of all other refusals.
    requireHostHeader: false,
  });
  // Their bytes are limited. Node would leave lines out of `headers` that the gate has seen.
  server.maxHeadersCount = 0;
  Object.assign(server, HALF_OPEN);
  const pass = passage(gate, route);
  server.on("request", (request, response) => pass(request, response, "nothing"));
  server.on("checkContinue", (request, response) => pass(request, response, "100-continue"));
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
    pass(request, response, "something else"),
  );
  server.on("connect", (request, socket) => parserErrors.answer(new Error(request.method), socket as Socket));
  server.on("connection", (socket) => {
    connections.opened(socket);
    socket.on("end", () => {
      if (!isPrompt(gate, connections.lastAnswer(socket))) socket.end();
    });
  });
  server.on("timeout", (socket: Socket) => connections.timedOut(socket));
  server.once("listening", () => {
    access.listensOn((server.address() as { port: number }).port);
    const watch = setInterval(() => connections.timeReaders(READER_TIMEOUT_MS), TIMEOUT_CHECK_MS).unref();
    server.once("close", () => clearInterval(watch));
  });
  return server;
}

/**
 * Whether an answer will come soon. Who ends its side of a connection has gone, or has sent all it wants and reads on, as
 * programs do that speak HTTP by hand: only for the latter an answer must wait, so it waits where that takes no time.
 */
function isPrompt({ addresses }: Gate, answer: ServerResponse | undefined): boolean {
  if (!answer || answer.headersSent) return false;
  const { method = "", url = "" } = answer.req;
  return addresses.find(method, url)?.endpoint !== undefined;
}

/** The way of a request through the gate. */
function passage(
  gate: Gate,
  route: RequestListener,
): (request: IncomingMessage, response: ServerResponse, expects: Expectation) => void {
  const { access, addresses, connections, requestBegan, requestEnded } = gate;
  return (request, response, expects) => {
    connections.answering(response);
    requestBegan?.();
    if (requestEnded) response.on("close", requestEnded);
    const head = new Head(request);
    const announced = access.ofSkill && head.method === "OPTIONS" ? announcedMethod(request) : head.method;
    const address = addresses.find(announced, head.url);
    const shared = access.sharing(head, address);
    const refusal = access.refusal(head, address, request.httpVersion) ?? strangeTarget(head);
    if (refusal) return refuse(gate, response, refusal, { shared });
    if (head.method === "OPTIONS" && (access.ofSkill || (isPreflight(request) && shared.length > 2)))
      return answerPreflight(request, response, shared, addresses.methods(head.url));
    const keyless = access.keyRefusal(head, address);
    if (keyless) return refuse(gate, response, keyless, { shared });
    if (expects === "something else")
      return refuse(gate, response, strangeExpectation(), { shared, status: 417 });
    // A body that is announced as too long is refused instead of being asked for.
    if (expects === "100-continue" && head.length <= MAX_BODY_BYTES) response.writeContinue();
    if (address?.endpoint)
      return address.endpoint.answer({ request, response, announced: head.length, shared });
    for (let index = 0; index < shared.length; index += 2)
      response.setHeader(shared[index] as string, shared[index + 1] as string);
    request.url = access.target(head.url);
    route(request, response);
  };
}

function announcedMethod({ headers }: IncomingMessage): string {
  return headers["access-control-request-method"] ?? "OPTIONS";
}

/** An address that names a host of its own would be routed by its path alone. */
function strangeTarget({ url }: Head): SkillError | undefined {
  if (url.startsWith("/")) return undefined;
  return new SkillError("REQUEST_UNREADABLE", "The request target must be a path that begins with a slash.");
}

function strangeExpectation(): SkillError {
  return new SkillError("REQUEST_UNREADABLE", "Nothing but 100-continue can be expected.");
}

function refuse(
  { problems }: Gate,
  response: ServerResponse,
  refusal: SkillError,
  { shared = [], status }: { readonly shared?: readonly string[]; readonly status?: number },
): void {
  const problem = problems.of(refusal, "", undefined, status);
  const challenge = problem.status === 401 ? ["WWW-Authenticate", "Bearer"] : [];
  const headers = ["Content-Type", problems.type, ...challenge, ...shared];
  answerLast(response, answerOf(problem.status, headers, problems.text(problem)));
}
