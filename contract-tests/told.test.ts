/** One rule, two faces: what a model is told is what the host enforces, and the other way round. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { createTestHost } from "skillctl/testing";
import { Catalog } from "../core/catalog.ts";
import type { Rule, SkillManifest } from "../core/contract.ts";
import { Guard, type Evaluation } from "../core/guard.ts";
import { ownRules } from "../core/guard/own/own-rules.ts";
import type { Decision, Subject } from "../core/plugin.ts";
import { readShell } from "../core/shell/read-shell.ts";
import { withRules, toldRule, type ToldRule } from "../core/skill-document.ts";
import type { HostedSkill } from "../core/skill.ts";
import { runCli } from "../core/surfaces/cli/fixture-command-line.ts";
import { readTables } from "../core/testing/cases/rule-cases.ts";
import { greetingFiles, greetingManifest, writeSkill } from "../core/testing/fixture-greeting.ts";
import { STEPS } from "../plugins/runtime-debug/session/steps.ts";
import { ROOT, SKILLS } from "./harness.ts";

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
async function skillWith(t: TestContext, change: Partial<Rule>): Promise<HostedSkill> {
  const parent = await mkdtemp(join(tmpdir(), "skillctl-told-"));
  t.after(() => rm(parent, { recursive: true, force: true }));
  const folder = await writeSkill(parent, "greeting", greetingFiles());
  const manifest = greetingManifest("greeting") as unknown as SkillManifest;
  const rule = { ...manifest.rules?.["no-shouting"], ...change } as Rule;
  const load = async () => ({ default: { commands: {}, routes: {}, rules: {} } });
  const schemas = join(folder, "schemas");
  return { manifest: { ...manifest, rules: { "no-shouting": rule } }, folder, schemas, builtin: true, load };
}

test("a rule in audit mode is told as recorded, and one that has gone from the manifest no more", async (t) => {
  const skill = await skillWith(t, { mode: "audit" });
  const { tell = "" } = skill.manifest.rules?.["no-shouting"] ?? {};
  const before = await prompted([skill]);
  assert.ok(before.text.includes(tell));
  assert.equal(before.told.get("greeting/no-shouting")?.kind, "recorded");
  const after = await prompted([{ ...skill, manifest: { ...skill.manifest, rules: {} } }]);
  assert.ok(!after.text.includes(tell) && !after.told.has("greeting/no-shouting"));
});

test("a rule that does not do what its tables say, and one that speaks of what they let pass, are found", async (t) => {
  const faultsOf = async (when: Rule["when"] & object) => {
    const skill = await skillWith(t, { when });
    const own = writtenRules([skill]).filter(({ id }) => id.startsWith("greeting/"));
    return (await effectFaults([skill], own)).join("\n");
  };
  const never = { type: "object", required: ["input"], properties: { input: { const: "ADA" } } };
  assert.match(await faultsOf(never), /^greeting\/no-shouting is told and does not deny, but nothing: /);
  assert.match(await faultsOf({ type: "object" }), /^greeting\/no-shouting speaks of what it lets pass: /);
});

/** What a model is told of each rule, by `<skill>/<rule>`. */
type ToldRules = ReadonlyMap<string, ToldRule>;

/** A rule that somebody wrote, and the folder with its tables. */
interface Written {
  readonly id: string;
  readonly name: string;
  readonly rule: Rule;
  readonly folder: string;
}

interface PromptOutput {
  readonly output: {
    readonly skills: readonly { readonly name: string; readonly rules: readonly (ToldRule & Named)[] }[];
    readonly rules: readonly (ToldRule & Named & { readonly tier: string })[];
  };
}
interface Named {
  readonly name: string;
}

/** The state folder that the tables of the core's own rules speak of. */
const STATE = "/home/ada/.local/state/skillctl";
const CORE = join(ROOT, "core", "guard", "own");
const STRICT: readonly Decision[] = ["allow", "warn", "transform", "ask", "deny"];

/** What `skillctl prompt` tells of these skills and of the host: as text, and rule by rule. */
async function prompted(
  skills: readonly HostedSkill[],
): Promise<{ readonly text: string; readonly told: ToldRules }> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-told-"));
  try {
    const say = async (...words: readonly string[]): Promise<string> =>
      (await runCli(folder, ["prompt", ...words], { builtin: skills })).out;
    const { output } = JSON.parse(await say("--json")) as PromptOutput;
    const told = [
      ...output.skills.flatMap(({ name, rules }) => rules.map((rule) => [name, rule] as const)),
      ...output.rules.map((rule) => [rule.tier, rule] as const),
    ].map(([owner, { name, tell, kind, why }]) => {
      const rule: ToldRule = { tell, kind, ...(why !== undefined && { why }) };
      return [`${owner}/${name}`, rule] as const;
    });
    return { text: await say(), told: new Map(told) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where what is told and what is enforced are not the same, a sentence each. */
async function toldFaults(skills: readonly HostedSkill[], told: ToldRules): Promise<readonly string[]> {
  const written = writtenRules(skills);
  const faults: string[] = [];
  for (const { id, rule } of written) {
    const [is, should] = [told.get(id), toldRule(rule)];
    if (!is) faults.push(`${id} is ${should.kind} and is not told.`);
    else if (JSON.stringify(is) !== JSON.stringify(should))
      faults.push(`${id} is told as ${is.kind}: ${is.tell}`);
    if (should.kind === "told" && should.why === undefined)
      faults.push(`${id} does not say why nothing enforces it.`);
  }
  const ids = new Set(written.map(({ id }) => id));
  for (const id of told.keys()) if (!ids.has(id)) faults.push(`${id} is told, and there is no such rule.`);
  for (const { folder, manifest } of skills) {
    const text = await readFile(join(folder, "SKILL.md"), "utf8");
    const rules = Object.values(manifest.rules ?? {}).map(toldRule);
    if (withRules(text, rules) !== text) faults.push(`SKILL.md of ${manifest.name} does not tell its rules.`);
  }
  const enforced = written.filter(({ rule }) => toldRule(rule).kind === "enforced");
  return [...faults, ...(await effectFaults(skills, enforced))];
}

function writtenRules(skills: readonly HostedSkill[]): readonly Written[] {
  const owners = [
    ...skills.map(({ folder, manifest }) => ({ folder, owner: manifest.name, rules: manifest.rules ?? {} })),
    { folder: CORE, owner: "core", rules: ownRules([STATE]) },
  ];
  return owners.flatMap(({ folder, owner, rules }) =>
    Object.entries(rules).map(([name, rule]) => ({ id: `${owner}/${name}`, name, rule, folder })),
  );
}

/** Rules that do not do, among all the others and with the real code, what their tables say. */
async function effectFaults(
  skills: readonly HostedSkill[],
  enforced: readonly Written[],
): Promise<readonly string[]> {
  const isCode = ({ rule }: Written): boolean => rule.handler === true;
  // A place of its own for each handler: they remember what they have seen.
  const groups = [enforced.filter((one) => !isCode(one)), ...enforced.filter(isCode).map((one) => [one])];
  const faults: string[] = [];
  for (const group of groups) {
    await using place = await guardedPlace(skills.map(patient));
    for (const one of group) faults.push(...(await tableFaults(one, place)));
  }
  return faults;
}

/** A skill whose handlers have all the time there is: opening a plugin takes long on a slow machine. */
function patient(skill: HostedSkill): HostedSkill {
  const rules = Object.entries(skill.manifest.rules ?? {}).map(([name, rule]): [string, Rule] => [
    name,
    rule.handler ? { ...rule, timeoutMs: 10_000 } : rule,
  ]);
  return { ...skill, manifest: { ...skill.manifest, rules: Object.fromEntries(rules) } };
}

async function tableFaults(
  { id, name, folder }: Written,
  place: Awaited<ReturnType<typeof guardedPlace>>,
): Promise<readonly string[]> {
  const faults = place.asked.has(id) ? [] : [`${id} is told and never asked.`];
  const { passes, stops } = await readTables(folder, name);
  for (const subject of passes) {
    const { own, failures } = await place.says(id, subject);
    faults.push(...failures);
    if (own !== undefined) faults.push(`${id} speaks of what it lets pass: ${shown(subject)}`);
  }
  for (const { subject, decision } of stops) {
    const said = await place.says(id, subject);
    faults.push(...said.failures);
    if (said.own !== decision)
      faults.push(`${id} is told and does not ${decision}, but ${said.own ?? "nothing"}: ${shown(subject)}`);
    if (STRICT.indexOf(said.decision) < STRICT.indexOf(decision))
      faults.push(`${id} says ${decision}, and the guard ${said.decision}: ${shown(subject)}`);
  }
  return faults;
}

/** A guard of all skills and of the core, with their real code, on a host of its own. */
async function guardedPlace(skills: readonly HostedSkill[]) {
  const test = await createTestHost({ skills });
  const records: Evaluation[] = [];
  const guard = new Guard(new Catalog(skills), test.host.activator, {
    rules: { core: ownRules([STATE]) },
    audit: { record: (evaluation) => void records.push(evaluation) },
    phases: (cwd) => test.host.phases(cwd),
    shell: (command, cwd = "/") => readShell(command, { cwd, home: "/home/ada" }),
  });
  return {
    asked: new Set(guard.rules().map(({ id }) => id)),
    says: async (id: string, subject: Subject) => {
      records.length = 0;
      const { decision } = await guard.decide(subject);
      const findings = records.flatMap((record) => record.findings);
      const failures = findings
        .filter((finding) => finding.failed)
        .map(({ rule, message, cause }) => `${rule} fails at a case of ${id}: ${message} ${String(cause)}`);
      return { decision, own: findings.find(({ rule }) => rule === id)?.decision, failures };
    },
    [Symbol.asyncDispose]: () => test.close(),
  };
}

function shown(subject: Subject): string {
  return JSON.stringify(subject).slice(0, 200);
}
