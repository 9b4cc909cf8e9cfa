/** How a day's questions are counted, where `serve --quota` asks for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatReply } from "./contract.ts";
import { gatewayIn } from "./tests/gateway-harness.ts";

type Gateway = Awaited<ReturnType<typeof gatewayIn>>;

async function ask({ route, key }: Gateway): Promise<ChatReply["code"]> {
  const headers = { "svc-header-token": key.value };
  const { signal } = new AbortController();
  const request = { path: "/", query: undefined, body: { userMessage: "plays" }, headers, signal };
  return ((await route.handle(request)).body as ChatReply).code;
}

test("after the last question of a day the first of the next Shanghai day is answered", async (context) => {
  const gateway = await gatewayIn(context);
  gateway.quota.limit(2);
  assert.deepEqual([await ask(gateway), await ask(gateway)], [0, 0]);
  for (const seconds of [0, 59]) {
    gateway.clock.set(Date.UTC(2026, 10, 1, 15, 59, seconds));
    assert.equal(await ask(gateway), "QUOTA_EXCEEDED");
  }
  gateway.clock.set(Date.UTC(2026, 10, 1, 16));
  assert.equal(await ask(gateway), 0);
});

test("of twenty who ask at once ten are answered", async (context) => {
  const gateway = await gatewayIn(context);
  gateway.quota.limit(10);
  const codes = await Promise.all(Array.from({ length: 20 }, () => ask(gateway)));
  assert.equal(codes.filter((code) => code === 0).length, 10);
  assert.equal(codes.filter((code) => code === "QUOTA_EXCEEDED").length, 10);
});
