import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "./contract.ts";
import type { Call, CommandHandler } from "./plugin.ts";
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
    [{ name: "Ada", "~": 1 }, "/~0", "/~0 is not a known property."],
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
        hint: "See: skillctl run greeting greet --help",
      });
    }
  }
});

test("an output that does not fit is the skill's fault, told with its name, and no rule sees it", async () => {
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
    message: /^greeting greet returned what its schema does not allow: \/extra is not a known property\.$/,
    pointer: "/extra",
  });
});

test("a command is refused on a surface that it does not name, with those that it does", async () => {
  const host = greeting();
  await assert.rejects(host.run({ ...ada, command: "whisper", surface: "mcp" }), {
    code: "SURFACE_REFUSED",
    message: "greeting whisper is not offered on mcp.",
    hint: "It is offered on: cli, host.",
  });
  assert.deepEqual(await host.run({ ...ada, command: "whisper", surface: "cli" }), { text: "Hello Ada." });
  await assert.rejects(host.run({ ...ada, command: "whisper", surface: "http" }), {
    code: "SURFACE_REFUSED",
  });
});

test("without a command the default one runs, also by its name, through one and the same handler", async () => {
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

test("an empty command is unknown, also after the default one has run", async () => {
  const host = greeting();
  const { command: _, ...unnamed } = ada;
  for (const _again of [1, 2]) {
    await assert.rejects(host.run({ ...ada, command: "" }), { code: "UNKNOWN_COMMAND" });
    await host.run(unnamed);
  }
});

test("a skill and a command that only look like another pair are unknown, also after that one has run", async () => {
  const host = greeting();
  for (const _again of [1, 2]) {
    await assert.rejects(host.run({ skill: "greeting/greet", command: undefined, input: ada.input }), {
      code: "UNKNOWN_SKILL",
    });
    await assert.rejects(host.run({ skill: "greeting/greet", command: "", input: ada.input }), {
      code: "UNKNOWN_SKILL",
    });
    await host.run(ada);
  }
});

test("a handler gets the input as it came, and the call with surface, signal, progress and announcement", async () => {
  const calls: (readonly [unknown, Call])[] = [];
  const run = async (input: unknown, call: Call) => {
    calls.push([input, call]);
    call.progress("Looking.");
    call.announce("Open.");
    return { text: "ok" };
  };
  const host = greeting({}, run);
  const heard: string[] = [];
  const { signal } = new AbortController();
  const progress = (line: string): void => void heard.push(`progress ${line}`);
  const announce = (line: string): void => void heard.push(`announce ${line}`);
  await host.runner.run({ ...ada, surface: "mcp", signal, progress, announce });
  const [[input, call] = []] = calls;
  assert.equal(input, ada.input);
  assert.equal(call?.surface, "mcp");
  assert.equal(call?.signal, signal);
  assert.deepEqual(heard, ["progress Looking.", "announce Open."]);
});

test("what a handler throws comes out as it is, and the next run is not harmed", async () => {
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

test("a command whose schema is missing fails with its name, and no code is loaded", async () => {
  const load = () => assert.fail("the code was loaded");
  const commands = { greet: fixtureCommand("greeting", { output: "greeting/lost" }) };
  await assert.rejects(greeting({ commands, load }).run(ada), {
    code: "SCHEMA_INVALID",
    message: "There is no schema greeting/lost.",
  });
});
