/** Every sample of docs/embedding.md, with the SDKs of the registry against a fake provider, and spans of a real tracer. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { writeSkill } from "../core/surfaces/cli/fixture-command-line.ts";
import { ROOT } from "./harness.ts";
import { install, nodeOf } from "./registry.ts";

const run = promisify(execFile);
const PAGE = readFileSync(join(ROOT, "docs", "embedding.md"), "utf8");
const BLOCKS = [...PAGE.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text = ""]) => text);
const PACKAGES = [
  "@anthropic-ai/sdk@1",
  "express@5",
  "@opentelemetry/api@1",
  "@opentelemetry/sdk-trace-node@2",
];

/** Release lines of the SDKs that need different release lines of Node. */
const LINES = [
  { line: 20, packages: ["ai@6", "openai@6"] },
  { line: 22, packages: ["ai@7", "openai@7"] },
];

/** The only code block that contains this text. */
function block(name: string): string {
  const found = BLOCKS.filter((text) => text.includes(name));
  assert.equal(found.length, 1, name);
  return found[0] as string;
}

const HOST = `import { createHost as makeHost } from "skillctl/host";
const host = await makeHost({ plugins: ["./skills/greeting"] });
const prompt = "Greet Ada.";
`;

async function ran(at: string, node: string, source: string): Promise<string> {
  const file = join(at, `script-${Math.random().toString(36).slice(2)}.js`);
  await writeFile(file, source);
  const { stdout } = await run(node, [file], { cwd: at, timeout: 60_000 });
  return stdout.trim();
}

/** The results that the model received in the current loop; runners may leave out earlier ones. */
const told: string[] = [];

/** A provider whose model calls the tool without a name, then with one, and then repeats the results. */
function reply(path: string, { messages }: { readonly messages: readonly Message[] }): object {
  const last = messages.at(-1);
  const results =
    last?.role === "tool" ? [last.content] : [last?.content].flat().filter(isResult).map(textOf);
  if (results.length === 0) told.length = 0;
  else told.push(String(results.at(-1)));
  const given = [{}, { name: "Ada" }][told.length];
  const id = `call_${told.length}`;
  const text = told.join(" | ");
  if (path.endsWith("/messages")) {
    const content = given
      ? { type: "tool_use", id, name: "greeting_greet", input: given }
      : { type: "text", text };
    const stop_reason = given ? "tool_use" : "end_turn";
    const usage = { input_tokens: 1, output_tokens: 1 };
    return {
      id: "m",
      type: "message",
      role: "assistant",
      model: "m",
      content: [content],
      stop_reason,
      usage,
    };
  }
  const called = { name: "greeting_greet", arguments: JSON.stringify(given) };
  const message = given
    ? { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: called }] }
    : { role: "assistant", content: text };
  const choices = [{ index: 0, message, finish_reason: given ? "tool_calls" : "stop" }];
  return { id: "c", object: "chat.completion", created: 1, model: "m", choices };
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

interface ToolResult {
  readonly is_error?: boolean;
  readonly content: string | readonly { readonly text: string }[];
}

function isResult(part: unknown): part is ToolResult {
  return typeof part === "object" && part !== null && "type" in part && part.type === "tool_result";
}

function textOf({ content, is_error }: ToolResult): string {
  const text = typeof content === "string" ? content : content.map((part) => part.text).join("");
  return is_error === true ? `error ${text}` : text;
}

const provider = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => (body += text));
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(reply(request.url ?? "", JSON.parse(body) as { readonly messages: Message[] })),
    );
  });
}).listen(0, "127.0.0.1");
await once(provider, "listening");
after(() => provider.close().closeAllConnections());
const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

/** A model of the AI SDK that does the same. */
const MODEL = `import * as mocks from "ai/test";
const [, Mock] = Object.entries(mocks).filter(([name]) => name.startsWith("MockLanguageModelV")).at(-1);
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = new Mock({ doGenerate: async ({ prompt }) => {
  const told = prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content).map(({ output }) => (output.type.startsWith("error") ? "error " : "") + output.value);
  const given = [{}, { name: "Ada" }][told.length];
  const call = given && { type: "tool-call", toolCallId: "c" + told.length, toolName: "greeting_greet", input: JSON.stringify(given) };
  return { content: [call ?? { type: "text", text: told.join(" | ") }], finishReason: { unified: call ? "tool-calls" : "stop" }, usage, warnings: [] };
} });
`;
const TOLD = /^(error )?(Error: )?INPUT_INVALID: .*name.*\nHint: .* \| Hello,? Ada/s;

for (const { line, packages } of LINES)
  test(`the samples run with ${packages.join(" and ")} on Node ${line}`, async (t) => {
    const isOwn = process.version.startsWith(`v${line}.`);
    const installed = await install(t, [...packages, ...PACKAGES, ...(isOwn ? [] : [nodeOf(line)])]);
    if (!installed) return;
    const { folder: at, node: program } = installed;
    for (const [name, target] of [
      ["skillctl", ROOT],
      ["fastify", join(ROOT, "node_modules", "fastify")],
    ] as const)
      await symlink(target, join(at, "node_modules", name), "junction");
    await writeSkill(join(at, "skills"), "greeting");

    await t.test("generateText of the AI SDK calls tools and receives errors", async () => {
      const said = await ran(at, program, `${HOST}${MODEL}${block("generateText")}await host.close();`);
      assert.match(said, TOLD);
      assert.match(said, /^error /);
    });

    await t.test("the tool runner of the Anthropic SDK calls tools and receives errors", async () => {
      const client = `import Anthropic from "@anthropic-ai/sdk";\nconst anthropic = new Anthropic({ apiKey: "k", baseURL: "${url}" });\n`;
      const said = await ran(at, program, `${HOST}${client}${block("anthropicTools")}await host.close();`);
      assert.match(said, TOLD);
      assert.match(said, /^error /);
    });

    await t.test("runTools of the OpenAI SDK calls tools and receives errors", async () => {
      const client = `import OpenAI from "openai";\nconst openai = new OpenAI({ apiKey: "k", baseURL: "${url}/v1" });\n`;
      const said = await ran(at, program, `${HOST}${client}${block("openaiTools")}await host.close();`);
      assert.match(said, TOLD);
    });

    await t.test("the tools have the types that the SDKs expect", async () => {
      const source = `import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { generateText, type LanguageModel } from "ai";
import { createHost } from "skillctl/host";
import { aiTools, anthropicTools, openaiTools } from "skillctl/ai";
declare const model: LanguageModel;
const host = await createHost();
await generateText({ model, prompt: "", tools: await aiTools(host) });
await new Anthropic().beta.messages.toolRunner({ model: "m", max_tokens: 1, messages: [], tools: await anthropicTools(host) });
new OpenAI().chat.completions.runTools({ model: "m", messages: [], tools: await openaiTools(host) });
`;
      const options = {
        target: "es2023",
        module: "nodenext",
        strict: true,
        noEmit: true,
        skipLibCheck: true,
      };
      const types = join(ROOT, "node_modules", "@types");
      const compilerOptions = {
        ...options,
        exactOptionalPropertyTypes: true,
        typeRoots: [types],
        types: ["node"],
      };
      await writeFile(join(at, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
      await writeFile(join(at, "types.ts"), source);
      const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
      const said = await run(process.execPath, [compiler, "-p", at]).then(
        () => "",
        ({ stdout }: { readonly stdout: string }) => stdout,
      );
      assert.equal(said, "");
    });

    await t.test("the other samples behave as documented", async () => {
      assert.match(await ran(at, program, block("createHost({ skills")), /Hello,? Ada/);
      const more = 'await host.run({ skill: "greeting", input: { name: "Ada" } });\nawait host.close();';
      assert.equal(await ran(at, program, `${HOST}${block("host.events")}${more}`), "greeting greet ok");
    });

    for (const name of ['from "node:http"', "express()", "fastify()"])
      await t.test(`the sample of a server with ${name} serves MCP`, async () => {
        const port = await freePort();
        const file = join(at, `server-${port}.js`);
        await writeFile(file, `${HOST}const port = ${port};\n${block(name)}\n`);
        const child = execFile(program, [file], { cwd: at });
        const ended = once(child, "close");
        const client = new Client({ name: "test", version: "1" });
        const address = new URL(`http://127.0.0.1:${port}/mcp`);
        const isUp = () => fetch(address, { method: "PUT" }).then(Boolean, () => false);
        while (!(await isUp())) if (child.exitCode !== null) assert.fail("The server has ended.");
        await client.connect(new StreamableHTTPClientTransport(address));
        const result = await client.callTool({ name: "greeting_greet", arguments: { name: "Ada" } });
        assert.match(JSON.stringify(result.content), /Hello,? Ada/);
        await client.close();
        child.kill("SIGTERM");
        await ended;
      });

    await t.test("the sample of serveMcp serves standard input and output", async () => {
      const file = join(at, "stdio.js");
      await writeFile(file, `${HOST}${block("await serveMcp")}await host.close();`);
      const client = new Client({ name: "test", version: "1" });
      await client.connect(new StdioClientTransport({ command: program, args: [file], cwd: at }));
      assert.ok((await client.listTools()).tools.length > 0);
      await client.close();
    });

    await t.test(
      "calls are spans of a registered tracer, below the active one and above those of a handler",
      async () => {
        const traced = `import { trace } from "@opentelemetry/api";
export default { commands: { greet: class { run = async ({ name }) => {
  trace.getTracer("handler").startSpan("GET").end();
  return { text: "Hello " + name };
} } } };`;
        await writeSkill(join(at, "traced"), "greeting", { code: traced });
        const source = `import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { createHost } from "skillctl/host";
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const rule = { tell: "No.", on: ["command.pre"], when: { properties: { input: { properties: { name: { const: "Eve" } } } } }, decision: "deny", message: "No." };
const host = await createHost({ plugins: ["./traced/greeting"], rules: { user: { eve: rule } } });
await trace.getTracer("own").startActiveSpan("request", async (span) => {
  await host.run({ skill: "greeting", input: { name: "Ada" } });
  await host.run({ skill: "greeting", input: { name: "Eve" } }).catch(() => undefined);
  span.end();
});
await host.close();
const spans = exporter.getFinishedSpans();
const nameOf = (id) => spans.find((one) => one.spanContext().spanId === id)?.name;
console.log(JSON.stringify(spans.map(({ name, parentSpanContext, attributes, events, status }) => [name, nameOf(parentSpanContext?.spanId) ?? "", attributes["error.type"] ?? "", events.map((event) => event.attributes["skillctl.decision"]).join(), status.code])));`;
        const said = await ran(at, program, source);
        assert.deepEqual(JSON.parse(said), [
          ["GET", "greeting greet", "", "", 0],
          ["greeting greet", "request", "", "", 0],
          ["greeting greet", "request", "GUARD_DENIED", "deny", 2],
          ["request", "", "", "", 0],
        ]);
      },
    );
  });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
