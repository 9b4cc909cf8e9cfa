import { PassThrough } from "node:stream";
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Catalog, CommandEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { inTermsOf, outputInTermsOf, type CallingSurface } from "../../called-commands.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { Task, TaskTurn, Tasks } from "../../tasks.ts";
import type { Access } from "./access.ts";
import type { Answers } from "./answers.ts";
import type { BodyReader } from "./body.ts";
import { refuseOutside } from "./outside.ts";
import type { Problems } from "./problem.ts";

/** The context of the endpoints of one server. */
export interface EndpointContext {
  readonly host: Host;
  /** The served skills. */
  readonly catalog: Catalog;
  /** The terms of this server's callers. */
  readonly surface: CallingSurface;
  readonly access: Access;
  readonly problems: Problems;
  readonly bodies: BodyReader;
  readonly answers: Answers;
  /** Aborted when the server closes, to end long-running commands. */
  readonly closing: AbortSignal;
}

export const COMMAND_PATH = "/v1/skills/:skill/commands/:command";
/** The same with progress, as server-sent events. */
export const EVENTS_PATH = `${COMMAND_PATH}/events`;
export const TASK_PATH = "/v1/tasks/:task";

/** The preference for a task as an OpenAPI parameter. */
export const PREFER_PARAMETER = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "`respond-async`: the response is the address of a task.",
  schema: { type: "string", maxLength: 256 },
  examples: { task: { value: "respond-async" } },
} as const;

/** Interval of comments in an idle event stream, so that proxies do not close it. */
const HEARTBEAT_MS = 15_000;
const SESSION_HEADER = "Skillctl-Session";
const SESSION_SHAPE = "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$";

/** The session header as an OpenAPI parameter. */
export const SESSION_PARAMETER = {
  name: SESSION_HEADER,
  in: "header",
  required: false,
  description:
    "Identifies a conversation over several calls, for commands that keep one. The client chooses the value.",
  schema: { type: "string", pattern: SESSION_SHAPE, minLength: 1, maxLength: 128, examples: ["tab-7f3a"] },
} as const;

/** A command requested with `Prefer: respond-async`. */
export interface HttpCall {
  readonly skill: string;
  readonly command: string;
  readonly input: unknown;
  readonly session?: string;
}

/**
 * Runs a command: the body is the input, no body means `{}`, `Skillctl-Session` identifies a session. The response is an
 * event stream at the events path and if the client sends `Accept: text/event-stream`; with `Prefer: respond-async` it is the
 * address of a task.
 */
export function commandEndpoint(context: EndpointContext, tasks: Tasks<HttpCall>) {
  const { host, catalog, problems, answers, closing } = context;
  const run = runIn(context);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { log } = host.ports;
    const { skill, command: name } = request.params as { readonly skill: string; readonly command: string };
    const entry = catalog.command(skill, name);
    const { command } = entry;
    await refuseOutside(request.body, command, host);
    const session = sessionOf(request.headers["skillctl-session"]);
    const input = request.body === undefined ? {} : request.body;
    const call = { skill, command: name, input, ...(session !== undefined && { session }) };
    const note = (sentence: string): void => log.detail(`${skill} ${name}: ${sentence}`);
    if (prefersTask(request) && !command.keepsRunning)
      return acceptedTask(reply, await tasks.start(call, {}, note).keep());
    const gone = goneSignal(reply.raw);
    const signal = command.keepsRunning ? AbortSignal.any([gone, closing]) : gone;
    // Without events, progress goes to the log only.
    if (!wantsEvents(request)) return sendJson(reply, 200, await run(entry, call, { signal, say: note }));
    const events = new EventStream(reply, answers);
    const say = (text: string): void => events.send("progress", { text });
    const announce = (text: string): void => events.send("announce", { text });
    try {
      events.send("result", await run(entry, call, { signal, say, announce }));
    } catch (caught) {
      // A refusal before the first event keeps its status.
      if (!events.opened) throw caught;
      events.send("problem", problems.of(caught, `${skill} ${name}`, skill));
    } finally {
      events.close();
    }
    return reply;
  };
}

/** Runs commands of a server; outputs and errors are in the terms of its callers. */
export function runIn({ host, surface }: EndpointContext) {
  return async (
    entry: CommandEntry,
    call: HttpCall,
    { signal, say, announce = say }: Omit<TaskTurn, "given"> & { readonly announce?: TaskTurn["say"] },
  ): Promise<unknown> => {
    try {
      const request = { ...call, surface: "http", signal, progress: say, announce } as const;
      return await outputInTermsOf(surface, entry, entry.command.output, await host.runner.run(request));
    } catch (caught) {
      throw await inTermsOf(surface, entry, caught);
    }
  };
}

/** Whether the client prefers a task (RFC 7240, section 4.1). */
function prefersTask({ headers: { prefer } }: FastifyRequest): boolean {
  return /(?:^|,)\s*respond-async\s*(?:$|[;,])/i.test([prefer].flat().join(","));
}

function acceptedTask(reply: FastifyReply, { id, status }: Task<HttpCall>): FastifyReply {
  reply.header("location", TASK_PATH.replace(":task", id)).header("preference-applied", "respond-async");
  return sendJson(reply, 202, { id, status });
}

/** Sends any value as JSON, even a string. */
export function sendJson(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  return reply.code(status).type("application/json; charset=utf-8").send(JSON.stringify(value));
}

/**
 * Aborted when the client disconnects, or ends its side before the response has begun: if the connection stays half-open,
 * the two look the same. After that, writing detects a disconnect.
 */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const notice = (): void => {
    if (!response.writableFinished)
      controller.abort(new SkillError("CANCELLED", "The client has disconnected."));
  };
  const ended = (): void => {
    if (!response.headersSent) notice();
  };
  const { socket } = response.req;
  if (response.destroyed) notice();
  if (socket.readableEnded) ended();
  socket.once("end", ended);
  response.once("close", () => {
    socket.off("end", ended);
    notice();
  });
  return controller.signal;
}

/** The session of a request. @throws SkillError `INPUT_INVALID` */
export function sessionOf(given: string | readonly string[] | undefined): string | undefined {
  if (given === undefined || (typeof given === "string" && new RegExp(SESSION_SHAPE).test(given)))
    return given;
  throw new SkillError("INPUT_INVALID", `The header ${SESSION_HEADER} is not a valid session.`, {
    hint: "Send it once with 1 to 128 of the characters A-Z a-z 0-9 . _ -, beginning with a letter or digit, or omit it.",
  });
}

export function wantsEvents({ headers: { accept = "" }, routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === EVENTS_PATH || /(^|,)\s*text\/event-stream\s*($|[;,])/i.test(accept);
}

type EventName = "progress" | "announce" | "result" | "problem";

/** A response as server-sent events. Nothing is sent before the first event. */
export class EventStream {
  readonly #reply: FastifyReply;
  readonly #answers: Answers;
  readonly #heartbeat: NodeJS.Timeout;
  #stream: PassThrough | undefined;

  constructor(reply: FastifyReply, answers: Answers) {
    this.#reply = reply;
    this.#answers = answers;
    this.#heartbeat = setInterval(() => this.#passing(": waiting\n\n"), HEARTBEAT_MS);
  }

  get opened(): boolean {
    return this.#stream !== undefined;
  }

  send(event: EventName, data: unknown): void {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    if (event === "progress") this.#passing(text);
    else this.#write(text);
  }

  /** Sends an event that a slow reader may miss. */
  #passing(text: string): void {
    if (!this.#stream?.writableNeedDrain) this.#write(text);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#stream?.end();
  }

  #write(text: string): void {
    if (!this.#stream) {
      this.#stream = new PassThrough();
      this.#reply.code(200).type("text/event-stream; charset=utf-8").header("cache-control", "no-store");
      this.#reply.send(this.#stream);
    }
    if (this.#stream.writable) this.#stream.write(text);
    this.#answers.note(this.#reply.raw, this.#stream.writableLength);
  }
}
