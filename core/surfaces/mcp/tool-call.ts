import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Catalog, CommandEntry } from "../../catalog.ts";
import { inTermsOf, outputInTermsOf, type CallingSurface } from "../../called-commands.ts";
import type { Host } from "../../composition.ts";
import type { Command } from "../../contract.ts";
import { traceOf } from "../../errors/causes.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";
import { isObject } from "../../schema/json.ts";
import type { Person } from "../../plugin.ts";
import { hintOf } from "../../errors/surface-hint.ts";
import { COMPACT_TOOLS, described, found } from "./compact.ts";
import { progressTo } from "./progress.ts";
import { Questions } from "./questions.ts";
import { toolName, type Tools } from "./tools.ts";

/** The shared state of the calls of one connection, or of one request that has none. */
export interface Connection {
  readonly host: Host;
  /** How the calls arrive. Over HTTP a command does and refuses the same as at any other address of the server. */
  readonly over: "mcp" | "http";
  /** Refuses an input before its command runs. */
  readonly refuse?: (input: unknown, command: Command) => Promise<void>;
  /** The skills that are served. */
  readonly catalog: Catalog;
  readonly tools: Tools;
  /** Whether three tools are offered in place of one for each command. */
  readonly isCompact: boolean;
  /** Identifies the conversation. */
  readonly session: string | undefined;
  /** The current runs. */
  readonly running: Set<Promise<unknown>>;
}

/**
 * Answers `tools/call`. An error of the command is a result with `isError`; an error in the request itself is one of the protocol.
 * @throws ProtocolError -32602 for an unknown tool, and for a state that this server did not create.
 */
export async function callTool(
  connection: Connection,
  server: Server,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { tools } = connection;
  const { name, arguments: given = {} } = params;
  const isCompact = connection.isCompact && COMPACT_TOOLS.some((tool) => tool.name === name);
  if (isCompact && name === "find") return found(given["words"], await tools.list());
  const { command } = given;
  const wanted = !isCompact ? name : typeof command === "string" ? command : "";
  const entry = tools.find(wanted);
  const tool = isCompact && name === "describe" ? await tools.listed(wanted) : undefined;
  if (tool) return described(tool);
  if (!entry) throw unknownTool(wanted, connection);
  const input = isCompact ? (given["arguments"] ?? {}) : given;
  const run = runCommand(connection, server, entry, input, context);
  connection.running.add(run);
  return run.finally(() => connection.running.delete(run));
}

async function runCommand(
  { host, over, refuse, catalog, session }: Connection,
  server: Server,
  entry: CommandEntry,
  input: unknown,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { skill, name: command } = entry;
  const questions = new Questions(context);
  const note = (sentence: string): void => host.ports.log.detail(`${skill} ${command}: ${sentence}`);
  const progress = progressTo(context, note);
  const { signal } = context.mcpReq;
  const person = personBehind(canChoose(server, context) ? questions : undefined);
  const { say } = progress;
  const surface = termsOf(host, catalog);
  let result: CallToolResult;
  try {
    await refuse?.(input, entry.command);
    const conversation = session === undefined ? {} : { session };
    const request = { surface: over, skill, command, input, ...conversation, signal, person } as const;
    const output = await host.run({ ...request, progress: say, announce: say });
    const schema = await host.schemas.document(entry.command.output);
    const told = await outputInTermsOf(surface, entry, entry.command.output, output);
    result = server.projectCallToolResult(successResult(entry.command, told), schema);
  } catch (caught) {
    result = errorResult(await inTermsOf(surface, entry, caught), host, entry);
  } finally {
    await progress.end();
  }
  // A run that has asked is repeated with the answer, whatever its result.
  return questions.request(server.getNegotiatedProtocolVersion()) ?? result;
}

/** The terms of the callers: tools with their arguments. */
export function termsOf({ schemas }: Pick<Host, "schemas">, catalog: Catalog): CallingSurface {
  return {
    name: "mcp",
    commands: catalog.commands("cli"),
    schemas,
    call: (called, given) => `${toolName(called)} ${given}`.trimEnd(),
  };
}

/** No secrets: they would pass through the client and its model could see them (MCP 2025-11-25, client/elicitation, security). */
function personBehind(questions: Questions | undefined): Person {
  return {
    columns: undefined,
    secret: () =>
      Promise.reject(
        new SkillError("USAGE", "A secret is not asked for through MCP.", {
          hint: "Only a person at a terminal can give it; do not pass it as an argument.",
        }),
      ),
    ...(questions && { choose: questions.choose }),
  };
}

/** Whether the client shows forms; `elicitation: {}` means that it does (MCP 2025-11-25, client/elicitation). */
function canChoose(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const own = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation } = own ?? server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function unknownTool(name: string, { catalog, tools }: Connection): ProtocolError {
  const refusal = catalog.refusal(name.split("_", 1)[0] ?? "");
  const guess = nearest(name, tools.names());
  const sentence = refusal
    ? `${refusal.message} ${refusal.hint}`
    : `There is no tool "${name.slice(0, 128)}".${guess ? ` Did you mean ${guess}?` : ""}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
}

/** The key of an error in the `_meta` of a result, for programs. */
const ERROR_KEY = "skillctl/error";

/** The output as data, and as text for a person. */
function successResult(command: Command, output: unknown): CallToolResult {
  return { content: [shown(command, output)], structuredContent: output };
}

/**
 * An error as a result for the model: code, sentence and hint, after a partial output if there is one. The causes of unexpected
 * and of system errors are written to the log; they are never sent to the client.
 */
function errorResult(caught: unknown, { catalog, ports }: Host, entry: CommandEntry): CallToolResult {
  const error = caught instanceof SkillError ? caught : unforeseen();
  const { code, message, pointer, result } = error;
  const hint = hintOf(error, TERMS);
  if (
    error !== caught ||
    error.cause !== undefined ||
    catalog.codeEntry(code, entry.skill).fault === "system"
  ) {
    for (const line of traceOf(caught)) ports.log.detail(`${entry.skill} ${entry.name}: ${line}`);
  }
  const text = `${code}: ${message}${hint === undefined ? "" : `\nHint: ${hint}`}`;
  return {
    isError: true,
    content: [...(result === undefined ? [] : [shown(entry.command, result)]), { type: "text", text }],
    _meta: {
      [ERROR_KEY]: {
        code,
        message,
        ...(hint !== undefined && { hint }),
        ...(pointer !== undefined && { pointer }),
      },
    },
  };
}

/** The property that `display` names, unchanged; otherwise the whole output as JSON. */
function shown({ display }: Command, output: unknown): { type: "text"; text: string } {
  const text = display !== undefined && isObject(output) ? output[display] : undefined;
  return { type: "text", text: typeof text === "string" ? text : JSON.stringify(output) };
}

const TERMS = {
  input: "The input schema of the tool says which arguments it takes.",
  question: "The client cannot show the question of this rule; only a person can answer it.",
  evaluation: (id: string): string => `Evaluation: ${id}.`,
};

/** A general error, since the message of an unexpected one may contain secrets. */
function unforeseen(): SkillError {
  return new SkillError("INTERNAL", "The call failed for a reason that is not the caller's.", {
    hint: "The log of the server has the cause when the server is started with --verbose.",
  });
}
