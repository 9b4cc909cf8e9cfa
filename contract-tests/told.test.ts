/** The instructions for a model contain the rules of the manifests; the tables of the rules show that they are enforced. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createTestHost } from "skillctl/testing";
import type { Rule, SkillManifest } from "../core/contract.ts";
import { OWN_RULES } from "../core/guard/own/own-rules.ts";
import { withRules, toldRule, type ToldRule } from "../core/skill-document.ts";
import type { HostedSkill } from "../core/skill.ts";
import { runCli } from "../core/surfaces/cli/fixture-command-line.ts";
import { greetingFiles, greetingManifest, writeSkill } from "../core/testing/fixture-greeting.ts";
import { STEPS } from "../plugins/runtime-debug/session/steps.ts";
import { SKILLS } from "./harness.ts";

describe("the built-in skills", () => {
  test("list exactly the existing rules, each under its kind", async () => {
    const { told } = await prompted(SKILLS);
    assert.ok(told.size > 0);
    assert.deepEqual(await toldFaults(SKILLS, told), []);
  });

  test("contain each sentence of the prompt, under its kind", async () => {
    const { text, told } = await prompted(SKILLS);
    for (const [id, rule] of told) assert.ok(text.includes(`\n- ${rule.tell}`), id);
  });

  test("name in each phase of a debug session the step that its commands name", () => {
    const debug = SKILLS.find(({ manifest }) => manifest.name === "runtime-debug");
    const steps = Object.entries(STEPS).map(([state, { next }]) => [state, next]);
    assert.deepEqual(debug?.manifest.phases?.next, Object.fromEntries(steps));
  });
});

test("a rule in audit mode is listed as recorded, and a removed rule is not listed", async () => {
  await using place = await createTestHost();
  const folder = await writeSkill(place.folder, "greeting", greetingFiles());
  const manifest = greetingManifest() as unknown as SkillManifest;
  const rule = { ...(manifest.rules?.["no-shouting"] as Rule), mode: "audit" as const };
  const withRule = (rules: Readonly<Record<string, Rule>>): HostedSkill => ({
    manifest: { ...manifest, rules },
    folder,
    schemas: join(folder, "schemas"),
    builtin: true,
    load: async () => ({}),
  });
  const before = await prompted([withRule({ "no-shouting": rule })]);
  assert.ok(before.text.includes(rule.tell));
  assert.equal(before.told.get("greeting/no-shouting")?.kind, "recorded");
  const after = await prompted([withRule({})]);
  assert.ok(!after.text.includes(rule.tell) && !after.told.has("greeting/no-shouting"));
});

/** The text of each rule for the model, by `<skill>/<rule>`. */
type ToldRules = ReadonlyMap<string, ToldRule>;

interface PromptOutput {
  readonly output: {
    readonly skills: readonly { readonly name: string; readonly rules: readonly (ToldRule & Named)[] }[];
    readonly rules: readonly (ToldRule & Named & { readonly tier: string })[];
  };
}
interface Named {
  readonly name: string;
}

/** The output of `skillctl prompt` on these skills and the host: as text, and rule by rule. */
async function prompted(
  skills: readonly HostedSkill[],
): Promise<{ readonly text: string; readonly told: ToldRules }> {
  await using place = await createTestHost();
  const say = async (...words: readonly string[]): Promise<string> =>
    (await runCli(place.folder, ["prompt", ...words], { builtin: skills })).out;
  const { output } = JSON.parse(await say("--json")) as PromptOutput;
  const told = [
    ...output.skills.flatMap(({ name, rules }) => rules.map((rule) => [name, rule] as const)),
    ...output.rules.map((rule) => [rule.tier, rule] as const),
  ].map(([owner, { name, tell, kind, why }]) => {
    const rule: ToldRule = { tell, kind, ...(why !== undefined && { why }) };
    return [`${owner}/${name}`, rule] as const;
  });
  return { text: await say(), told: new Map(told) };
}

/** Sentences of the instructions that differ from the manifest. */
async function toldFaults(skills: readonly HostedSkill[], told: ToldRules): Promise<readonly string[]> {
  const written = writtenRules(skills);
  const faults: string[] = [];
  for (const [id, rule] of written) {
    const [is, should] = [told.get(id), toldRule(rule)];
    if (!is) faults.push(`${id} is ${should.kind} and is not listed.`);
    else if (JSON.stringify(is) !== JSON.stringify(should))
      faults.push(`${id} is listed as ${is.kind}: ${is.tell}`);
    if (should.kind === "told" && should.why === undefined)
      faults.push(`${id} does not say why nothing enforces it.`);
  }
  const ids = new Set(written.map(([id]) => id));
  for (const id of told.keys()) if (!ids.has(id)) faults.push(`${id} is listed, but there is no such rule.`);
  for (const { folder, manifest } of skills) {
    const text = await readFile(join(folder, "SKILL.md"), "utf8");
    const rules = Object.values(manifest.rules ?? {}).map(toldRule);
    if (withRules(text, rules) !== text) faults.push(`SKILL.md of ${manifest.name} does not list its rules.`);
  }
  return faults;
}

function writtenRules(skills: readonly HostedSkill[]): readonly (readonly [id: string, rule: Rule])[] {
  const owners = [
    ...skills.map(({ manifest }) => [manifest.name, manifest.rules ?? {}] as const),
    ["core", OWN_RULES] as const,
  ];
  return owners.flatMap(([owner, rules]) =>
    Object.entries(rules).map(([name, rule]) => [`${owner}/${name}`, rule] as const),
  );
}
