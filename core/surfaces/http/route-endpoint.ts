import { Readable } from "node:stream";
import type { FastifyReply, RouteHandlerMethod } from "fastify";
import type { RouteEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";
import type { GuardPlan } from "../../guard.ts";
import { refuse } from "../../guard/judgement.ts";
import type { RawBody, RouteReply } from "../../plugin.ts";
import type { Check } from "../../schema/schemas.ts";
import { pathOf } from "./addresses.ts";
import { goneSignal, type Serving } from "./command-endpoint.ts";
import { queryReader, type QueryReader } from "./query.ts";

const NO_BODY: RawBody = { bytes: new Uint8Array(), whole: true };

/** What the manifest and the schemas say about a route, and the rules that hear it. */
interface Plan {
  readonly query: QueryReader;
  /** Undefined for a body that nobody describes, which is not handed on, and for one that is handed on as it came. */
  readonly body: Check | undefined;
  readonly replies: ReadonlyMap<number, Check>;
  readonly rules: GuardPlan;
}

/**
 * Answers a contributed route: query and body checked, rules asked, handled, the reply checked against the schema
 * that the manifest names for its status, unless it is a stream. Rules see the body, or the query of a route without
 * one, as `input`.
 */
export function routeEndpoint(
  { host, problems, answers, closing }: Serving,
  entry: RouteEntry,
): RouteHandlerMethod {
  const { skill, name, route } = entry;
  let planned: Promise<Plan> | undefined;
  return async (request, reply) => {
    const plan = await (planned ??= planOf(host, entry).catch((caught: unknown) => {
      planned = undefined;
      throw caught;
    }));
    const query = plan.query(request.query as Readonly<Record<string, unknown>>);
    const checked = plan.body && checkedBody(plan.body, request.body);
    if (plan.rules.length > 0) await judge(host, plan.rules, entry, plan.body ? checked : query);
    const handler = await host.activator.route(skill, name);
    const body = route.raw ? (request.body ?? NO_BODY) : checked;
    const answer = await handler.handle({
      path: pathOf(request.url),
      query,
      body,
      headers: request.headers,
      // Most handlers never ask for it.
      get signal() {
        return AbortSignal.any([goneSignal(reply.raw), closing]);
      },
    });
    refuseUnnamed(plan.replies, entry, answer);
    if (!isStream(answer.body)) return send(reply, answer, answer.body);
    const stream = Readable.from(answers.inParts(answer.body, reply.raw)).once("error", (caught) => {
      if (reply.raw.headersSent) problems.note(caught, `${skill} ${name}: the stream was broken off`);
    });
    if (request.method !== "HEAD") return send(reply, answer, stream);
    stream.destroy();
    return send(reply, answer, "");
  };
}

/** Loads no code. @throws SkillError `SCHEMA_INVALID`. */
async function planOf(host: Host, { skill, route }: RouteEntry): Promise<Plan> {
  const replies = new Map<number, Check>();
  for (const [status, name] of Object.entries(route.replies))
    replies.set(Number(status), await host.schemas.check(name));
  return {
    query: await queryReader(host.schemas, route.query),
    body: route.body === undefined || route.raw ? undefined : await host.schemas.check(route.body),
    replies,
    rules: host.guard.plan("route.request", skill),
  };
}

/** A body that fits. @throws SkillError `INPUT_INVALID`. */
export function checkedBody(check: Check, body: unknown): unknown {
  if (body === undefined) throw new SkillError("INPUT_INVALID", "The request has no body.", { pointer: "" });
  const fault = check(body);
  if (!fault) return body;
  throw new SkillError("INPUT_INVALID", fault.sentence.replace(/^The value/, "The body"), {
    pointer: fault.pointer,
    hint: "The body's schema is in /openapi.json.",
  });
}

/** @throws SkillError `GUARD_DENIED`, `GUARD_ASKS`, `GUARD_FAILED`. */
async function judge({ guard, ports }: Host, rules: GuardPlan, { skill, name }: RouteEntry, input: unknown) {
  const judgement = await guard.judge(rules, { event: "route.request", surface: "http", skill, name, input });
  for (const { rule, decision, message } of judgement.findings)
    if (decision === "warn") ports.log.detail(`${rule}: ${message}`);
  refuse(judgement);
}

/** A stream is not read here, so that it always fits. @throws SkillError `OUTPUT_INVALID`. */
function refuseUnnamed(
  replies: Plan["replies"],
  { skill, name }: RouteEntry,
  { status, body }: RouteReply,
): void {
  const check = replies.get(status);
  const fault = check
    ? !isStream(body) && check(body ?? null)
    : { sentence: `it names no reply of status ${status}.` };
  if (!fault) return;
  const sentence = `The route ${name} of ${skill} answered what its manifest does not allow: ${fault.sentence}`;
  throw new SkillError("OUTPUT_INVALID", sentence);
}

function isStream(body: unknown): body is AsyncIterable<string | Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function send(reply: FastifyReply, { status, headers }: RouteReply, body: unknown): FastifyReply {
  const [type, sent] =
    typeof body === "string"
      ? ["text/plain; charset=utf-8", body]
      : body instanceof Readable
        ? ["application/octet-stream", body]
        : ["application/json; charset=utf-8", JSON.stringify(body ?? null)];
  // Names in any case: fastify compares them in lower case.
  return reply
    .code(status)
    .header("content-type", type)
    .headers(headers ?? {})
    .send(sent);
}
