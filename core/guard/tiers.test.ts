import assert from "node:assert/strict";
import { test } from "node:test";
import type { OwnRule, Rule, ShellFacts } from "../contract.ts";
import { Catalog } from "../catalog.ts";
import { Guard, type Evaluation, type GuardOptions } from "../guard.ts";
import type { RuleHandler, Subject } from "../plugin.ts";
import { unreadFacts } from "../shell/unread.ts";
import { fixtureSkill } from "../testing/fixture-skills.ts";

const SUBJECT: Subject = { event: "tool.pre", surface: "hook", tool: "shell", command: "git push --force" };
const rule = (more: Partial<Rule>): Rule => ({
  tell: "It is told.",
  on: ["tool.pre"],
  message: "Said.",
  ...more,
});
const own = (more: Partial<OwnRule>): OwnRule => ({
  on: ["tool.pre"],
  decision: "deny",
  message: "Of this place.",
  ...more,
});

function guardOf(
  rules: Readonly<Record<string, Rule>>,
  options: GuardOptions = {},
  judge?: RuleHandler["judge"],
) {
  const records: Evaluation[] = [];
  const handlers = { rule: async () => ({ judge: judge ?? (() => assert.fail("a handler was asked")) }) };
  const guard = new Guard(new Catalog([fixtureSkill("a", { rules })]), handlers, {
    audit: { record: (evaluation) => void records.push(evaluation) },
    newId: () => "g-1",
    now: () => 5,
    ...options,
  });
  return { guard, records };
}

test("a question is answered by a rule of a higher tier that names it, and by no other", async () => {
  const allow = (lifts: readonly string[], more: Partial<OwnRule> = {}) =>
    own({ decision: "allow", lifts: [...lifts], ...more });
  const rows: readonly (readonly [GuardOptions["rules"] & object, string])[] = [
    [{ workspace: { yes: allow(["a/q"]) } }, "allow"],
    [{ workspace: { yes: allow(["a/other"]) } }, "ask"],
    [{ workspace: { yes: allow(["a/q"], { when: { required: ["prompt"] } }) } }, "ask"],
    [{ workspace: { yes: allow(["a/q"], { mode: "audit" }) } }, "ask"],
    [{ workspace: { q: own({ decision: "ask" }) }, user: { yes: allow(["a/q", "workspace/q"]) } }, "allow"],
    [{ user: { q: own({ decision: "ask" }) }, workspace: { yes: allow(["a/q", "user/q"]) } }, "ask"],
    [{ user: { q: own({ decision: "ask" }), yes: allow(["a/q", "user/q"]) } }, "ask"],
  ];
  for (const [rules, expected] of rows) {
    const { guard } = guardOf({ q: rule({ decision: "ask" }) }, { rules });
    assert.equal((await guard.decide(SUBJECT)).decision, expected, JSON.stringify(rules));
  }
});

test("a denial, a warning and a failure are never overridden, and a skill's own allow has no effect", async () => {
  const rules = { operator: { yes: own({ decision: "allow", lifts: ["a/q", "a/w"] }) } };
  assert.equal(
    (await guardOf({ q: rule({ decision: "deny" }) }, { rules }).guard.decide(SUBJECT)).decision,
    "deny",
  );
  assert.equal(
    (await guardOf({ w: rule({ decision: "warn" }) }, { rules }).guard.decide(SUBJECT)).decision,
    "warn",
  );
  const broken = guardOf({ q: rule({ handler: true }) }, { rules }, () => assert.fail("broken"));
  assert.equal((await broken.guard.decide(SUBJECT)).reasonCode, "GUARD_FAILED");
  const both = { yes: rule({ handler: true }), no: rule({ decision: "ask" }) };
  assert.equal(
    (await guardOf(both, {}, () => ({ decision: "allow" })).guard.decide(SUBJECT)).decision,
    "ask",
  );
});

test("two rules with the same message are both listed, and further facts once", async () => {
  const said = { decision: "ask", context: ["A fact."] } as const;
  const rules = {
    one: rule({ ...said, context: [...said.context], message: "One." }),
    two: rule({ ...said, context: [...said.context], message: "Two.", agentMessage: "Two, model." }),
    three: rule({ decision: "warn", message: "Three." }),
  };
  const { message, agentMessage, context } = await guardOf(rules).guard.decide(SUBJECT);
  assert.deepEqual([message, agentMessage, context], ["One.\nTwo.", "One.\nTwo, model.", ["A fact."]]);
});

test("a change of the input is stricter than a warning and less strict than a question", async () => {
  const change = { change: rule({ handler: true }), warn: rule({ decision: "warn" }) };
  const made = guardOf(change, {}, () => ({ decision: "transform", input: { command: "git push" } }));
  const { decision, input, rule: decided } = await made.guard.decide(SUBJECT);
  assert.deepEqual([decision, input, decided], ["transform", { command: "git push" }, "a/change"]);
  const asked = guardOf({ ...change, ask: rule({ decision: "ask" }) }, {}, () => ({
    decision: "transform",
    input: 1,
  }));
  assert.equal((await asked.guard.decide(SUBJECT)).decision, "ask");
  const bare = guardOf({ one: rule({ handler: true }) }, {}, () => ({ decision: "transform" }));
  assert.equal((await bare.guard.decide(SUBJECT)).reasonCode, "GUARD_FAILED");
});

test("a rule waits for its handler as long as it declares, and handlers are asked at the same time", async () => {
  let asked = 0;
  const { guard } = guardOf(
    { slow: rule({ handler: true, timeoutMs: 10 }), slower: rule({ handler: true, timeoutMs: 20 }) },
    {},
    () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    },
  );
  const decision = guard.decide(SUBJECT);
  await Promise.resolve().then(() => Promise.resolve());
  assert.equal(asked, 2);
  const { message } = await decision;
  assert.match(
    String(message),
    /a\/slow failed to decide: no answer within 10 ms\.\nThe rule a\/slower .* 20 ms/,
  );
});

test("phases and shell facts are computed only for rules that use them", async () => {
  const facts: ShellFacts = {
    ...unreadFacts("x"),
    programs: [{ name: "git", args: [] }],
    unknown: [],
  };
  const asked: string[] = [];
  const options: GuardOptions = {
    phases: async (cwd) => (asked.push(`phases ${cwd}`), ["a:early"]),
    shell: async (command) => (asked.push(command), facts),
  };
  const early = {
    required: ["phases"],
    properties: { phases: { type: "array", contains: { const: "a:early" } } },
  };
  const git = {
    required: ["shell"],
    properties: {
      shell: { properties: { programs: { contains: { properties: { name: { const: "git" } } } } } },
    },
  };
  await guardOf({ none: rule({ decision: "ask" }) }, options).guard.decide(SUBJECT);
  assert.deepEqual(asked, []);
  const both = guardOf({ early: rule({ decision: "deny", when: { allOf: [early, git] } }) }, options);
  assert.equal((await both.guard.decide({ ...SUBJECT, cwd: "/w" })).decision, "deny");
  assert.deepEqual(asked, ["git push --force", "phases /w"]);
  const seen: Subject[] = [];
  const handled = guardOf({ h: rule({ handler: true, needs: ["phases"] }) }, options, (subject) => {
    seen.push(subject);
    return { decision: "allow" };
  });
  await handled.guard.decide(SUBJECT);
  assert.deepEqual(seen[0]?.phases, ["a:early"]);
  const unread = guardOf({
    careful: rule({
      decision: "ask",
      when: { required: ["shell"], properties: { shell: { properties: { unknown: { minItems: 1 } } } } },
    }),
  });
  assert.equal((await unread.guard.decide(SUBJECT)).decision, "ask");
});

test("unknown facts, a request nested too deep and a rule that cannot be compiled are denials", async () => {
  const phased = { p: rule({ decision: "warn", when: { required: ["phases"] } }) };
  const blind = guardOf(phased, { phases: () => Promise.reject(new Error("no disk")) });
  assert.deepEqual(await blind.guard.decide(SUBJECT), {
    decision: "deny",
    reasonCode: "GUARD_FAILED",
    message: "The rules could not be evaluated: no disk",
    agentMessage: "The rules could not be evaluated: no disk",
  });
  const free = { not: { type: "string" }, items: { $ref: "#/$defs/free" } };
  const when = {
    $defs: { free },
    required: ["input"],
    properties: { input: { not: { $ref: "#/$defs/free" } } },
  };
  const deep = guardOf({ deep: rule({ decision: "warn", when }) });
  let input: unknown = [];
  for (let depth = 0; depth < 100_000; depth += 1) input = [input];
  assert.equal((await deep.guard.decide({ ...SUBJECT, input })).reasonCode, "GUARD_FAILED");
  const loose = guardOf({ loose: rule({ decision: "warn", when: { $ref: "#/$defs/none" } }) });
  assert.match(
    String((await loose.guard.decide(SUBJECT)).message),
    /a\/loose\/when cannot be used: .*\$defs\/none/,
  );
});
