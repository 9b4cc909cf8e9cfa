import {
  McpServer,
  isCallToolResult,
  type Implementation,
  type McpServerOptions,
} from "@modelcontextprotocol/server";
import type { SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import type { Host } from "../../composition.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { Tasks, isRepeatable } from "../../tasks.ts";
import { COMPACT_TOOLS } from "./compact.ts";
import { instructionsOf } from "./instructions.ts";
import { serveOffers } from "./offers.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { SignedState } from "./signed-state.ts";
import { serveTasks } from "./task-methods.ts";
import { callTool, runCall, type Connection, type McpCall } from "./tool-call.ts";
import { ERROR_KEY, termsOf } from "./tool-terms.ts";
import { Tools } from "./tools.ts";

/** Time for running calls to stop after the end of the connection, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Validates the answers to forms. The SDK's default would bring a copy of Ajv, a fifth of its code. */
const FORM_VALIDATOR = new CfWorkerJsonSchemaValidator();

/** The state that the connections of one server share. */
export function sharedBy(
  own: Pick<Connection, "host" | "over" | "refuse" | "catalog" | "isCompact">,
): Omit<Connection, "session"> {
  const { host, catalog, over } = own;
  const terms = termsOf(host, catalog);
  const tasks = new Tasks<McpCall>({
    ports: host.ports,
    collection: "core-mcp-tasks",
    isRepeatable: ({ skill, command }) => isRepeatable(catalog.command(skill, command).command.effects),
    run: async (call, turn) => {
      const end = await runCall({ ...own, terms }, call, turn);
      // A task fails only by a fault of the host; an error of the command is its result.
      const error =
        "result" in end && isCallToolResult(end.result) ? end.result._meta?.[ERROR_KEY] : undefined;
      const { code, message } = (error ?? {}) as { readonly code?: string; readonly message?: string };
      return code === "INTERNAL" ? { error: { code: -32_603, message: `${code}: ${message}` } } : end;
    },
  });
  const tools = new Tools(host, catalog, over);
  const signed = new SignedState(host.ports);
  const instructions = instructionsOf(catalog.skills, tools);
  return {
    ...own,
    tools,
    running: new Set(),
    stop: new AbortController(),
    signed,
    tasks,
    terms,
    instructions,
  };
}

/** A server that knows the schema of the called tool, by which the SDK checks headers that mirror arguments (SEP-2243). */
class SkillServer extends McpServer {
  readonly #called: JsonSchema | undefined;

  constructor(info: Implementation, called: JsonSchema | undefined, options: McpServerOptions) {
    super(info, options);
    this.#called = called;
  }

  override toolInputSchemaJson(): JsonSchema | undefined {
    return this.#called;
  }
}

/** A server of the SDK for one connection, or for one request. */
export function serverOf(
  connection: Connection,
  documents: SkillsExtension | undefined,
  era: "modern" | "legacy",
  called?: JsonSchema,
): McpServer {
  const { host, tools, signed, tasks, instructions } = connection;
  const info = { name: "skillctl", title: "skillctl", version: host.version };
  const mcp = new SkillServer(info, called, {
    // The hosted skills do not change during the process.
    capabilities: {
      tools: { listChanged: false },
      prompts: { listChanged: false },
      ...(documents && { resources: { listChanged: false } }),
      logging: {},
    },
    instructions,
    requestState: { verify: signed.verify },
    jsonSchemaValidator: FORM_VALIDATOR,
  });
  documents?.attach(mcp);
  serveOffers(mcp, connection);
  if (era === "modern") serveTasks(mcp, tasks);
  const { server } = mcp;
  server.setRequestHandler("tools/list", async () => ({
    tools: [...(connection.isCompact ? COMPACT_TOOLS : await tools.list())],
  }));
  server.setRequestHandler("prompts/list", async () => ({ prompts: await listPrompts(connection) }));
  server.setRequestHandler("prompts/get", (request, context) =>
    getPrompt(connection, server, request, context),
  );
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
