import type { IncomingMessage, ServerResponse } from "node:http";
import type { Catalog } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { McpHandler as McpServing } from "../mcp/fetch-handler.ts";
import { Access } from "./access.ts";
import { goneSignal, sessionOf } from "./command-endpoint.ts";
import type { McpHandler, McpHandlerOptions } from "./mcp-options.ts";
import { refuseOutside } from "./outside.ts";

/** Maximum size of a message: 4 MiB, the limit of the SDK. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const METHODS = ["GET", "POST", "DELETE"];
/** The first revision without sessions. */
const WITHOUT_SESSIONS = "2026-07-28";
/** After this time the head of a response is sent without its first part, in milliseconds. */
const HEAD_MS = 50;

/** The implementation of `mcpHandler` of the host. @throws SkillError `UNKNOWN_SKILL` */
export function mountMcp(host: Host, options: McpHandlerOptions = {}): McpHandler {
  const serving = mcpOf(host, host.catalog.served(options.skills), options.tools === "compact");
  const access = new Access(options);
  /** `host`: the host that is asked, where the headers do not name one. */
  const answer = async ({ request, body }: McpRequest, host?: string): Promise<Response> => {
    const headers = { ...(host !== undefined && { host }), ...Object.fromEntries(request.headers) };
    const raw = { headers, rawHeaders: [], method: request.method };
    const refusal = access.refusal({ raw, query: undefined, address: undefined });
    if (!refusal) return serving.fetch(request, body);
    const error = { code: -32_000, message: `${refusal.code}: ${refusal.message}` };
    return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 403 });
  };
  return {
    fetch: async (request) => {
      const { headers, method, signal } = request;
      const text = request.body ? await bytesOf(request.body) : undefined;
      const asked = mcpRequest({ method, headers: Object.fromEntries(headers) }, text, () => signal);
      return answer(asked, new URL(request.url).host);
    },
    node: async (request, response, body) => {
      const [asked, reply] = [request as IncomingMessage, response as ServerResponse];
      if (!METHODS.includes(asked.method ?? "")) {
        reply.writeHead(405, { allow: METHODS.join(", ") }).end();
        return;
      }
      const given = body ?? (await bytesOf(asked.iterator({ destroyOnReturn: false })));
      // The rest is discarded.
      asked.resume();
      await sendResponse(reply, await answer(mcpRequest(asked, given, () => goneSignal(reply))));
    },
    close: serving.close,
  };
}

/** The handler of a host, whose modules are loaded with the first request. */
export function mcpOf(host: Host, catalog: Catalog, isCompact: boolean): McpServing {
  let handler: Promise<McpServing> | undefined;
  const open = async (): Promise<McpServing> => {
    const { mcpHandler } = await import("../mcp/mcp-doors.ts");
    return mcpHandler(host, {
      catalog,
      isCompact,
      maxBytes: MAX_MESSAGE_BYTES,
      refuse: (input, command) => refuseOutside(input, command, host),
      conversation: ({ headers }) => sessionOf(headers.get("skillctl-session") ?? undefined),
    });
  };
  return {
    fetch: async (request, body) => (await (handler ??= open())).fetch(request, body),
    close: async () => (await handler)?.close(),
  };
}

/** A request of MCP with its body parsed; a body that is not JSON, or too long, is left in the request for its refusal. */
interface McpRequest {
  readonly request: Request;
  readonly body: unknown;
}

/** Converts a request of Node to one of fetch. Its path has no meaning for MCP. `given`: its body, as text, as bytes or parsed. */
export function mcpRequest(
  { method = "GET", headers }: Pick<IncomingMessage, "method" | "headers">,
  given: unknown,
  signal: () => AbortSignal,
): McpRequest {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one ?? ""]),
  );
  const isRaw = typeof given === "string" || given instanceof Uint8Array;
  const body = method === "POST" ? (isRaw ? parsedBody(given) : given) : undefined;
  const raw = isRaw && body === undefined && method !== "GET" ? { body: given } : {};
  // Calls in a session of 2025 outlive their connection, and a request that follows a signal takes twice as long to make.
  const outlives = String(headers["mcp-protocol-version"] ?? WITHOUT_SESSIONS) < WITHOUT_SESSIONS;
  const init = { method, headers: lines, ...(!outlives && { signal: signal() }), ...raw };
  const request = new Request("http://localhost/mcp", init);
  return { request, body };
}

function parsedBody(given: string | Uint8Array): unknown {
  if (given.length > MAX_MESSAGE_BYTES) return undefined;
  try {
    return JSON.parse(typeof given === "string" ? given : Buffer.from(given).toString("utf8"));
  } catch {
    // The SDK answers it.
    return undefined;
  }
}

/**
 * Sends a response until it ends or the client disconnects. Its head is sent with the first part, or soon, since the first event
 * of a stream may be minutes away. `sent` is called after each part.
 */
export async function sendResponse(
  reply: ServerResponse,
  { status, headers, body }: Response,
  sent?: () => void,
): Promise<void> {
  reply.statusCode = status;
  for (const [name, value] of headers) reply.setHeader(name, value);
  if (!body) return void reply.end();
  const head = setTimeout(() => reply.flushHeaders(), HEAD_MS);
  const parts = body.getReader();
  // The parts of a stream without a reader are not awaited for ever.
  reply.once("close", () => void parts.cancel().catch(() => undefined));
  try {
    for (;;) {
      const { done, value } = await parts.read();
      if (done) break;
      const isTaken = reply.write(value);
      sent?.();
      if (!isTaken) await drained(reply);
    }
    reply.end();
  } catch {
    // The stream was aborted.
    reply.destroy();
  } finally {
    clearTimeout(head);
  }
}

/** Settles when a response can take more, or is closed. */
function drained(reply: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      reply.off("drain", settle).off("close", settle);
      resolve();
    };
    reply.on("drain", settle).on("close", settle);
  });
}

/** A body, or as much of a body that exceeds the limit as the handler needs to refuse it. */
async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size > MAX_MESSAGE_BYTES) break;
  }
  return Buffer.concat(parts);
}
