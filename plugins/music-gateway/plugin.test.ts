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
import { loadDuckdb } from "./database.ts";
import { EmbeddedService } from "./embedded-service.ts";
import { ServeCommand } from "./serve-command.ts";
import { gatewayIn, quietCall } from "./temporary-gateway.test.ts";

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
  readonly baseUrl: string;
  readonly notice: string;
  readonly answer: ChatReply;
  readonly refused: ChatReply;
  readonly strange: ChatReply;
}

/** A skill that borrows the port and asks one question over the network. */
@injectable()
class BorrowCommand implements CommandHandler<unknown, Borrowed> {
  constructor(@inject(ANALYSIS_SERVICE) private readonly service: AnalysisService) {}

  async run(): Promise<Borrowed> {
    const [first, second] = await Promise.all([this.service.endpoint(), this.service.endpoint()]);
    assert.deepEqual(first, second);
    const ask = async (token: string, body: string): Promise<ChatReply> => {
      const headers = { "content-type": "application/json", "svc-header-token": token };
      const response = await fetch(`${first.baseUrl}${PATH}`, { method: "POST", headers, body });
      assert.equal(response.status, 200);
      return (await response.json()) as ChatReply;
    };
    return {
      baseUrl: first.baseUrl,
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

test("another skill borrows the service and is answered over a loopback server, which closes with the host", async () => {
  let baseUrl = "";
  {
    await using test = await createTestHost({ skills: [GATEWAY, BORROWER], now: "2026-11-01T02:00:00Z" });
    const result = (await test.run({ skill: "borrower", command: "borrow", input: {} })) as Borrowed;
    baseUrl = result.baseUrl;
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.match(
      result.notice,
      /^The embedded gateway answers from sample data; .*skillctl run music-gateway import FILE\.\.\..*SVC_BASE_URL\.$/,
    );
    assert.equal(result.answer.code, 0);
    assert.equal(result.answer.data?.sessionId, "svc.data.agent:svc.data.agent:10000001:20261101");
    assert.equal(result.refused.code, "UNAUTHORIZED");
    assert.equal(result.strange.code, "100010");
  }
  await assert.rejects(fetch(baseUrl));
});

test("serve announces one JSON block, answers until it is aborted, and closes its server", async (context) => {
  const { engine, key, rehearsal } = await gatewayIn(context);
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
  const running = new ServeCommand(server, engine, key, rehearsal).run(
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

test("a service that could not open its server tries again", async (context) => {
  const { engine, key, quota } = await gatewayIn(context);
  let tries = 0;
  const open = async () => {
    tries += 1;
    if (tries === 1) throw new Error("taken");
    return { url: "http://127.0.0.1:7", port: 7, close: async () => undefined };
  };
  const service = new EmbeddedService({ open }, engine, key, quota);
  await assert.rejects(service.endpoint(), /taken/);
  assert.equal((await service.endpoint()).token, key.value);
  await service.close();
});

test("a missing DuckDB is OPTIONAL_MISSING with what to do", async () => {
  const load = (): Promise<never> => Promise.reject(new Error("Cannot find package"));
  await assert.rejects(loadDuckdb(load), { code: "OPTIONAL_MISSING", hint: /npm install @duckdb\/node-api/ });
});
