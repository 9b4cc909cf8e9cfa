import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { CommandEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { CommandRequest } from "../../runner.ts";
import { Departure } from "./departure.ts";
import { EventStream, wantsEvents } from "./event-stream.ts";
import type { Problems } from "./problem.ts";
import { sendJson } from "./reply.ts";

/** What the endpoints of one server share. */
export interface Serving {
  readonly host: Host;
  readonly problems: Problems;
  /** Calls that go on until they are stopped; a server that closes stops them. */
  readonly endless: Set<Departure>;
}

/** Whether a command is offered over HTTP: one that keeps running only when its manifest says so by name. */
export function isServed({ command }: CommandEntry): boolean {
  const { surfaces, keepsRunning } = command;
  return surfaces ? surfaces.includes("http") : !keepsRunning;
}

/** Answers a command: the body is the input, no body is `{}`. With `Accept: text/event-stream`, as events. */
export function commandEndpoint(serving: Serving, { skill, name, command }: CommandEntry): RouteHandlerMethod {
  const { runner, ports } = serving.host;
  // Without a stream nobody hears of it but the log.
  const note = (sentence: string): void => ports.log.detail(`${skill} ${name}: ${sentence}`);
  const answer = async (request: FastifyRequest, reply: FastifyReply, stream?: EventStream): Promise<unknown> => {
    const departure = new Departure(reply.raw);
    const call: CommandRequest = {
      skill,
      command: name,
      input: request.body === undefined ? {} : request.body,
      surface: "http",
      get signal() {
        return departure.signal;
      },
      progress: stream ? (sentence) => stream.send("progress", { text: sentence }) : note,
      announce: stream ? (text) => stream.send("announce", { text }) : note,
    };
    if (!command.keepsRunning) return runner.run(call);
    serving.endless.add(departure);
    try {
      return await runner.run(call);
    } finally {
      serving.endless.delete(departure);
    }
  };
  return async (request, reply) => {
    if (!wantsEvents(request.headers.accept)) return sendJson(reply, 200, await answer(request, reply));
    const stream = new EventStream(reply.raw, () => void reply.hijack());
    try {
      stream.send("result", await answer(request, reply, stream));
    } catch (caught) {
      if (!stream.opened) throw caught;
      stream.send("problem", serving.problems.of(caught, `${skill} ${name}`, skill));
    } finally {
      stream.close();
    }
    return reply;
  };
}
