import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  ANALYSIS_SERVICE,
  definePlugin,
  inject,
  injectable,
  type AnalysisService,
  type CommandHandler,
} from "skillctl";
import type { HostedSkill } from "skillctl/host";
import { createTestHost } from "skillctl/testing";
import manifest from "../../skills/music-gateway/skill.json" with { type: "json" };
import type { ChatReply } from "./contract.ts";
import { loadDuckdb } from "./store/database.ts";
import { readFaultPlan } from "./fault-plan.ts";
import { EmbeddedService } from "./embedded-service.ts";
import { ServeCommand } from "./serve-command.ts";
import { gatewayIn, quietCall } from "./tests/gateway-harness.ts";
import { serving } from "./tests/rehearsal.ts";

const PATH = "/openapi/v1/musician/data/agent/chat-sync";
const folder = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const GATEWAY: HostedSkill = {
  manifest: manifest as unknown as HostedSkill["manifest"],
  folder: folder("skills/music-gateway"),
  schemas: folder("schemas/music-gateway"),
  builtin: true,
  load: () => import("./plugin.ts"),
};

interface Borrowed {
  readonly notice: string;
  readonly answer: ChatReply;
  readonly refused: ChatReply;
  readonly strange: ChatReply;
}

/** A skill that borrows the port and asks one question through it. */
@injectable()
class BorrowCommand implements CommandHandler<unknown, Borrowed> {
  constructor(@inject(ANALYSIS_SERVICE) private readonly service: AnalysisService) {}

  async run(): Promise<Borrowed> {
    const [first, second] = await Promise.all([this.service.endpoint(), this.service.endpoint()]);
    assert.deepEqual(first, second);
    const ask = async (token: string, body: string): Promise<ChatReply> => {
      const headers = { "content-type": "application/json", "svc-header-token": token };
      const { http, baseUrl } = first;
      const response = await http?.send({
        method: "POST",
        url: baseUrl + PATH,
        headers,
        body,
        timeoutMs: 60_000,
        maxBytes: 1_000_000,
      });
      assert.equal(response?.status, 200);
      return JSON.parse(response?.body ?? "") as ChatReply;
    };
    return {
      notice: first.notice,
      answer: await ask(first.token, JSON.stringify({ userMessage: "最近7天播放量" })),
      refused: await ask("other", JSON.stringify({ userMessage: "最近7天播放量" })),
      strange: await ask(first.token, "[1]"),
    };
  }
}

const BORROWER: HostedSkill = {
  manifest: {
    manifestVersion: 1,
    name: "borrower",
    version: "0.1.0",
    summary: "Borrows the service.",
    engines: { skillctl: "*" },
    requires: { "analysis-service": "required" },
    commands: {
      borrow: {
        summary: "Borrows.",
        input: "music-gateway/accounts-input",
        output: "music-gateway/chat-body",
      },
    },
  },
  folder: folder("skills/music-gateway"),
  schemas: folder("schemas/music-gateway"),
  builtin: true,
  load: async () => ({
    default: definePlugin<{
      commands: { borrow: { input: unknown; output: unknown } };
      routes: object;
      rules: never;
    }>({ commands: { borrow: BorrowCommand }, routes: {}, rules: {} }),
  }),
};

test("another skill borrows the service and is answered in process", async () => {
  {
    await using test = await createTestHost({ skills: [GATEWAY, BORROWER], now: "2026-11-01T02:00:00Z" });
    const result = (await test.run({ skill: "borrower", command: "borrow", input: {} })) as Borrowed;
    assert.match(
      result.notice,
      /^The embedded gateway answers from sample data; .*skillctl run music-gateway import FILE\.\.\..*SVC_BASE_URL\.$/,
    );
    assert.equal(result.answer.code, 0);
    assert.equal(result.answer.data?.sessionId, "svc.data.agent:svc.data.agent:10000001:20261101");
    assert.equal(result.refused.code, "UNAUTHORIZED");
    assert.equal(result.strange.code, "100010");
  }
});

test("serve announces one JSON block, answers until it is aborted, and closes its server", async (context) => {
  const { collections, key, rehearsal, quota } = await gatewayIn(context);
  const stop = new AbortController();
  const { call, announced } = quietCall(stop.signal);
  const opened: unknown[] = [];
  let isClosed = false;
  const server = {
    open: async (options: unknown) => {
      opened.push(options);
      return { url: "http://127.0.0.1:7", port: 7, close: async () => void (isClosed = true) };
    },
  };
  const running = new ServeCommand(server, collections, key, rehearsal, quota).run(
    { port: 7 },
    { ...call, announce: (text) => (call.announce(text), setImmediate(() => stop.abort())) },
  );
  assert.deepEqual(await running, {
    baseUrl: "http://127.0.0.1:7",
    text: "The gateway at http://127.0.0.1:7 has stopped.",
  });
  assert.deepEqual(opened, [{ port: 7, routes: ["chat-sync"] }]);
  assert.deepEqual(
    announced.map((text) => JSON.parse(text)),
    [{ baseUrl: "http://127.0.0.1:7", token: key.value, accountId: "10000001", data: "sample data" }],
  );
  assert.equal(isClosed, true);
});

test("in process a request has the very reply that it has over a socket", async (context) => {
  const { route, collections, key, folder: home } = await gatewayIn(context);
  const { http, baseUrl } = await new EmbeddedService(route, collections, key).endpoint();
  const served = await serving(home, []);
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

test("in process a request ends with its time, its caller and the length it may have", async (context) => {
  const { route, collections, key, rehearsal } = await gatewayIn(context);
  const { http, baseUrl } = await new EmbeddedService(route, collections, key).endpoint();
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
  rehearsal.begin(readFaultPlan(["slow:30"]), new AbortController().signal);
  await assert.rejects(send({ timeoutMs: 1 }), { code: "NETWORK_TIMEOUT" });
});

test("a missing DuckDB is OPTIONAL_MISSING with what to do", async () => {
  const load = (): Promise<never> => Promise.reject(new Error("Cannot find package"));
  await assert.rejects(loadDuckdb(load), { code: "OPTIONAL_MISSING", hint: /npm install @duckdb\/node-api/ });
});
