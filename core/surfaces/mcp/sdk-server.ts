import { McpServer } from "@modelcontextprotocol/server";
import type { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import type { Host } from "../../composition.ts";
import { COMPACT_TOOLS } from "./compact.ts";
import { instructionsOf } from "./instructions.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { callTool, type Connection } from "./tool-call.ts";

/** Time for running calls to stop after the end of the connection, in milliseconds. */
const PATIENCE_MS = 5_000;

/** A server of the SDK for one connection, or for one request. */
export function serverOf(connection: Connection, documents: SkillsExtension | undefined): McpServer {
  const { host, catalog, tools } = connection;
  const info = { name: "skillctl", title: "skillctl", version: host.version };
  const mcp = new McpServer(info, {
    // The hosted skills do not change during the process.
    capabilities: {
      tools: { listChanged: false },
      prompts: { listChanged: false },
      ...(documents && { resources: { listChanged: false } }),
    },
    instructions: instructionsOf(catalog.skills, tools),
  });
  documents?.attach(mcp);
  const { server } = mcp;
  server.setRequestHandler("tools/list", async () => ({
    tools: [...(connection.isCompact ? COMPACT_TOOLS : await tools.list())],
  }));
  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts(catalog) }));
  server.setRequestHandler("prompts/get", (request) => getPrompt(host, catalog, request));
  server.setRequestHandler("tools/call", (request, context) =>
    callTool(connection, server, request, context),
  );
  return mcp;
}

/** Waits for running calls to stop, for a limited time. */
export async function withinPatience(settled: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
  await Promise.race([settled, over]);
  clearTimeout(timer);
}

/** Notes errors of the protocol, whose messages may contain text of the client. */
export function faultsTo({ ports: { log } }: Host) {
  return ({ message }: Error): void =>
    log.notice(`MCP: ${message.replaceAll(/[\s\p{Cc}]+/gu, " ").slice(0, 300)}`);
}
