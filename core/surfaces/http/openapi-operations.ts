import { STATUS_CODES } from "node:http";
import type { CommandEntry, RouteEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import type { Components } from "./openapi-components.ts";
import { BODY, GATE, HANDLED, guardCodes, problemResponses } from "./openapi-problems.ts";
import { SESSION_PARAMETER } from "./command-endpoint.ts";

/** The tag of what belongs to no skill. */
export const SYSTEM_TAG = "skillctl";
const JSON_CONTENT = "application/json";

/** What `/health` answers. */
const HEALTH: JsonSchema = {
  title: "Health",
  description: "The server is up; what it hosts.",
  type: "object",
  required: ["status", "version", "skills", "faults"],
  additionalProperties: false,
  properties: {
    status: { const: "ok" },
    version: { description: "The version of skillctl.", type: "string" },
    skills: { description: "Names of the hosted skills.", type: "array", items: { type: "string" } },
    faults: { description: "How many skills, or parts of one, were left out.", type: "integer", minimum: 0 },
  },
};

/** What operations are drawn up from. */
export interface Context {
  readonly host: Host;
  readonly components: Components;
  readonly problem: JsonSchema;
}

/** `POST /v1/skills/<skill>/commands/<command>`. @throws SkillError `SCHEMA_INVALID`. */
export async function commandOperation(
  context: Context,
  { skill, name, command }: CommandEntry,
): Promise<object> {
  const { host, components, problem } = context;
  const { catalog, schemas } = host;
  const { required = [] } = await schemas.document(command.input);
  const rules = guardCodes(catalog, skill, ["command.pre", "command.post"]);
  const codes = [...GATE, "KEY_REFUSED", ...BODY, ...HANDLED, ...rules, ...(command.errors ?? [])];
  return {
    operationId: `${skill}.${name}`,
    tags: [skill],
    summary: command.summary,
    parameters: [SESSION_PARAMETER],
    requestBody: {
      description: "The input. No body is an empty object.",
      required: (required as readonly unknown[]).length > 0,
      content: { [JSON_CONTENT]: { schema: await components.reference(command.input) } },
    },
    responses: {
      "200": {
        description:
          "The output. With `Accept: text/event-stream` it comes as the events of `skillctl.events`.",
        content: { [JSON_CONTENT]: { schema: await components.reference(command.output) } },
      },
      ...problemResponses(catalog, codes, problem, skill),
    },
  };
}

/** A contributed route. @throws SkillError `SCHEMA_INVALID`. */
export async function routeOperation(
  { host, components, problem }: Context,
  { skill, name, route }: RouteEntry,
): Promise<object> {
  const { catalog } = host;
  const rules = guardCodes(catalog, skill, ["route.request"]);
  const body = route.body === undefined ? [] : BODY;
  const codes = [...GATE, "KEY_REFUSED", ...body, ...HANDLED, ...rules, ...(route.errors ?? [])];
  const responses: Record<string, object> = {
    ...problemResponses(catalog, codes, problem, skill),
  };
  for (const [status, reply] of Object.entries(route.replies)) {
    const schema = await components.reference(reply);
    const { description, content = {} } = (responses[status] ?? {}) as {
      description?: string;
      content?: object;
    };
    responses[status] = {
      description: [STATUS_CODES[status] ?? "A reply.", description].filter(Boolean).join("\n\n"),
      ...(hasNoBody(status) ? {} : { content: { [await contentType(host, reply)]: { schema }, ...content } }),
    };
  }
  return {
    operationId: `${skill}.routes.${name}`,
    tags: [skill],
    summary: route.summary,
    ...(route.query !== undefined && { parameters: await parameters(components, route.query) }),
    ...(route.body !== undefined && {
      requestBody: {
        required: true,
        content: { [JSON_CONTENT]: { schema: await components.reference(route.body) } },
      },
    }),
    responses,
  };
}

async function parameters(components: Components, query: string): Promise<readonly object[]> {
  const { properties = {}, required = [] } = await components.inside(query);
  // Inner references lead into the whole schema, so that it is put in where one is used.
  if (JSON.stringify(properties).includes('"$ref":')) await components.reference(query);
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: "query",
      required: (required as readonly unknown[]).includes(name),
      ...(description !== undefined && { description }),
      schema,
    }),
  );
}

/** A reply that is a string goes out as text; the schema of one that is of another type, such as a stream, names it. */
async function contentType({ schemas }: Host, name: string): Promise<string> {
  const { type, contentMediaType } = await schemas.document(name);
  if (typeof contentMediaType === "string") return contentMediaType;
  return type === "string" ? "text/plain" : JSON_CONTENT;
}

function hasNoBody(status: string): boolean {
  return status === "204" || status === "304" || status.startsWith("1");
}

/** The events of any command: one operation, so that those of the commands answer one type. */
export function eventsOperation({ host, problem }: Context): object {
  const codes = [
    ...GATE,
    "KEY_REFUSED",
    ...BODY,
    ...HANDLED,
    "UNKNOWN_SKILL",
    "UNKNOWN_COMMAND",
    "SURFACE_REFUSED",
  ] as const;
  const parameter = (name: string, description: string): object => ({
    name,
    in: "path",
    required: true,
    description,
    schema: { type: "string", minLength: 1, maxLength: 64 },
  });
  return {
    operationId: "skillctl.events",
    tags: [SYSTEM_TAG],
    summary: "Runs a command and tells of its progress.",
    description:
      "Server-sent events: `progress` and `announce` with a `text`, at last `result` with the output or `problem` with what went wrong. What is refused before the first of them is answered as at the address of the command.",
    parameters: [
      parameter("skill", "A hosted skill."),
      parameter("command", "One of its commands that is served."),
      SESSION_PARAMETER,
    ],
    requestBody: {
      description: "The input of the command. No body is an empty object.",
      required: false,
      content: { [JSON_CONTENT]: { schema: { type: "object" } } },
    },
    responses: {
      "200": { description: "The events.", content: { "text/event-stream": { schema: { type: "string" } } } },
      ...problemResponses(host.catalog, codes, problem),
      default: {
        description: "An error of the command.",
        content: { "application/problem+json": { schema: problem } },
      },
    },
  };
}

/** `POST /v1/guard`. @throws SkillError `SCHEMA_INVALID`. */
export async function guardOperation({ host, components, problem }: Context): Promise<object> {
  const codes = [...GATE, "KEY_REFUSED", ...BODY, "INPUT_INVALID", "SCHEMA_INVALID"];
  return {
    operationId: "skillctl.guard",
    tags: [SYSTEM_TAG],
    summary: "Puts a request before the rules of all hosted skills.",
    requestBody: {
      required: true,
      content: { [JSON_CONTENT]: { schema: await components.reference("core/guard-request") } },
    },
    responses: {
      "200": {
        description: "What they say of it, whatever it is.",
        content: { [JSON_CONTENT]: { schema: await components.reference("core/guard-decision") } },
      },
      ...problemResponses(host.catalog, codes, problem),
    },
  };
}

/** `POST /v1/hook/claude-code`: both shapes are Claude Code's. */
export function hookOperation({ host, problem }: Context): object {
  const content = { [JSON_CONTENT]: { schema: { type: "object" } } };
  return {
    operationId: "skillctl.hook",
    tags: [SYSTEM_TAG],
    summary: "Answers an HTTP hook of Claude Code, as `skillctl guard --dialect claude-code` does.",
    requestBody: { required: true, content },
    responses: {
      "200": { description: "What the rules say of the event, whatever it is.", content },
      ...problemResponses(host.catalog, [...GATE, "KEY_REFUSED", ...BODY], problem),
    },
  };
}

/** `GET /health`. */
export function healthOperation({ host, components, problem }: Context): object {
  return {
    operationId: "skillctl.health",
    tags: [SYSTEM_TAG],
    summary: "Says that the server is up, and what it hosts.",
    security: [],
    responses: {
      "200": {
        description: "It is up.",
        content: { [JSON_CONTENT]: { schema: components.put("core.health", HEALTH) } },
      },
      ...problemResponses(host.catalog, GATE, problem),
    },
  };
}

/** `GET /openapi.json`. */
export function documentOperation({ host, problem }: Context): object {
  return {
    operationId: "skillctl.openapi",
    tags: [SYSTEM_TAG],
    summary: "Answers this document.",
    responses: {
      "200": { description: "The document.", content: { [JSON_CONTENT]: { schema: { type: "object" } } } },
      ...problemResponses(host.catalog, [...GATE, "KEY_REFUSED", "SCHEMA_INVALID"], problem),
    },
  };
}
