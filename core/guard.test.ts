import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "./contract.ts";
import type { Subject } from "./plugin.ts";
import { fixtureHost, fixtureSkill, ruleClass, type FixtureManifest } from "./testing/fixture-skills.ts";

const fixed = (decision: "warn" | "ask" | "deny", more: Partial<Rule> = {}): Rule => ({
  tell: `It is told (${decision}).`,
  on: ["command.pre"],
  decision,
  message: `It is said (${decision}).`,
  ...more,
});
const asked = (more: Partial<Rule> = {}): Rule => ({
  tell: "It is told.",
  on: ["command.pre"],
  handler: true,
  ...more,
});

const subject = (more: Partial<Subject> = {}): Subject => ({
  event: "command.pre",
  surface: "cli",
  skill: "a",
  name: "greet",
  input: {},
  ...more,
});

const guarded = (rules: Readonly<Record<string, Rule>>, parts: FixtureManifest = {}, name = "a") =>
  fixtureSkill(name, { rules, ...parts });

/** The findings of the rules of hosted skills for a subject. */
async function judged(skills: Parameters<typeof fixtureHost>[0], about = subject()) {
  const host = fixtureHost(skills, { audit: { record: () => undefined } });
  const { evaluation, ...judgement } = await host.guard.judge(
    host.guard.plan(about.event, about.skill),
    about,
  );
  assert.equal(evaluation !== undefined, judgement.findings.length > 0);
  return { ...judgement, loaded: host.activator.loaded };
}

/** The finding of one handler for a subject. */
const answered = (judge: Parameters<typeof ruleClass>[0], rule = asked()) =>
  judged([guarded({ strict: rule }, { code: { rules: { strict: ruleClass(judge) } } })]);

test("a rule applies to its own skill only, unless it applies to all", async () => {
  const skills = [
    guarded({
      own: fixed("warn"),
      all: fixed("warn", { applies: "all" }),
      said: fixed("warn", { applies: "own" }),
    }),
    guarded({ own: fixed("warn"), all: fixed("warn", { applies: "all" }) }, {}, "b"),
  ];
  const heard = async (skill: string) =>
    (await judged(skills, subject({ skill }))).findings.map(({ rule }) => rule);
  assert.deepEqual(await heard("a"), ["a/own", "a/all", "a/said", "b/all"]);
  assert.deepEqual(await heard("b"), ["a/all", "b/own", "b/all"]);
  assert.deepEqual(await heard("not-hosted"), ["a/all", "b/all"]);
});

test("a verdict without a message uses the manifest's message, or else the rule's instruction to the model", async () => {
  const words = async (rule: Rule, verdict: object) => {
    const { findings } = await answered(() => ({ decision: "deny", ...verdict }), rule);
    return [findings[0]?.message, findings[0]?.agentMessage];
  };
  const both = asked({ message: "Person.", agentMessage: "Model." });
  assert.deepEqual(await words(both, {}), ["Person.", "Model."]);
  assert.deepEqual(await words(both, { message: "Verdict." }), ["Verdict.", "Model."]);
  assert.deepEqual(await words(asked({ message: "Person." }), {}), ["Person.", "Person."]);
  assert.deepEqual(await words(asked(), {}), ["It is told.", "It is told."]);
  assert.deepEqual(await words(asked(), { message: "Verdict." }), ["Verdict.", "Verdict."]);
});

test("every result that is not a verdict is a denial that names its fault", async () => {
  const odd = "judge must return { decision } with one of allow, warn, transform, ask, deny";
  const shapes: readonly unknown[] = [
    undefined,
    null,
    true,
    "allow",
    [],
    {},
    { decision: "permit" },
    { decision: "ALLOW" },
    { decision: "toString" },
    { decision: ["allow"] },
  ];
  const rows: readonly (readonly [shape: unknown, reason: string])[] = [
    ...shapes.map((shape) => [shape, odd] as const),
    [{ decision: "allow", message: 5 }, "judge returned a verdict whose message is not a string"],
    [
      { decision: "warn", agentMessage: { text: "no" } },
      "judge returned a verdict whose agentMessage is not a string",
    ],
    [{ decision: "transform" }, "judge returned transform without an input"],
  ];
  for (const [shape, reason] of rows) {
    const { decision, findings } = await answered(() => shape);
    assert.deepEqual([decision, findings[0]?.failed], ["deny", true], JSON.stringify(shape));
    assert.equal(findings[0]?.message, `The rule a/strict failed to decide: ${reason}.`);
  }
});

test("a handler that never settles is a denial after two seconds, and so is a plugin that never loads", async () => {
  const never = () => new Promise<never>(() => undefined);
  const [silent, closed] = await Promise.all([
    answered(never),
    judged([guarded({ strict: asked() }, { load: never })]),
  ]);
  for (const [{ decision, findings }, since] of [
    [silent, ""],
    [closed, ", since the code of a is still being loaded"],
  ] as const) {
    assert.equal(decision, "deny");
    assert.equal(findings[0]?.failed, true);
    assert.equal(
      findings[0]?.message,
      `The rule a/strict failed to decide: no answer within 2000 ms${since}.`,
    );
  }
});
