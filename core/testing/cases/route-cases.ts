import { isObject } from "../../schema/json.ts";
import type { Route } from "../../contract.ts";
import { described } from "../../errors/skill-error.ts";
import type { Http, HttpResponse } from "../../ports/http.ts";
import type { Schemas } from "../../schema/schemas.ts";
import { derive, pointsAt, type Refusal } from "../derive.ts";
import {
  Complaints,
  casesOf,
  settingsAdvice,
  shown,
  type CaseTools,
  type RunningServer,
  type SkillCase,
  type TestedServer,
} from "./contract-case.ts";

/** One request to a route. */
interface RouteRequest {
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * Calls every route on a real server: examples get a documented reply, derived wrong requests get problems. `running`:
 * an external server, at which only GET requests are sent unless writes are allowed.
 */
export function routeCases(tools: CaseTools, running?: TestedServer): Promise<readonly SkillCase[]> {
  const routes = Object.entries(tools.skill.manifest.routes ?? {});
  return casesOf(
    routes.map(([name, route]) => [`route ${name}`, () => routeCase(name, route, tools, running)]),
  );
}

async function routeCase(
  name: string,
  route: Route,
  { skill, schemas, open }: CaseTools,
  running: TestedServer | undefined,
): Promise<readonly SkillCase[]> {
  const isLeft = running !== undefined && route.method !== "GET" && !running.allowsWrites;
  const skipped = isLeft ? { skip: "it may change something; --allow-writes calls it" } : {};
  const owner = skill.manifest.name;
  const query = route.query === undefined ? undefined : await schemas.document(route.query);
  const body = route.body === undefined ? undefined : await schemas.document(route.body);
  const queries = (query?.["examples"] ?? [{}]) as readonly unknown[];
  const bodies = (body?.["examples"] ?? [undefined]) as readonly unknown[];
  const requests: readonly RouteRequest[] = query
    ? queries.map((one) => ({ query: one, body: bodies[0] }))
    : bodies.map((one) => ({ body: one }));
  const served = async (
    action: (
      ask: (request: RouteRequest) => Promise<HttpResponse>,
      log: readonly string[],
    ) => Promise<string | undefined>,
  ): Promise<string | undefined> => {
    if (running) return action((request) => send(running.http, running, owner, route, request), []);
    await using test = await open();
    const { url } = await test.serve();
    const { http } = test.host.ports;
    const ask = (request: RouteRequest) => send(http, { url, headers: {} }, owner, route, request);
    return await action(ask, test.log.details);
  };
  const examples: SkillCase[] = requests.map((request, index) => ({
    ...skipped,
    title: `route ${name}: example ${index + 1} gets a documented reply`,
    run: () =>
      served(async (ask, log) => {
        const response = await ask(request).catch((caught: unknown) => {
          throw new Error(`${described(caught)}${causeIn(log, skill.folder)}`, { cause: caught });
        });
        const complaint = await unfit(response, route, schemas);
        const closed = closedReason(response, skill);
        if (closed === undefined && complaint !== undefined)
          throw new Error(
            `${shown(request)} ${complaint}${causeIn(log, skill.folder, codeOf(response) === "INTERNAL")}`,
          );
        return closed;
      }),
  }));
  const wrong = [
    ...(body ? derive(body).refuses : []).map((refusal) => ({
      refusal,
      request: { query: queries[0], body: refusal.value },
      prefix: "",
    })),
    ...(query ? derive(query).refuses.filter(travels) : []).map((refusal) => ({
      refusal,
      request: { query: refusal.value, body: bodies[0] },
      prefix: "/query",
    })),
  ];
  const refuse: SkillCase = {
    ...(wrong.length === 0 ? { skip: "its schemas refuse nothing" } : skipped),
    title: `route ${name}: the ${wrong.length} derived wrong requests are problems with the place`,
    run: () =>
      served(async (ask) => {
        const complaints = new Complaints();
        for (const { refusal, request, prefix } of wrong) {
          const response = await ask(request);
          const closed = closedReason(response, skill);
          if (closed !== undefined) return closed;
          // A raw route formats its own refusals.
          const sentence =
            route.raw && prefix === ""
              ? await refusedByItself(response, route, schemas)
              : await noProblem(response, refusal, prefix, schemas);
          if (sentence !== undefined) complaints.add(`${refusal.title}: ${shown(request)} ${sentence}`);
        }
        complaints.raise();
        return undefined;
      }),
  };
  return [...examples, refuse];
}

/** The logged error behind a reply, if it is unexpected or the code of the skill has thrown it, with its place. */
function causeIn(log: readonly string[], folder: string, isUnexpected = false): string {
  const [first = "", ...stack] = (log.at(-1) ?? "").split("\n");
  const place = stack.find((line) => line.includes(encodeURI(folder.replaceAll("\\", "/"))));
  return place === undefined && !isUnexpected ? "" : `\n${first} ${place?.trim() ?? ""}`.trimEnd();
}

async function unfit(
  response: HttpResponse,
  { replies, errors = [] }: Route,
  schemas: Schemas,
): Promise<string | undefined> {
  const { status, body, headers } = response;
  const schema = replies[String(status)];
  // A reply of the route may have the status of a problem.
  const isProblem = headers["content-type"]?.startsWith("application/problem+json") ?? false;
  if ((schema === undefined || isProblem) && errors.includes(codeOf(response))) return undefined;
  if (schema === undefined) {
    const { code, detail } = Object(parsed(response)) as { readonly code?: string; readonly detail?: string };
    return `gets the undocumented status ${status}: ${detail === undefined ? body : `${code}, ${detail}${settingsAdvice(code)}`}`;
  }
  const fault = (await schemas.check(schema))(parsed(response));
  return fault && `gets a reply of status ${status} that does not fit ${schema}: ${fault.sentence}`;
}

async function refusedByItself(
  response: HttpResponse,
  route: Route,
  schemas: Schemas,
): Promise<string | undefined> {
  if (response.status < 400 || response.status > 499)
    return `gets the status ${response.status}: ${response.body}`;
  return unfit(response, route, schemas);
}

async function noProblem(
  response: HttpResponse,
  refusal: Refusal,
  prefix: string,
  schemas: Schemas,
): Promise<string | undefined> {
  const problem = parsed(response);
  const fault = (await schemas.check("core/problem"))(problem);
  if (fault)
    return `gets a reply of status ${response.status} that is not a problem document: ${fault.sentence}`;
  if (!response.contentType.startsWith("application/problem+json"))
    return `gets the content type ${response.contentType}`;
  const { code, status, pointer } = problem as { code: string; status: number; pointer?: string };
  if (status !== response.status || status !== 400 || code !== "INPUT_INVALID")
    return `gets ${code} with status ${response.status}`;
  const place = pointer?.startsWith(prefix) ? pointer.slice(prefix.length) : pointer;
  return pointsAt(refusal, place)
    ? undefined
    : `points at "${pointer}" instead of "${prefix}${refusal.pointer}"`;
}

/**
 * Some routes respond only while a command of their skill runs, and otherwise with a code of the skill and status 503.
 */
function closedReason(response: HttpResponse, { manifest }: CaseTools["skill"]): string | undefined {
  if (response.status !== 503 || !response.contentType.startsWith("application/problem+json"))
    return undefined;
  const code = codeOf(response);
  return Object.hasOwn(manifest.errors ?? {}, code) ? `it answers ${code} in a host of its own` : undefined;
}

/** The code of a problem. */
function codeOf(response: HttpResponse): string {
  if (!response.contentType.startsWith("application/problem+json")) return "";
  return (parsed(response) as { readonly code?: string }).code ?? "";
}

async function send(
  http: Http,
  server: RunningServer,
  skill: string,
  route: Route,
  { query, body }: RouteRequest,
): Promise<HttpResponse> {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(isObject(query) ? query : {}))
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(key, String(one));
  return http.send({
    method: route.method,
    url: `${server.url}/${skill}${route.path}${pairs.size > 0 ? `?${pairs.toString()}` : ""}`,
    headers: { ...server.headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    timeoutMs: 60_000,
    maxBytes: 16_000_000,
  });
}

function parsed({ body, contentType }: HttpResponse): unknown {
  return contentType.includes("json") && body !== "" ? (JSON.parse(body) as unknown) : body;
}

/** Whether a wrong value is still wrong as text of a query, which has no types and no lists. */
function travels({ keyword, value: query }: Refusal): boolean {
  const isText = (one: unknown): boolean => ["string", "number", "boolean"].includes(typeof one);
  return (
    keyword !== "type" &&
    isObject(query) &&
    Object.values(query).every((one) =>
      Array.isArray(one) ? one.length > 1 && one.every(isText) : isText(one),
    )
  );
}
