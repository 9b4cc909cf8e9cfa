import type { Command, SkillManifest } from "../../contract.ts";

/** A JSON object. */
export type Shape = Readonly<Record<string, unknown>>;

const object = (properties: Shape, required: readonly string[] = [], more: Shape = {}): Shape => ({
  type: "object",
  required,
  additionalProperties: false,
  properties,
  ...more,
});
const text = { type: "string", maxLength: 100 };

/** The schemas of the skill `demo`, by file name. */
export const SCHEMAS: Readonly<Record<string, Shape>> = {
  "greet-input": object(
    { name: { ...text, minLength: 1 }, times: { type: "integer", minimum: 1, maximum: 9 } },
    ["name"],
    {
      examples: [{ name: "Ada" }],
    },
  ),
  "greet-output": object({ text, seen: {} }, ["text"], { examples: [{ text: "Hello, Ada." }] }),
  empty: object({}),
  node: object({ label: { $ref: "#/$defs/label" }, next: { $ref: "#" } }, ["label"], {
    $defs: { label: text },
  }),
  "search-query": object(
    {
      limit: { description: "The most to answer.", type: "integer", minimum: 1, maximum: 100 },
      ratio: { type: "number", minimum: -10, maximum: 10 },
      deep: { type: "boolean" },
      word: text,
      tags: { type: "array", items: text, maxItems: 5 },
      ids: { type: "array", items: { $ref: "#/$defs/id" }, maxItems: 5 },
      level: { enum: [1, 2] },
    },
    [],
    { $defs: { id: { type: "integer", minimum: 0, maximum: 9 } } },
  ),
  anything: { title: "Anything" },
  line: text,
  page: {
    anyOf: [{ type: "array" }, { type: "string", contentMediaType: "application/x-ndjson" }],
    examples: [[], "{}\n"],
  },
  choice: object({
    size: { description: "A size.", type: ["string", "integer", "null"], enum: ["any", 1, 2, null] },
    name: { type: ["string", "null"], maxLength: 9 },
    mode: { enum: ["fast", 2, null] },
    mark: { type: ["object", "string"], minLength: 1, properties: { at: text }, required: ["at"] },
  }),
  done: { const: "ok" },
  hue: { anyOf: [{ enum: ["red", "blue"] }, { type: "object" }] },
  flow: { type: "string", maxLength: 100_000_000, contentMediaType: "text/event-stream" },
};

const command = (name: string, more: Partial<Command> = {}): Command => ({
  summary: `Does ${name}.`,
  input: "demo/empty",
  output: "demo/greet-output",
  ...more,
});

/** The manifest of the skill `demo`, with one example of each part. */
export const MANIFEST: SkillManifest = {
  manifestVersion: 1,
  name: "demo",
  version: "1.0.0",
  summary: "Shows everything that a skill can offer over HTTP.",
  engines: { skillctl: "^0.1.0" },
  commands: {
    greet: command("greet", { input: "demo/greet-input", errors: ["DEMO_TEAPOT"] }),
    idle: command("idle"),
    odd: command("odd"),
    partial: command("partial"),
    talk: command("talk"),
    wait: command("wait"),
    graph: command("graph", { input: "demo/node" }),
    watch: command("watch", { keepsRunning: true, surfaces: ["cli", "http"] }),
    print: command("print", { surfaces: ["cli"] }),
  },
  routes: {
    greet: {
      summary: "Greets.",
      method: "POST",
      path: "/greet",
      body: "demo/greet-input",
      replies: { 201: "demo/greet-output" },
    },
    search: {
      summary: "Searches.",
      method: "GET",
      path: "/search",
      query: "demo/search-query",
      replies: { 200: "demo/anything" },
    },
    stray: { summary: "Strays.", method: "GET", path: "/stray", replies: { 200: "demo/anything" } },
    crooked: {
      summary: "Is crooked.",
      method: "GET",
      path: "/crooked",
      replies: { 200: "demo/greet-output" },
    },
    line: { summary: "Says a line.", method: "GET", path: "/line", replies: { 200: "demo/line" } },
    gone: { summary: "Deletes.", method: "DELETE", path: "/line", replies: { 204: "demo/anything" } },
  },
  errors: { DEMO_TEAPOT: { exit: 2, http: 418, fault: "user", summary: "It is a teapot." } },
};
