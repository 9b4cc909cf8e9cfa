/** The events of a host: calls over every surface and decisions of rules. Spans are tested in contract-tests/embedding.long.test.ts. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { CallEvent, DecisionEvent } from "skillctl/host";
import { hostOf } from "../../../../contract-tests/doors-harness.ts";

const COMMAND = { summary: "Does it.", input: "sample/any", output: "sample/text-output", display: "text" };
const MANIFEST = {
  commands: { talk: { ...COMMAND, default: true }, fail: COMMAND, erase: COMMAND },
  rules: {
    careful: {
      tell: "Do not erase.",
      on: ["command.pre"],
      when: { properties: { name: { const: "erase" } } },
      decision: "deny",
      message: "This erases everything.",
    },
  },
};
const CODE = `
const does = (run) => class { run = async (input) => ({ text: await run(input) }); };
export default { commands: { talk: does(() => "hello"), erase: does(() => ""), fail: does(() => { throw new Error("hunter2"); }) } };
`;

const hosted = (t: TestContext) => hostOf(t, "sample", { manifest: MANIFEST, code: CODE });

test("a host reports each call with its surface, duration and error code, and each decision of a rule", async (t) => {
  const { host, serve } = await hosted(t);
  const calls: CallEvent[] = [];
  const decisions: DecisionEvent[] = [];
  const off = host.events.on("call", (event) => calls.push(event));
  host.events.on("decision", (event) => decisions.push(event));
  await host.run({ skill: "sample", input: {} });
  await assert.rejects(host.run({ skill: "sample", command: "fail", input: { password: "x" } }));
  await assert.rejects(host.run({ skill: "sample", command: "erase", input: {} }));
  await assert.rejects(host.run({ skill: "sampel", input: {} }));
  const { url } = await serve();
  const talk = await fetch(`${url}/v1/skills/sample/commands/talk`, { method: "POST" });
  assert.equal(talk.status, 200);
  off();
  await host.run({ skill: "sample", input: {} });
  assert.deepEqual(
    calls.map((call) => ({ ...call, durationMs: 0 })),
    [
      { durationMs: 0, skill: "sample", command: "talk", surface: "host" },
      { durationMs: 0, skill: "sample", command: "fail", surface: "host", error: "INTERNAL" },
      { durationMs: 0, skill: "sample", command: "erase", surface: "host", error: "GUARD_DENIED" },
      { durationMs: 0, skill: "sampel", command: "", surface: "host", error: "UNKNOWN_SKILL" },
      { durationMs: 0, skill: "sample", command: "talk", surface: "http" },
    ],
  );
  assert.ok(calls.every(({ durationMs }) => durationMs > 0 && durationMs < 600_000));
  const decided = { event: "command.pre", surface: "host", skill: "sample", name: "erase" };
  assert.deepEqual(decisions, [{ rule: "sample/careful", decision: "deny", ...decided }]);
});

test("a listener that throws changes no call and no decision", async (t) => {
  const { host, log } = await hosted(t);
  for (const name of ["call", "decision"] as const)
    host.events.on(name, () => {
      throw new Error("no room");
    });
  assert.deepEqual(await host.run({ skill: "sample", input: {} }), { text: "hello" });
  await assert.rejects(host.run({ skill: "sample", command: "erase", input: {} }), /GUARD_DENIED|erases/);
  assert.equal(
    log.notices.filter((line) => /^A listener of the event .* failed: Error: no room/.test(line)).length,
    3,
  );
});
