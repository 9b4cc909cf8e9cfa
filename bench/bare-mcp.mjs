/** A bare server of the official MCP SDK with one tool: over standard input or, with the argument `http`, over node:http. */
import { createServer } from "node:http";
import {
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  fromJsonSchema,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const shape = (name) => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
  additionalProperties: false,
});

function bare() {
  const mcp = new McpServer({ name: "bare", version: "1.0.0" });
  const about = {
    description: "Says a word.",
    inputSchema: fromJsonSchema(shape("word")),
    outputSchema: fromJsonSchema(shape("text")),
  };
  mcp.registerTool("bench_say", about, ({ word }) => ({
    content: [{ type: "text", text: word }],
    structuredContent: { text: word },
  }));
  return mcp;
}

if (process.argv[2] === "http") {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => globalThis.crypto.randomUUID(),
  });
  await bare().connect(transport);
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { method, headers } = request;
    const asked = new Request("http://localhost/mcp", { method, headers, body: Buffer.concat(parts) });
    const answer = await transport.handleRequest(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const part of answer.body) response.write(part);
    response.end();
  });
  server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`));
} else await bare().connect(new StdioServerTransport());
