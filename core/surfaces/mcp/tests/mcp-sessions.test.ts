/** Sessions of MCP 2025-11-25 whose requests go alternately to two hosts with one store. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createTestHost } from "skillctl/testing";
import { folderFor } from "../../../adapters/fixture-folder.ts";
import { textOf, writeProbe } from "./mcp-harness.ts";

/** Two servers, and a client whose requests go to them in turn. */
async function scene(t: TestContext) {
  const plugins = [await writeProbe(folderFor(t).file("skills"))];
  const one = await createTestHost({ plugins });
  t.after(one.close);
  const two = await createTestHost({ plugins, ports: { state: one.host.ports.state } });
  t.after(two.close);
  const servers = [await one.serve(), await two.serve()] as const;
  let turn = 0;
  const inTurn = (address: string | URL, init?: RequestInit): Promise<Response> => {
    const url = new URL(address);
    url.port = String(servers[(turn += 1) % 2]?.port);
    return fetch(url, init);
  };
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", servers[0].url), { fetch: inTurn });
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: "legacy" }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { choice: "A" } }));
  await client.connect(transport);
  t.after(() => client.close());
  const call = async (name: string, options = {}): Promise<string> =>
    textOf(await client.callTool({ name: `probe_${name}`, arguments: {} }, options));
  return { one, two, servers, transport, client, call };
}

test("a session continues at a host that did not begin it, as the same conversation", async (t) => {
  const { call } = await scene(t);
  const said = new Set<string>();
  for (let count = 0; count < 4; count += 1) said.add(await call("speak"));
  assert.equal(said.size, 1);
  assert.match([...said].join(""), /^http mcp-[\da-f-]{36}$/);
});

test("the answer to a question reaches the call at the other host, and so does a cancellation", async (t) => {
  const { call, one, two, client } = await scene(t);
  for (let count = 0; count < 3; count += 1) assert.equal(await call("once"), "A");
  for (let count = 0; count < 2; count += 1) {
    const stop = new AbortController();
    let begun: () => void;
    const isWaiting = new Promise<void>((resolve) => (begun = resolve));
    const waiting = call("wait", { signal: stop.signal, onprogress: () => begun() });
    await isWaiting;
    // Another request between, so that the cancellation goes to the host without the call, or to the one with it.
    if (count === 1) await client.ping();
    stop.abort();
    await assert.rejects(waiting);
    const wanted = `aborted: ${count + 1}`;
    while (!(await Promise.all([call("ended"), call("ended")])).includes(wanted));
  }
  assert.deepEqual([...one.log.notices, ...two.log.notices], []);
});

test("a log level that is set at one host applies at both, and a session that ends at one has ended at both", async (t) => {
  const { client, call, transport, servers } = await scene(t);
  const heard: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void heard.push(params.data));
  await client.setLoggingLevel("error");
  for (let count = 0; count < 2; count += 1) await call("speak");
  assert.deepEqual(heard, []);
  await client.setLoggingLevel("info");
  for (let count = 0; count < 2; count += 1) await call("speak");
  assert.deepEqual(heard, ["One.", "Two.", "Three.", "One.", "Two.", "Three."]);
  const { sessionId } = transport;
  await transport.terminateSession();
  for (const { url } of servers) {
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-session-id": String(sessionId),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/list" });
    assert.equal((await fetch(`${url}/mcp`, { method: "POST", headers, body })).status, 404);
  }
});
