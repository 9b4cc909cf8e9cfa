import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "./contract.ts";
import {
  commandClass,
  fixtureCommand,
  fixtureHost,
  fixtureSkill,
  ruleClass,
  type FixtureParts,
} from "./testing/fixture-skills.ts";

type Rules = Readonly<Record<string, Rule>>;

const hello = async (input: unknown) => ({ text: `Hello ${(input as { name: string }).name}.` });

/** A host with the skill `greeting` and its command `greet`. */
function greeting(parts: FixtureParts = {}) {
  const commands = { greet: fixtureCommand("greeting") };
  const code = { commands: { greet: commandClass(hello) } };
  return fixtureHost([fixtureSkill("greeting", { commands, code, ...parts })]);
}

const ada = { skill: "greeting", command: "greet", input: { name: "Ada" } };

test("a denial, a question and a failed rule each end the run with their code and the rule, before the handler", async () => {
  const rule = (parts: object) => ({
    strict: { tell: "It is told.", on: ["command.pre" as const], ...parts },
  });
  const code = {
    commands: { greet: commandClass(() => assert.fail("the handler ran")) },
    rules: { strict: ruleClass(() => undefined) },
  };
  const fixed = (decision: "deny" | "ask") => ({
    rules: rule({ decision, message: "It is late." }),
    code: { ...code, rules: {} },
  });
  const rows: readonly (readonly [FixtureParts, string, string])[] = [
    [fixed("deny"), "GUARD_DENIED", "It is late."],
    [fixed("ask"), "GUARD_ASKS", "It is late."],
    [
      { rules: rule({ handler: true }), code },
      "GUARD_FAILED",
      "The rule greeting/strict failed to decide: judge must return { decision: … }.",
    ],
  ];
  for (const [parts, expected, message] of rows) {
    await assert.rejects(greeting(parts).run(ada), {
      code: expected,
      message,
      hint: "Rule: greeting/strict.",
    });
  }
});

test("a rule about the outcome can still refuse it, and sees what came out", async () => {
  const when = {
    type: "object",
    properties: { output: { type: "object", properties: { text: { const: "Hello Eve." } } } },
  };
  const rules: Rules = {
    "no-eve": { tell: "Not Eve.", on: ["command.post"], when, decision: "deny", message: "No Eve." },
  };
  const host = greeting({ rules });
  assert.deepEqual(await host.run(ada), { text: "Hello Ada." });
  await assert.rejects(host.run({ ...ada, input: { name: "Eve" } }), {
    code: "GUARD_DENIED",
    message: "No Eve.",
  });
});

test("a warning is told and the command runs; before a denial the warnings are told too", async () => {
  const warn: Rule = { tell: "Mind.", on: ["command.pre"], decision: "warn", message: "Mind the step." };
  const heard: string[] = [];
  const progress = (line: string): void => void heard.push(line);
  assert.deepEqual(await greeting({ rules: { mind: warn } }).run({ ...ada, progress }), {
    text: "Hello Ada.",
  });
  assert.deepEqual(heard, ["Mind the step."]);
  const deny: Rule = { tell: "Stop.", on: ["command.pre"], decision: "deny", message: "Stop." };
  await assert.rejects(greeting({ rules: { stop: deny, mind: warn } }).run({ ...ada, progress }), {
    code: "GUARD_DENIED",
  });
  assert.deepEqual(heard, ["Mind the step.", "Mind the step."]);
});

test("of several rules that refuse, all of the strictest are told, and the first is named", async () => {
  const rule = (decision: "ask" | "deny", message: string) => ({
    tell: "Told.",
    on: ["command.pre" as const],
    decision,
    message,
  });
  const rules = { a: rule("ask", "A."), b: rule("deny", "B."), c: rule("deny", "C.") };
  await assert.rejects(greeting({ rules }).run(ada), {
    code: "GUARD_DENIED",
    message: "B.\nC.",
    hint: "Rule: greeting/b.",
  });
});

test("what the code of a rule threw is the cause of the refusal and no part of its sentence", async () => {
  const thrown = new Error("the password is hunter2");
  const rules: Rules = { strict: { tell: "It is told.", on: ["command.pre"], handler: true } };
  const code = {
    commands: { greet: commandClass(hello) },
    rules: { strict: ruleClass(() => Promise.reject(thrown)) },
  };
  await assert.rejects(greeting({ rules, code }).run(ada), {
    code: "GUARD_FAILED",
    message: "The rule greeting/strict failed to decide: its code failed.",
    cause: thrown,
  });
});

test("a rule may put another input in the place of the one that was given, when it fits and stays as it is", async () => {
  const rule = { change: { tell: "It is told.", on: ["command.pre" as const], handler: true as const } };
  const asked = (judge: Parameters<typeof ruleClass>[0]) =>
    greeting({
      rules: rule,
      code: { commands: { greet: commandClass(hello) }, rules: { change: ruleClass(judge) } },
    }).run(ada);
  const grace = () => ({ decision: "transform", input: { name: "Grace" } });
  assert.deepEqual(await asked(grace), { text: "Hello Grace." });
  const longer = ({ input }: { readonly input?: unknown }) => ({
    decision: "transform",
    input: { name: `${(input as { name: string }).name}!` },
  });
  await assert.rejects(asked(longer), { code: "GUARD_DENIED" });
  await assert.rejects(
    asked(() => ({ decision: "transform", input: "Grace" })),
    { code: "GUARD_FAILED", message: /changed the input of greeting greet to what its schema refuses/ },
  );
});
