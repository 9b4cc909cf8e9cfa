import { isObject } from "../../schema/predicate.ts";
import type { Route } from "../../contract.ts";
import type { HttpResponse } from "../../ports/http.ts";
import type { OpenServer } from "../../ports/server.ts";
import { documentOf, underivable } from "./command-cases.ts";
import { Complaints, shown, type CaseTools, type ContractCase } from "./contract-case.ts";
import { safelyDerived } from "./schema-cases.ts";
import { pointsAt, type Refusal } from "../derive.ts";
import { type JsonObject } from "../derive/draft.ts";
import type { TestHost } from "../test-host.ts";

/** One request to a route. */
interface Asked {
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Every route over a real server: examples in, a documented reply out; derived wrong requests are problems. */
export async function routeCases(tools: CaseTools): Promise<readonly ContractCase[]> {
  const cases: ContractCase[] = [];
  for (const [name, route] of Object.entries(tools.skill.manifest.routes ?? {}))
    cases.push(...(await casesOf(name, route, tools)));
  return cases;
}

async function casesOf(
  name: string,
  route: Route,
  { skill, schemas, open }: CaseTools,
): Promise<readonly ContractCase[]> {
  const owner = skill.manifest.name;
  const query = route.query === undefined ? undefined : await documentOf(route.query, schemas);
  const body = route.body === undefined ? undefined : await documentOf(route.body, schemas);
  const queries = (query?.["examples"] ?? [{}]) as readonly unknown[];
  const bodies = (body?.["examples"] ?? [undefined]) as readonly unknown[];
  const asked = (
    query ? queries.map((one) => ({ query: one, body: bodies[0] })) : bodies.map((one) => ({ body: one }))
  ) as readonly Asked[];
  const examples: ContractCase[] = asked.map((request, index) => ({
    skill: owner,
    title: `route ${name}: example ${index + 1} gets a documented reply`,
    run: () =>
      served(open, async (test, server) => {
        const response = await send(test, server, owner, route, request);
        const closed = closedReason(response, skill);
        if (closed !== undefined) return closed;
        const schema = route.replies[String(response.status)];
        if (schema === undefined)
          throw new Error(
            `${shown(request)} gets the undocumented status ${response.status}: ${response.body}`,
          );
        const fault = (await test.host.schemas.check(schema))(parsed(response));
        if (fault)
          throw new Error(
            `${shown(request)} gets a reply of status ${response.status} that does not fit ${schema}: ${fault.sentence}`,
          );
        return undefined;
      }),
  }));
  const fromBody = body && safelyDerived(body);
  const fromQuery = query && safelyDerived(query);
  const broken = [
    ...(route.body !== undefined && !fromBody
      ? [underivable(owner, `route ${name}: its body`, route.body, schemas)]
      : []),
    ...(route.query !== undefined && !fromQuery
      ? [underivable(owner, `route ${name}: its query`, route.query, schemas)]
      : []),
  ];
  const wrongBodies = fromBody?.refuses ?? [];
  const wrongQueries = fromQuery?.refuses ?? [];
  const sendable = wrongQueries.filter(({ value }) => travels(value));
  const count = wrongBodies.length + sendable.length;
  const refuse: ContractCase = {
    skill: owner,
    ...(count === 0 && {
      skip: broken.length > 0 ? "nothing could be derived" : "its schemas refuse nothing",
    }),
    title: `route ${name}: the ${count} derived wrong requests are problems with the place`,
    run: () =>
      served(open, async (test, server) => {
        const complaints = new Complaints();
        let closed: string | undefined;
        const look = async (request: Asked, refusal: Refusal, prefix: string): Promise<void> => {
          const response = await send(test, server, owner, route, request);
          closed ??= closedReason(response, skill);
          if (closed !== undefined) return;
          const sentence = await complaintOf(response, route, refusal, prefix, test);
          if (sentence !== undefined) complaints.add(`${refusal.title}: ${shown(request)} ${sentence}`);
        };
        for (const refusal of wrongBodies)
          await look({ query: queries[0], body: refusal.value }, refusal, "");
        for (const refusal of sendable)
          await look({ query: refusal.value, body: bodies[0] }, refusal, "/query");
        complaints.raise();
        return closed;
      }),
  };
  const left = wrongQueries.filter((refusal) => !sendable.includes(refusal));
  const skips = left.map(({ title }) => ({
    skill: owner,
    title: `route ${name}: query ${title}`,
    skip: "a query is text, and cannot carry this value",
    run: async () => {},
  }));
  return [...examples, refuse, ...broken, ...skips];
}

async function complaintOf(
  response: HttpResponse,
  route: Route,
  refusal: Refusal,
  prefix: string,
  test: TestHost,
): Promise<string | undefined> {
  // A route that reads its body itself refuses it in its own words.
  if (route.raw && prefix === "") return refusedByItself(response, route, test);
  const problem = parsed(response);
  const fault = (await test.host.schemas.check("core/problem"))(problem);
  if (fault) return `gets a reply of status ${response.status} that is no problem: ${fault.sentence}`;
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

async function refusedByItself(
  response: HttpResponse,
  { replies }: Route,
  test: TestHost,
): Promise<string | undefined> {
  const schema = replies[String(response.status)];
  if (response.status < 400 || response.status > 499 || schema === undefined)
    return `gets the status ${response.status}: ${response.body}`;
  const fault = (await test.host.schemas.check(schema))(parsed(response));
  return fault && `gets a reply of status ${response.status} that does not fit ${schema}: ${fault.sentence}`;
}

/** Some routes answer only while a command of their skill runs, which says so with a code of the skill and status 503. */
function closedReason(response: HttpResponse, { manifest }: CaseTools["skill"]): string | undefined {
  if (response.status !== 503 || !response.contentType.startsWith("application/problem+json"))
    return undefined;
  const { code = "" } = parsed(response) as { readonly code?: string };
  return Object.hasOwn(manifest.errors ?? {}, code) ? `it answers ${code} in a host of its own` : undefined;
}

async function served(
  open: CaseTools["open"],
  action: (test: TestHost, server: OpenServer) => Promise<string | undefined>,
): Promise<string | undefined> {
  await using test = await open();
  return await action(test, await test.serve());
}

async function send(
  test: TestHost,
  server: OpenServer,
  skill: string,
  route: Route,
  { query, body }: Asked,
): Promise<HttpResponse> {
  const text = isObject(query) ? queryText(query) : "";
  return test.host.ports.http.send({
    method: route.method,
    url: `${server.url}/${skill}${route.path}${text}`,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
    timeoutMs: 60_000,
    maxBytes: 16_000_000,
  });
}

function parsed({ body, contentType }: HttpResponse): unknown {
  return contentType.includes("json") && body !== "" ? (JSON.parse(body) as unknown) : body;
}

/** An object as the query of an address, a list as a name given several times; "" when it is empty. */
function queryText(query: JsonObject): string {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(key, String(one));
  }
  const text = pairs.toString();
  return text === "" ? "" : `?${text}`;
}

/**
 * Whether a wrong value is still the same wrong value when it has been a query. Numbers and booleans arrive as what
 * their text says, so a number for a string is right; null, objects, and lists of fewer than two do not arrive.
 */
function travels(query: unknown): query is JsonObject {
  return (
    isObject(query) &&
    Object.values(query).every((value) =>
      Array.isArray(value) ? value.length > 1 && value.every(isText) : isText(value),
    )
  );
}

function isText(value: unknown): boolean {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    Number.isNaN(Number(value)) &&
    value !== "true" &&
    value !== "false"
  );
}
