/** Calls that become tasks at `/mcp`: their results, questions and ends, also after a restart of the server. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { program } from "../../../../contract-tests/command-line.ts";
import { temporaryFolder } from "../../cli/fixture-command-line.ts";
import { writeConformanceSkill } from "./conformance-skill.ts";

const REVISION = "2026-07-28";
const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };

interface Answer {
  readonly result?: {
    readonly resultType: string;
    readonly taskId: string;
    readonly status: string;
    readonly statusMessage?: string;
    readonly inputRequests?: Readonly<Record<string, unknown>>;
    readonly requestState?: string;
    readonly result?: { readonly content: readonly { readonly text: string }[] };
    readonly error?: { readonly code: number };
  };
  readonly error?: { readonly code: number; readonly message: string };
}

let url = "";
let folder = "";
let skill = "";
let close = async (): Promise<void> => undefined;
let end = async (): Promise<void> => undefined;

async function serve(): Promise<void> {
  const child = program(["serve", "--port", "0", "--no-key", "--plugin", skill], folder);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  while (!out.includes("\n")) await once(child.stdout, "data");
  url = new URL("/mcp", out.trim()).href;
  end = async () => {
    const ended = once(child, "close");
    child.kill("SIGTERM");
    await ended;
  };
}

before(async () => {
  ({ path: folder, close } = await temporaryFolder());
  skill = await writeConformanceSkill(join(folder, "skills"));
  await serve();
});
after(async () => {
  await end();
  await close();
});

async function ask(method: string, params: object, capabilities: object = TASKS): Promise<Answer> {
  const { name, taskId } = params as { readonly name?: string; readonly taskId?: string };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const reply = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      "mcp-name": name ?? taskId ?? "",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const text = await reply.text();
  return JSON.parse(text.startsWith("{") ? text : text.slice(text.lastIndexOf("data: ") + 6)) as Answer;
}

async function begun(name: string, given: object = {}): Promise<string> {
  const { result } = await ask("tools/call", { name, arguments: given });
  assert.deepEqual([result?.resultType, result?.status], ["task", "working"]);
  return result?.taskId ?? "";
}

/** A task, as soon as it is no longer working. */
async function settled(taskId: string): Promise<NonNullable<Answer["result"]>> {
  for (;;) {
    const { result } = await ask("tasks/get", { taskId });
    assert.ok(result);
    if (result.status !== "working") return result;
  }
}
const textOf = ({ result }: NonNullable<Answer["result"]>) => result?.content[0]?.text;
const accepted = (content: object) => ({ action: "accept", content });

describe("a call that has become a task", { timeout: 60_000 }, () => {
  test("keeps its result, its question and its interrupted run over a restart of the server", async () => {
    const [done, asking, repeated, lost] = [
      await begun("slow_compute", { seconds: 0, label: "fast" }),
      await begun("confirm_delete", { filename: "a.txt" }),
      await begun("slow_compute", { seconds: 1.5, label: "slow" }),
      await begun("slow_change", { seconds: 60 }),
    ];
    assert.equal((await settled(done)).status, "completed");
    assert.equal((await settled(asking)).status, "input_required");
    await end();
    await serve();
    assert.equal(textOf(await settled(done)), "Computed fast in 0 s");
    assert.deepEqual(Object.keys((await settled(asking)).inputRequests ?? {}), ["confirm"]);
    const responses = { confirm: accepted({ confirm: true }), other: accepted({}) };
    const answer = await ask("tasks/update", { taskId: asking, inputResponses: responses });
    assert.equal(answer.result?.resultType, "complete");
    assert.equal(textOf(await settled(asking)), "Deleted a.txt");
    assert.equal(
      textOf(await settled(repeated)),
      "Computed slow in 1.5 s",
      "it changes nothing, and runs again",
    );
    const { status, error, statusMessage } = await settled(lost);
    assert.deepEqual(
      [status, error?.code, statusMessage],
      ["failed", -32_603, "The host that ran the call has ended."],
    );
  });

  test("has taken over 5 s; a call that takes less has its result", async () => {
    const call = (seconds: number) => ask("tools/call", { name: "slow_answer", arguments: { seconds } });
    const [short, long] = await Promise.all([call(0), call(6)]);
    assert.deepEqual([short.result?.resultType, long.result?.resultType], ["complete", "task"]);
    const done = await settled(long.result?.taskId ?? "");
    assert.deepEqual([textOf(done), done.statusMessage], ["Answered.", "Computing."]);
  });

  test("is cancelled, and its run is aborted", async () => {
    const taskId = await begun("slow_change", { seconds: 60 });
    assert.equal((await ask("tasks/cancel", { taskId })).result?.resultType, "complete");
    assert.equal((await settled(taskId)).status, "cancelled");
    assert.equal((await ask("tasks/cancel", { taskId })).error, undefined, "a second time");
  });

  test("is never a task for a client without the capability, and an unknown task does not exist", async () => {
    const direct = await ask("tools/call", { name: "slow_compute", arguments: { seconds: 0 } }, {});
    assert.equal(direct.result?.resultType, "complete");
    const taskId = await begun("slow_compute", { seconds: 0 });
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      assert.equal((await ask(method, { taskId }, {})).error?.code, -32_021, method);
      assert.equal((await ask(method, { taskId: "x".repeat(2_000) })).error?.code, -32_602, method);
    }
  });
});

describe("the state of a call that asks", { timeout: 60_000 }, () => {
  const name = "test_input_required_result_request_state";
  const capabilities = { elicitation: {} };
  const call = (more: object) => ask("tools/call", { name, arguments: {}, ...more }, capabilities);

  test("is accepted from another process of the same state store, and for the same call alone", async () => {
    const { result } = await call({});
    const { requestState } = result ?? {};
    await end();
    await serve();
    const answer = { requestState, inputResponses: { confirm: accepted({ ok: true }) } };
    const done = (await call(answer)) as unknown as { readonly result: { readonly content: unknown } };
    assert.match(JSON.stringify(done.result.content), /state-ok/);
    assert.equal((await call({ ...answer, arguments: { filename: "other" } })).error?.code, -32_602);
    assert.equal((await call({ ...answer, requestState: `${requestState}x` })).error?.code, -32_602);
  });
});
