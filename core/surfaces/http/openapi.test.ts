import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Route } from "../../contract.ts";
import { fixtureHost, type Fixture } from "./fixture-host.ts";
import { openApiDocument } from "./openapi.ts";

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly examples?: object;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}
type Content = Record<string, { schema: unknown; examples?: Record<string, unknown> }>;
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

describe("the OpenAPI document", () => {
  let fixture: Fixture;
  let document: Document;
  before(async () => {
    fixture = await fixtureHost();
    document = (await openApiDocument(fixture.host)).document as unknown as Document;
  });
  after(() => fixture.close());
  const operation = (path: string, method: string): Operation => document.paths[path]?.[method] as Operation;

  it("gives every operation a unique name", () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.includes("demo.greet") && ids.includes("demo.routes.greet"));
  });

  it("adjusts references inside a schema", () => {
    assert.deepEqual(document.components.schemas["demo.node"]?.["properties"], {
      label: { $ref: "#/components/schemas/demo.node/$defs/label" },
      next: { $ref: "#/components/schemas/demo.node" },
    });
  });

  it("resolves every reference", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path as string,
    );
    assert.ok(references.length > 10);
    for (const reference of references) {
      const target = reference
        .split("/")
        .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], document);
      assert.notEqual(target, undefined, reference);
    }
  });

  it("describes a query as parameters", () => {
    const { parameters = [] } = operation("/demo/search", "get");
    assert.deepEqual(parameters[0], {
      name: "limit",
      in: "query",
      required: false,
      description: "The most to answer.",
      schema: { type: "integer", minimum: 1, maximum: 100 },
    });
    assert.deepEqual(
      parameters.map(({ name }) => name),
      ["limit", "ratio", "deep", "word", "tags", "ids", "level"],
    );
  });

  it("pairs the preference for a task with its response by the name of an example", () => {
    const { parameters = [], requestBody, responses } = operation("/v1/skills/demo/commands/greet", "post");
    const preference = parameters.find(({ name }) => name === "Prefer");
    assert.deepEqual(preference?.examples, { task: { value: "respond-async" } });
    assert.ok(requestBody?.content["application/json"]?.examples?.["task"]);
    assert.ok(responses["202"]?.content?.["application/json"]?.examples?.["task"]);
  });

  it("describes a string as text and an empty status without content", () => {
    assert.ok(operation("/demo/line", "get").responses["200"]?.content?.["text/plain"]);
    assert.equal(operation("/demo/line", "delete").responses["204"]?.content, undefined);
  });

  it("declares at the events of commands the errors that their addresses declare", async () => {
    const { host, close } = await fixtureHost(({ commands, ...manifest }) => ({
      ...manifest,
      errors: { LOST: { exit: 65, http: 409, fault: "user", summary: "It is lost." } },
      commands: Object.fromEntries(
        Object.entries(commands ?? {}).map(([name, one]) => [name, { ...one, errors: ["LOST"] }]),
      ),
    }));
    const { paths } = (await openApiDocument(host)).document as unknown as Document;
    const own = Object.keys(paths["/v1/skills/demo/commands/greet"]?.["post"]?.responses ?? {});
    const events = Object.keys(
      paths["/v1/skills/{skill}/commands/{command}/events"]?.["post"]?.responses ?? {},
    );
    assert.ok(own.includes("409"));
    assert.deepEqual(
      own.filter((status) => status !== "202" && !events.includes(status)),
      [],
    );
    await close();
  });

  it("gives the media type of a stream's schema, and lists a string separately from JSON", async () => {
    const route = (name: string): Route => ({
      summary: "Flows.",
      method: "GET",
      path: `/${name}`,
      replies: { 200: `demo/${name}` },
    });
    const { host, close } = await fixtureHost(({ routes, ...manifest }) => ({
      ...manifest,
      commands: {
        ...manifest.commands,
        idle: { summary: "Pages.", input: "demo/empty", output: "demo/page" },
      },
      routes: {
        ...routes,
        ...Object.fromEntries(["flow", "page", "done", "hue"].map((name) => [name, route(name)])),
      },
    }));
    const { paths, components } = (await openApiDocument(host)).document as unknown as Document;
    const content = (path: string) => paths[path]?.["get"]?.responses["200"]?.content ?? {};
    assert.deepEqual(Object.keys(content("/demo/flow")), ["text/event-stream"]);
    assert.deepEqual(Object.keys(content("/demo/done")), ["text/plain"]);
    assert.deepEqual(Object.keys(content("/demo/hue")), ["application/json", "text/plain"]);
    assert.deepEqual(content("/demo/page"), {
      "application/json": { schema: { type: "array", examples: [[]] } },
      "application/x-ndjson": { schema: { type: "string", contentMediaType: "application/x-ndjson" } },
    });
    // Commands send strings as JSON.
    assert.deepEqual((components.schemas["demo.page"] as { anyOf: unknown[] }).anyOf.length, 2);
    await close();
  });

  it("gives each type of a value its own alternative, with its own values and bounds", async () => {
    const { host, close } = await fixtureHost((manifest) => ({
      ...manifest,
      commands: {
        ...manifest.commands,
        choose: { summary: "Chooses.", input: "demo/choice", output: "demo/line" },
      },
    }));
    const { components } = (await openApiDocument(host)).document as unknown as Document;
    assert.deepEqual(components.schemas["demo.choice"]?.["properties"], {
      size: {
        description: "A size.",
        anyOf: [{ type: "string", enum: ["any"] }, { type: "integer", enum: [1, 2] }, { type: "null" }],
      },
      name: { anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] },
      mode: { anyOf: [{ type: "string", enum: ["fast"] }, { type: "number", enum: [2] }, { type: "null" }] },
      mark: {
        anyOf: [
          { type: "object", properties: { at: { type: "string", maxLength: 100 } }, required: ["at"] },
          { type: "string", minLength: 1 },
        ],
      },
    });
    await close();
  });

  it("leaves out and reports operations without a schema, and describes the rest", async () => {
    const { host, witness, close } = await fixtureHost();
    await rm(join(host.catalog.skill("demo").schemas, "node.json"));
    const openApi = await openApiDocument(host);
    const { paths } = openApi.document as unknown as Document;
    assert.equal(openApi.whole, false);
    assert.equal(paths["/v1/skills/demo/commands/graph"], undefined);
    assert.ok(paths["/v1/skills/demo/commands/greet"]);
    assert.match(
      witness.notices.join(),
      /^POST \/v1\/skills\/demo\/commands\/graph is left out of the OpenAPI document: .*demo\/node/,
    );
    await close();
  });
});
