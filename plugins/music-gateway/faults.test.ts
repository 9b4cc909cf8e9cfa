import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import type { RouteReply } from "skillctl";
import { readFaultPlan } from "./fault-plan.ts";
import { FAULTS, faultOf, type AnswerData, type FaultName } from "./faults.ts";
import { gatewayIn } from "./tests/gateway-harness.ts";

const DATA: AnswerData = {
  sessionId: "svc.data.agent:svc.data.agent:10000001:20261101",
  messageId: "ag-msg-01KBJ3V2J5W8Q4Z7X9N6M3P1RT",
  content: "## 结论",
  finishReason: "COMPLETE",
  safetyRevoked: false,
};
const JSON_TYPE = "application/json";

interface Sent {
  readonly status: number;
  readonly type: string | undefined;
  readonly bytes: Buffer;
  readonly whole: boolean;
}

/** What goes over the wire. */
async function sent({ status, body, headers = {} }: RouteReply): Promise<Sent> {
  const parts: Uint8Array[] = [];
  const reading = (async () => {
    for await (const part of body as AsyncIterable<string | Uint8Array>)
      parts.push(Buffer.from(part as string));
  })();
  const whole = await reading.then(
    () => true,
    () => false,
  );
  return { status, type: headers["content-type"], bytes: Buffer.concat(parts), whole };
}

const REFUSALS: readonly (readonly [FaultName, code: string | number, message: string, status?: number])[] = [
  ["quota", 40_001, "您今天在数据助手的使用次数达 10 次啦！"],
  ["song", 40_001, "歌曲不支持分析"],
  ["unauthorized", "UNAUTHORIZED", "未登录"],
  ["unauthorized-401", "UNAUTHORIZED", "未登录", 401],
  ["unknown-user", 40_001, "未知用户，请重新登录"],
  ["parameter", 40_001, "userMessage 不能为空"],
  ["wrong-field", "100010", "数据异常，请稍候再试"],
  ["unknown-code", 40_001, "演练：未定义的错误"],
];

const ANSWERS: readonly (readonly [FaultName, unknown, status?: number])[] = [
  ["timeout", { code: 0, message: null, data: { ...DATA, finishReason: "TIMEOUT", content: "" } }],
  [
    "safety",
    { code: 0, message: null, data: { ...DATA, finishReason: "SAFETY_REVOKED", safetyRevoked: true } },
  ],
  ["safety-complete", { code: 0, message: null, data: { ...DATA, safetyRevoked: true } }],
  [
    "upstream-error",
    { code: 0, message: null, data: { ...DATA, finishReason: "UPSTREAM_ERROR", content: "" } },
  ],
  ["unknown-finish", { code: 0, message: null, data: { ...DATA, finishReason: "PARTIAL" } }],
  ["string-zero", { code: "0", message: null, data: DATA }],
  ["missing-code", { message: null, data: DATA }],
  ["no-data", { code: 0, message: null, data: null }],
  ["empty-content", { code: 0, message: null, data: { ...DATA, content: "" } }],
  ["not-object", ["code", 0]],
  ["status-404", { status: 404, error: "Not Found" }, 404],
  ["status-500", { status: 500, error: "Internal Server Error" }, 500],
  ...REFUSALS.map(
    ([name, code, message, status]) => [name, { code, message, data: null }, status ?? 200] as const,
  ),
];

for (const [name, value, status = 200] of ANSWERS) {
  test(`${name} is whole JSON with status ${status}`, async () => {
    const reply = await sent(faultOf(name).reply(DATA, "127.0.0.1:7"));
    assert.deepEqual(
      [reply.status, reply.type, JSON.parse(reply.bytes.toString()), reply.whole],
      [status, JSON_TYPE, value, true],
    );
  });
}

test("wrong-type has every field of the contract, with another type", async () => {
  const { bytes } = await sent(faultOf("wrong-type").reply(DATA, ""));
  const { data } = JSON.parse(bytes.toString()) as { readonly data: Readonly<Record<string, unknown>> };
  assert.deepEqual(Object.keys(data), Object.keys(DATA));
  for (const name of ["messageId", "content", "finishReason", "safetyRevoked"] as const)
    assert.notEqual(typeof data[name], typeof DATA[name], name);
});

test("bad-json is a whole body that is no JSON", async () => {
  const { type, bytes, whole } = await sent(faultOf("bad-json").reply(DATA, ""));
  assert.deepEqual([type, whole], [JSON_TYPE, true]);
  assert.throws(() => JSON.parse(bytes.toString()) as unknown, SyntaxError);
});

test("html and status-502 are pages", async () => {
  for (const [name, status] of [
    ["html", 200],
    ["status-502", 502],
  ] as const) {
    const reply = await sent(faultOf(name).reply(DATA, ""));
    assert.deepEqual([reply.status, reply.type], [status, "text/html; charset=utf-8"]);
    assert.match(reply.bytes.toString(), /^<!doctype html>/);
  }
});

test("redirect leads to this machine under its other name", () => {
  const target = (host: string) => faultOf("redirect").reply(DATA, host).headers?.["location"];
  assert.equal(target("127.0.0.1:7"), "http://localhost:7/moved");
  assert.equal(target("localhost:7"), "http://127.0.0.1:7/moved");
  assert.equal(target("[::1]:7"), "http://localhost:7/moved");
});

test("truncate ends in a throw half-way, drop before a byte", async () => {
  const half = await sent(faultOf("truncate").reply(DATA, ""));
  const all = Buffer.byteLength(JSON.stringify({ code: 0, message: null, data: DATA }));
  assert.deepEqual([half.whole, half.bytes.length], [false, Math.floor(all / 2)]);
  const none = await sent(faultOf("drop").reply(DATA, ""));
  assert.deepEqual([none.whole, none.bytes.length], [false, 0]);
});

test("huge and gzip-bomb are the answer with more than 8 MiB, the latter in less than 32 KiB", async () => {
  const huge = await sent(faultOf("huge").reply(DATA, ""));
  const reply = faultOf("gzip-bomb").reply(DATA, "");
  assert.equal(reply.headers?.["content-encoding"], "gzip");
  const bomb = await sent(reply);
  assert.ok(bomb.bytes.length < 32 * 1024, String(bomb.bytes.length));
  for (const bytes of [huge.bytes, gunzipSync(bomb.bytes)]) {
    assert.ok(bytes.length > 8 * 1024 * 1024);
    const { code, data } = JSON.parse(bytes.toString()) as { code: number; data: AnswerData };
    assert.equal(code, 0);
    assert.ok(data.content.startsWith("## 结论\n"));
  }
});

test("what spoils a complete answer costs a question, and nothing else does", async (context) => {
  const { route, key, quota, rehearsal, counted } = await gatewayIn(context);
  quota.limit(100);
  const costly: string[] = [];
  for (const name of Object.keys(FAULTS)) {
    rehearsal.begin(readFaultPlan([name]), new AbortController().signal);
    const before = await counted();
    const headers = { "svc-header-token": key.value, host: "127.0.0.1:7" };
    const { signal } = new AbortController();
    await route.handle({ path: "/", query: undefined, body: { userMessage: "plays" }, headers, signal });
    if ((await counted()) > before) costly.push(name);
  }
  const wanted = "safety-complete string-zero missing-code empty-content truncate drop huge gzip-bomb";
  assert.deepEqual(costly, wanted.split(" "));
});

test("after a rehearsal requests are answered as ever, and nothing is told any more", async (context) => {
  const { route, key, rehearsal, notices } = await gatewayIn(context);
  const ask = async (): Promise<RouteReply> =>
    route.handle({
      path: "/",
      query: undefined,
      body: { userMessage: "plays" },
      headers: { "svc-header-token": key.value },
      signal: new AbortController().signal,
    });
  rehearsal.begin(readFaultPlan(["timeout", "slow:600"]), AbortSignal.abort());
  assert.match((await sent(await ask())).bytes.toString(), /"TIMEOUT"/);
  rehearsal.end();
  assert.equal(((await ask()).body as { readonly code: unknown }).code, 0);
  assert.deepEqual(notices, ["Request 1: timeout."]);
});
