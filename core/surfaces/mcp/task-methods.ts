import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  SUBSCRIPTION_ID_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type McpServer,
  type RequestId,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import { isObject } from "../../schema/json.ts";
import { TASK_KEEP_MS, TASK_POLL_MS, type Task, type Tasks } from "../../tasks.ts";

const EXTENSION = "io.modelcontextprotocol/tasks";

/** The capability that a client lacks. */
export const TASKS_EXTENSION = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } };

/** Whether the client of a request of 2026-07-28 accepts tasks. */
export function declaresTasks({ mcpReq }: ServerContext): boolean {
  return declaredIn(mcpReq.envelope);
}

function declaredIn(envelope: unknown): boolean {
  const meta = isObject(envelope) ? envelope : {};
  const declared = meta[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
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
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "There is no such task, or it is no longer kept.",
      );
    });
  answer("tasks/get", async (id) => {
    const task = await tasks.get(id);
    return task && wholeTask(task);
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

function wholeTask(task: Task<unknown>): object {
  return { ...stateOf(task), ...detailsOf(task) };
}

function detailsOf({ status, requests = {}, result, error }: Task<unknown>): object {
  if (status === "input_required") return { inputRequests: requests };
  if (status === "completed") return { result };
  return status === "failed" ? { error } : {};
}

/** A request for the notifications of tasks (extension io.modelcontextprotocol/tasks, Task Status Notifications). */
export interface TaskSubscription {
  readonly id: RequestId;
  readonly taskIds: readonly string[];
  /** Whether the client declares tasks. */
  readonly isDeclared: boolean;
}

/** The subscription of a message; `undefined` for any other message. */
export function taskSubscription(message: unknown): TaskSubscription | undefined {
  if (!isObject(message) || message["method"] !== "subscriptions/listen") return undefined;
  const { id, params } = message;
  const { notifications, _meta } = isObject(params) ? params : {};
  const { taskIds } = isObject(notifications) ? notifications : {};
  if (!Array.isArray(taskIds) || (typeof id !== "string" && typeof id !== "number")) return undefined;
  const texts = taskIds.filter((one): one is string => typeof one === "string");
  return { id, taskIds: [...new Set(texts)].slice(0, MOST_TASKS), isDeclared: declaredIn(_meta) };
}

/** The refusal of a client that does not declare tasks. */
export function undeclaredTasks(id: RequestId): JSONRPCErrorResponse {
  const { code, message, data } = new MissingRequiredClientCapabilityError(TASKS_EXTENSION);
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}

/**
 * Acknowledges a subscription, sends the state of each of its tasks at once and after each change, and ends it when all
 * have ended. Nothing is sent after `signal` is aborted.
 */
export async function tellTasks<Call>(
  tasks: Tasks<Call>,
  { id, taskIds }: TaskSubscription,
  signal: AbortSignal,
  send: (message: JSONRPCMessage) => unknown,
): Promise<void> {
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
  const notify = (method: string, params: object): unknown =>
    signal.aborted ? undefined : send({ jsonrpc: "2.0", method, params: { ...params, _meta } });
  const known = await Promise.all(taskIds.map((one) => tasks.get(one)));
  const agreed = known.flatMap((task) => (task ? [task.id] : []));
  notify("notifications/subscriptions/acknowledged", {
    notifications: agreed.length > 0 ? { taskIds: agreed } : {},
  });
  await Promise.all(
    agreed.map(async (one) => {
      for await (const task of tasks.changes(one, signal)) notify("notifications/tasks", wholeTask(task));
    }),
  );
  if (!signal.aborted) send({ jsonrpc: "2.0", id, result: { resultType: "complete", _meta } });
}

/** Maximum number of tasks of one subscription; further ones are not acknowledged. */
const MOST_TASKS = 100;

/** A schema for parameters with the id of a task. */
const WITH_ID: StandardSchemaV1<unknown, { readonly taskId: string }> = {
  "~standard": {
    version: 1,
    vendor: "skillctl",
    validate: (value) =>
      isObject(value) && typeof value["taskId"] === "string"
        ? { value: { taskId: value["taskId"] } }
        : { issues: [{ message: "taskId is not a string" }] },
  },
};
