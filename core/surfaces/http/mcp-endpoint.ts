import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RawBody } from "../../plugin.ts";
import { goneSignal, type EndpointContext } from "./command-endpoint.ts";
import { MAX_MESSAGE_BYTES, mcpOf, partsOf, webRequest } from "./mcp-mount.ts";

export const MCP_PATH = "/mcp";

/** Serves MCP over Streamable HTTP at `/mcp` (docs/mcp.md). Its modules are loaded with the first request. */
export function addMcp(
  app: FastifyInstance,
  isCompact: boolean,
  { host, catalog, problems, answers, bodies, closing }: EndpointContext,
): void {
  const { fetch, close } = mcpOf(host, catalog, isCompact);
  let closed: Promise<void> | undefined;
  closing.addEventListener("abort", () => void (closed = close()), { once: true });
  app.addHook("onClose", async () => closed);

  async function answer({ raw, body }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const response = await fetch(
      webRequest(raw, bytesOf(body as RawBody | undefined), goneSignal(reply.raw)),
    );
    reply.code(response.status).headers(Object.fromEntries(response.headers));
    if (!response.body) return reply.send("");
    const stream = Readable.from(answers.inParts(partsOf(response), reply.raw));
    return reply.send(
      stream.once("error", (caught) => problems.note(caught, `${MCP_PATH}: the stream was aborted`)),
    );
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
