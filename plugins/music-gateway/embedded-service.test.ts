import assert from "node:assert/strict";
import { test } from "node:test";
import { loadDuckdb } from "./store/database.ts";
import { EmbeddedService } from "./embedded-service.ts";
import { gatewayIn } from "./tests/gateway-harness.ts";
import { PATH, serving } from "./tests/serving.ts";

test("in process a request has the same reply as over a socket", async (context) => {
  const { questions, route, collections, key, folder: home } = await gatewayIn(context);
  const { http, baseUrl } = await new EmbeddedService(route, collections, key, questions).endpoint();
  const served = await serving(home);
  context.after(served.stop);
  const plain = (body: string): string =>
    body.replace(/ag-msg-[0-9A-Z]{26}/u, "ag-msg").replace(/:\d{8}"/u, ':day"');
  for (const [body, token] of [
    [{ userMessage: "最近7天的播放量" }, true],
    [{ userMessage: "How is this song doing?", songId: 2 }, true],
    [{ userMessage: "plays", songId: 999 }, true],
    [{ userMessage: " " }, true],
    [{ userMessage: "plays", uid: 1 }, true],
    [[1], true],
    [{ userMessage: "plays" }, false],
  ] as const) {
    const request = (right: string) => ({
      method: "POST" as const,
      headers: { "content-type": "application/json", "svc-header-token": token ? right : "other" },
      body: JSON.stringify(body),
    });
    const near = await http?.send({
      ...request(key.value),
      url: baseUrl + PATH,
      timeoutMs: 10_000,
      maxBytes: 100_000,
    });
    const far = await fetch(served.url + PATH, request(served.token));
    assert.deepEqual(
      [near?.status, near?.contentType, plain(near?.body ?? "")],
      [far.status, far.headers.get("content-type"), plain(await far.text())],
    );
  }
});

test("in process a request ends with its time limit, with its caller, and at the allowed length", async (context) => {
  const { questions, route, collections, key } = await gatewayIn(context);
  const { http, baseUrl } = await new EmbeddedService(route, collections, key, questions).endpoint();
  const send = (other: object) =>
    http?.send({
      method: "POST",
      url: baseUrl + PATH,
      headers: { "svc-header-token": key.value },
      body: '{"userMessage":"plays"}',
      timeoutMs: 10_000,
      maxBytes: 100_000,
      ...other,
    }) ?? assert.fail();
  await assert.rejects(send({ maxBytes: 10 }), { code: "NETWORK_TOO_LARGE" });
  await assert.rejects(send({ url: `${baseUrl}/other` }), { code: "NETWORK_UNREACHED" });
  await assert.rejects(send({ signal: AbortSignal.abort() }), { code: "CANCELLED" });
  await assert.rejects(send({ timeoutMs: 1 }), { code: "NETWORK_TIMEOUT" });
});

test("a missing DuckDB is OPTIONAL_MISSING with a remedy", async () => {
  const load = (): Promise<never> => Promise.reject(new Error("Cannot find package"));
  await assert.rejects(loadDuckdb(load), {
    code: "OPTIONAL_MISSING",
    hint: /npm install @duckdb\/node-bindings/,
  });
});
