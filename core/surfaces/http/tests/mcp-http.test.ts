/**
 * `/mcp` of `skillctl serve`: its access, sessions and limits. The tests over standard input cover the calls
 * themselves.
 */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import type { HttpServerOptions } from "skillctl/host";
import { hostOf } from "../../../../contract-tests/doors-harness.ts";

const KEY = "k".repeat(32);
const COMMAND = { summary: "Does it.", input: "sample/any", output: "sample/text-output", display: "text" };
const MANIFEST = {
  commands: {
    read: { ...COMMAND, paths: ["file"] },
    speak: COMMAND,
    wait: COMMAND,
    // Commands that run programs are not offered over HTTP.
    local: { ...COMMAND, surfaces: ["cli", "mcp"] },
  },
};
const CODE = `
let aborted = 0;
const does = (run) => class { run = async (input, call) => ({ text: await run(input, call) }); };
export default { commands: {
  read: does(({ file }) => "read " + file),
  speak: does((_, { session, surface }) => [surface, session, aborted].join(" ")),
  local: does(() => ""),
  wait: does((_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => { aborted += 1; resolve(""); }))),
} };
`;

async function served(t: TestContext, options?: HttpServerOptions) {
  const host = await hostOf(t, "sample", { manifest: MANIFEST, code: CODE });
  const server = await host.serve(options);
  const ask = (method: string, headers: Record<string, string> = {}, message?: unknown): Promise<Response> =>
    fetch(`${server.url}/mcp`, {
      method,
      headers: {
        accept: "application/json, text/event-stream",
        ...(message !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(message !== undefined && { body: typeof message === "string" ? message : JSON.stringify(message) }),
    });
  return { server, ask };
}

const BEGIN = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
const calling = (name: string, given: object = {}) => ({
  jsonrpc: "2.0",
  id: 3,
  method: "tools/call",
  params: { name: `sample_${name}`, arguments: given },
});
/** The message in a response, which is JSON or the last event of a stream. */
async function messageIn(response: Response): Promise<Record<string, never>> {
  const text = await response.text();
  const data = text.startsWith("{") ? text : text.slice(text.lastIndexOf("data: ") + 6);
  return JSON.parse(data) as Record<string, never>;
}
const resultIn = async (response: Response): Promise<string> => {
  const { result } = (await messageIn(response)) as unknown as {
    readonly result: { readonly content: readonly { readonly text: string }[] };
  };
  return result.content[0]?.text ?? "";
};

async function session({ ask }: Awaited<ReturnType<typeof served>>): Promise<Record<string, string>> {
  const begun = await ask("POST", {}, BEGIN);
  await begun.text();
  return {
    "mcp-session-id": begun.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
}

describe("/mcp", () => {
  test("admits no request without the key, and none of another site", async (t) => {
    const { ask } = await served(t, { key: KEY });
    for (const method of ["GET", "POST", "DELETE"]) {
      const reply = await ask(method, {}, method === "POST" ? BEGIN : undefined);
      assert.equal(reply.status, 401, method);
    }
    const bearer = { authorization: `Bearer ${KEY}` };
    assert.equal((await ask("POST", { ...bearer, origin: "https://evil.example" }, BEGIN)).status, 403);
    assert.equal((await ask("POST", bearer, BEGIN)).status, 200);
  });

  test("begins a session for a client of 2025, which is one conversation and ends with DELETE", async (t) => {
    const site = await served(t);
    const [one, other] = [await session(site), await session(site)];
    const said = async (headers: Record<string, string>): Promise<string> =>
      resultIn(await site.ask("POST", headers, calling("speak")));
    assert.match(await said(one), /^http mcp-[0-9a-f-]{36} 0$/);
    assert.equal(await said(one), await said(one));
    assert.notEqual(await said(one), await said(other));
    assert.equal((await site.ask("DELETE", one)).status, 200);
    for (const message of [calling("speak"), LIST]) {
      const gone = await site.ask("POST", one, message);
      assert.equal(gone.status, 404);
      assert.match(JSON.stringify(await messageIn(gone)), /The session has ended/);
    }
    assert.match(await said(other), /^http mcp-/);
  });

  test("answers a request that begins no session, and bytes that are not a message, with errors of the protocol", async (t) => {
    const { ask } = await served(t);
    for (const [message, status, code] of [
      [LIST, 400, -32_000],
      ["{x", 400, -32_700],
      ["[]", 400, -32_600],
      ["7", 400, -32_600],
      [`"${"x".repeat(4 * 1024 * 1024)}"`, 413, -32_000],
    ] as const) {
      const reply = await ask("POST", {}, message);
      const { error } = (await messageIn(reply)) as unknown as { readonly error: { readonly code: number } };
      assert.deepEqual([reply.status, error.code], [status, code], JSON.stringify(message).slice(0, 40));
    }
    assert.equal((await ask("POST", { "content-type": "text/plain" }, BEGIN)).status, 415);
    assert.equal((await ask("PUT")).status, 405);
  });

  test("offers and refuses the same as the rest of the server", async (t) => {
    const site = await served(t);
    const headers = await session(site);
    const { result } = (await messageIn(await site.ask("POST", headers, LIST))) as unknown as {
      readonly result: { readonly tools: readonly { readonly name: string }[] };
    };
    const names = result.tools.map(({ name }) => name).filter((name) => name.startsWith("sample_"));
    assert.deepEqual(names, ["sample_read", "sample_speak", "sample_wait"]);
    const read = async (file: string): Promise<string> =>
      resultIn(await site.ask("POST", headers, calling("read", { file })));
    assert.equal(await read("a.js"), "read a.js");
    assert.match(await read("../a.js"), /^INPUT_INVALID: \/file leads out of the served project\./);
  });

  test("ends its streams and aborts its calls when the server closes", { timeout: 20_000 }, async (t) => {
    const site = await served(t);
    const headers = await session(site);
    const stream = await site.ask("GET", headers);
    assert.equal(stream.status, 200);
    const call = site.ask("POST", headers, calling("wait")).then((reply) => reply.text());
    assert.match(await resultIn(await site.ask("POST", headers, calling("speak"))), /^http/);
    const begun = performance.now();
    await Promise.all([site.server.close(), stream.text().catch(() => ""), call.catch(() => "")]);
    assert.ok(performance.now() - begun < 10_000);
  });
});
