import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { ChatReply } from "./contract.ts";
import { gatewayIn } from "./tests/gateway-harness.ts";

const QUESTION = "我最近30天播放量怎么样";
const FORBIDDEN = [
  "query",
  "question",
  "prompt",
  "message",
  "text",
  "input",
  "content",
  "sessionId",
  "accountId",
  "userId",
  "uid",
  "excludeFraudulentPlays",
  "dataCaliber",
  "anything",
];

type Gateway = Awaited<ReturnType<typeof gatewayIn>>;

async function ask(
  { route, key }: Gateway,
  body: unknown,
  token: string | undefined = key.value,
): Promise<ChatReply> {
  const headers = token === "" ? {} : { "svc-header-token": token };
  const { signal } = new AbortController();
  const reply = await route.handle({ path: "/chat-sync", query: undefined, body, headers, signal });
  assert.equal(reply.status, 200);
  return reply.body as ChatReply;
}

test("each refusal has its code and sentence, forbidden fields too, and costs no question [music.request.forbidden]", async (context) => {
  const gateway = await gatewayIn(context);
  gateway.quota.limit(10);
  const rows: readonly (readonly [body: unknown, code: ChatReply["code"], message: string])[] = [
    ...FORBIDDEN.map(
      (field) => [{ userMessage: QUESTION, [field]: "x" }, "100010", "数据异常，请稍候再试"] as const,
    ),
    ["text", "100010", "数据异常，请稍候再试"],
    [[QUESTION], "100010", "数据异常，请稍候再试"],
    [null, "100010", "数据异常，请稍候再试"],
    [{}, "INVALID_PARAM", "userMessage 不能为空"],
    [{ userMessage: " \u3000\n" }, "INVALID_PARAM", "userMessage 不能为空"],
    [{ userMessage: 5 }, "INVALID_PARAM", "userMessage 不能为空"],
    [{ userMessage: QUESTION, songId: "2" }, "INVALID_PARAM", "songId 必须是正整数"],
    [{ userMessage: QUESTION, songId: 0 }, "INVALID_PARAM", "songId 必须是正整数"],
    [{ userMessage: QUESTION, songId: 1.5 }, "INVALID_PARAM", "songId 必须是正整数"],
    [{ userMessage: QUESTION, songId: null }, "INVALID_PARAM", "songId 必须是正整数"],
    [{ userMessage: QUESTION, songId: 999 }, "SONG_NOT_SUPPORTED", "歌曲不支持分析"],
  ];
  for (const [body, code, message] of rows)
    assert.deepEqual(await ask(gateway, body), { code, message, data: null }, JSON.stringify(body));
  for (const token of ["", "wrong", `${gateway.key.value}x`]) {
    assert.deepEqual(
      await ask(gateway, { userMessage: QUESTION }, token),
      { code: "UNAUTHORIZED", message: "未登录", data: null },
      token,
    );
  }
  assert.equal(await gateway.counted(), 0);
});

test("a success has the five fields of the contract, and the same content each time", async (context) => {
  const gateway = await gatewayIn(context);
  const { code, message, data } = await ask(gateway, { userMessage: QUESTION });
  assert.equal(code, 0);
  assert.equal(message, null);
  assert.ok(data !== null);
  assert.equal(data.sessionId, "svc.data.agent:svc.data.agent:10000001:20261101");
  assert.match(data.messageId, /^ag-msg-[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.equal(data.finishReason, "COMPLETE");
  assert.equal(data.safetyRevoked, false);
  const again = await ask(gateway, { userMessage: QUESTION });
  assert.equal(again.data?.content, data.content);
  assert.notEqual(again.data?.messageId, data.messageId);
});

test("with a quota the eleventh question of a day is refused, the first of the next Shanghai day is not, and old days go", async (context) => {
  const gateway = await gatewayIn(context);
  gateway.quota.limit(10);
  for (let number = 1; number <= 10; number += 1)
    assert.equal((await ask(gateway, { userMessage: "plays", songId: 2 })).code, 0);
  assert.deepEqual(await ask(gateway, { userMessage: "plays" }), {
    code: "QUOTA_EXCEEDED",
    message: "您今天在数据助手的使用次数达 10 次啦！",
    data: null,
  });
  gateway.time.nowMs = Date.UTC(2026, 10, 1, 15, 59, 59);
  assert.equal((await ask(gateway, { userMessage: "plays" })).code, "QUOTA_EXCEEDED");
  gateway.time.nowMs = Date.UTC(2026, 10, 1, 16);
  assert.equal((await ask(gateway, { userMessage: "plays" })).code, 0);
  assert.deepEqual(await readdir(join(gateway.library.folder, "quota")), ["20261102"]);
});

test("of twenty who ask at once, in two processes' worth of gateways, ten are answered", async (context) => {
  const first = await gatewayIn(context);
  const second = await gatewayIn(context, first.folder);
  for (const { quota } of [first, second]) quota.limit(10);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? first : second, { userMessage: "plays" })),
  );
  assert.equal(replies.filter(({ code }) => code === 0).length, 10);
  assert.equal(replies.filter(({ code }) => code === "QUOTA_EXCEEDED").length, 10);
});
