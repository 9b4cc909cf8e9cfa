import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "./contract.ts";
import {
  commandClass,
  fixtureCommand,
  fixtureHost,
  fixtureSkill,
  type FixtureManifest,
} from "./testing/fixture-skills.ts";

const hello = async (input: unknown) => ({ text: `Hello ${(input as { name: string }).name}.` });

/** A host with the skill `greeting` and its command `greet`. */
function greeting(parts: FixtureManifest = {}) {
  const commands = { greet: fixtureCommand("greeting") };
  const code = { commands: { greet: commandClass(hello) } };
  return fixtureHost([fixtureSkill("greeting", { commands, code, ...parts })]);
}

const ada = { skill: "greeting", command: "greet", input: { name: "Ada" } };

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
