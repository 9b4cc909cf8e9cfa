import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  inputRequired,
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Catalog, CommandEntry } from "../../catalog.ts";
import { inTermsOf, outputInTermsOf, type CallingSurface } from "../../called-commands.ts";
import type { Host } from "../../composition.ts";
import type { Command } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { nearest } from "../../nearest.ts";
import { isObject } from "../../schema/json.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import type { Person } from "../../plugin.ts";
import type { TaskEnd, TaskTurn, Tasks } from "../../tasks.ts";
import { COMPACT_TOOLS, described, found } from "./compact.ts";
import { progressTo } from "./progress.ts";
import { Questions, type Responses } from "./questions.ts";
import { callDigest, givenBefore, type SignedState } from "./signed-state.ts";
import { TASKS_EXTENSION, createdTask, declaresTasks } from "./task-methods.ts";
import { errorResult, shown } from "./tool-terms.ts";
import { isContent, type Tools } from "./tools.ts";

/** The shared state of the calls of one connection, or of one request without a connection. */
export interface Connection {
  readonly host: Host;
  /** The surface of the calls. Over HTTP a command behaves and refuses as at any other address of the server. */
  readonly over: "mcp" | "http";
  /** Refuses an input before its command runs. */
  readonly refuse?: ((input: unknown, command: Command) => Promise<void>) | undefined;
  /** The served skills. */
  readonly catalog: Catalog;
  readonly tools: Tools;
  /** Whether three tools are offered instead of one for each command. */
  readonly isCompact: boolean;
  /** Identifies the conversation. */
  readonly session: string | undefined;
  /** The current runs. */
  readonly running: Set<Promise<unknown>>;
  /** Aborts the current runs; their callers get the error as the result. */
  readonly stop: AbortController;
  readonly signed: SignedState;
  readonly tasks: Tasks<McpCall>;
  /** The terms of the callers. */
  readonly terms: CallingSurface;
  /** For the model of the client. */
  readonly instructions: string;
}

/** A call of a command, with the facts about its client. */
export interface McpCall {
  readonly skill: string;
  readonly command: string;
  readonly input: unknown;
  readonly session?: string | undefined;
  readonly protocolVersion?: string | undefined;
  /** Requests that the client answers. */
  readonly methods: readonly string[];
}

/** Time after which a call with a client that declares tasks becomes a task, in milliseconds. */
const DIRECT_MS = 5_000;

/**
 * Answers `tools/call`. An error of the command is a result with `isError`; an error in the request itself is a protocol error.
 * @throws ProtocolError -32602 for an unknown tool, and for a state that this server did not create.
 */
export async function callTool(
  connection: Connection,
  server: Server,
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { tools, tasks, host } = connection;
  const { name, arguments: given = {} } = params;
  const isCompact = connection.isCompact && COMPACT_TOOLS.some((tool) => tool.name === name);
  if (isCompact && name === "find") return found(given["words"], await tools.all());
  const { command } = given;
  const wanted = !isCompact ? name : typeof command === "string" ? command : "";
  const entry = tools.find(wanted);
  const tool = isCompact && name === "describe" ? await tools.whole(wanted) : undefined;
  if (tool) return described(tool);
  if (!entry) throw unknownTool(wanted, connection);
  const input = isCompact ? (given["arguments"] ?? {}) : given;
  const { task } = entry.command.mcp ?? {};
  const isTask = declaresTasks(context);
  if (task === "required" && !isTask) throw new MissingRequiredClientCapabilityError(TASKS_EXTENSION);
  const called = { entry, input, name: wanted };
  const result = await answered(connection, server, called, context, async (call, before, say) => {
    const signal = AbortSignal.any([context.mcpReq.signal, connection.stop.signal]);
    if (!isTask) return runCall(connection, call, { signal, given: before, say });
    const run = tasks.start(call, before, say);
    signal.addEventListener("abort", run.abort, { once: true });
    const end = task === "always" ? undefined : await within(run.end, DIRECT_MS);
    if (end && (task === undefined || "requests" in end)) return end;
    signal.removeEventListener("abort", run.abort);
    return { result: createdTask(await run.keep()) };
  });
  if (!("structuredContent" in result)) return result;
  const schema = await host.schemas.document(entry.command.output);
  return server.projectCallToolResult(result as CallToolResult, schema);
}

/** Runs a command for one request, with its progress and its questions to the client. */
export async function answered(
  connection: Connection,
  server: Server,
  { entry, input, name }: { readonly entry: CommandEntry; readonly input: unknown; readonly name: string },
  context: ServerContext,
  run: (call: McpCall, given: Responses, say: TaskTurn["say"]) => Promise<TaskEnd>,
): Promise<CallToolResult | InputRequiredResult> {
  const { host, session, running, signed } = connection;
  const given = { ...context.mcpReq.inputResponses, ...givenBefore(context, name, input) };
  const { skill, name: command } = entry;
  const note = (sentence: string): void => host.ports.log.detail(`${skill} ${command}: ${sentence}`);
  const progress = progressTo(context, note);
  const methods = methodsOf(server, context);
  const call = {
    skill,
    command,
    input,
    session,
    methods,
    protocolVersion: server.getNegotiatedProtocolVersion(),
  };
  const turn = run(call, given, progress.say);
  running.add(turn);
  let end: TaskEnd;
  try {
    end = await turn;
  } finally {
    running.delete(turn);
    await progress.end();
  }
  if ("result" in end) return end.result as CallToolResult;
  if ("error" in end) throw new ProtocolError(end.error.code, end.error.message);
  return inputRequired({
    inputRequests: end.requests as InputRequests,
    requestState: await signed.sign(callDigest(name, input), end.given),
  });
}

/** Runs a command and returns its result for a client, or the requests that it has sent to the client. */
export async function runCall(
  { host, over, refuse, catalog, terms }: Pick<Connection, "host" | "over" | "refuse" | "catalog" | "terms">,
  { skill, command: name, input, session, methods, protocolVersion }: McpCall,
  { signal, given, say }: TaskTurn,
): Promise<TaskEnd> {
  const entry = catalog.command(skill, name);
  const { command } = entry;
  const questions = new Questions({ given, methods, protocolVersion });
  const person = personBehind(methods.includes(ELICITS) ? questions : undefined);
  let result: CallToolResult;
  try {
    await refuse?.(input, command);
    const request = {
      surface: over,
      skill,
      command: name,
      input,
      signal,
      person,
      client: questions,
    } as const;
    const output = await host.run({
      ...request,
      ...(session !== undefined && { session }),
      progress: say,
      announce: say,
    });
    const told = await outputInTermsOf(terms, entry, command.output, output);
    result = successResult(command, told, await host.schemas.document(command.output));
  } catch (caught) {
    result = errorResult(await inTermsOf(terms, entry, caught), host, entry);
  }
  // A run that has asked is repeated with the answer, whatever its result.
  return questions.open ? { requests: questions.open, given: questions.given } : { result };
}

/** No secrets: they would pass through the client and its model could see them (MCP 2025-11-25, client/elicitation, security). */
function personBehind(questions: Questions | undefined): Person {
  return {
    columns: undefined,
    secret: () =>
      Promise.reject(
        new SkillError("USAGE", "A secret cannot be requested over MCP.", {
          hint: "Only a person at a terminal can give it; do not pass it as an argument.",
        }),
      ),
    ...(questions && { choose: questions.choose }),
  };
}

const ELICITS = "elicitation/create";

/** The requests that a client answers; `elicitation: {}` means that it shows forms (MCP 2025-11-25, client/elicitation). */
function methodsOf(server: Server, { mcpReq }: ServerContext): readonly string[] {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const own = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation, sampling, roots } = own ?? server.getClientCapabilities() ?? {};
  const showsForms = elicitation && (elicitation.form !== undefined || elicitation.url === undefined);
  return [
    ...(showsForms ? [ELICITS] : []),
    ...(sampling ? ["sampling/createMessage"] : []),
    ...(roots ? ["roots/list"] : []),
  ];
}

/** The value of a promise; `undefined` if it takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)));
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

function unknownTool(name: string, { catalog, tools }: Connection): ProtocolError {
  const refusal = catalog.refusal(name.split("_", 1)[0] ?? "");
  const guess = nearest(name, tools.names());
  const sentence = refusal
    ? `${refusal.message} ${refusal.hint}`
    : `There is no tool "${name.slice(0, 128)}".${guess ? ` Did you mean ${guess}?` : ""}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, sentence);
}

/** The output as data, and as text for a person; or its content blocks. */
function successResult(command: Command, output: unknown, schema: JsonSchema): CallToolResult {
  const { display = "" } = command;
  if (isContent(display, schema) && isObject(output))
    return { content: output[display] as CallToolResult["content"] };
  return { content: [shown(command, output)], structuredContent: output };
}
