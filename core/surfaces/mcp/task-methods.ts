import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { isObject } from "../../schema/json.ts";
import { TASK_KEEP_MS, TASK_POLL_MS, type Task, type Tasks } from "../../tasks.ts";

const EXTENSION = "io.modelcontextprotocol/tasks";

/** The capability that a client lacks. */
export const TASKS_EXTENSION = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } };

/** Whether the client of a request of 2026-07-28 takes tasks. */
export function declaresTasks({ mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return declared?.extensions?.[EXTENSION] !== undefined;
}

/** Answers `tasks/get`, `tasks/update` and `tasks/cancel` (extension io.modelcontextprotocol/tasks, SEP-2663). */
export function serveTasks<Call>({ server }: McpServer, tasks: Tasks<Call>): void {
  server.registerCapabilities({ extensions: { [EXTENSION]: {} } });
  const answer = (method: string, run: (id: string, context: ServerContext) => Promise<object | undefined>) =>
    server.setRequestHandler(method, { params: WITH_ID }, async ({ taskId }, context) => {
      if (!declaresTasks(context)) throw new MissingRequiredClientCapabilityError(TASKS_EXTENSION);
      const result = await run(taskId, context);
      if (result) return { ...result };
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such task, or none any more.");
    });
  answer("tasks/get", async (id) => {
    const task = await tasks.get(id);
    return task && { ...stateOf(task), ...detailsOf(task) };
  });
  answer("tasks/update", async (id, { mcpReq }) =>
    (await tasks.answer(id, mcpReq.inputResponses ?? {})) ? {} : undefined,
  );
  answer("tasks/cancel", async (id) => ((await tasks.cancel(id)) ? {} : undefined));
}

/** The answer to a call that has become a task. The SDK adds an empty `content`. */
export function createdTask(task: Task<unknown>): CallToolResult {
  return { resultType: "task", ...stateOf(task) } as unknown as CallToolResult;
}

function stateOf({ id, status, message, error, createdMs, changedMs }: Task<unknown>) {
  const statusMessage = error?.message ?? message;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdMs).toISOString(),
    lastUpdatedAt: new Date(changedMs).toISOString(),
    ttlMs: TASK_KEEP_MS,
    pollIntervalMs: TASK_POLL_MS,
  };
}

function detailsOf({ status, requests = {}, result, error }: Task<unknown>): object {
  if (status === "input_required") return { inputRequests: requests };
  if (status === "completed") return { result };
  return status === "failed" ? { error } : {};
}

/** A schema for parameters with the id of a task. */
const WITH_ID: StandardSchemaV1<unknown, { readonly taskId: string }> = {
  "~standard": {
    version: 1,
    vendor: "skillctl",
    validate: (value) =>
      isObject(value) && typeof value["taskId"] === "string"
        ? { value: { taskId: value["taskId"] } }
        : { issues: [{ message: "taskId is not a text" }] },
  },
};
