/** MCP in an embedding program: a handler mounted in servers of node:http, Fastify and with a parsed body, as Express has, and a pipe. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { connect as connectTo, createServer as createPipe, type AddressInfo, type Socket } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fastify from "fastify";
import { mcpHandler, serveMcp, type McpHandler, type McpHandlerOptions } from "skillctl/host";
import { createTestHost } from "skillctl/testing";
import { PassThrough } from "node:stream";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../../../../contract-tests/harness.ts";
import { ERAS, connect, textOf, writeProbe } from "./mcp-harness.ts";

async function hosted(t: TestContext) {
  const place = await createTestHost();
  t.after(place.close);
  const { host, close } = await createTestHost({ plugins: [await writeProbe(place.folder)] });
  t.after(close);
  return host;
}

/** Answers a request; a promise is not waited for. */
type Answer = (...given: Parameters<RequestListener>) => Promise<void>;

async function listening(t: TestContext, answer: Answer): Promise<string> {
  const server = createServer((...given) => void answer(...given)).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return text;
}

/** Servers with a mounted handler, by kind. Each answers with its address. */
const SERVERS: Readonly<Record<string, (t: TestContext, mcp: McpHandler) => Promise<string>>> = {
  "node:http": (t, mcp) => listening(t, mcp.node),
  "a parsed body": (t, mcp) =>
    listening(t, async (request, response) => {
      const text = await bodyOf(request);
      await mcp.node(request, response, text === "" ? {} : JSON.parse(text));
    }),
  Fastify: async (t, mcp) => {
    const app = fastify();
    app.all("/mcp", (request, reply) => {
      reply.hijack();
      return mcp.node(request.raw, reply.raw, request.body);
    });
    t.after(() => app.close());
    return `${await app.listen({ host: "127.0.0.1", port: 0 })}/mcp`;
  },
};

async function connected(t: TestContext, url: string, era: (typeof ERAS)[number]): Promise<Client> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: era };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  t.after(() => client.close());
  return client;
}

for (const [kind, open] of Object.entries(SERVERS))
  for (const era of ERAS)
    describe(`a handler mounted in ${kind}, in MCP ${era}`, () => {
      test("lists and calls, streams progress, and aborts the calls that the client abandons", async (t) => {
        const mcp = await mcpHandler(await hosted(t));
        const client = await connected(t, await open(t, mcp), era);
        const { tools } = await client.listTools();
        assert.ok(tools.some(({ name }) => name === "probe_talk"));
        const talk = await client.callTool({ name: "probe_talk", arguments: { name: "Ada ♫" } });
        assert.deepEqual(talk.structuredContent, { text: "I am Ada ♫" });
        const leaving = new AbortController();
        const said: unknown[] = [];
        const waiting = client.callTool(
          { name: "probe_wait" },
          {
            signal: leaving.signal,
            onprogress: ({ message }) => {
              said.push(message);
              leaving.abort();
            },
          },
        );
        await assert.rejects(waiting);
        assert.deepEqual(said, ["Waiting."]);
        let ended = "";
        while (ended !== "aborted: 1") ended = textOf(await client.callTool({ name: "probe_ended" }));
        await mcp.close();
      });
    });

describe("a mounted handler", () => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const asked = (url: string, headers: Readonly<Record<string, string>>, body: unknown = message) =>
    new Request(url, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  test("answers for loopback and for the names that are allowed, and to no other site", async (t) => {
    const host = await hosted(t);
    const wide: McpHandlerOptions = {
      allowHosts: ["tools.example"],
      allowOrigins: ["https://app.example"],
    };
    const [local, open] = [await mcpHandler(host), await mcpHandler(host, wide)];
    const cases = [
      ["http://localhost:3000/mcp", {}, [200, 200]],
      ["http://127.0.0.1/mcp", { origin: "http://localhost:5173" }, [200, 200]],
      ["https://tools.example/mcp", {}, [403, 200]],
      ["https://rebound.example/mcp", {}, [403, 403]],
      ["http://localhost/mcp", { host: "rebound.example" }, [403, 403]],
      ["http://localhost/mcp", { origin: "https://app.example" }, [403, 200]],
      ["http://localhost/mcp", { origin: "https://evil.example" }, [403, 403]],
    ] as const;
    for (const [url, headers, expected] of cases) {
      const answers = await Promise.all([local, open].map((mcp) => mcp.fetch(asked(url, headers, BEGIN))));
      const found = answers.map(({ status }) => status);
      assert.deepEqual(found, expected, `${url} ${JSON.stringify(headers)}`);
    }
    await Promise.all([local.close(), open.close()]);
  });

  test("offers the skills and the tools that were chosen", async (t) => {
    const host = await hosted(t);
    await assert.rejects(() => mcpHandler(host, { skills: { only: ["prob"] } }), /UNKNOWN_SKILL|no skill/);
    const mcp = await mcpHandler(host, { tools: "compact" });
    const url = await listening(t, mcp.node);
    const { tools } = await (await connected(t, url, "2026-07-28")).listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["find", "describe", "call"],
    );
    await mcp.close();
  });

  test("refuses a message over 4 MiB and other methods", async (t) => {
    const mcp = await mcpHandler(await hosted(t));
    const url = await listening(t, mcp.node);
    const long = JSON.stringify({ ...message, params: { text: "x".repeat(5 * 1024 * 1024) } });
    assert.equal((await fetch(asked(url, {}, long))).status, 413);
    const put = await fetch(url, { method: "PUT" });
    assert.deepEqual([put.status, put.headers.get("allow")], [405, "GET, POST, DELETE"]);
    await mcp.close();
  });
});

const BEGIN = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

describe("serveMcp", () => {
  for (const era of ERAS)
    test(`serves standard input and output, which skills cannot disturb, in MCP ${era}`, async (t) => {
      const place = await createTestHost();
      t.after(place.close);
      const [skill, file] = [await writeProbe(place.folder), join(place.folder, "embedder.mjs")];
      const source = `import { createHost, serveMcp } from ${JSON.stringify(join(ROOT, "dist", "host.js"))};
const host = await createHost({ plugins: [${JSON.stringify(skill)}] });
await serveMcp(host);
await host.close();`;
      await writeFile(file, source);
      await using opened = await connect({ era, folder: place.environment.workingFolder, start: [file] });
      assert.equal(textOf(await opened.client.callTool({ name: "probe_print" })), "printed");
      await opened.said(/stray\nmore\n/);
    });

  test("serves a host over two streams until the input ends", async (t) => {
    const host = await hosted(t);
    const pipe = createPipe().listen(0, "127.0.0.1");
    await once(pipe, "listening");
    t.after(() => pipe.close());
    const client = connectTo((pipe.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8");
    const [socket] = (await once(pipe, "connection")) as [Socket];
    const serving = serveMcp(host, {
      input: socket,
      output: socket,
      skills: { only: ["probe"] },
      tools: "compact",
    });
    client.write(`${JSON.stringify(BEGIN)}\n`);
    const [begun] = (await once(client, "data")) as [string];
    assert.equal(JSON.parse(begun).result.serverInfo.name, "skillctl");
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
    client.write(
      `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n${JSON.stringify(list)}\n`,
    );
    const [listed] = (await once(client, "data")) as [string];
    assert.equal(JSON.parse(listed).result.tools.length, 3);
    client.end();
    await serving;
    socket.destroy();
  });

  test("ends with its signal", async (t) => {
    const host = await hosted(t);
    const ending = new AbortController();
    const input = new PassThrough();
    const serving = serveMcp(host, { input, output: input, signal: ending.signal });
    ending.abort();
    await serving;
  });
});
