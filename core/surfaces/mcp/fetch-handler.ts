import { createMcpHandler, isLegacyRequest, type JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Catalog } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { isObject } from "../../schema/json.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { SharedSessions, refusal } from "./shared-sessions.ts";
import { faultsTo, serverOf, sharedBy, withinPatience } from "./sdk-server.ts";
import { skillDocuments } from "./skill-files.ts";
import { taskSubscription, tellTasks, undeclaredTasks } from "./task-methods.ts";
import type { Connection } from "./tool-call.ts";

/** Time for running calls to end when the handler closes, in milliseconds. */
const DRAIN_MS = 2_000;
const LOOK_MS = 20;

const EVENTS_TYPE = "text/event-stream";
/** Interval of comments in an event stream, in milliseconds. */
const ALIVE_MS = 15_000;

/** MCP over Streamable HTTP, as a function from a request to its response. */
export interface McpHandler {
  /**
   * Answers a request after the checks of host, origin and key. `body`: its parsed JSON, if any; the request then needs
   * no body.
   */
  readonly fetch: (request: Request, body: unknown) => Promise<Response>;
  /** Ends all streams; running calls have 2 s to end and are then aborted. Never rejects; waits 5 s at most. */
  readonly close: () => Promise<void>;
}

/** The settings of a handler. */
export interface McpHandlerOptions {
  /** The served skills. */
  readonly catalog: Catalog;
  readonly isCompact: boolean;
  /** Limit for the body of a request. */
  readonly maxBytes: number;
  readonly refuse: NonNullable<Connection["refuse"]>;
  /** The conversation that a request of 2026-07-28 names, since that revision has no sessions. */
  readonly conversation: (request: Request) => string | undefined;
}

/**
 * Serves the commands that are offered both over MCP and over HTTP: MCP 2026-07-28, in which each request stands alone, and
 * 2025-11-25 and older, whose clients begin a session with `initialize` (MCP 2025-11-25, basic/transports, Session Management).
 */
export function mcpHandler(host: Host, options: McpHandlerOptions): McpHandler {
  const { catalog, isCompact, maxBytes: maxRequestBodySize, refuse, conversation } = options;
  const documents = skillDocuments(catalog, host.ports);
  const shared = sharedBy({ host, over: "http", refuse, catalog, isCompact });
  const onerror = faultsTo(host);
  const closing = new AbortController();
  const server = async (session: string | undefined, era: "modern" | "legacy", called?: JsonSchema) =>
    serverOf({ ...shared, session }, await documents, era, called);
  const sessions = new SharedSessions({
    ports: host.ports,
    maxRequestBodySize,
    onerror,
    server: (conversation) => server(conversation, "legacy"),
  });
  const modern = createMcpHandler(
    async ({ requestInfo }) => {
      const entry = shared.tools.find(requestInfo?.headers.get("mcp-name") ?? "");
      const called = entry && (await shared.tools.input(entry));
      return server(requestInfo && conversation(requestInfo), "modern", called);
    },
    { legacy: "reject", onerror, maxRequestBodySize },
  );

  /** The SDK checks the request; its own stream would lack tasks. */
  async function alone(request: Request, body: unknown): Promise<Response> {
    const response = await modern.fetch(request, { parsedBody: body });
    const wanted = taskSubscription(body);
    if (!wanted || response.headers.get("content-type") !== EVENTS_TYPE) return response;
    await response.body?.cancel();
    if (!wanted.isDeclared) return Response.json(undeclaredTasks(wanted.id), { status: 400 });
    const signal = AbortSignal.any([request.signal, closing.signal]);
    const stream = eventStream((send) => tellTasks(shared.tasks, wanted, signal, send).catch(onerror));
    return new Response(stream, { headers: response.headers });
  }

  /** Calls continue for a while, and are then aborted. */
  async function ended(): Promise<void> {
    const tasks = shared.tasks.close();
    const isBusy = (): boolean => entering > 0 || sessions.isCalled || shared.running.size > 0;
    for (const end = performance.now() + DRAIN_MS; isBusy() && performance.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    shared.stop.abort();
    await Promise.allSettled([...shared.running, tasks]);
  }

  /** Requests that have not been answered, or have no stream for their answer. */
  let entering = 0;
  return {
    fetch: async (request, body) => {
      if (closing.signal.aborted && begins(body)) return refusal(503, -32_000, "The server is closing.");
      entering += 1;
      try {
        const isLegacy = await isLegacyRequest(request, body, { maxRequestBodySize });
        return await (isLegacy ? sessions.fetch(request, body) : alone(request, body));
      } finally {
        entering -= 1;
      }
    },
    close: async () => {
      closing.abort();
      await withinPatience(ended());
      await Promise.allSettled([modern.close(), sessions.close()]);
    },
  };
}

/** False for messages to calls that are open. */
function begins(body: unknown): boolean {
  return ![body]
    .flat()
    .every((one) => isObject(one) && (one["method"] === undefined || one["id"] === undefined));
}

/**
 * Messages as server-sent events until `write` settles, with periodic comments so that proxies do not close the stream.
 */
function eventStream(
  write: (send: (message: JSONRPCMessage) => void) => Promise<void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOpen = true;
  return new ReadableStream({
    start: (stream) => {
      const put = (text: string): void => void (isOpen && stream.enqueue(encoder.encode(text)));
      const alive = setInterval(put, ALIVE_MS, ": waiting\n\n");
      void write((message) => put(`event: message\ndata: ${JSON.stringify(message)}\n\n`)).finally(() => {
        clearInterval(alive);
        if (isOpen) stream.close();
      });
    },
    cancel: () => void (isOpen = false),
  });
}
