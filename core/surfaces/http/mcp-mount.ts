import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Readable, promises } from "node:stream";
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

/** As `mcpHandler` of the host. @throws SkillError `UNKNOWN_SKILL` */
export function mountMcp(host: Host, options: McpHandlerOptions = {}): McpHandler {
  const serving = mcpOf(host, host.catalog.served(options.skills), options.tools === "compact");
  const access = new Access(options);
  const answer = async (request: Request): Promise<Response> => {
    const headers = Object.fromEntries(request.headers) as IncomingHttpHeaders;
    headers.host ??= new URL(request.url).host;
    const raw = { headers, rawHeaders: [], method: request.method };
    const refusal = access.refusal({ raw, query: undefined, address: undefined });
    if (!refusal) return serving.fetch(request);
    const error = { code: -32_000, message: `${refusal.code}: ${refusal.message}` };
    return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 403 });
  };
  return {
    fetch: answer,
    node: async (request, response, body) => {
      const [asked, reply] = [request as IncomingMessage, response as ServerResponse];
      if (!METHODS.includes(asked.method ?? "")) {
        reply.writeHead(405, { allow: METHODS.join(", ") }).end();
        return;
      }
      const gone = goneSignal(reply);
      const bytes = body === undefined ? await bytesOf(asked) : textOf(body);
      await send(reply, await answer(webRequest(asked, bytes, gone)));
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
    fetch: async (request) => (await (handler ??= open())).fetch(request),
    close: async () => (await handler)?.close(),
  };
}

/** A request of node as one of fetch. Its path has no meaning for MCP. */
export function webRequest(
  { method = "GET", headers }: Pick<IncomingMessage, "method" | "headers">,
  body: string | Uint8Array | undefined,
  signal: AbortSignal,
): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one ?? ""]),
  );
  const hasBody = body !== undefined && method !== "GET";
  return new Request("http://localhost/mcp", { method, headers: given, signal, ...(hasBody && { body }) });
}

/**
 * The parts of a response. An event stream begins with a comment, since its first event may be minutes away, so that its head
 * is sent at once.
 */
export async function* partsOf({ headers, body }: Response): AsyncGenerator<Uint8Array> {
  if (headers.get("content-type")?.startsWith("text/event-stream") === true) yield Buffer.from(":\n\n");
  if (body) yield* body;
}

async function send(reply: ServerResponse, answer: Response): Promise<void> {
  reply.writeHead(answer.status, Object.fromEntries(answer.headers));
  try {
    await promises.pipeline(Readable.from(partsOf(answer)), reply);
  } catch {
    // The client has gone, or the stream was aborted; the response is destroyed in both cases.
  }
}

/** A body, or of one that exceeds the limit as much as the handler needs to refuse it. */
async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > MAX_MESSAGE_BYTES) break;
  }
  // The rest is discarded.
  request.resume();
  return Buffer.concat(parts);
}

function textOf(body: unknown): string | Uint8Array {
  return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}
