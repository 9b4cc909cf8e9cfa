/** `POST /v1/guard`: the same guard for agents that can call HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { readAudit } from "../../../adapters/audit-file.ts";
import { fixtureSkill } from "../../../testing/fixture-skills.ts";

const noPush = {
  tell: "Never push by force.",
  on: ["tool.pre" as const],
  when: {
    type: "object",
    required: ["tool", "command"],
    properties: { tool: { const: "shell" }, command: { type: "string", pattern: "--force" } },
  },
  decision: "deny" as const,
  message: "Do not push by force.",
};

const noSecret = {
  tell: "Never read secrets.",
  on: ["tool.pre" as const],
  when: {
    type: "object",
    required: ["paths"],
    properties: { paths: { type: "array", contains: { type: "string", pattern: "^/.*/secret$" } } },
  },
  decision: "deny" as const,
  message: "That is a secret.",
};

test("a request is answered with a decision, and the decision is recorded", async () => {
  await using place = await createTestHost({
    skills: [fixtureSkill("git-rules", { rules: { "no-push": noPush, "no-secret": noSecret } })],
  });
  const { url } = await place.serve();
  const ask = async (body: unknown) => {
    const reply = await fetch(`${url}/v1/guard`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: reply.status, body: (await reply.json()) as Readonly<Record<string, unknown>> };
  };
  const shell = (command: string) => ({ event: "tool.pre", surface: "hook", tool: "shell", command });
  assert.deepEqual(await ask(shell("git push")), { status: 200, body: { decision: "allow" } });
  const { status, body } = await ask(shell("git push --force"));
  const { evaluation, ...decision } = body;
  assert.deepEqual(
    [status, decision],
    [
      200,
      {
        decision: "deny",
        reasonCode: "GIT_RULES_NO_PUSH",
        message: "Do not push by force.",
        agentMessage: "Do not push by force.",
        rule: "git-rules/no-push",
        version: 1,
      },
    ],
  );
  assert.deepEqual(
    readAudit(place.environment.stateFolder).map(({ id }) => id),
    [evaluation],
  );
  assert.deepEqual(place.host.activator.loaded, []);
  const fault = await ask({ event: "tool.pre", surface: "hook", tool: "hammer" });
  assert.deepEqual(
    [fault.status, fault.body["code"], fault.body["pointer"]],
    [400, "INPUT_INVALID", "/tool"],
  );
  assert.equal((await ask("{")).body["code"], "BODY_UNREADABLE");
  const check = await place.host.schemas.check("core/guard-decision");
  assert.equal(check(body), undefined);
  // Values that occur only in the input of a call count, and paths are made absolute.
  const pre = { event: "tool.pre", surface: "hook" };
  for (const call of [
    { name: "Bash", input: { command: "git push --force" } },
    { tool: "write", input: { file_path: "a/../secret" } },
    { tool: "read", paths: ["./secret"] },
  ])
    assert.equal((await ask({ ...pre, ...call })).body["decision"], "deny", JSON.stringify(call));
  assert.equal((await ask({ ...pre, input: { command: "ls" } })).body["code"], "REQUEST_UNREADABLE");
});
