import { validateHeaderName, validateHeaderValue } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { inTermsOf, outputInTermsOf } from "../../called-commands.ts";
import type { RouteEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { SkillError, describedIn } from "../../errors/skill-error.ts";
import type { GuardPlan } from "../../guard.ts";
import { refuse } from "../../guard/judgement.ts";
import type { RawBody, RouteReply } from "../../plugin.ts";
import { quotedName } from "../../quoted-name.ts";
import { isObject } from "../../schema/json.ts";
import type { Check } from "../../schema/schemas.ts";
import { pathOf } from "./addresses.ts";
import { goneSignal, type EndpointContext } from "./command-endpoint.ts";
import { queryReader, type QueryReader } from "./query.ts";

const NO_BODY: RawBody = { bytes: new Uint8Array(), whole: true };

/** A route's validators and the rules that apply to it. */
interface Plan {
  readonly query: QueryReader;
  /** Undefined for a raw body, and for a body without a schema, which is not passed to the handler. */
  readonly body: Check | undefined;
  readonly replies: ReadonlyMap<number, Check>;
  readonly rules: GuardPlan;
}

/**
 * Handles a contributed route: validates query and body, evaluates the rules, calls the handler, and validates the reply
 * against the schema for its status, unless it is a stream. Rules see the body as `input` or, for a route without one, the
 * query.
 */
export function routeEndpoint(
  { host, surface, problems, answers, closing }: EndpointContext,
  entry: RouteEntry,
): RouteHandlerMethod {
  const { skill, name, route } = entry;
  let planned: Promise<Plan> | undefined;
  return async (request, reply) => {
    const answer = await handled(request, reply).catch(async (caught: unknown) => {
      throw await inTermsOf(surface, entry, caught);
    });
    if (!isStream(answer.body)) return send(reply, answer, answer.body);
    const stream = Readable.from(answers.inParts(answer.body, reply.raw)).once("error", (caught) => {
      if (!reply.raw.headersSent) return;
      problems.note(caught, `${skill} ${name}: the stream was aborted`);
      if (!reply.raw.destroyed && !closing.aborted) tellBroken(host, entry, caught);
    });
    if (request.method !== "HEAD") return send(reply, answer, stream);
    stream.destroy();
    return send(reply, answer, "");
  };

  async function handled(request: FastifyRequest, reply: FastifyReply): Promise<RouteReply> {
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
      // Created on demand, since most handlers do not use it.
      get signal() {
        return AbortSignal.any([goneSignal(reply.raw), closing]);
      },
    });
    refuseUnnamed(plan.replies, entry, answer);
    const schema = route.replies[answer.status];
    if (schema === undefined || isStream(answer.body)) return answer;
    return { ...answer, body: await outputInTermsOf(surface, entry, schema, answer.body) };
  }
}

/** Loads no code of the skill. @throws SkillError `SCHEMA_INVALID`. */
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

/** The validated body. @throws SkillError `INPUT_INVALID`. */
export function checkedBody(check: Check, body: unknown): unknown {
  if (body === undefined) throw new SkillError("INPUT_INVALID", "The request has no body.", { pointer: "" });
  const fault = check(body);
  if (!fault) return body;
  throw new SkillError("INPUT_INVALID", fault.sentence.replace(/^The value/, "The body"), {
    pointer: fault.pointer,
  });
}

/** @throws SkillError `GUARD_DENIED`, `GUARD_ASKS`, `GUARD_FAILED`. */
async function judge({ guard, ports }: Host, rules: GuardPlan, { skill, name }: RouteEntry, input: unknown) {
  const judgement = await guard.judge(rules, { event: "route.request", surface: "http", skill, name, input });
  for (const { rule, decision, message } of judgement.findings)
    if (decision === "warn") ports.log.detail(`${rule}: ${message}`);
  refuse(judgement);
}

/** Validates a reply, except a stream. @throws SkillError `OUTPUT_INVALID`. */
function refuseUnnamed(replies: Plan["replies"], { skill, name }: RouteEntry, reply: RouteReply): void {
  const { status, body, headers }: Partial<RouteReply> = Object(reply);
  const check = replies.get(Number(status));
  const known = [...replies.keys()].join(", ");
  const fault = check
    ? headerFault(headers) || (!isStream(body) && check(body ?? null))
    : status === undefined
      ? { sentence: `it has no status; return { status, body } with one of the replies: ${known}.` }
      : { sentence: `the manifest has no reply with status ${status}; it has: ${known}.` };
  if (!fault) return;
  const sentence = `The route ${name} of ${skill} gave a reply that its manifest does not allow: ${fault.sentence}`;
  throw new SkillError("OUTPUT_INVALID", sentence);
}

/** The fault of the first header that cannot be sent. */
function headerFault(headers: unknown): { readonly sentence: string } | undefined {
  if (headers === undefined || headers === null) return undefined;
  if (!isObject(headers)) return { sentence: "headers must be an object." };
  for (const [name, value] of Object.entries(headers)) {
    const named = quotedName(name);
    if (value === undefined) continue;
    const values: readonly unknown[] = name.toLowerCase() === "set-cookie" ? [value].flat() : [value];
    const texts = values.filter((one) => typeof one === "string");
    if (texts.length < values.length)
      return { sentence: `the value of the header ${named} must be a string.` };
    try {
      validateHeaderName(name);
    } catch {
      return { sentence: `${named} is not a valid header name.` };
    }
    try {
      for (const one of texts) validateHeaderValue(name, one);
    } catch {
      return {
        sentence: `the value of the header ${named} has a character that is not allowed in a header.`,
      };
    }
  }
  return undefined;
}

/** Reports a stream that failed in the code of its skill, since the client only sees that the reply ends early. */
function tellBroken({ catalog, ports }: Host, { skill, name }: RouteEntry, cause: unknown): void {
  const reason = describedIn(catalog.skill(skill).folder, cause);
  ports.log.notice(`The stream of the route ${name} of ${skill} failed: ${reason}`);
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
  // In lower case, as fastify compares them.
  return reply
    .code(status)
    .header("content-type", type)
    .headers(headers ?? {})
    .send(sent);
}
