/** `POST /v1/guard`: the same guard for agents that can call HTTP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { readAudit } from "../../../adapters/audit-file.ts";
import { fixtureSkill } from "../../../testing/fixture-skills.ts";
import { SKILLS } from "../../../../contract-tests/harness.ts";

const noPush = {
  tell: "Never push by force.",
  on: ["tool.pre" as const],
  when: {
    type: "object",
    required: ["tool", "command"],
    properties: { tool: { const: "shell" }, command: { type: "string", pattern: "--force" } },
  },
  decision: "deny" as const,
  message: "Nobody pushes by force.",
};

test("a request is answered with a decision, and the decision is recorded", async () => {
  await using place = await createTestHost({
    skills: [fixtureSkill("git-rules", { rules: { "no-push": noPush } })],
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
        message: "Nobody pushes by force.",
        agentMessage: "Nobody pushes by force.",
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
});

test("the skills in the box let harmless tool calls pass without being opened", async () => {
  await using place = await createTestHost({ skills: SKILLS });
  for (const tool of ["shell", "read", "write"] as const) {
    const { decision } = await place.host.guard.decide({
      event: "tool.pre",
      surface: "hook",
      tool,
      cwd: "/shop",
      command: "npm test",
      paths: ["/shop/a.ts"],
    });
    assert.equal(decision, "allow", tool);
  }
  assert.deepEqual(place.host.activator.loaded, []);
});

test("a command and a route that a rule denies over HTTP name the decision, which is recorded", async () => {
  const late = { tell: "Not at night.", decision: "deny" as const, message: "It is late." };
  const skill = fixtureSkill("git-rules", {
    commands: { push: { summary: "Pushes.", input: "core/guard-request", output: "core/guard-request" } },
    routes: { ask: { summary: "Asks.", method: "GET", path: "/ask", replies: {} } },
    rules: { "no-command": { ...late, on: ["command.pre"] }, "no-route": { ...late, on: ["route.request"] } },
  });
  await using place = await createTestHost({ skills: [skill] });
  const { url } = await place.serve();
  const hints: unknown[] = [];
  const refused = async (path: string, method: string, body?: string): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const reply = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    const { code, hint } = (await reply.json()) as { code: string; hint: string };
    assert.deepEqual([reply.status, code], [403, "GUARD_DENIED"]);
    hints.push(hint);
  };
  const body = JSON.stringify({ event: "command.pre", surface: "cli" });
  await refused("/v1/skills/git-rules/commands/push", "POST", body);
  await refused("/git-rules/ask", "GET");
  const kept = readAudit(place.environment.stateFolder).map(({ id, rules }) => [id, rules[0]?.rule]);
  assert.deepEqual(
    hints,
    kept.map(([id, rule]) => `Rule: ${rule}. See: skillctl why ${id}.`),
  );
  assert.deepEqual(
    kept.map(([, rule]) => rule),
    ["git-rules/no-command", "git-rules/no-route"],
  );
});

test("a call whose command and files stand only in its input is judged by them", async () => {
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
  await using place = await createTestHost({
    skills: [fixtureSkill("git-rules", { rules: { "no-push": noPush, "no-secret": noSecret } })],
  });
  const { url } = await place.serve();
  const ask = async (request: object) => {
    const reply = await fetch(`${url}/v1/guard`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ event: "tool.pre", surface: "hook", ...request }),
    });
    const { decision, code } = (await reply.json()) as { decision?: string; code?: string };
    return decision ?? code;
  };
  assert.equal(await ask({ tool: "shell", name: "Bash", input: { command: "git push --force" } }), "deny");
  assert.equal(await ask({ name: "Bash", input: { command: "git push --force" } }), "deny");
  assert.equal(await ask({ tool: "write", input: { file_path: "a/../secret" } }), "deny");
  assert.equal(await ask({ tool: "read", paths: ["./secret"] }), "deny");
  assert.equal(await ask({ tool: "read", paths: ["./open"] }), "allow");
  assert.equal(await ask({ input: { command: "git push --force" } }), "REQUEST_UNREADABLE");
});
