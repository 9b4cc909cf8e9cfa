import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import type { Catalog } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { faultsTo, serverOf, sharedBy, withinPatience } from "./sdk-server.ts";
import { skillDocuments } from "./skill-files.ts";
import type { Connection } from "./tool-call.ts";

/** Open sessions of clients of 2025. The session without a request for the longest time ends for a new one. */
const MOST_SESSIONS = 1_000;

/** MCP over Streamable HTTP, as a function from a request to its response. */
export interface McpHandler {
  /** Answers a request. Access, such as its host, origin and key, has been checked. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends all sessions and streams and aborts running calls. Never rejects; waits 5 s at most. */
  readonly close: () => Promise<void>;
}

/** The settings of a handler. */
export interface McpHandlerOptions {
  /** The skills that are served. */
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

  async function inSession(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id") ?? undefined;
    const open = id === undefined ? undefined : sessions.get(id);
    if (id !== undefined && open) {
      sessions.delete(id);
      sessions.set(id, open);
      return open.handleRequest(request);
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
    const response = await transport.handleRequest(request);
    if (!sessions.has(begun)) void transport.close();
    return response;
  }

  function keep(id: string, transport: WebStandardStreamableHTTPServerTransport): void {
    sessions.set(id, transport);
    const [oldest] = sessions.values();
    if (sessions.size > MOST_SESSIONS) void oldest?.close();
  }

  return {
    fetch: async (request) =>
      (await isLegacyRequest(request, undefined, { maxRequestBodySize }))
        ? inSession(request)
        : modern.fetch(request),
    close: async () => {
      await Promise.allSettled([modern.close(), ...[...sessions.values()].map((one) => one.close())]);
      await withinPatience(Promise.allSettled([...shared.running, shared.tasks.close()]));
    },
  };
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
