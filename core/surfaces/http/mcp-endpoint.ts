import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RawBody } from "../../plugin.ts";
import type { McpHandler } from "../mcp/fetch-handler.ts";
import { goneSignal, sessionOf, type EndpointContext } from "./command-endpoint.ts";
import { refuseOutside } from "./outside.ts";

export const MCP_PATH = "/mcp";
/** Maximum size of a message: 4 MiB, the limit of the SDK. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Serves MCP over Streamable HTTP at `/mcp` (docs/mcp.md). Its modules are loaded with the first request. */
export function addMcp(
  app: FastifyInstance,
  isCompact: boolean,
  { host, catalog, problems, answers, bodies, closing }: EndpointContext,
): void {
  let handler: Promise<McpHandler> | undefined;
  const open = async (): Promise<McpHandler> => {
    const { mcpHandler } = await import("../mcp/mcp-doors.ts");
    return mcpHandler(host, {
      catalog,
      isCompact,
      maxBytes: MAX_MESSAGE_BYTES,
      refuse: (input, command) => refuseOutside(input, command, host),
      conversation: ({ headers }) => sessionOf(headers.get("skillctl-session") ?? undefined),
    });
  };
  closing.addEventListener("abort", () => void handler?.then((one) => one.close()), { once: true });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { fetch } = await (handler ??= open());
    const { status, headers, body } = await fetch(webRequest(request, reply));
    reply.code(status).headers(Object.fromEntries(headers));
    if (!body) return reply.send("");
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
    const stream = Readable.from(answers.inParts(isStream ? begun(body) : body, reply.raw));
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

/** An event stream with a comment before its first event, which may be minutes away, so that its head is sent at once. */
async function* begun(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(":\n\n");
  yield* body;
}

/** A request with its whole body, or with a body that is too long for the handler as well. */
function webRequest(
  { raw, method, headers, body }: FastifyRequest,
  { raw: response }: FastifyReply,
): Request {
  const { bytes, whole } = (body as RawBody | undefined) ?? { bytes: undefined, whole: true };
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one ?? ""]),
  );
  return new Request(new URL(raw.url ?? "/", "http://localhost"), {
    method,
    headers: given,
    signal: goneSignal(response),
    ...(bytes && { body: whole ? bytes : new Uint8Array(MAX_MESSAGE_BYTES + 1) }),
  });
}
