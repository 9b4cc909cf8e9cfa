import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { CommandEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { CommandRequest } from "../../runner.ts";
import { Caller } from "./caller.ts";
import type { Endless } from "./endless.ts";
import { EventStream, wantsEvents } from "./event-stream.ts";
import type { Problems } from "./problem.ts";
import { sendJson } from "./reply.ts";
import { sessionOf } from "./session.ts";

/** What the endpoints of one server share. */
export interface Serving {
  readonly host: Host;
  readonly problems: Problems;
  readonly endless: Endless;
}

/** Whether a command is offered over HTTP: one that keeps running only when its manifest says so by name. */
export function isServed({ command }: CommandEntry): boolean {
  const { surfaces, keepsRunning } = command;
  return surfaces ? surfaces.includes("http") : !keepsRunning;
}

type Listener = Pick<CommandRequest, "progress" | "announce">;

class HttpCall extends Caller implements CommandRequest {
  readonly surface = "http";
  readonly skill: string;
  readonly command: string;
  readonly input: unknown;
  readonly progress: (sentence: string) => void;
  readonly announce: (text: string) => void;
  readonly session?: string;

  constructor(
    { skill, name }: CommandEntry,
    { body, headers }: FastifyRequest,
    reply: FastifyReply,
    listener: Listener,
  ) {
    super(reply.raw);
    this.skill = skill;
    this.command = name;
    this.input = body === undefined ? {} : body;
    this.progress = listener.progress;
    this.announce = listener.announce;
    const session = sessionOf(headers);
    if (session !== undefined) this.session = session;
  }
}

/**
 * Answers a command: the body is the input, no body is `{}`; `Skillctl-Session` names a session. With
 * `Accept: text/event-stream`, as events.
 */
export function commandEndpoint(serving: Serving, entry: CommandEntry): RouteHandlerMethod {
  const { skill, name, command } = entry;
  const { runner, ports } = serving.host;
  // Without a stream nobody hears of it but the log.
  const note = (sentence: string): void => ports.log.detail(`${skill} ${name}: ${sentence}`);
  const unheard: Listener = { progress: note, announce: note };
  const answer = async (call: HttpCall): Promise<unknown> => {
    serving.endless.add(call);
    return runner.run(call).finally(() => serving.endless.delete(call));
  };
  const run = command.keepsRunning ? answer : (call: HttpCall) => runner.run(call);
  const stream = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const events = new EventStream(reply.raw, () => void reply.hijack());
    const listener: Listener = {
      progress: (sentence) => events.send("progress", { text: sentence }),
      announce: (text) => events.send("announce", { text }),
    };
    try {
      events.send("result", await run(new HttpCall(entry, request, reply, listener)));
    } catch (caught) {
      if (!events.opened) throw caught;
      events.send("problem", serving.problems.of(caught, `${skill} ${name}`, skill));
    } finally {
      events.close();
    }
  };
  return (request, reply) => {
    const fail = (caught: unknown): void => void reply.send(asError(caught));
    if (wantsEvents(request.headers.accept)) void stream(request, reply).catch(fail);
    else
      void run(new HttpCall(entry, request, reply, unheard))
        .then((output) => sendJson(reply, 200, output))
        .catch(fail);
  };
}

/** Fastify takes for an answer what is no Error. */
function asError(caught: unknown): Error {
  return caught instanceof Error ? caught : new Error("What was thrown is no Error.", { cause: caught });
}
