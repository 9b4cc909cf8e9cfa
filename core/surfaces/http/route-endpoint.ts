import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { RouteEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { GuardPlan } from "../../guard.ts";
import type { RouteHandler, RouteReply, RouteRequest } from "../../plugin.ts";
import { refuse } from "../../runner.ts";
import type { Check } from "../../schema/schemas.ts";
import { Caller } from "./caller.ts";
import type { Serving } from "./command-endpoint.ts";
import { queryReader, type QueryReader } from "./query.ts";
import { sendJson, sendParts, sendText } from "./reply.ts";
import { isStream } from "./stream-reply.ts";

interface Path {
  readonly query: QueryReader;
  readonly body: Check | undefined;
  readonly replies: ReadonlyMap<number, Check>;
  readonly rules: GuardPlan;
  handler: RouteHandler<unknown, unknown> | undefined;
}

class HttpRouteRequest extends Caller implements RouteRequest<unknown, unknown> {
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: FastifyRequest["headers"];

  constructor(query: unknown, body: unknown, { headers }: FastifyRequest, reply: FastifyReply) {
    super(reply.raw);
    this.query = query;
    this.body = body;
    this.headers = headers;
  }
}

/**
 * Answers a contributed route: query and body checked, rules asked, handled, the reply checked against the schema
 * that the manifest names for its status, unless it is a stream. Rules see the body, or the query of a route without
 * one, as `input`.
 */
export function routeEndpoint({ host, problems, endless }: Serving, entry: RouteEntry): RouteHandlerMethod {
  let planned: Promise<Path> | undefined;
  let path: Path | undefined;
  return async (request, reply) => {
    path ??= await (planned ??= plannedPath(host, entry).catch((caught: unknown) => {
      planned = undefined;
      throw caught;
    }));
    const query = path.query(request.query as Readonly<Record<string, unknown>>);
    // A body that no schema describes is not handed on.
    const body = path.body ? request.body : undefined;
    if (path.body) refuseBody(path.body, body);
    if (path.rules.length > 0) {
      const input = path.body ? body : query;
      const { skill, name } = entry;
      const judgement = await host.guard.judge(path.rules, {
        event: "route.request",
        surface: "http",
        skill,
        name,
        input,
      });
      for (const { rule, decision, message } of judgement.findings) {
        if (decision === "warn") host.ports.log.detail(`${rule}: ${message}`);
      }
      refuse(judgement);
    }
    path.handler ??= await host.activator.route(entry.skill, entry.name);
    const asked = new HttpRouteRequest(query, body, request, reply);
    const answer = checked(entry, path, await path.handler.handle(asked));
    if (!isStream(answer.body)) return send(reply, answer);
    const failed = (caught: unknown): void =>
      problems.note(caught, `${entry.skill} ${entry.name}: the stream was broken off`);
    endless.add(asked);
    await sendParts(reply, answer, answer.body, { failed, signal: asked.signal });
    endless.delete(asked);
    return reply;
  };
}

async function plannedPath(host: Host, { skill, route }: RouteEntry): Promise<Path> {
  const replies = new Map<number, Check>();
  for (const [status, name] of Object.entries(route.replies)) {
    replies.set(Number(status), await host.schemas.check(name));
  }
  return {
    query: await queryReader(host.schemas, route.query),
    body: route.body === undefined ? undefined : await host.schemas.check(route.body),
    replies,
    rules: await host.guard.plan("route.request", skill),
    handler: undefined,
  };
}

function refuseBody(check: Check, body: unknown): void {
  if (body === undefined) throw new SkillError("INPUT_INVALID", "The request has no body.", { pointer: "" });
  const fault = check(body);
  if (!fault) return;
  const sentence = fault.sentence.replace(/^The value/, "The body");
  throw new SkillError("INPUT_INVALID", sentence, {
    pointer: fault.pointer,
    hint: "The body's schema is in /openapi.json.",
  });
}

/**
 * @throws SkillError `OUTPUT_INVALID` for a status that the manifest does not name, or a body that does not fit. A
 * stream is not read here, so that it always fits.
 */
function checked({ skill, name }: RouteEntry, path: Path, reply: RouteReply): RouteReply {
  const check = path.replies.get(reply.status);
  const fault = check
    ? isStream(reply.body)
      ? undefined
      : check(reply.body ?? null)
    : { sentence: `it names no reply of status ${reply.status}.` };
  if (!fault) return reply;
  const sentence = `The route ${name} of ${skill} answered what its manifest does not allow: ${fault.sentence}`;
  throw new SkillError("OUTPUT_INVALID", sentence);
}

function send(reply: FastifyReply, { status, body, headers = {} }: RouteReply): FastifyReply {
  let type: string | undefined;
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === "content-type") type = value;
    else reply.header(name, value);
  }
  if (typeof body === "string") return sendText(reply, status, body, type ?? "text/plain; charset=utf-8");
  return sendJson(reply, status, body ?? null, type);
}
