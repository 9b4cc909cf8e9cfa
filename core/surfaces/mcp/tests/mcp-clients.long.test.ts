/** MCP clients of other projects, from the registry, over HTTP and over standard input and output. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createHost, serveHttp } from "skillctl/host";
import { temporaryFolder, writeSkill } from "../../cli/fixture-command-line.ts";
import { PROGRAM, variablesOf } from "../../../../contract-tests/command-line.ts";
import { install, nodeOf } from "../../../../contract-tests/registry.ts";

/** The steps of a trial: lists tools, calls one, sees progress, cancels a call, answers a form. */
const STEPS = ["list", "call", "progress", "cancel", "answer"];

interface McpClient {
  readonly packages: readonly string[];
  /** Steps that the client does not support; those with the prefix `stdio` are missing over stdio only. */
  readonly lacks?: readonly string[];
  /** A module that exports `open(server, { progress, answer })`. */
  readonly source: string;
}

const SDK = `
export async function open({ url, headers, ...stdio }, { progress, answer }) {
  const client = new Client({ name: "trial", version: "1" }, OPTIONS);
  client.setRequestHandler(ELICITATION, ({ params }) => answer(params));
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) : new StdioClientTransport(stdio));
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given, signal) => call(client, { name, arguments: given }, { signal, onprogress: ({ message }) => progress(message) }),
    close: () => client.close(),
  };
}
`;
const SDK_2 = `
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
const ELICITATION = "elicitation/create";
const OPTIONS = { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } };
const call = (client, params, options) => client.callTool(params, options);
${SDK}`;

const CLIENTS: Readonly<Record<string, McpClient>> = {
  "SDK 1": {
    packages: ["@modelcontextprotocol/sdk@1"],
    source: `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema as ELICITATION } from "@modelcontextprotocol/sdk/types.js";
const OPTIONS = { capabilities: { elicitation: {} } };
const call = (client, params, options) => client.callTool(params, undefined, options);
${SDK}`,
  },
  "SDK 2": { packages: ["@modelcontextprotocol/client@2"], source: SDK_2 },
  "AI SDK": {
    packages: ["@ai-sdk/mcp@2"],
    lacks: ["progress", "stdio cancel"],
    source: `
import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as Stdio } from "@ai-sdk/mcp/mcp-stdio";
export async function open({ url, headers, ...stdio }, { answer }) {
  const transport = url ? { type: "http", url, headers } : new Stdio(stdio);
  const client = await createMCPClient({ transport, capabilities: { elicitation: {} } });
  client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => answer(params));
  const tools = await client.tools();
  return {
    list: async () => Object.keys(tools),
    call: (name, given, abortSignal) => tools[name].execute(given, { toolCallId: "1", messages: [], abortSignal }),
    close: () => client.close(),
  };
}
`,
  },
  LangChain: {
    packages: ["@langchain/mcp-adapters@1", "@langchain/core@1"],
    lacks: ["answer"],
    source: `
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
export async function open(server, { progress, answer }) {
  const client = new MultiServerMCPClient({
    mcpServers: { trial: { transport: server.url ? "http" : "stdio", ...server } },
    onProgress: ({ message }) => progress(message),
  });
  const tools = Object.fromEntries((await client.getTools()).map((tool) => [tool.name, tool]));
  return {
    list: async () => Object.keys(tools),
    call: (name, given, signal) => tools[name].invoke(given, { signal }),
    close: () => client.close(),
  };
}
`,
  },
  Mastra: {
    packages: ["@mastra/mcp@2", "@mastra/core@1"],
    source: `
import { MCPClient } from "@mastra/mcp";
export async function open({ url, headers, ...stdio }, { progress, answer }) {
  const server = url ? { url: new URL(url), requestInit: { headers } } : stdio;
  const inputRequests = async ({ params }) => answer(params);
  const client = new MCPClient({ servers: { trial: { ...server, enableProgressTracking: true, inputRequests } } });
  await client.progress.onUpdate("trial", ({ message }) => progress(message));
  const tools = await client.listTools();
  return {
    list: async () => Object.keys(tools),
    call: (name, given, abortSignal) => tools["trial_" + name].execute(given, { abortSignal }),
    close: () => client.disconnect(),
  };
}
`,
  },
};

/** Two of the clients, different ones in each run of the long suite; each takes half a minute to install and try. */
function someClients(): readonly (readonly [string, McpClient])[] {
  const all = Object.entries(CLIENTS);
  const first = Number(process.env["TEST_SEED"] ?? 0) % all.length;
  return [...all, ...all].slice(first, first + 2);
}

/** Performs the steps with a client and prints `true` or the fault for each. */
const TRIAL = `
const said = [];
const forms = [];
const { server, lacks: LACKS } = JSON.parse(process.env.TRIAL);
const { open } = await import(process.argv[2]);
const client = await open(server, {
  progress: (sentence) => said.push(sentence),
  answer: ({ message }) => (forms.push(message), { action: "accept", content: { choice: "B" } }),
});
const call = async (name, given = {}, signal) => JSON.stringify(await client.call("trial_" + name, given, signal));
const counts = async () => JSON.parse(/\\[\\d+,\\d+\\]/.exec(await call("state"))[0]);
const until = async (isSo) => {
  for (const end = Date.now() + 5_000; Date.now() < end; ) if (isSo(await counts())) return true;
  return "not within 5 s";
};
const controller = new AbortController();
const [begun, aborted] = await counts();
const STEPS = {
  list: async () => (await client.list()).some((name) => name.endsWith("trial_greet")),
  call: async () => (await call("greet", { name: "Ada" })).includes("Hello Ada"),
  progress: async () => {
    call("wait", {}, controller.signal).catch(() => undefined);
    await until((now) => now[0] > begun);
    return LACKS.includes("progress") ? "lacks" : until(() => said.includes("Waiting."));
  },
  cancel: async () => (controller.abort(), until((now) => now[1] > aborted)),
  answer: async () => ((await call("ask")).includes("chosen B") && forms.join() === "Is it fixed?") || "shown: " + forms.join(),
};
const did = {};
for (const [name, step] of Object.entries(STEPS)) did[name] = LACKS.includes(name) && name !== "progress" ? "lacks" : await step().catch((caught) => String(caught?.message ?? caught).slice(0, 300));
await client.close();
process.stdout.write(JSON.stringify(did) + "\\n", () => process.exit(0));
`;

const CODE = `
let [begun, aborted] = [0, 0];
const question = { text: "Is it fixed?", options: [{ value: "A", label: "It is fixed" }, { value: "B", label: "It is not" }] };
const cancelled = () => Object.assign(new Error("Given up."), { code: "CANCELLED", [Symbol.for("skillctl.error")]: true });
const does = (run) => class { run = async (input, call) => ({ text: await run(call, input) }); };
export default { commands: {
  greet: does(async (_, { name }) => "Hello " + name),
  wait: does(({ signal, progress }) => new Promise((_, reject) => {
    begun += 1;
    progress("Waiting.");
    signal.addEventListener("abort", () => { aborted += 1; reject(cancelled()); });
  })),
  state: does(async () => JSON.stringify([begun, aborted])),
  ask: does(async ({ person }) => "chosen " + (person.choose ? await person.choose(question) : "nothing")),
} };
`;

/** A skill with a command for each step, below `parent`. */
function writeTrialSkill(parent: string): Promise<string> {
  const command = { input: "trial/nothing", output: "trial/text-output", display: "text" };
  const commands = ["wait", "state", "ask"].map((name) => [name, { ...command, summary: `Does ${name}.` }]);
  const greet = { ...command, summary: "Greets.", input: "trial/greet-input" };
  return writeSkill(parent, "trial", {
    manifest: { commands: { ...(Object.fromEntries(commands) as object), greet } },
    schemas: { nothing: { type: "object", additionalProperties: false, properties: {} } },
    code: CODE,
  });
}

/** The servers that a client connects to, by way. */
async function servers(t: TestContext) {
  const { path, close } = await temporaryFolder();
  const plugin = await writeTrialSkill(path);
  const host = await createHost({ plugins: [plugin] });
  const key = "a-key-of-a-test-server";
  const served = await serveHttp(host, { key });
  t.after(async () => {
    await served.close();
    await host.close();
    await close();
  });
  const words = [...PROGRAM, "mcp", "--only", "trial", "--plugin", plugin];
  return {
    http: { url: `${served.url}/mcp`, headers: { authorization: `Bearer ${key}` } },
    stdio: { command: process.execPath, args: words, env: variablesOf(path), cwd: path },
  };
}

test("clients of other projects", { timeout: 300_000, concurrency: 2 }, async (t) => {
  const clients = someClients();
  const packages = clients.flatMap(([, client]) => client.packages);
  const installed = await install(t, [...packages, nodeOf(22), "@modelcontextprotocol/inspector@2.12.0"]);
  if (!installed) return;
  const { folder, run } = installed;
  const ways = await servers(t);
  await writeFile(join(folder, "trial.js"), TRIAL);
  for (const [name, { lacks = [], source }] of clients) {
    const file = `./${name.replaceAll(" ", "-")}.js`;
    await writeFile(join(folder, file), source);
    const trials = Object.entries(ways).map(([way, server]) => {
      const missing = STEPS.filter((step) => lacks.includes(step) || lacks.includes(`${way} ${step}`));
      const title = STEPS.filter((step) => !missing.includes(step)).join(", ");
      return t.test(`${name} over ${way}: ${title}`, async () => {
        const trial = { TRIAL: JSON.stringify({ server, lacks: missing }) };
        const { out, err } = await run("node", ["trial.js", file], trial);
        const done = Object.fromEntries(STEPS.map((step) => [step, missing.includes(step) ? "lacks" : true]));
        const said = out.split("\n").find((line) => line.startsWith("{")) ?? "{}";
        assert.deepEqual(JSON.parse(said), done, err.slice(-2_000));
      });
    });
    await Promise.all(trials);
  }

  const { url, headers } = ways.http;
  const { command, args, cwd } = ways.stdio;
  const targets = {
    http: [url, "--transport", "http", "--header", `Authorization: ${headers.authorization}`],
    stdio: [command, ...args, "--cwd", cwd],
  };
  const inspections = Object.entries(targets).map(([way, target]) => {
    const inspect = (...words: readonly string[]) =>
      run("mcp-inspector", ["--cli", ...target, "--method", ...words], { HOME: folder });
    return t.test(`Inspector over ${way}: list with --strict, call`, async () => {
      const listed = await inspect("tools/list", "--strict");
      assert.deepEqual([listed.status, listed.err], [0, ""]);
      assert.match(listed.out, /"trial_greet"/);
      const called = await inspect("tools/call", "--tool-name", "trial_greet", "--tool-arg", "name=Ada");
      assert.match(called.out, /Hello Ada/, called.err);
    });
  });
  await Promise.all(inspections);
});
