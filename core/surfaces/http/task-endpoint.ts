import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CommandEntry } from "../../catalog.ts";
import type { Problem } from "../../contract.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import { Tasks, isRepeatable, type Task, type TaskTurn } from "../../tasks.ts";
import {
  EventStream,
  TASK_PATH,
  goneSignal,
  sendJson,
  wantsEvents,
  type EndpointContext,
  type HttpCall,
} from "./command-endpoint.ts";

/** Runs a command; its output is in the terms of the server. */
type Run = (entry: CommandEntry, call: HttpCall, turn: Omit<TaskTurn, "given">) => Promise<unknown>;
/** The end of a command: its output or its error. */
interface End {
  readonly output?: unknown;
  readonly problem?: Problem;
}

/** The schema of a task. */
export const TASK: JsonSchema = {
  title: "Task",
  description: "A call that continues after its response.",
  type: "object",
  required: ["id", "status", "created", "changed"],
  additionalProperties: false,
  properties: {
    id: { type: "string" },
    status: { enum: ["working", "completed", "failed", "cancelled"] },
    message: { description: "The last sentence about its progress.", type: "string" },
    created: { type: "string", format: "date-time" },
    changed: { type: "string", format: "date-time" },
    output: { description: "completed: the output of the command." },
    problem: { description: "failed: the error.", type: "object", additionalProperties: true },
  },
};

/**
 * The calls of a server that continue after their responses; with `GET` and `DELETE` at the address of each
 * (docs/mcp.md).
 */
export function addTasks(app: FastifyInstance, context: EndpointContext, run: Run): Tasks<HttpCall> {
  const { host, catalog, problems, answers, closing } = context;
  const entryOf = ({ skill, command }: HttpCall): CommandEntry => catalog.command(skill, command);
  const tasks = new Tasks<HttpCall>({
    ports: host.ports,
    collection: "core-http-tasks",
    isRepeatable: (call) => isRepeatable(entryOf(call).command.effects),
    run: async (call, { signal, say }): Promise<{ readonly result: End }> => {
      try {
        return { result: { output: await run(entryOf(call), call, { signal, say }) } };
      } catch (caught) {
        return { result: { problem: problems.of(caught, `${call.skill} ${call.command}`, call.skill) } };
      }
    },
  });
  let closed: Promise<void> | undefined;
  const close = (): void => void (closed = tasks.close());
  closing.addEventListener("abort", close, { once: true });
  app.addHook("onClose", async () => closed);

  /** A task as its address returns it. A run that the host has lost is a fault of the host. */
  const told = ({ id, status, message, createdMs, changedMs, result = {}, error }: Task<HttpCall>) => {
    const { output, problem = error && problems.of(new SkillError("INTERNAL", error.message), id) } =
      result as End;
    return {
      id,
      status: problem ? ("failed" as const) : status,
      ...(message !== undefined && { message }),
      created: new Date(createdMs).toISOString(),
      changed: new Date(changedMs).toISOString(),
      ...(output !== undefined && { output }),
      ...(problem && { problem }),
    };
  };
  const found = async (request: FastifyRequest) => {
    const { task: id } = request.params as { readonly task: string };
    const task = await tasks.get(id);
    if (task) return told(task);
    throw new SkillError("NOT_FOUND", "There is no such task, or it is no longer kept.", {
      hint: "A task is kept for an hour after its last change.",
    });
  };
  app.get(TASK_PATH, async (request, reply) => {
    let task = await found(request);
    if (!wantsEvents(request)) return sendJson(reply, 200, task);
    const gone = AbortSignal.any([goneSignal(reply.raw), closing]);
    const events = new EventStream(reply, answers);
    let said: string | undefined;
    try {
      for await (const change of tasks.changes(task.id, gone)) {
        task = told(change);
        if (task.message !== undefined && task.message !== said)
          events.send("progress", { text: (said = task.message) });
      }
      if (gone.aborted) return reply;
      if (task.status === "completed") events.send("result", task.output);
      else events.send("problem", task.problem ?? problems.of(CANCELLED, task.id));
    } catch (caught) {
      if (!events.opened && !gone.aborted) throw caught;
    } finally {
      events.close();
    }
    return reply;
  });
  app.delete(TASK_PATH, async (request, reply) => {
    await tasks.cancel((await found(request)).id);
    return sendJson(reply, 200, await found(request));
  });
  return tasks;
}

const CANCELLED = new SkillError("CANCELLED", "The call was cancelled.");
