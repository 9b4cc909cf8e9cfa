import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { Catalog } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { faultsTo, serverOf, sharedBy, withinPatience } from "./sdk-server.ts";
import { skillDocuments } from "./skill-files.ts";
import { taskSubscription, tellTasks, undeclaredTasks } from "./task-methods.ts";
import type { Connection } from "./tool-call.ts";

/**
 * Maximum number of open sessions of clients of 2025. A new session ends the one without a request for the longest
 * time.
 */
const MOST_SESSIONS = 1_000;

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
  /** Ends all sessions and streams and aborts running calls. Never rejects; waits 5 s at most. */
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
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const server = async (session: string | undefined, era: "modern" | "legacy", called?: JsonSchema) =>
    serverOf({ ...shared, session }, await documents, era, called);
  const modern = createMcpHandler(
    async ({ requestInfo }) => {
      const entry = shared.tools.find(requestInfo?.headers.get("mcp-name") ?? "");
      const called = entry && (await shared.tools.input(entry));
      return server(requestInfo && conversation(requestInfo), "modern", called);
    },
    { legacy: "reject", onerror, maxRequestBodySize },
  );

  async function inSession(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id") ?? undefined;
    const open = id === undefined ? undefined : sessions.get(id);
    if (id !== undefined && open) {
      sessions.delete(id);
      sessions.set(id, open);
      return open.handleRequest(request, { parsedBody: body });
    }
    if (id !== undefined)
      return refusal(404, -32_001, "The session has ended; begin another with initialize.");
    const begun = globalThis.crypto.randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => begun,
      maxRequestBodySize,
      onsessioninitialized: (name) => keep(name, transport),
    });
    Object.assign(transport, { onerror, onclose: () => sessions.delete(begun) });
    await (await server(`mcp-${begun}`, "legacy")).connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    if (!sessions.has(begun)) void transport.close();
    return response;
  }

  function keep(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
    sessions.set(id, transport);
    const [oldest] = sessions.values();
    if (sessions.size > MOST_SESSIONS) void oldest?.close();
  }

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

  return {
    fetch: async (request, body) =>
      (await isLegacyRequest(request, body, { maxRequestBodySize }))
        ? inSession(request, body)
        : alone(request, body),
    close: async () => {
      closing.abort();
      await Promise.allSettled([modern.close(), ...[...sessions.values()].map((one) => one.close())]);
      await withinPatience(Promise.allSettled([...shared.running, shared.tasks.close()]));
    },
  };
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

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
