/** `Prefer: respond-async`: a command continues after its response, and its address returns its state. */
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { hostOf } from "../../../../contract-tests/doors-harness.ts";

const COMMAND = { summary: "Does it.", input: "sample/any", output: "sample/text-output" };
const CODE = `
const does = (run) => class { run = async (input, call) => ({ text: await run(input, call) }); };
let release;
let aborted = false;
const held = new Promise((resolve) => (release = resolve));
export default { commands: {
  quick: does(({ word }) => "done " + word),
  fail: does(() => { throw Object.assign(new Error("Not this."), { code: "INPUT_INVALID", [Symbol.for("skillctl.error")]: true }); }),
  held: does(async (_, { progress }) => { progress("Waiting."); await held; return "released"; }),
  release: does(() => { release(); return String(aborted); }),
  wait: does((_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => { aborted = true; resolve(""); }))),
} };
`;

interface Task {
  readonly id: string;
  readonly status: string;
  readonly output?: unknown;
  readonly problem?: { readonly code: string; readonly status: number };
}

async function served(t: TestContext) {
  const commands = Object.fromEntries(
    ["quick", "fail", "held", "release", "wait"].map((name) => [name, COMMAND]),
  );
  const host = await hostOf(t, "sample", { manifest: { commands }, code: CODE });
  const { url } = await host.serve();
  const call = (name: string, prefer: string, input: object = {}): Promise<Response> =>
    fetch(`${url}/v1/skills/sample/commands/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer },
      body: JSON.stringify(input),
    });
  const begun = async (name: string, input?: object): Promise<string> => {
    const reply = await call(name, "wait=1, respond-async", input);
    const location = reply.headers.get("location") ?? "";
    assert.deepEqual([reply.status, reply.headers.get("preference-applied")], [202, "respond-async"]);
    assert.equal(location, `/v1/tasks/${((await reply.json()) as Task).id}`);
    return url + location;
  };
  const settled = async (address: string): Promise<Task> => {
    for (;;) {
      const task = (await (await fetch(address)).json()) as Task;
      if (task.status !== "working") return task;
    }
  };
  return { url, call, begun, settled };
}

describe("a command that is asked for with Prefer: respond-async", () => {
  test("ends with its output or its problem at the address of its task", async (t) => {
    const { begun, settled, call } = await served(t);
    const { status, output } = await settled(await begun("quick", { word: "x" }));
    assert.deepEqual([status, output], ["completed", { text: "done x" }]);
    const { status: failed, problem } = await settled(await begun("fail"));
    assert.deepEqual([failed, problem?.code, problem?.status], ["failed", "INPUT_INVALID", 400]);
    const other = await call("quick", "return=minimal", { word: "y" });
    assert.deepEqual([other.status, await other.json()], [200, { text: "done y" }]);
  });

  test("reports its progress and its output as server-sent events", async (t) => {
    const { begun, call } = await served(t);
    const reply = await fetch(await begun("held"), { headers: { accept: "text/event-stream" } });
    const texts: string[] = [];
    for await (const part of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
      texts.push(Buffer.from(part).toString());
      if (texts.join("").includes("Waiting.") && texts.length === 1) await (await call("release", "")).text();
    }
    assert.equal(
      texts.join(""),
      'event: progress\ndata: {"text":"Waiting."}\n\nevent: result\ndata: {"text":"released"}\n\n',
    );
  });

  test("is cancelled with DELETE, and aborted", async (t) => {
    const { begun, settled, call, url } = await served(t);
    const address = await begun("wait");
    const cancelled = (await (await fetch(address, { method: "DELETE" })).json()) as Task;
    assert.equal(cancelled.status, "cancelled");
    assert.equal((await settled(address)).status, "cancelled");
    assert.deepEqual(await (await call("release", "")).json(), { text: "true" });
    for (const method of ["GET", "DELETE"])
      assert.equal((await fetch(`${url}/v1/tasks/none`, { method })).status, 404, method);
  });
});
