import { McpServer } from "@modelcontextprotocol/server";
import type { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ServedSkills } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { instructionsOf } from "./instructions.ts";
import { LineTransport, type Pipe } from "./line-transport.ts";
import { COMPACT_TOOLS } from "./compact.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { skillDocuments } from "./skill-files.ts";
import { callTool, type Connection } from "./tool-call.ts";
import { Tools } from "./tools.ts";

/** Time for running calls to stop after the end of the connection, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Serves a host over one connection until its input ends or `signal` is aborted: MCP 2026-07-28, and 2025-11-25 and
 * older for clients that begin with `initialize`. Calls that still run 5 s after the end of the input, or when `signal` is
 * aborted, are aborted and not answered. The host is not closed.
 * @throws SkillError `UNKNOWN_SKILL` for a name in `skills` that no hosted skill has.
 */
export async function serveMcp(
  host: Host,
  pipe: Pipe,
  signal: AbortSignal,
  { skills, isCompact = false }: { readonly skills?: ServedSkills; readonly isCompact?: boolean } = {},
): Promise<void> {
  const catalog = host.catalog.served(skills);
  const connection: Connection = {
    host,
    over: "mcp",
    catalog,
    tools: new Tools(host, catalog, "mcp"),
    isCompact,
    session: `mcp-${globalThis.crypto.randomUUID()}`,
    running: new Set(),
  };
  const documents = skillDocuments(catalog, host.ports);
  const transport = new LineTransport(pipe);
  const onerror = faultsTo(host);
  const served = serveStdio(async () => serverOf(connection, await documents), { transport, onerror });
  const stop = (): void => void served.close();
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  await transport.closed;
  signal.removeEventListener("abort", stop);
  await withinPatience(Promise.allSettled([...connection.running, transport.sent()]));
}

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
