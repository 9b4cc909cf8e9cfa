import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { RouteEntry } from "../../catalog.ts";
import type { RouteReply, RouteRequest } from "../../plugin.ts";
import { Caller } from "./caller.ts";
import type { Serving } from "./command-endpoint.ts";
import { ContributedRoute } from "./contributed-route.ts";
import { sendJson, sendParts, sendText } from "./reply.ts";
import { isStream } from "./stream-reply.ts";
import { pathOf } from "./target.ts";

class HttpRouteRequest extends Caller implements RouteRequest<unknown, unknown> {
  readonly path: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly headers: FastifyRequest["headers"];

  constructor(query: unknown, body: unknown, { headers, url }: FastifyRequest, reply: FastifyReply) {
    super(reply.raw);
    this.path = pathOf(url);
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
  let planned: Promise<ContributedRoute> | undefined;
  let route: ContributedRoute | undefined;
  return async (request, reply) => {
    route ??= await (planned ??= ContributedRoute.planned(host, entry).catch((caught: unknown) => {
      planned = undefined;
      throw caught;
    }));
    const query = route.query(request.query as Readonly<Record<string, unknown>>);
    // A body that no schema describes is not handed on.
    const body = route.hasBody ? request.body : undefined;
    route.checkBody(body);
    if (route.hasRules) await route.judge(route.hasBody ? body : query);
    const handler = route.handler ?? (await route.opened());
    const asked = new HttpRouteRequest(query, body, request, reply);
    const answer = route.checked(await handler.handle(asked));
    if (!isStream(answer.body)) return send(reply, answer);
    const failed = (caught: unknown): void =>
      problems.note(caught, `${entry.skill} ${entry.name}: the stream was broken off`);
    endless.add(asked);
    await sendParts(reply.hijack().raw, answer, answer.body, { failed, signal: asked.signal });
    endless.delete(asked);
    return reply;
  };
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
