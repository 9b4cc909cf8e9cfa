import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packageFolder } from "../../adapters/package-folder.ts";
import type { Rule, SkillManifest } from "../../contract.ts";
import { Schemas } from "../../schema/schemas.ts";
import { fixtureSkill } from "../fixture-skills.ts";
import { decisionCases } from "./rule-cases.ts";
import { dataRules, decisionTable, findingsOf } from "./decision-table.ts";

const schemas = new Schemas({
  read: async (name) =>
    JSON.parse(readFileSync(join(packageFolder(), "schemas", `${name}.json`), "utf8")) as Record<
      string,
      unknown
    >,
});
const rule = (decision: "warn" | "ask" | "deny", when: object, more: Partial<Rule> = {}): Rule => ({
  tell: "It is told.",
  on: ["tool.pre"],
  decision,
  message: "Said.",
  when: when as NonNullable<Rule["when"]>,
  ...more,
});
const tool = (kind: string, more: object = {}) => ({
  required: ["tool", ...Object.keys(more)],
  properties: { tool: { const: kind }, ...more },
});
const push = { type: "string", pattern: "^git push" };

async function found(rules: Readonly<Record<string, Rule>>) {
  const data = dataRules({ name: "a", rules } as unknown as SkillManifest);
  const rows = decisionTable("a", data, [], await schemas.check("core/guard-request"));
  return { rows, sentences: findingsOf(data, rows).map(({ sentence }) => sentence) };
}

test("of each rule a request that it speaks of and one that it does not is in the table", async () => {
  const { rows, sentences } = await found({
    shell: rule("ask", tool("shell", { command: push })),
    write: rule(
      "deny",
      tool("write", { paths: { type: "array", contains: { type: "string", pattern: "/secret/" } } }),
    ),
  });
  assert.deepEqual(sentences, []);
  for (const id of ["a/shell", "a/write"]) {
    assert.ok(
      rows.some(({ speaking }) => speaking.some((one) => one.id === id)),
      id,
    );
    assert.ok(
      rows.some(({ speaking }) => !speaking.some((one) => one.id === id)),
      id,
    );
  }
});

test("a rule that can never speak, always speaks, or never matters is named", async () => {
  const shell = tool("shell", { command: push });
  assert.deepEqual((await found({ never: rule("deny", { ...tool("hammer") }) })).sentences, [
    "a/never is unreachable: no request was found that it speaks of.",
  ]);
  assert.deepEqual((await found({ no: rule("deny", { allOf: [tool("shell"), tool("write")] }) })).sentences, [
    "a/no is unreachable: no request was found that it speaks of.",
  ]);
  assert.deepEqual(
    (await found({ all: rule("warn", { properties: { event: { type: "string" } } }) })).sentences,
    ["a/all speaks of everything: its `when` rules nothing out."],
  );
  assert.deepEqual((await found({ mild: rule("ask", shell), hard: rule("deny", tool("shell")) })).sentences, [
    "a/mild is shadowed: whatever it speaks of, a/hard decides more strictly.",
  ]);
  const audited = { mild: rule("ask", shell), hard: rule("deny", tool("shell"), { mode: "audit" }) };
  assert.deepEqual((await found(audited)).sentences, []);
});

test("the guard is held against the table, and told of as a case of the skill", async () => {
  const tools = (rules: Readonly<Record<string, Rule>>) => ({
    skill: fixtureSkill("a", { rules }),
    schemas,
    open: () => Promise.reject(new Error("no host is needed")),
  });
  const sound = {
    push: rule("ask", tool("shell", { command: push })),
    read: rule("warn", tool("read"), { mode: "audit" }),
  };
  const [agreed] = decisionCases(tools(sound), async () => []);
  await agreed?.run();
  const [wrong] = decisionCases(tools({ never: rule("deny", tool("hammer")) }), async () => []);
  await assert.rejects(async () => wrong?.run(), /a\/never is unreachable/);
  // A predicate that the guard refuses and the second validator reads: they disagree at every request.
  const [apart] = decisionCases(
    tools({ odd: rule("warn", { ...tool("shell"), format: "none" }) }),
    async () => [],
  );
  await assert.rejects(async () => apart?.run(), /gets deny of a\/odd instead of warn of a\/odd/);
  assert.deepEqual(
    decisionCases(tools({}), async () => []),
    [],
  );
});
