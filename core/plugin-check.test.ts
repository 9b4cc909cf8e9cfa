import assert from "node:assert/strict";
import { test } from "node:test";
import { checkedPlugin } from "./plugin-check.ts";
import { fixtureCommand, fixtureSkill } from "./testing/fixture-skills.ts";

class Handler {}

const greeting = fixtureSkill("greeting", {
  commands: { greet: fixtureCommand("greeting"), constructor: fixtureCommand("greeting") },
  routes: {
    hello: { summary: "Hello.", method: "GET", path: "/hello", replies: { 200: "greeting/output" } },
  },
  rules: {
    polite: { tell: "Be polite.", on: ["command.pre"], handler: true },
    quiet: { tell: "Be quiet.", on: ["command.pre"], decision: "warn", message: "Hush." },
  },
});
const FITTING = {
  commands: { greet: Handler, constructor: Handler },
  routes: { hello: Handler },
  rules: { polite: Handler },
};

test("a plugin with a class for each name is taken as it is; a rule with a fixed decision needs none", () => {
  const wire = (): void => undefined;
  const plugin = checkedPlugin(greeting, { ...FITTING, wire });
  assert.deepEqual({ ...plugin }, { ...FITTING, wire });
});

test("a skill without handlers may leave the lists out", () => {
  assert.deepEqual(checkedPlugin(fixtureSkill("bare"), {}), { commands: {}, routes: {}, rules: {} });
});

test("every missing and every superfluous handler is named at once", () => {
  const code = { commands: { great: Handler, constructor: Handler }, rules: { polite: {}, quiet: Handler } };
  assert.throws(() => checkedPlugin(greeting, code), {
    code: "PLUGIN_BROKEN",
    file: "/skills/greeting",
    message:
      'The code of greeting does not fit its manifest: commands lacks a class for "greet"; ' +
      'commands has "great", which the manifest does not name; routes lacks a class for "hello"; ' +
      'rules lacks a class for "polite"; rules has "quiet", which the manifest does not name.',
  });
});

test("a handler whose name every object has is missed when the plugin does not list it itself", () => {
  assert.throws(() => checkedPlugin(greeting, { ...FITTING, commands: { greet: Handler } }), {
    code: "PLUGIN_BROKEN",
    message: 'The code of greeting does not fit its manifest: commands lacks a class for "constructor".',
  });
});

test("a module without a default export, or with one that is no plugin, is refused", () => {
  for (const exported of [undefined, null, "plugin", 1, Handler]) {
    assert.throws(() => checkedPlugin(greeting, exported), {
      code: "PLUGIN_BROKEN",
      message: "The code of greeting does not fit its manifest: it has no default export that is a plugin.",
    });
  }
});
