import { STATUS_CODES } from "node:http";
import type { Catalog, CommandEntry, RouteEntry } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import type { CoreCode } from "../../errors/codes.ts";
import { offeredInput } from "../../offered-input.ts";
import type { GuardEvent } from "../../plugin.ts";
import type { JsonSchema } from "../../schema/schemas.ts";
import type { Components } from "./openapi-components.ts";
import { EVENTS_PATH, PREFER_PARAMETER, SESSION_PARAMETER, TASK_PATH } from "./command-endpoint.ts";
import { DISCOVERY } from "./discovery.ts";
import { GUARD_PATH, HOOK_PATH } from "./guard-endpoint.ts";
import { TASK } from "./task-endpoint.ts";

/** The tag of operations that belong to no skill. */
export const SYSTEM_TAG = "skillctl";
const COMMAND_EVENTS = ["command.pre", "command.post"] as const;
const JSON_CONTENT = "application/json";

/** The schema of the `/health` response. */
const HEALTH: JsonSchema = {
  title: "Health",
  description: "The state of the server and of its skills.",
  type: "object",
  required: ["status", "version", "skills", "faults"],
  additionalProperties: false,
  properties: {
    status: { const: "ok" },
    version: { description: "The version of skillctl.", type: "string" },
    skills: { description: "Names of the hosted skills.", type: "array", items: { type: "string" } },
    faults: {
      description: "Number of skills, or parts of skills, that were left out.",
      type: "integer",
      minimum: 0,
    },
  },
};

interface System {
  readonly id: string;
  readonly summary: string;
  readonly codes: readonly string[];
  readonly request?: object;
  readonly answer: string;
  readonly content: object;
  /** Further replies that are not problems, by status. */
  readonly also?: object;
  readonly more?: object;
}

/** The OpenAPI operations of a host. `problem` refers to the schema of errors. */
export class Operations {
  constructor(
    private readonly host: Host,
    private readonly components: Components,
    private readonly problem: JsonSchema,
  ) {}

  /** `POST /v1/skills/<skill>/commands/<command>`. @throws SkillError `SCHEMA_INVALID`. */
  async command({ skill, name, command }: CommandEntry): Promise<object> {
    const input = await offeredInput(this.host.schemas, command, "http");
    const { required = [], examples = [] } = input;
    const [example] = command.keepsRunning ? [] : (examples as readonly unknown[]);
    // It has the name of the example of `Prefer`: tools use the name to pair a request with its response.
    const named = (value: unknown): object | undefined =>
      example === undefined ? undefined : { task: { value } };
    const rules = guardCodes(this.host.catalog, skill, COMMAND_EVENTS);
    const codes = [...GATE, "KEY_REFUSED", ...BODY, ...HANDLED, ...rules, ...(command.errors ?? [])];
    return {
      operationId: `${skill}.${name}`,
      tags: [skill],
      summary: command.summary,
      parameters: [SESSION_PARAMETER, ...(command.keepsRunning ? [] : [PREFER_PARAMETER])],
      requestBody: {
        description: "The input. A missing body means {}.",
        required: (required as readonly unknown[]).length > 0,
        content: json(
          command.withheld?.http
            ? this.components.put(`${skill}.${name}.input`, input)
            : await this.components.reference(command.input),
          named(example),
        ),
      },
      responses: {
        "200": {
          description:
            "The output. With `Accept: text/event-stream` it is sent as the events of `skillctl.events`.",
          content: json(await this.components.reference(command.output)),
        },
        ...(!command.keepsRunning && {
          "202": {
            description: "`Prefer: respond-async`: the call continues; its address is in `Location`.",
            content: json(
              {
                type: "object",
                required: ["id", "status"],
                properties: { id: { type: "string" }, status: { const: "working" } },
              },
              named({ id: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", status: "working" }),
            ),
          },
        }),
        ...this.problems(codes, skill),
      },
    };
  }

  /** A contributed route. @throws SkillError `SCHEMA_INVALID`. */
  async route({ skill, name, route }: RouteEntry): Promise<object> {
    const rules = guardCodes(this.host.catalog, skill, ["route.request"]);
    const body = route.body === undefined ? [] : BODY;
    const codes = [...GATE, "KEY_REFUSED", ...body, ...HANDLED, ...rules, ...(route.errors ?? [])];
    const responses: Record<string, object> = {
      ...this.problems(codes, skill),
    };
    for (const [status, reply] of Object.entries(route.replies)) {
      const { description, content = {} } = (responses[status] ?? {}) as {
        description?: string;
        content?: object;
      };
      responses[status] = {
        description: [STATUS_CODES[status] ?? "A reply.", description].filter(Boolean).join("\n\n"),
        ...(hasNoBody(status)
          ? {}
          : { content: { ...(await replyContent(this.components, reply)), ...content } }),
      };
    }
    return {
      operationId: `${skill}.routes.${name}`,
      tags: [skill],
      summary: route.summary,
      ...(route.query !== undefined && { parameters: await parameters(this.components, route.query) }),
      ...(route.body !== undefined && {
        requestBody: { required: true, content: json(await this.components.reference(route.body)) },
      }),
      responses,
    };
  }

  /** Operations of the server itself, by path; all except `/health` need the key of a server with a key. @throws SkillError `SCHEMA_INVALID`. */
  async system(): Promise<readonly (readonly [path: string, method: string, object])[]> {
    const anything = json({ type: "object" });
    const health = json(this.components.put("core.health", HEALTH));
    const parameter = (name: string, description: string): object => ({
      name,
      in: "path",
      required: true,
      description,
      schema: { type: "string", minLength: 1, maxLength: 64 },
    });
    const skills = this.host.catalog.skills.map(({ manifest }) => manifest);
    const ofCommands = skills.flatMap(({ name, commands = {} }) => [
      ...Object.values(commands).flatMap(({ errors = [] }) => errors),
      ...guardCodes(this.host.catalog, name, COMMAND_EVENTS),
    ]);
    // One operation for the events of all commands, so that each operation of a command has one response type.
    const events = this.#own({
      id: "events",
      summary: "Runs a command and reports its progress.",
      codes: [...BODY, ...HANDLED, "UNKNOWN_SKILL", "UNKNOWN_COMMAND", "SURFACE_REFUSED", ...ofCommands],
      request: {
        description: "The input of the command. A missing body means {}.",
        required: false,
        content: anything,
      },
      answer:
        "The events `progress` and `announce` with a `text`, then `result` with the output or `problem` with the error. An error before the first event has the same response as at the address of the command.",
      content: { "text/event-stream": { schema: { type: "string" } } },
      more: {
        parameters: [
          parameter("skill", "A hosted skill."),
          parameter("command", "One of its commands."),
          SESSION_PARAMETER,
        ],
      },
    });
    const task = {
      codes: ["NOT_FOUND", "FILE_UNREADABLE"],
      content: json(this.components.put("core.task", TASK)),
      more: { parameters: [parameter("task", "The id of a task.")] },
    };
    const watch = this.#own({
      ...task,
      id: "task",
      summary: "Returns a call that continues after its response.",
      answer:
        "The task. With `Accept: text/event-stream` its progress and its end, as the events of a command.",
    });
    const cancel = this.#own({
      ...task,
      id: "cancelTask",
      summary: "Cancels a call that continues after its response.",
      answer: "The task. A task that has ended does not change.",
    });
    const guard = this.#own({
      id: "guard",
      summary: "Evaluates the rules of all hosted skills for a request.",
      codes: [...BODY, "INPUT_INVALID", "SCHEMA_INVALID"],
      request: { required: true, content: json(await this.components.reference("core/guard-request")) },
      answer: "The decision, whatever it is.",
      content: json(await this.components.reference("core/guard-decision")),
    });
    const hook = this.#own({
      id: "hook",
      summary: "Answers an HTTP hook of Claude Code, as `skillctl guard --dialect claude-code` does.",
      codes: BODY,
      request: { required: true, content: anything },
      answer: "The decision about the event, whatever it is.",
      content: anything,
    });
    const more = { security: [] };
    const discovery = DISCOVERY.map(({ id, path, type, summary }) => {
      const isArchive = path.includes(":");
      const operation = this.#own({
        id,
        summary,
        codes: isArchive ? ["NOT_FOUND"] : [],
        answer: "The document.",
        content: {
          [type]: { schema: isArchive ? { type: "string", contentMediaType: type } : { type: "object" } },
        },
        more: { ...more, ...(isArchive && { parameters: [parameter("archive", "A skill: NAME.zip.")] }) },
      });
      return [path.replace(/:(\w+)/, "{$1}"), "GET", operation] as const;
    });
    const sign = {
      id: "health",
      summary: "Reports that the server is up, and lists its skills.",
      answer: "The server is up.",
      more,
    };
    const own = {
      id: "openapi",
      summary: "Returns this document.",
      answer: "The document.",
      codes: ["SCHEMA_INVALID"],
      also: { "304": { description: "The document has the `ETag` in `If-None-Match`." } },
    };
    return [
      [EVENTS_PATH.replaceAll(/:(\w+)/g, "{$1}"), "POST", events],
      [TASK_PATH.replaceAll(/:(\w+)/g, "{$1}"), "GET", watch],
      [TASK_PATH.replaceAll(/:(\w+)/g, "{$1}"), "DELETE", cancel],
      [GUARD_PATH, "POST", guard],
      [HOOK_PATH, "POST", hook],
      ...discovery,
      ["/health", "GET", this.#own({ ...sign, codes: [], content: health })],
      ["/openapi.json", "GET", this.#own({ ...own, content: anything })],
    ];
  }

  #own({ id, summary, codes, request, answer, content, also, more = {} }: System): object {
    const key = "security" in more ? [] : ["KEY_REFUSED"];
    return {
      operationId: `skillctl.${id}`,
      tags: [SYSTEM_TAG],
      summary,
      ...(request && { requestBody: request }),
      responses: {
        "200": { description: answer, content },
        ...also,
        ...this.problems([...GATE, ...key, ...codes]),
      },
      ...more,
    };
  }

  /** The error responses of an operation by status; each lists its possible codes. */
  problems(codes: readonly Code[], skill?: string): Readonly<Record<string, object>> {
    const { catalog } = this.host;
    const byStatus = new Map<number, string[]>();
    for (const code of [...new Set(codes)].sort()) {
      const { http } = catalog.codeEntry(code, skill);
      byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
    }
    const responses = [...byStatus].map(([status, listed]) => [
      String(status),
      this.problemReply(status, listed, skill),
    ]);
    return Object.fromEntries(responses) as Readonly<Record<string, object>>;
  }

  /** The error response of a status, with its possible codes. */
  problemReply(status: number, codes: readonly Code[], skill?: string): object {
    const { catalog } = this.host;
    const description = codes
      .map((code) => `${code}: ${catalog.codeEntry(code, skill).summary}`)
      .join("\n\n");
    const narrowed = { type: "object", properties: { code: { enum: codes }, status: { const: status } } };
    return {
      description,
      content: { "application/problem+json": { schema: { allOf: [this.problem, narrowed] } } },
    };
  }
}

async function parameters(components: Components, query: string): Promise<readonly object[]> {
  const { properties = {}, required = [] } = await components.inside(query);
  // Inner references point into the whole schema, which is therefore added if it has any.
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

/**
 * A reply by media type. A string is sent as text; the schema of another type, such as a stream, names its own. Each
 * alternative is listed separately, so that no client type includes a string that never occurs.
 */
async function replyContent(components: Components, name: string): Promise<object> {
  const { anyOf, examples, ...schema } = await components.inside(name);
  const all = (anyOf ?? []) as readonly JsonSchema[];
  const texts = all.filter(isText);
  if (texts.length === 0 || texts.length === all.length)
    return { [mediaType({ ...texts[0], ...schema })]: { schema: await components.reference(name) } };
  const written = (examples as readonly unknown[] | undefined)?.filter((one) => typeof one !== "string");
  const rest = all.filter((one) => !texts.includes(one));
  // Inner references point into the whole schema.
  if (JSON.stringify(all).includes('"$ref":')) await components.reference(name);
  const [only, ...more] = rest;
  const others = more.length === 0 ? only : { anyOf: rest };
  return Object.fromEntries([
    [JSON_CONTENT, { schema: { ...schema, ...others, ...(written && { examples: written }) } }],
    ...texts.map((text) => [mediaType(text), { schema: text }]),
  ]);
}

function mediaType(schema: JsonSchema): string {
  const { contentMediaType } = schema;
  if (typeof contentMediaType === "string") return contentMediaType;
  return isText(schema) ? "text/plain" : JSON_CONTENT;
}

/** Whether all values of a schema are texts. */
function isText({ type, const: value, enum: values = [value] }: JsonSchema): boolean {
  const listed = values as readonly unknown[];
  return type === "string" || (listed.length > 0 && listed.every((one) => typeof one === "string"));
}

function hasNoBody(status: string): boolean {
  return status === "204" || status === "304" || status.startsWith("1");
}

function json(schema: JsonSchema, examples?: object): object {
  return { [JSON_CONTENT]: { schema, ...(examples && { examples }) } };
}

type Code = CoreCode | (string & {});

/** Codes that every request can cause. */
const GATE: readonly Code[] = ["REQUEST_UNREADABLE", "HOST_REFUSED", "ORIGIN_REFUSED", "INTERNAL"];
/** Codes that a body can cause besides those of its schema. */
const BODY: readonly Code[] = ["BODY_UNREADABLE", "BODY_TOO_LARGE", "MEDIA_TYPE_REFUSED", "SERVER_BUSY"];
/** Codes of every operation with a schema and a handler. */
const HANDLED: readonly Code[] = [
  "INPUT_INVALID",
  "OUTPUT_INVALID",
  "PLUGIN_MISSING",
  "PLUGIN_BROKEN",
  "PORT_MISSING",
  "SCHEMA_INVALID",
  "CONFIG_INVALID",
];

/** The codes of rules, if any rule applies to one of the events of the skill. */
function guardCodes({ skills }: Catalog, skill: string, events: readonly GuardEvent[]): readonly Code[] {
  const rules = skills.flatMap(({ manifest }) =>
    Object.values(manifest.rules ?? {}).filter((rule) => rule.applies === "all" || manifest.name === skill),
  );
  const heard = rules.some((rule) => rule.on?.some((event) => events.includes(event)));
  return heard ? ["GUARD_DENIED", "GUARD_ASKS", "GUARD_FAILED"] : [];
}
