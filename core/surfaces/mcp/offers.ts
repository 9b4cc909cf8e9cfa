import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ContentBlock,
  type InputRequiredResult,
  type McpServer,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { CommandEntry } from "../../catalog.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { answered, runCall, type Connection } from "./tool-call.ts";
import { ERROR_KEY } from "./tool-terms.ts";

/** Maximum number of values of one completion (MCP 2025-11-25, server/utilities/completion). */
const MOST_VALUES = 100;

/**
 * Serves the commands that are offered as resources, and completes arguments of prompts and templates whose schema
 * lists their values. Declares no capability without such commands.
 */
export function serveOffers(mcp: McpServer, connection: Connection): void {
  const { tools } = connection;
  const resources = tools.offered("resource").map(([name, entry]) => ({ name, entry, uri: uriOf(entry) }));
  const prompts = tools.offered("prompt").map(([name, entry]) => ({ name, entry }));
  if (resources.length + prompts.length === 0) return;
  const { server } = mcp;
  server.registerCapabilities({ completions: {} });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }) => {
    const wanted =
      ref.type === "ref/prompt"
        ? prompts.find(({ name }) => name === ref.name)
        : resources.find(({ uri }) => uri === ref.uri);
    const { properties = {} } = wanted ? propertiesOf(await tools.input(wanted.entry)) : {};
    const { enum: all } = (properties[argument.name] ?? {}) as { readonly enum?: readonly unknown[] };
    const values = (all ?? []).map(String).filter((value) => value.startsWith(argument.value));
    const hasMore = values.length > MOST_VALUES;
    return { completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore } };
  });
  if (resources.length === 0) return;
  server.registerCapabilities({ resources: { subscribe: true } });
  // Skills announce no changes, so a subscription is never notified.
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const)
    server.setRequestHandler(method, () => ({}));
  for (const { name, entry, uri } of resources) {
    const about = { title: `${entry.skill} ${entry.name}`, description: entry.command.summary };
    const read = async (address: URL, input: object, context: ServerContext) => {
      const called = { entry, input, name: address.href };
      const content = await contentOffered(connection, server, called, context);
      if (!Array.isArray(content)) return content;
      return { contents: content.map((block) => contentsOf(block, address.href)) };
    };
    if (uri.includes("{"))
      mcp.registerResource(name, new ResourceTemplate(uri, { list: undefined }), about, read);
    else mcp.registerResource(name, uri, about, (address, context) => read(address, {}, context));
  }
}

/**
 * The result of a command that is not a tool, as content blocks. @throws ProtocolError for each error of the command
 */
export async function contentOffered(
  connection: Connection,
  server: Server,
  called: { readonly entry: CommandEntry; readonly input: unknown; readonly name: string },
  context: ServerContext,
): Promise<ContentBlock[] | InputRequiredResult> {
  const { signal } = context.mcpReq;
  const result = await answered(connection, server, called, context, (call, given, say) =>
    runCall(connection, call, { signal, given, say }),
  );
  if (!("content" in result)) return result;
  const { content, isError, _meta } = result;
  if (isError !== true) return content as ContentBlock[];
  const error = _meta?.[ERROR_KEY] as { readonly code: string; readonly message: string };
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  const code = error.code === "INPUT_INVALID" ? InvalidParams : InternalError;
  throw new ProtocolError(code, `${error.code}: ${error.message}`, error);
}

/** The properties of an object schema. */
export function propertiesOf({ properties = {}, required = [] }: JsonSchema) {
  return {
    properties: properties as Readonly<Record<string, JsonSchema>>,
    required: required as readonly string[],
  };
}

function uriOf({ skill, name, command: { mcp } }: CommandEntry): string {
  return mcp?.uri ?? `${skill}://${name}`;
}

function contentsOf(block: ContentBlock, uri: string): ReadResourceResult["contents"][number] {
  if (block.type === "resource") return { ...block.resource, uri };
  if (block.type === "image" || block.type === "audio")
    return { uri, mimeType: block.mimeType, blob: block.data };
  const text = block.type === "text" ? block.text : JSON.stringify(block);
  const isJson = text.startsWith("{") || text.startsWith("[");
  return { uri, mimeType: isJson ? "application/json" : "text/plain", text };
}
