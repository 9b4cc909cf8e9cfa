/** One rule, two faces: what a model is told is what the host enforces, and the other way round. */
import assert from "node:assert/strict";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import type { Rule, SkillManifest } from "../core/contract.ts";
import type { HostedSkill } from "../core/skill.ts";
import { toldRule, withRules } from "../core/skill-document.ts";
import { greetingFiles, writeSkill, type SkillFiles } from "../core/testing/fixture-greeting.ts";
import { SKILLS } from "./harness.ts";
import { prompted, toldFaults } from "./told.ts";
import { STEPS } from "../plugins/runtime-debug/session/steps.ts";

describe("the skills in the box", () => {
  test("tell every rule that is enforced, and enforce every rule that they tell as enforced", async () => {
    const { told } = await prompted(SKILLS);
    assert.ok(told.size > 0);
    assert.deepEqual(await toldFaults(SKILLS, told), []);
  });

  test("tell each sentence in the text of the prompt, under what it is", async () => {
    const { text, told } = await prompted(SKILLS);
    for (const [id, rule] of told) assert.ok(text.includes(`\n- ${rule.tell}`), id);
  });

  test("tell in each phase of a debug session the step that its commands tell", () => {
    const debug = SKILLS.find(({ manifest }) => manifest.name === "runtime-debug");
    const steps = Object.entries(STEPS).map(([state, { next }]) => [state, next]);
    assert.deepEqual(debug?.manifest.phases?.next, Object.fromEntries(steps));
  });
});

/** The rule of the fixture, changed, in a skill on the disk. */
async function skillWith(
  t: TestContext,
  change: Partial<Rule>,
  files: SkillFiles = {},
): Promise<readonly HostedSkill[]> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), "skillctl-told-")));
  t.after(() => rm(parent, { recursive: true, force: true }));
  const given = greetingFiles();
  const manifest = given["skill.json"] as SkillManifest;
  const rule = { ...manifest.rules?.["no-shouting"], ...change } as Rule;
  const rules = { "no-shouting": rule };
  const document = withRules(given["SKILL.md"] as string, [toldRule(rule)]);
  const folder = await writeSkill(parent, "greeting", { ...given, "SKILL.md": document, ...files });
  const code = { commands: {}, routes: {}, rules: {} };
  return [
    {
      manifest: { ...manifest, rules },
      folder,
      schemas: join(folder, "schemas"),
      builtin: true,
      load: async () => ({ default: code }),
    },
  ];
}

describe("a skill", () => {
  test("whose rule does what it tells has no fault", async (t) => {
    const skills = await skillWith(t, {});
    assert.deepEqual(await toldFaults(skills, (await prompted(skills)).told), []);
  });

  test("whose rule is told and does not stop what its table says has a fault", async (t) => {
    const when = { type: "object", required: ["input"], properties: { input: { const: "ADA" } } };
    const skills = await skillWith(t, { when });
    const [fault = "", ...more] = await toldFaults(skills, (await prompted(skills)).told);
    assert.match(fault, /^greeting\/no-shouting is told and does not deny, but nothing: /);
    assert.equal(more.length, 1);
  });

  test("whose rule stops what it lets pass has a fault", async (t) => {
    const skills = await skillWith(t, { when: { type: "object" } });
    const [fault = "", ...more] = await toldFaults(skills, (await prompted(skills)).told);
    assert.match(fault, /^greeting\/no-shouting speaks of what it lets pass: /);
    assert.deepEqual(more, []);
  });

  test("whose rule is enforced and not told has a fault", async (t) => {
    const skills = await skillWith(t, {});
    const told = new Map((await prompted(skills)).told);
    told.delete("greeting/no-shouting");
    assert.deepEqual(await toldFaults(skills, told), ["greeting/no-shouting is enforced and is not told."]);
  });

  test("whose rule is told as enforced and is in audit mode has faults", async (t) => {
    const strict = (await prompted(await skillWith(t, {}))).told;
    const skills = await skillWith(t, { mode: "audit" });
    const [fault = "", ...more] = await toldFaults(skills, strict);
    assert.match(fault, /^greeting\/no-shouting is told as enforced: /);
    assert.deepEqual(more, []);
    assert.equal((await prompted(skills)).told.get("greeting/no-shouting")?.kind, "recorded");
  });

  test("whose SKILL.md tells other rules has a fault", async (t) => {
    const document = withRules(greetingFiles()["SKILL.md"] as string, []);
    const skills = await skillWith(t, {}, { "SKILL.md": document });
    assert.deepEqual(await toldFaults(skills, (await prompted(skills)).told), [
      "SKILL.md of greeting does not tell its rules.",
    ]);
  });

  test("tells a rule no more when it has gone from the manifest", async (t) => {
    const [skill] = await skillWith(t, {});
    assert.ok(skill);
    const { tell = "" } = skill.manifest.rules?.["no-shouting"] ?? {};
    assert.ok((await prompted([skill])).text.includes(tell));
    const without: HostedSkill = { ...skill, manifest: { ...skill.manifest, rules: {} } };
    const { text, told } = await prompted([without]);
    assert.ok(!text.includes(tell));
    assert.ok(!told.has("greeting/no-shouting"));
    const faults = await toldFaults([without], (await prompted([skill])).told);
    assert.ok(faults.includes("greeting/no-shouting is told, and there is no such rule."));
  });

  test("whose rule is only told says why", async (t) => {
    const rule = { on: undefined, when: undefined, decision: undefined, message: undefined, enforced: false };
    const silent = await skillWith(t, rule as unknown as Partial<Rule>);
    assert.deepEqual(await toldFaults(silent, (await prompted(silent)).told), [
      "greeting/no-shouting does not say why nothing enforces it.",
    ]);
    const spoken = { ...rule, why: "Nobody hears it." } as unknown as Partial<Rule>;
    const skills = await skillWith(t, spoken);
    assert.deepEqual(await toldFaults(skills, (await prompted(skills)).told), []);
  });
});
