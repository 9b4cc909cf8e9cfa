import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "./contract.ts";
import type { CommandHandler, Person } from "./plugin.ts";
import {
  commandClass,
  fixtureCommand,
  fixtureHost,
  fixtureSkill,
  ruleClass,
  type FixtureManifest,
} from "./testing/fixture-skills.ts";

type Rules = Readonly<Record<string, Rule>>;

const DOCUMENTS = {
  "greeting/input": {
    type: "object",
    required: ["name"],
    additionalProperties: false,
    properties: { name: { type: "string" }, "a/b": { type: "integer" } },
  },
  "greeting/output": {
    type: "object",
    required: ["text"],
    additionalProperties: false,
    properties: { text: { type: "string" } },
  },
} as const;

const hello: CommandHandler<unknown, unknown>["run"] = async (input) => ({
  text: `Hello ${(input as { name: string }).name}.`,
});

/** A host with the skill `greeting`, whose default command is `greet`. */
function greeting(parts: FixtureManifest = {}, run = hello) {
  const commands = {
    greet: fixtureCommand("greeting", { default: true }),
    whisper: fixtureCommand("greeting", { surfaces: ["cli", "host"] }),
  };
  const code = { commands: { greet: commandClass(run), whisper: commandClass(run) } };
  return fixtureHost([fixtureSkill("greeting", { commands, code, ...parts })], { documents: DOCUMENTS });
}

const ada = { skill: "greeting", command: "greet", input: { name: "Ada" } };

test("a command that is requested after an abort, or that an abort ends, is cancelled", async () => {
  const controller = new AbortController();
  let runs = 0;
  const host = greeting({}, async (_, { signal }) => {
    runs += 1;
    controller.abort();
    signal.throwIfAborted();
    return { text: "never" };
  });
  for (let time = 0; time < 2; time += 1)
    await assert.rejects(host.run({ ...ada, signal: controller.signal }), { code: "CANCELLED" });
  assert.equal(runs, 1);
});

test("the question of a rule is answered by the embedder or the person, for one call", async () => {
  const rules: Rules = {
    careful: {
      tell: "Ask.",
      on: ["command.pre"],
      when: { type: "object" },
      decision: "ask",
      message: "Sure?",
    },
  };
  const code = { commands: { greet: commandClass(hello) } };
  const host = greeting({ commands: { greet: fixtureCommand("greeting") }, rules, code });
  const asked: unknown[] = [];
  const approve = async (question: unknown) => (asked.push(question), asked.length === 1);
  assert.deepEqual(await host.run({ ...ada, approve }), { text: "Hello Ada." });
  const refusal = {
    code: "GUARD_DENIED",
    message: "Not approved: Sure?",
    hint: "Rule: greeting/careful.",
  };
  await assert.rejects(host.run({ ...ada, approve }), refusal);
  await assert.rejects(host.run(ada), {
    code: "GUARD_ASKS",
    hint: "Rule: greeting/careful.",
  });
  const question = { skill: "greeting", command: "greet", input: ada.input, rule: "greeting/careful" };
  const told = { ...question, message: "Sure?" };
  assert.deepEqual(asked, [told, told]);
  const texts: string[] = [];
  const person = (value: string): Person => ({
    columns: 80,
    secret: async () => "",
    choose: async ({ text }) => (texts.push(text), value),
  });
  assert.deepEqual(await host.run({ ...ada, person: person("Y") }), { text: "Hello Ada." });
  await assert.rejects(host.run({ ...ada, person: person("N") }), refusal);
  assert.deepEqual(texts, Array(2).fill('Sure?\nRun greeting greet with {"name":"Ada"}?'));
});

test("a rule of a command receives the session of the call", async () => {
  const rules: Rules = { watch: { tell: "Watch.", on: ["command.pre", "command.post"], handler: true } };
  const sessions: unknown[] = [];
  const judge = ({ session }: { session?: string }) => {
    sessions.push(session);
    return { decision: "allow" };
  };
  const code = { commands: { greet: commandClass(hello) }, rules: { watch: ruleClass(judge) } };
  const host = greeting({ commands: { greet: fixtureCommand("greeting") }, rules, code });
  await host.run({ ...ada, session: "one" });
  await host.run(ada);
  assert.deepEqual(sessions, ["one", "one", undefined, undefined]);
});

test("a closed host cancels a command, even if a rule has code", async () => {
  const rules: Rules = { watch: { tell: "Watch.", on: ["command.pre"], handler: true } };
  const judge = () => ({ decision: "allow" });
  const code = { commands: { greet: commandClass(hello) }, rules: { watch: ruleClass(judge) } };
  const host = greeting({ commands: { greet: fixtureCommand("greeting") }, rules, code });
  await host.close();
  await assert.rejects(host.run(ada), { code: "CANCELLED", message: /^The host is closed/ });
});

test("a command is looked up, checked, guarded, run, checked and guarded, in this order", async () => {
  const journal: string[] = [];
  const watch = (event: "command.pre" | "command.post"): Rule => ({
    tell: "Watch.",
    on: [event],
    handler: true,
  });
  const parts: FixtureManifest = {
    commands: { greet: fixtureCommand("greeting") },
    rules: { before: watch("command.pre"), after: watch("command.post") },
    load: async () => {
      journal.push("loaded");
      const judge = (subject: { event: string; output?: unknown }) => {
        journal.push(`${subject.event} ${JSON.stringify(subject.output)}`);
        return { decision: "allow" };
      };
      const run = async () => {
        journal.push("run");
        return { text: "Hello." };
      };
      const rules = { before: ruleClass(judge), after: ruleClass(judge) };
      return { default: { commands: { greet: commandClass(run) }, rules } };
    },
  };
  const host = greeting(parts);
  const steps = ["command.pre undefined", "run", 'command.post {"text":"Hello."}'];
  assert.deepEqual(await host.run(ada), { text: "Hello." });
  assert.deepEqual(journal, ["loaded", ...steps]);
  assert.deepEqual(await host.run(ada), { text: "Hello." });
  assert.deepEqual(journal, ["loaded", ...steps, ...steps]);
});

test("no code is loaded for a request that fails its look-up, its surface, its check or a rule that is data", async () => {
  const load = () => assert.fail("the code was loaded");
  const rules: Rules = {
    shut: { tell: "Shut.", on: ["command.pre"], decision: "deny", message: "It is shut." },
  };
  const host = greeting({ load, rules });
  const refused: readonly (readonly [object, string])[] = [
    [{ skill: "greting" }, "UNKNOWN_SKILL"],
    [{ command: "gret" }, "UNKNOWN_COMMAND"],
    [{ command: "whisper", surface: "http" }, "SURFACE_REFUSED"],
    [{ input: {} }, "INPUT_INVALID"],
    [{}, "GUARD_DENIED"],
  ];
  for (const [change, code] of refused) await assert.rejects(host.run({ ...ada, ...change }), { code });
  assert.deepEqual(host.activator.loaded, []);
});

test("an input that does not fit is refused with its place and where to look, the first time and later", async () => {
  const host = greeting();
  const refused: readonly (readonly [unknown, string, string])[] = [
    [{}, "/name", "/name is missing."],
    [{ name: 5 }, "/name", "/name must be a string."],
    [{ name: "Ada", "a/b": "x" }, "/a~1b", "/a~1b must be an integer."],
    [{ name: "Ada", "~": 1 }, "/~0", "/~0 is not a known property; known: name, a/b."],
    [undefined, "", "The value must be an object."],
    ["Ada", "", "The value must be an object."],
  ];
  for (const [input, pointer, message] of refused) {
    for (const round of ["first", "planned", "opened"]) {
      if (round === "opened") await host.run(ada);
      await assert.rejects(host.run({ ...ada, input }), {
        code: "INPUT_INVALID",
        pointer,
        message,
        hint: undefined,
      });
    }
  }
});

test("an invalid output is the fault of the named skill, and no rule sees it", async () => {
  const rules: Rules = {
    after: { tell: "After.", on: ["command.post"], decision: "deny", message: "Denied." },
  };
  const run = async () => ({ text: 5, extra: true });
  const host = greeting({
    rules,
    code: { commands: { greet: commandClass(run), whisper: commandClass(run) } },
  });
  await assert.rejects(host.run(ada), {
    code: "OUTPUT_INVALID",
    message:
      /^greeting greet returned a value that its schema does not allow: \/extra is not a known property; known: text\.$/,
    pointer: "/extra",
  });
});

test("a command is refused on a surface that it does not name, with the surfaces that it names", async () => {
  const host = greeting();
  await assert.rejects(host.run({ ...ada, command: "whisper", surface: "mcp" }), {
    code: "SURFACE_REFUSED",
    message: "greeting whisper is not offered on mcp.",
    hint: "It is offered on: cli, host.",
  });
  assert.deepEqual(await host.run({ ...ada, command: "whisper", surface: "cli" }), { text: "Hello Ada." });
});

test("the default command runs with and without its name, through the same handler", async () => {
  let made = 0;
  class Greet {
    constructor() {
      made += 1;
    }
    readonly run = hello;
  }
  const host = greeting({ code: { commands: { greet: Greet, whisper: Greet } } });
  const { command: _, ...unnamed } = ada;
  for (const request of [unnamed, ada, { ...ada, command: undefined }, unnamed]) {
    assert.deepEqual(await host.run(request), { text: "Hello Ada." });
  }
  assert.equal(made, 1);
});

test("an empty command and a skill named like skill/command are unknown, also after the right pair has run", async () => {
  const host = greeting();
  const { command: _, ...unnamed } = ada;
  for (const _again of [1, 2]) {
    await assert.rejects(host.run({ ...ada, command: "" }), { code: "UNKNOWN_COMMAND" });
    for (const command of [undefined, ""])
      await assert.rejects(host.run({ ...ada, skill: "greeting/greet", command }), { code: "UNKNOWN_SKILL" });
    for (const request of [ada, unnamed]) await host.run(request);
  }
});

test("an error of a handler is passed on unchanged, and the next run works", async () => {
  const failure = new Error("no such person");
  let broken = true;
  const host = greeting({}, async () => {
    if (broken) throw failure;
    return { text: "ok" };
  });
  await assert.rejects(host.run(ada), (caught) => caught === failure);
  broken = false;
  assert.deepEqual(await host.run(ada), { text: "ok" });
});

test("a warning is shown and the command runs; a denial shows the warnings too", async () => {
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

test("of several refusing rules, all of the strictest are listed, and the first is named", async () => {
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
