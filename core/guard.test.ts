import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "./contract.ts";
import type { GuardEvent, Subject } from "./plugin.ts";
import { fixtureHost, fixtureSkill, ruleClass, type FixtureParts } from "./testing/fixture-skills.ts";

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

const guarded = (rules: Readonly<Record<string, Rule>>, parts: FixtureParts = {}, name = "a") =>
  fixtureSkill(name, { rules, ...parts });

/** What the rules of hosted skills say of a subject. */
async function judged(skills: Parameters<typeof fixtureHost>[0], about = subject()) {
  const host = fixtureHost(skills, { audit: { record: () => undefined } });
  const { evaluation, ...judgement } = await host.guard.judge(
    await host.guard.plan(about.event, about.skill),
    about,
  );
  assert.equal(evaluation !== undefined, judgement.findings.length > 0);
  return { ...judgement, loaded: host.activator.loaded };
}

/** What one handler makes of a subject. */
const answered = (judge: Parameters<typeof ruleClass>[0], rule = asked()) =>
  judged([guarded({ strict: rule }, { code: { rules: { strict: ruleClass(judge) } } })]);

test("without a rule, or when none speaks, everything is allowed", async () => {
  const nothing = { decision: "allow", findings: [], loaded: [] };
  assert.deepEqual(await judged([]), nothing);
  assert.deepEqual(await judged([fixtureSkill("a")]), nothing);
  const elsewhere = { type: "object", properties: { surface: { const: "mcp" } }, required: ["surface"] };
  assert.deepEqual(await judged([guarded({ r: fixed("deny", { when: elsewhere }) })]), nothing);
});

test("the strictest verdict wins in whatever order the rules stand, and every rule that spoke is told", async () => {
  const decisions = ["warn", "ask", "deny"] as const;
  const orders: readonly (readonly [number, number, number])[] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  for (const order of orders) {
    const rules = Object.fromEntries(order.map((index) => [`r${index}`, fixed(decisions[index] ?? "warn")]));
    const { decision, findings } = await judged([guarded(rules)]);
    assert.equal(decision, "deny");
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      order.map((index) => `a/r${index}`),
    );
  }
  assert.equal((await judged([guarded({ x: fixed("warn"), y: fixed("ask") })])).decision, "ask");
  assert.equal((await judged([guarded({ x: fixed("ask"), y: fixed("warn") })])).decision, "ask");
  assert.equal((await judged([guarded({ x: fixed("warn") })])).decision, "warn");
});

test("rules that are data are judged without opening a plugin", async () => {
  const load = () => assert.fail("the code was loaded");
  const when = {
    type: "object",
    required: ["input"],
    properties: { input: { type: "object", required: ["token"] } },
  };
  const skill = guarded({ secret: fixed("deny", { when }) }, { load });
  const refused = await judged([skill], subject({ input: { token: "x" } }));
  assert.deepEqual(refused, {
    decision: "deny",
    findings: [
      {
        rule: "a/secret",
        version: 1,
        tier: "plugin",
        decision: "deny",
        reasonCode: "A_SECRET",
        message: "It is said (deny).",
        agentMessage: "It is said (deny).",
        failed: false,
      },
    ],
    loaded: [],
  });
  assert.deepEqual(await judged([skill], subject({ input: {} })), {
    decision: "allow",
    findings: [],
    loaded: [],
  });
});

test("a handler whose predicate does not hold is not asked, and its plugin stays closed", async () => {
  const when = { type: "object", properties: { name: { const: "other" } }, required: ["name"] };
  const load = () => assert.fail("the code was loaded");
  const { decision, loaded } = await judged([guarded({ strict: asked({ when }) }, { load })]);
  assert.deepEqual([decision, loaded], ["allow", []]);
});

test("a rule hears its own skill only, unless it applies to all", async () => {
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

test("a rule hears the events it names, and an event that nobody knows is heard by none", async () => {
  const host = fixtureHost([guarded({ two: fixed("deny", { on: ["command.post", "route.request"] }) })]);
  const heard = async (event: string) =>
    (await host.guard.plan(event as GuardEvent, "a"))
      .filter(({ tier }) => tier !== "core")
      .map(({ id }) => id);
  assert.deepEqual(await heard("command.post"), ["a/two"]);
  assert.deepEqual(await heard("route.request"), ["a/two"]);
  for (const event of ["command.pre", "tool.pre", "tool.post", "command", ""])
    assert.deepEqual(await heard(event), [], event);
});

test("a handler is given the subject, and its words go before those of the manifest", async () => {
  const seen: Subject[] = [];
  const about = subject({ input: { name: "Ada" } });
  const judge = (given: Subject) => {
    seen.push(given);
    return { decision: "ask", message: "Really?", agentMessage: "Ask the person." };
  };
  const rule = asked({ message: "Of the manifest.", agentMessage: "Of the manifest, for the model." });
  const skill = guarded({ strict: rule }, { code: { rules: { strict: ruleClass(judge) } } });
  const { findings, loaded } = await judged([skill], about);
  assert.deepEqual(seen, [about]);
  assert.deepEqual(loaded, ["a"]);
  assert.deepEqual(findings, [
    {
      rule: "a/strict",
      version: 1,
      tier: "plugin",
      decision: "ask",
      reasonCode: "A_STRICT",
      message: "Really?",
      agentMessage: "Ask the person.",
      failed: false,
    },
  ]);
});

test("a verdict without words is told in those of the manifest, and without any there, in what the model is told", async () => {
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

test("a handler may answer at once or later, and a permission is no finding", async () => {
  assert.deepEqual((await answered(() => ({ decision: "allow", message: "Fine." }))).findings, []);
  assert.equal((await answered(async () => ({ decision: "warn" }))).decision, "warn");
});

test("a handler that throws or rejects is a denial that says so, and the rules after it are asked all the same", async () => {
  const thrown = [
    [new TypeError("x is undefined"), "TypeError: x is undefined"],
    [new Error("no record\nof it"), "no record"],
    ["a text", "a text"],
  ] as const;
  const judges = thrown.flatMap(([cause, line]) => [
    [() => Promise.reject(cause), cause, line] as const,
    [
      () => {
        throw cause;
      },
      cause,
      line,
    ] as const,
  ]);
  for (const [judge, cause, line] of judges) {
    const code = { rules: { strict: ruleClass(judge) } };
    const { decision, findings } = await judged([
      guarded({ strict: asked(), after: fixed("warn") }, { code }),
    ]);
    const message = "The rule a/strict failed to decide: its code failed.";
    assert.equal(decision, "deny");
    assert.deepEqual(findings[0], {
      rule: "a/strict",
      version: 1,
      tier: "plugin",
      decision: "deny",
      reasonCode: "GUARD_FAILED",
      message,
      agentMessage: message,
      failed: true,
      failure: `its code failed: ${line}`,
      cause,
    });
    assert.equal(findings[0]?.cause, cause);
    assert.equal(findings[1]?.rule, "a/after");
  }
});

test("an answer that is no verdict is a denial, whatever it is", async () => {
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
    { decision: "allow", message: 5 },
    { decision: "warn", agentMessage: { text: "no" } },
  ];
  for (const shape of shapes) {
    const { decision, findings } = await answered(() => shape);
    assert.deepEqual([decision, findings[0]?.failed], ["deny", true], JSON.stringify(shape));
    assert.equal(
      findings[0]?.message,
      "The rule a/strict failed to decide: judge must return { decision: … }.",
    );
  }
});

test("a rule whose plugin cannot be opened is a denial", async () => {
  const load = () => Promise.reject(new Error("out of order"));
  const { decision, findings, loaded } = await judged([guarded({ strict: asked() }, { load })]);
  assert.deepEqual([decision, findings[0]?.failed, loaded], ["deny", true, []]);
  assert.equal(findings[0]?.message, "The rule a/strict failed to decide: its code failed.");
  assert.match(String(findings[0]?.cause), /The code of a fails while it is loaded/);
});

test("a handler that never answers is a denial after two seconds, and so is a plugin that never opens", async () => {
  const never = () => new Promise<never>(() => undefined);
  const [silent, closed] = await Promise.all([
    answered(never),
    judged([guarded({ strict: asked() }, { load: never })]),
  ]);
  for (const { decision, findings } of [silent, closed]) {
    assert.equal(decision, "deny");
    assert.equal(findings[0]?.failed, true);
    assert.equal(findings[0]?.message, "The rule a/strict failed to decide: no answer within 2000 ms.");
  }
});

test("a predicate that is no strict schema is refused with the label of its rule when the plan is made", async () => {
  const { guard } = fixtureHost([guarded({ loose: fixed("deny", { when: { requird: ["input"] } }) })]);
  await assert.rejects(guard.plan("command.pre", "a"), { code: "SCHEMA_INVALID", message: /a\/loose\/when/ });
});
