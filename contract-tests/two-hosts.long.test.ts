/** Two hosts with one state behind a proxy that sends each request to the other one. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { createServer, request } from "node:http";
import { describe, test, type TestContext } from "node:test";
import { folderFor } from "../core/adapters/fixture-folder.ts";
import { noPostgres, startCluster } from "../core/adapters/fixture-postgres.ts";
import { writeConformanceSkill } from "../core/surfaces/mcp/tests/conformance-skill.ts";
import { AskingService, catalogue } from "../plugins/music-analysis/tests/asking-service.ts";
import { program } from "./command-line.ts";

interface Host {
  readonly port: number;
  readonly end: () => Promise<unknown>;
}

/** A host whose home is its own, as on a machine of its own. */
async function serve(
  folder: string,
  skill: string,
  variables: Readonly<Record<string, string>>,
): Promise<Host> {
  mkdirSync(folder);
  const child = program(["serve", "--port", "0", "--no-key", "--plugin", skill], folder, { variables });
  let out = "";
  child.stderr.resume();
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  while (!out.includes("\n")) await once(child.stdout, "data");
  const end = async (): Promise<unknown> => {
    if (child.exitCode !== null) return undefined;
    const ended = once(child, "close");
    child.kill("SIGTERM");
    return ended;
  };
  return { port: Number(new URL(out.trim()).port), end };
}

/** Sends each request to the next host in turn. */
async function balanced(t: TestContext, ports: readonly number[]) {
  const served: number[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const port = ports[served.length % ports.length] as number;
    served.push(port);
    const { method, url, headers } = incoming;
    const options = {
      host: "127.0.0.1",
      port,
      method,
      path: url,
      headers: { ...headers, host: `127.0.0.1:${port}` },
    };
    const onward = request(options, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(onward);
  }).listen(0, "127.0.0.1");
  t.after(() => proxy.close());
  await once(proxy, "listening");
  return { url: `http://127.0.0.1:${(proxy.address() as { readonly port: number }).port}`, served };
}

const REVISION = "2026-07-28";

interface Params {
  readonly name?: string;
  readonly taskId?: string;
  readonly [member: string]: unknown;
}

/** Asks the MCP endpoint in the era without sessions. */
async function mcp(url: string, method: string, params: Params) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {
      elicitation: {},
      extensions: { "io.modelcontextprotocol/tasks": {} },
    },
  };
  const reply = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      "mcp-name": params.name ?? params.taskId ?? "",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const text = await reply.text();
  return JSON.parse(text.startsWith("{") ? text : text.slice(text.lastIndexOf("data: ") + 6)) as {
    readonly result: Readonly<Record<string, unknown>>;
  };
}

describe("two hosts that share a database", { skip: noPostgres }, () => {
  test("go on with each other's conversations, tasks and questions, also when one of them has ended", async (t) => {
    const cluster = await startCluster();
    t.after(cluster.close);
    const service = await AskingService.start(
      catalogue({
        overall: [
          ["海盐", 7],
          ["海盐 (Live)", 8],
        ],
      }),
    );
    t.after(() => service.close());
    const { file } = folderFor(t);
    const skill = await writeConformanceSkill(file("skills"));
    const variables = {
      SKILLCTL_STATE: cluster.address,
      SVC_BASE_URL: service.url,
      SVC_HEADER_TOKEN: "canary-token-5f2b9c",
    };
    const hosts = [await serve(file("one"), skill, variables), await serve(file("two"), skill, variables)];
    for (const { end } of hosts) t.after(end);
    const { url, served } = await balanced(
      t,
      hosts.map(({ port }) => port),
    );

    const ask = async (question: string): Promise<Readonly<Record<string, unknown>>> => {
      const reply = await fetch(`${url}/v1/skills/music-analysis/commands/ask`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ question, conversation: "talk" }),
      });
      return (await reply.json()) as Readonly<Record<string, unknown>>;
    };
    const choice = await ask("分析《海盐！》的表现");
    assert.deepEqual(
      [choice["kind"], choice["candidates"]],
      ["choice", ["海盐", "海盐 (Live)"]],
      JSON.stringify(choice),
    );
    assert.equal((await ask("2"))["kind"], "song");
    assert.deepEqual(service.bodies.at(-1), { userMessage: "分析《海盐！》的表现", songId: 8 });

    const begun = async (name: string, given: object = {}): Promise<string> =>
      String((await mcp(url, "tools/call", { name, arguments: given })).result["taskId"]);
    const settled = async (taskId: string): Promise<Readonly<Record<string, unknown>>> => {
      for (;;) {
        const { result } = await mcp(url, "tasks/get", { taskId });
        if (result["status"] !== "working") return result;
      }
    };
    const asking = await begun("confirm_delete", { filename: "a.txt" });
    assert.equal((await settled(asking))["status"], "input_required");
    const inputResponses = { confirm: { action: "accept", content: { confirm: true } } };
    await mcp(url, "tasks/update", { taskId: asking, inputResponses });
    assert.match(JSON.stringify(await settled(asking)), /Deleted a\.txt/);

    const called = { name: "test_input_required_result_request_state", arguments: {} };
    const { requestState } = (await mcp(url, "tools/call", called)).result;
    const responses = { confirm: { action: "accept", content: { ok: true } } };
    const done = await mcp(url, "tools/call", { ...called, requestState, inputResponses: responses });
    assert.match(JSON.stringify(done), /state-ok/);

    assert.deepEqual(
      served.filter((port, index) => port === served[index + 1]),
      [],
    );
    await ask("分析《海盐！》的表现");
    await hosts[served.length % 2 ? 0 : 1]?.end();
    assert.equal((await ask("1"))["kind"], "song");
    assert.equal(service.bodies.at(-1)?.songId, 7);
  });
});
