/** Two hosts in separate networks with one database, behind a proxy that sends each request to the other one. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { folderFor } from "../core/adapters/fixture-folder.ts";
import { noPostgres, startCluster } from "../core/adapters/fixture-postgres.ts";
import { writeConformanceSkill } from "../core/surfaces/mcp/tests/conformance-skill.ts";
import { ERAS, textOf } from "../core/surfaces/mcp/tests/mcp-harness.ts";
import { AskingService, catalogue } from "../plugins/music-analysis/tests/asking-service.ts";
import { needs } from "../plugins/runtime-debug/tests/faults/needs.ts";
import { PROGRAM, variablesOf } from "./command-line.ts";
import { network, type Network } from "./networks.ts";
import { install, nodeOf } from "./registry.ts";

const KEY = "a-key-that-both-hosts-have";
/** Copies a port of the machine to the same port of the network, since http is allowed for the music service on loopback only. */
const RELAY = `require("net").createServer((s) => { const o = require("net").connect(process.argv[1], process.argv[2]);
for (const one of [s, o]) one.on("error", () => one.destroy()); s.pipe(o).pipe(s); }).listen(process.argv[1], "127.0.0.1");`;

/** A host of one machine with a separate home; it can be ended and started again. */
class Machine {
  readonly #start: () => ChildProcess;
  #child: ChildProcess | undefined;

  constructor(start: () => ChildProcess) {
    this.#start = start;
  }

  async start(): Promise<void> {
    this.#child = this.#start();
    await once(this.#child.stdout as NodeJS.ReadableStream, "data");
  }

  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "close");
    child.kill(signal);
    await ended;
  }
}

/** Sends each request to the next machine in turn, or to another one if that takes no connection. */
async function balanced(t: TestContext, addresses: readonly string[]) {
  const served: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => send(addresses.length));
    const send = (tries: number): void => {
      const host = addresses[served.length % addresses.length] as string;
      served.push(host);
      const { method, url: path, headers } = incoming;
      const options = {
        agent: false as const,
        host,
        port,
        method,
        path,
        headers: { ...headers, authorization: `Bearer ${KEY}` },
      };
      const onward = request(options, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
        reply.on("error", () => outgoing.destroy());
      });
      onward.on("error", ({ code }: NodeJS.ErrnoException) => {
        if (code === "ECONNREFUSED" && tries > 1) return send(tries - 1);
        return outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end();
      });
      outgoing.on("close", () => onward.destroy());
      onward.end(Buffer.concat(parts));
    };
  }).listen(0, "127.0.0.1");
  t.after(() => proxy.close());
  t.after(() => proxy.closeAllConnections());
  await once(proxy, "listening");
  const { port } = proxy.address() as { readonly port: number };
  return { url: `http://127.0.0.1:${port}`, port, served };
}

/** Repeats requests that the proxy could not deliver, or that the host no longer accepts. */
const repeated: typeof fetch = async (address, init) => {
  for (;;) {
    const reply = await fetch(address, init);
    if (reply.status < 502) return reply;
  }
};

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
  const reply = await repeated(`${url}/mcp`, {
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

const skip = noPostgres || needs("linux", "root", "ip", "network namespaces");
test("two hosts in separate networks with one database", { skip, timeout: 170_000 }, async (t) => {
  const cluster = await startCluster(["listen_addresses = '*'"]);
  t.after(cluster.close);
  appendFileSync(join(cluster.folder, "data", "pg_hba.conf"), "host all all 10.232.0.0/16 scram-sha-256\n");
  await cluster.ask("SELECT pg_reload_conf()");
  const overall = [
    ["海盐", 7],
    ["海盐 (Live)", 8],
  ] as const;
  const service = await AskingService.start(catalogue({ overall }), "0.0.0.0");
  t.after(() => service.close());
  const { file } = folderFor(t);
  const skill = await writeConformanceSkill(file("skills"));
  const networks: Network[] = [];
  t.after(() => networks.forEach(({ remove }) => remove()));
  for (const number of [1, 2]) networks.push(network("10.232", number));
  const { url, port, served } = await balanced(
    t,
    networks.map(({ address }) => address),
  );
  const machines = networks.map((own) => {
    const home = file(own.name);
    mkdirSync(home);
    const within = (words: readonly string[]): ChildProcess =>
      spawn("ip", ["netns", "exec", own.name, process.execPath, ...words], {
        cwd: home,
        stdio: ["ignore", "pipe", "ignore"],
        env: {
          ...variablesOf(home),
          SKILLCTL_STATE: `${cluster.address.replace("127.0.0.1", own.gateway)}?sslmode=disable`,
          SKILLCTL_KEY: KEY,
          SVC_BASE_URL: service.url,
          SVC_HEADER_TOKEN: "canary-token-5f2b9c",
        },
      });
    const relay = within(["-e", RELAY, new URL(service.url).port, own.gateway]);
    t.after(() => relay.kill("SIGKILL"));
    const bound = [
      "--host",
      own.address,
      "--port",
      String(port),
      "--allow-host",
      "127.0.0.1",
      "--plugin",
      skill,
    ];
    return new Machine(() => within([...PROGRAM, "serve", ...bound]));
  });
  for (const machine of machines) {
    t.after(() => machine.end("SIGKILL"));
    await machine.start();
  }

  const ask = async (question: string, conversation = "talk"): Promise<Readonly<Record<string, unknown>>> => {
    const reply = await repeated(`${url}/v1/skills/music-analysis/commands/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ question, conversation }),
    });
    return (await reply.json()) as Readonly<Record<string, unknown>>;
  };
  const begun = async (name: string, given: object = {}): Promise<string> =>
    String((await mcp(url, "tools/call", { name, arguments: given })).result["taskId"]);
  const settled = async (taskId: string): Promise<Readonly<Record<string, unknown>>> => {
    for (;;) {
      const { result } = await mcp(url, "tasks/get", { taskId });
      if (result["status"] !== "working") return result;
    }
  };

  await t.test("continue each other's conversations, tasks and questions", async () => {
    const before = served.length;
    const choice = await ask("分析《海盐！》的表现");
    assert.deepEqual(
      [choice["kind"], choice["candidates"]],
      ["choice", ["海盐", "海盐 (Live)"]],
      JSON.stringify(choice),
    );
    assert.equal((await ask("2"))["kind"], "song");
    assert.deepEqual(service.bodies.at(-1), { userMessage: "分析《海盐！》的表现", songId: 8 });

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
    const own = served.slice(before);
    assert.deepEqual(
      own.filter((address, index) => address === own[index + 1]),
      [],
    );
  });

  await t.test("pass the conformance suite of MCP", async (s) => {
    const installed = await install(s, [nodeOf(22), "@modelcontextprotocol/conformance@0.2.0-alpha.12"]);
    if (!installed) return;
    for (const era of ERAS) {
      const began = performance.now();
      const words = ["server", "--url", `http://localhost:${port}/mcp`, "--requirements", era];
      const said = await installed.run("conformance", [...words, "-o", file("results")]);
      s.diagnostic(`${era}: ${Math.round(performance.now() - began)} ms, status ${said.status}`);
      const failing = [...said.out.matchAll(/^[✓✗] ([\w-]+): \d+ passed, [1-9]\d* failed$/gm)].map(
        ([, one]) => one,
      );
      assert.deepEqual(
        failing.filter((name) => name !== "json-schema-2020-12"),
        [],
        said.out.slice(-4_000),
      );
      assert.equal(said.status, 0, said.err);
    }
  });

  await t.test("lose nothing while they restart one after the other", async () => {
    const stop = new AbortController();
    const client = new Client(
      { name: "test", version: "1" },
      { versionNegotiation: { mode: "legacy" }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler("elicitation/create", ({ params }) => ({
      action: "accept" as const,
      content: { username: params.message, email: "a@b.example" },
    }));
    const endpoint = new URL(`${url}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(endpoint, { fetch: repeated }));
    t.after(() => client.close());
    let calls = 0;
    const tools = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const message = `call ${(calls += 1)}`;
        const call = { name: "test_elicitation", arguments: { message } };
        const answer = await client.callTool(call, { timeout: 20_000 }).then(textOf, String);
        // A host that ends reports this for a call that it has aborted.
        if (!/CANCELLED|The server is closing/.test(answer))
          assert.match(answer, new RegExp(`"username":"${message}"`));
      }
    };
    let talks = 0;
    const conversations = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const conversation = `talk-${(talks += 1)}`;
        const kinds: unknown[] = [];
        for (const text of ["分析《海盐！》的表现", "2"]) kinds.push((await ask(text, conversation))["kind"]);
        assert.deepEqual(kinds, ["choice", "song"]);
      }
    };
    const ends: (readonly [string, Promise<Readonly<Record<string, unknown>>>])[] = [];
    const work = [tools(), conversations()];
    for (const machine of machines) {
      for (const name of ["slow_compute", "slow_change", "confirm_delete"]) {
        const id = await begun(name, { seconds: 1.5, filename: "a.txt" });
        if (name !== "confirm_delete") ends.push([name, settled(id)]);
        else
          ends.push([
            name,
            (async () => {
              assert.equal((await settled(id))["status"], "input_required");
              const inputResponses = { confirm: { action: "accept", content: { confirm: true } } };
              await mcp(url, "tasks/update", { taskId: id, inputResponses });
              return settled(id);
            })(),
          ]);
      }
      const before = [calls, talks];
      await machine.end();
      await machine.start();
      while (calls < (before[0] ?? 0) + 4 || talks < (before[1] ?? 0) + 4)
        await Promise.race([...work, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
    stop.abort();
    await Promise.all(work);
    for (const [name, end] of ends) {
      const task = await end;
      assert.equal(task["status"], "completed", `${name}: ${JSON.stringify(task)}`);
    }
    t.diagnostic(`${calls} calls of a session, ${talks} conversations, ${ends.length} tasks`);
  });
});
