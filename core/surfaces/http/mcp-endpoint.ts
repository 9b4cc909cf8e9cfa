import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RawBody } from "../../plugin.ts";
import { goneSignal, type EndpointContext } from "./command-endpoint.ts";
import { MAX_MESSAGE_BYTES, mcpOf, mcpRequest, sendResponse } from "./mcp-mount.ts";

export const MCP_PATH = "/mcp";

/** Serves MCP over Streamable HTTP at `/mcp` (docs/mcp.md). Its modules are loaded with the first request. */
export function addMcp(
  app: FastifyInstance,
  isCompact: boolean,
  { host, catalog, answers, bodies, closing }: EndpointContext,
): void {
  const { fetch, close } = mcpOf(host, catalog, isCompact);
  let closed: Promise<void> | undefined;
  closing.addEventListener("abort", () => void (closed = close()), { once: true });
  app.addHook("onClose", async () => closed);

  async function answer({ raw, body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const asked = mcpRequest(raw, bytesOf(body as RawBody | undefined), () => goneSignal(reply.raw));
    const response = await fetch(asked.request, asked.body);
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? "");
    await sendResponse(reply.raw, response, () => answers.note(reply.raw));
    return reply;
  }

  void app.register(async (routes) => {
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser("*", bodies.raw);
    routes.route({
      method: ["GET", "POST", "DELETE"],
      url: MCP_PATH,
      bodyLimit: MAX_MESSAGE_BYTES,
      handler: answer,
    });
  });
}

/** A whole body, or one that is too long for the handler as well. */
function bytesOf(body: RawBody | undefined): Uint8Array | undefined {
  return body?.whole === false ? new Uint8Array(MAX_MESSAGE_BYTES + 1) : body?.bytes;
}
