/** The operations of the debug server, joined to the address in the environment file as the specification joins them. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { debugHost, serving } from "./serving.ts";

/** What an instrumented program knows: the address in the environment file. */
async function addressOf(t: TestContext): Promise<{ address: string; logFile: string }> {
  const { info } = await serving(await debugHost(t));
  const text = await readFile(info.env_file, "utf8");
  const address = /^DEBUG_SERVER_URL=(.*)$/m.exec(text)?.[1] ?? "";
  return { address, logFile: info.log_file };
}

const post = (address: string, event: unknown): Promise<Response> =>
  fetch(address, { method: "POST", body: JSON.stringify(event) });

async function events(address: string, query = ""): Promise<readonly Record<string, unknown>[]> {
  return (await (await fetch(`${address}/logs${query}`)).json()) as Record<string, unknown>[];
}

describe("a server with the address of its environment file", () => {
  test("[debug.server.collects] [debug.instrumentation.network] [debug.events.stored] [debug.resource.log-file] stores what an inline one-liner posts", async (t) => {
    const { address, logFile } = await addressOf(t);
    const answer = await post(address, { hypothesisId: "A", msg: "[DEBUG] token", data: { ok: false } });
    assert.deepEqual([answer.status, await answer.text()], [200, "ok"]);
    assert.equal(basename(logFile), "svc-debug-log-login-timeout.ndjson");
    const [line = "", ...rest] = (await readFile(logFile, "utf8")).split("\n");
    assert.deepEqual(rest, [""]);
    const { hypothesisId, msg, data, _seq } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual([hypothesisId, msg, data, _seq], ["A", "[DEBUG] token", { ok: false }, 1]);
  });

  test("[debug.endpoint.address] [debug.endpoint.query] [debug.endpoint.health] [debug.endpoint.clear] queries, tells its health and deletes under that address and beside it", async (t) => {
    const { address } = await addressOf(t);
    const base = address.replace(/\/event$/, "");
    for (const place of [address, base]) {
      for (const hypothesisId of ["A", "B", "A"]) await post(address, { hypothesisId });
      assert.equal((await events(place)).length, 3);
      assert.equal((await events(place, "?hypothesisId=A&last=1")).length, 1);
      const health = (await (await fetch(`${place}/health`)).json()) as Record<string, unknown>;
      assert.deepEqual([health["status"], health["log_count"]], ["ok", 3]);
      const unsure = await fetch(`${place}/logs?purge=maybe`, { method: "DELETE" });
      assert.equal(unsure.status, 400);
      const cleared = await fetch(`${place}/logs`, { method: "DELETE" });
      assert.deepEqual([cleared.status, await cleared.text()], [200, "ok"]);
      assert.deepEqual(await events(place), []);
    }
  });
});

describe("what probes and people send by hand", () => {
  test("a run is named whatever content type curl says it is, and what names none is refused with what would", async (t) => {
    const { address } = await addressOf(t);
    const name = (body: string, type: string): Promise<Response> =>
      fetch(`${address}/run`, { method: "POST", body, headers: { "content-type": type } });
    const form = await name('{"runId":"post"}', "application/x-www-form-urlencoded");
    assert.deepEqual([form.status, await form.json()], [200, { ok: true, run: "post-fix" }]);
    for (const body of [
      "",
      "post-fix",
      '"post-fix"',
      '{"runId":""}',
      '{"runId":1}',
      '{"runId":"a","b":1}',
      "null",
    ]) {
      const answer = await name(body, "text/plain");
      const { error, hint } = (await answer.json()) as { readonly error: string; readonly hint: string };
      assert.deepEqual([answer.status, error], [400, "bad_body"], body);
      assert.match(hint, /runId/);
    }
  });
});
