/** The command line and HTTP offer what the manifests declare, with the same schemas, also for a third-party skill. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createTestHost, type TestHost } from "skillctl/testing";
import type { Command } from "../core/contract.ts";
import {
  greetingFiles,
  greetingManifest,
  writeSkill,
  type SkillFiles,
} from "../core/testing/fixture-greeting.ts";
import { sayInProcess } from "./command-line.ts";
import { SKILLS } from "./harness.ts";

interface Schema {
  readonly [key: string]: unknown;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Operation {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Setup {
  readonly test: TestHost;
  readonly url: string;
  readonly plugin: string;
  readonly document: Document;
  readonly commands: readonly (readonly [skill: string, name: string, command: Command])[];
}

/** The third-party skill, with a command that keeps running and names no surfaces. */
function withWatch(): SkillFiles {
  const manifest = greetingManifest();
  const watch = { ...manifest.commands.greet, default: false, keepsRunning: true };
  return {
    ...greetingFiles(),
    "skill.json": { ...manifest, commands: { ...manifest.commands, watch } },
    "plugin.js": (greetingFiles()["plugin.js"] as string).replace(
      "greet: Greet",
      "greet: Greet, watch: Greet",
    ),
  };
}

/** The built-in skills and a third-party one, served. */
async function scene(action: (scene: Setup) => Promise<void>): Promise<void> {
  await using place = await createTestHost();
  const plugin = await writeSkill(place.folder, "greeting", withWatch());
  await using host = await createTestHost({ skills: SKILLS, plugins: [plugin] });
  const { url } = await host.serve();
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const commands = host.host.catalog.skills.flatMap(({ manifest }) =>
    Object.entries(manifest.commands ?? {}).map(([name, command]) => [manifest.name, name, command] as const),
  );
  await action({ test: host, url, plugin, document, commands });
}

/** The schema of the document as in its file: only its address differs. */
function asInFile(document: Document, schema: Schema | undefined): unknown {
  const reference = typeof schema?.["$ref"] === "string" ? schema["$ref"] : "";
  const key = reference.replace("#/components/schemas/", "");
  const text = JSON.stringify(document.components.schemas[key] ?? schema);
  return JSON.parse(text.replaceAll(`"${reference}/`, '"#/').replaceAll(`"${reference}"`, '"#"'));
}

/** Whether the document expresses a list of types or mixed values of the file as `anyOf`. */
function isRewritten(schema: unknown): boolean {
  const { type, enum: values } = (schema ?? {}) as { readonly type?: unknown; readonly enum?: unknown };
  const mixed = Array.isArray(values) && new Set(values.map((value) => typeof value)).size > 1;
  if (mixed || Array.isArray(type)) return true;
  return typeof schema === "object" && schema !== null && Object.values(schema).some(isRewritten);
}

function fileOf({ test }: Setup, name: string): unknown {
  const [skill = "", file = ""] = name.split("/");
  const folder = test.host.catalog.skill(skill).schemas;
  const {
    $schema: _dialect,
    $id: _address,
    ...schema
  } = JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8")) as Schema;
  return schema;
}

function assertSame(
  all: Setup,
  schema: Schema | undefined,
  name: string,
  withheld: readonly string[] = [],
): void {
  const file = fileOf(all, name) as Schema & Readonly<Record<"properties" | "examples", object>>;
  const isOffered = (one: object): boolean => !withheld.some((property) => property in one);
  for (const property of withheld) delete (file.properties as Record<string, unknown>)[property];
  if (withheld.length > 0) Object.assign(file, { examples: Object.values(file.examples).filter(isOffered) });
  if (!isRewritten(file)) assert.deepEqual(asInFile(all.document, schema), file, name);
}

interface Anyhow {
  readonly anyOf: readonly Schema[];
}

const JSON_TYPE = "application/json";
const offeredOver = (surface: "http" | "cli", command: Command): boolean =>
  command.surfaces ? command.surfaces.includes(surface) : surface === "cli" || !command.keepsRunning;

/** Addresses that answer without a key: they hold no data. */
const KEYLESS = new Set([
  "/mcp/server-card",
  "/.well-known/ai-catalog.json",
  "/.well-known/agent-skills/index.json",
  "/.well-known/agent-skills/{archive}",
  "/health",
]);

describe("HTTP", () => {
  test("offers exactly the commands whose surfaces say so", () =>
    scene(async ({ document, commands }) => {
      const wanted = commands
        .filter(([, , command]) => offeredOver("http", command))
        .map(([skill, name]) => `/v1/skills/${skill}/commands/${name}`);
      assert.deepEqual(
        Object.keys(document.paths)
          .filter((path) => path.startsWith("/v1/skills/") && !path.endsWith("/events"))
          .sort(),
        wanted.sort(),
      );
    }));

  test("with a key answers requests without it only with its health and its public documents, whatever a skill declares for its routes", async () => {
    await using host = await createTestHost({ skills: SKILLS });
    const key = "correct-horse-battery-staple";
    const { url } = await host.serve({ key });
    const headers = { authorization: `Bearer ${key}` };
    const { paths } = (await (await fetch(`${url}/openapi.json`, { headers })).json()) as Document;
    const open: string[] = [];
    for (const [path, operations] of Object.entries(paths))
      for (const method of Object.keys(operations).filter((name) => ["get", "post", "delete"].includes(name)))
        if ((await fetch(url + path, { method })).status !== 401) open.push(`${method} ${path}`);
    assert.deepEqual(
      open,
      [...KEYLESS].map((path) => `get ${path}`),
    );
    assert.equal((await fetch(`${url}/runtime-debug/health`)).status, 401);
  });

  test("reads no file outside the served project with a built-in command, and reports an overlong name as the caller's fault", async () => {
    await using host = await createTestHost({ skills: SKILLS });
    const { url } = await host.serve();
    const named: Readonly<Record<string, object>> = {
      outdir: { logs: {}, doctor: { session: "far-away" }, serve: { session: "far-away" } },
      report: { cleanup: {} },
      files: { undo: {}, keep: {} },
      apply: { probe: { hypothesis: "A", point: "a", data: ["a"] } },
    };
    for (const [property, commands] of Object.entries(named)) {
      for (const [command, more] of Object.entries(commands)) {
        for (const path of [host.folder, "/etc/passwd", "../../etc", "x".repeat(300)]) {
          const value = property === "files" ? [path] : property === "apply" ? `${path}:1` : path;
          const reply = await fetch(`${url}/v1/skills/runtime-debug/commands/${command}`, {
            method: "POST",
            body: JSON.stringify({ ...more, [property]: value }),
            headers: { "content-type": JSON_TYPE },
          });
          const { pointer } = (await reply.json()) as { readonly pointer?: string };
          const at = property === "files" ? "/files/0" : `/${property}`;
          assert.deepEqual([reply.status, pointer], [400, at], `${command} ${path}`);
        }
      }
    }
  });

  test("answers a command that it does not offer like an unknown address", () =>
    scene(async ({ url, commands, test: host }) => {
      for (const [skill, name, command] of commands) {
        if (offeredOver("http", command)) continue;
        const reply = await fetch(`${url}/v1/skills/${skill}/commands/${name}`, {
          method: "POST",
          body: "{}",
          headers: { "content-type": JSON_TYPE },
        });
        const problem = (await reply.json()) as { readonly code: string };
        assert.ok([403, 404].includes(reply.status), `${skill} ${name}: ${reply.status}`);
        assert.equal((await host.host.schemas.check("core/problem"))(problem), undefined);
      }
    }));

  test("states one type for each value and only JSON for each command, as client generators require", () =>
    scene(async ({ document }) => {
      assert.equal(isRewritten(document), false);
      for (const [path, { post }] of Object.entries(document.paths)) {
        if (!path.startsWith("/v1/skills/") || path.endsWith("/events")) continue;
        assert.deepEqual(Object.keys(post?.responses["200"]?.content ?? {}), [JSON_TYPE], path);
      }
    }));

  test("documents the response of a debug route without a session, and the responses of every address", () =>
    scene(async ({ document, url }) => {
      const reply = await fetch(`${url}/runtime-debug/health`);
      const { code } = (await reply.json()) as { readonly code: string };
      assert.deepEqual([reply.status, code], [503, "DEBUG_NOT_SERVED"]);
      for (const [path, methods] of Object.entries(document.paths))
        for (const { responses } of Object.values(methods)) {
          if (path.startsWith("/runtime-debug/"))
            assert.match(JSON.stringify(responses["503"]), /"DEBUG_NOT_SERVED"/);
          assert.ok(responses["404"] && responses["405"], path);
          if (!KEYLESS.has(path)) assert.ok(responses["401"], path);
        }
    }));

  test("carries the input and output schema of every command word for word, without withheld properties", () =>
    scene(async (all) => {
      for (const [skill, name, command] of all.commands) {
        const operation = all.document.paths[`/v1/skills/${skill}/commands/${name}`]?.["post"];
        if (!operation) continue;
        const input = operation.requestBody?.content[JSON_TYPE]?.schema;
        const output = operation.responses["200"]?.content?.[JSON_TYPE]?.schema;
        assertSame(all, input, command.input, command.withheld?.http);
        assertSame(all, output, command.output);
      }
    }));

  test("carries the body and the replies of every route word for word", () =>
    scene(async (all) => {
      let count = 0;
      for (const { skill, route } of all.test.host.catalog.routes()) {
        const operation = all.document.paths[`/${skill}${route.path}`]?.[route.method.toLowerCase()];
        assert.ok(operation, `${route.method} /${skill}${route.path}`);
        if (route.body) assertSame(all, operation.requestBody?.content[JSON_TYPE]?.schema, route.body);
        for (const [status, name] of Object.entries(route.replies)) {
          const content: Content = operation.responses[status]?.content ?? {};
          const json = (content[JSON_TYPE] ?? Object.values(content)[0])?.schema;
          const apart = Object.values(content).filter(
            ({ schema }) => schema["type"] === "string" || typeof schema["const"] === "string",
          );
          if (apart.length === 0) assertSame(all, json, name);
          else {
            // Its strings are sent with separate media types.
            const rest = asInFile(all.document, json) as Partial<Anyhow> & Schema;
            const { anyOf, ...whole } = fileOf(all, name) as Anyhow & Schema;
            const own = (one: Schema): object => ({ ...whole, ...one, examples: undefined });
            const parts = [...(rest.anyOf ?? [rest]), ...apart.map(({ schema }) => schema)];
            assert.deepEqual(new Set(parts.map(own)), new Set(anyOf.map(own)));
          }
          count += 1;
        }
      }
      assert.ok(count >= 2);
    }));
});

describe("the command line", () => {
  test("has help for every command, with every property of its input, the descriptions, and the required properties", () =>
    scene(async ({ test: host, plugin, commands }) => {
      for (const [skill, name, command] of commands) {
        if (!offeredOver("cli", command)) continue;
        const { status, out } = await sayInProcess(
          ["run", skill, name, "--help", "--plugin", plugin],
          host.folder,
        );
        assert.equal(status, 0, `${skill} ${name}: ${out}`);
        const words = out.replaceAll(/\s+/g, " ");
        const { properties = {} } = (await host.host.schemas.document(command.input)) as {
          readonly properties?: Readonly<Record<string, Schema>>;
        };
        for (const [property, schema] of Object.entries(properties)) {
          const labelOf = (one: string): string => {
            const kebab = one.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
            const isPositional = command.positional?.includes(one) === true;
            return isPositional ? kebab.replaceAll("-", "_").toUpperCase() : `--${kebab}`;
          };
          const label = labelOf(property);
          assert.ok(out.includes(label), `${skill} ${name}: ${label} is not in the help`);
          const text = typeof schema["description"] === "string" ? schema["description"] : "";
          const description = text
            .replaceAll(/`(\w+)`/g, (mention, one: string) =>
              one !== property && Object.hasOwn(properties, one) ? labelOf(one) : mention,
            )
            .replaceAll(/\s+/g, " ")
            .replace(/\.$/, "");
          assert.ok(
            words.includes(description),
            `${skill} ${name}: the description of ${property} is not in the help`,
          );
        }
      }
    }));
});

test("a wrong input has the same sentence and pointer in process and over HTTP, and the typed name on the command line", () =>
  scene(async ({ test: host, url, plugin }) => {
    const input = { name: "" };
    const caught = await host
      .run({ skill: "greeting", command: "greet", input })
      .catch((error: unknown) => error as Error & { pointer: string });
    const { message, pointer } = caught as { readonly message: string; readonly pointer: string };
    assert.equal(pointer, "/name");
    const reply = await fetch(`${url}/v1/skills/greeting/commands/greet`, {
      method: "POST",
      body: JSON.stringify(input),
      headers: { "content-type": JSON_TYPE },
    });
    const problem = (await reply.json()) as { readonly detail: string; readonly pointer: string };
    assert.deepEqual([problem.detail, problem.pointer], [message, pointer]);
    const { status, err } = await sayInProcess(
      ["run", "greeting", "greet", "", "--plugin", plugin],
      host.folder,
    );
    assert.equal(status, 65);
    assert.equal(err.split("\n")[0], `error: ${message.replace("/name", "NAME")}`);
  }));
