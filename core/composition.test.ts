import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOCK, ENVIRONMENT, FILES, HTTP, LOG } from "./index.ts";
import type { Call } from "./plugin.ts";
import type { Validator } from "./schema/schemas.ts";
import {
  commandClass,
  fixtureCommand,
  fixtureHost,
  fixtureSkill,
  type FixtureManifest,
} from "./testing/fixture-skills.ts";

const greets = { commands: { greet: commandClass(async () => ({ text: "Hello." })) } };
const greeter = (name: string, parts: FixtureManifest = {}) =>
  fixtureSkill(name, {
    commands: { greet: fixtureCommand(name, { default: true }) },
    code: greets,
    ...parts,
  });

/** A skill whose handler cannot be closed. */
const stuck = (name: string) => {
  class Stuck {
    readonly run = async () => ({});
    readonly close = () => Promise.reject(new Error("jammed"));
  }
  return greeter(name, { code: { commands: { greet: Stuck } } });
};

test("the ports of the host are lent to every skill", async () => {
  class Greet {
    static readonly inject = [CLOCK, ENVIRONMENT, FILES, HTTP, LOG];
    readonly given: readonly unknown[];
    constructor(...given: readonly unknown[]) {
      this.given = given;
    }
    readonly run = async () => ({});
  }
  const host = fixtureHost([greeter("a", { code: { commands: { greet: Greet } } })]);
  const { given } = (await host.activator.command("a", "greet")) as unknown as Greet;
  const { clock, environment, files, http, log } = host.ports;
  assert.deepEqual(
    given.map((port, index) => port === [clock, environment, files, http, log][index]),
    Array(5).fill(true),
  );
});

test("a run in process has a surface, a signal and listeners of its own, also where they are given as undefined", async () => {
  const calls: Call[] = [];
  const run = async (_input: unknown, call: Call) => {
    calls.push(call);
    call.progress("Looking.");
    call.announce("Open.");
    return {};
  };
  const host = fixtureHost([greeter("a", { code: { commands: { greet: commandClass(run) } } })]);
  await host.run({ skill: "a", input: {} });
  const unset = { surface: undefined, signal: undefined, progress: undefined, announce: undefined };
  await host.run({ skill: "a", command: undefined, input: {}, ...unset } as unknown as Parameters<
    typeof host.run
  >[0]);
  for (const { surface, signal } of calls) {
    assert.equal(surface, "host");
    assert.equal(signal.aborted, false);
  }
  assert.equal(calls.length, 2);
});

test("what an embedder gives of a call is passed on", async () => {
  const calls: Call[] = [];
  const run = async (_input: unknown, call: Call) => (calls.push(call), {});
  const host = fixtureHost([greeter("a", { code: { commands: { greet: commandClass(run) } } })]);
  const given = {
    surface: "mcp",
    signal: AbortSignal.abort(),
    progress: () => undefined,
    announce: () => undefined,
  } as const;
  await host.run({ skill: "a", command: "greet", input: {}, ...given });
  const { surface, signal, progress, announce } = calls[0] as Call;
  assert.deepEqual(
    [surface, signal, progress, announce],
    [given.surface, given.signal, given.progress, given.announce],
  );
});

test("closing goes on after a failure and reports every one in one error", async () => {
  const host = fixtureHost([stuck("a"), greeter("b"), stuck("c")]);
  for (const skill of ["a", "b", "c"]) await host.run({ skill, command: "greet", input: {} });
  const caught: unknown = await host.close().catch((error: unknown) => error);
  assert.ok(caught instanceof AggregateError);
  assert.equal(caught.message, "2 parts failed to close.");
  assert.deepEqual(caught.errors.map(String), [
    "Error: Stuck of c failed to close.",
    "Error: Stuck of a failed to close.",
  ]);
});

test("one failure to close is told as one part", async () => {
  const host = fixtureHost([stuck("a")]);
  await host.run({ skill: "a", command: "greet", input: {} });
  await assert.rejects(host.close(), { message: "1 part failed to close." });
});

test("a second call of close waits for the first, and closes nothing twice", async () => {
  let closed = 0;
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  class Slow {
    readonly run = async () => ({});
    readonly close = async () => {
      closed += 1;
      await gate;
    };
  }
  const host = fixtureHost([greeter("a", { code: { commands: { greet: Slow } } })]);
  await host.run({ skill: "a", command: "greet", input: {} });
  const done: string[] = [];
  const both = [host.close().then(() => done.push("first")), host.close().then(() => done.push("second"))];
  await new Promise(setImmediate);
  assert.deepEqual(done, []);
  release();
  await Promise.all(both);
  await host.close();
  assert.deepEqual([closed, done.length], [1, 2]);
});

test("a schema file that is no JSON, or no object, is told with its path", async () => {
  const rows: readonly (readonly [string, string])[] = [
    ['{ "type": "object", }', "/schemas/a/input.json is no JSON."],
    ["", "/schemas/a/input.json is no JSON."],
    ["[]", "/schemas/a/input.json is no JSON object."],
    ["null", "/schemas/a/input.json is no JSON object."],
    ["5", "/schemas/a/input.json is no JSON object."],
    ["true", "/schemas/a/input.json is no JSON object."],
  ];
  for (const [text, message] of rows) {
    const files = { "a/input": text === "" ? " " : text };
    const host = fixtureHost([greeter("a")], { documents: files });
    await assert.rejects(host.run({ skill: "a", command: "greet", input: {} }), {
      code: "SCHEMA_INVALID",
      message,
      file: "/schemas/a/input.json",
    });
  }
});

test("a schema file that an editor began with a byte order mark is read", async () => {
  const host = fixtureHost([greeter("a")], {
    documents: { "a/input": '\uFEFF{ "type": "object", "maxProperties": 0 }' },
  });
  assert.deepEqual(await host.run({ skill: "a", command: "greet", input: {} }), { text: "Hello." });
  await assert.rejects(host.run({ skill: "a", command: "greet", input: { b: 1 } }), {
    code: "INPUT_INVALID",
  });
});

test("schemas are found by skill, those of the core in its own folder, and one of no hosted skill is missing", async () => {
  const documents = { "b/shape": { title: "b's" }, "core/problem": { title: "the core's" } };
  const host = fixtureHost([greeter("a"), greeter("b")], { documents });
  assert.deepEqual(await host.schemas.document("b/shape"), documents["b/shape"]);
  assert.deepEqual(await host.schemas.document("core/problem"), documents["core/problem"]);
  await assert.rejects(host.schemas.document("stranger/shape"), {
    code: "SCHEMA_INVALID",
    message: "There is no schema stranger/shape.",
  });
});

test("validators of the build are used for the skills in the box, and never for a foreign skill of their name", async () => {
  const refuse: Validator = Object.assign(() => false, {
    errors: [{ instancePath: "", keyword: "built", params: {}, message: "was built" }],
  });
  const accept: Validator = () => true;
  const asked: string[] = [];
  const precompiled = async (skill: string) => {
    asked.push(skill);
    return { [`${skill}/input`]: refuse, [`${skill}/output`]: accept };
  };
  const request = { skill: "a", command: "greet", input: {} };
  await assert.rejects(fixtureHost([greeter("a", { builtin: true })], { precompiled }).run(request), {
    code: "INPUT_INVALID",
    message: "The value was built.",
  });
  assert.deepEqual(await fixtureHost([greeter("a")], { precompiled }).run(request), { text: "Hello." });
  await fixtureHost([], { precompiled }).schemas.check("core/input");
  assert.deepEqual([...new Set(asked)], ["a", "core"]);
});

test("settings of the user's own file win over those of a project, and can be told apart from them", async () => {
  const { config, ownConfig } = await import("./config.ts");
  class Greet {
    static readonly inject = [config<unknown>(), ownConfig<unknown>()];
    constructor(
      readonly settings: unknown,
      readonly own: unknown,
    ) {}
    readonly run = async () => ({ settings: this.settings, own: this.own });
  }
  const flag = { type: "boolean" };
  const shape = { type: "object", additionalProperties: false, properties: { loud: flag, late: flag } };
  const skill = greeter("a", { config: "a/config", code: { commands: { greet: Greet } } });
  const told = (config: object, ownConfig: object) =>
    fixtureHost([skill], {
      documents: { "a/config": shape },
      config: { ...config },
      ownConfig: { ...ownConfig },
    }).run({
      skill: "a",
      command: "greet",
      input: {},
    });
  const project = { a: { loud: true, late: true } };
  assert.deepEqual(await told(project, {}), { settings: project.a, own: {} });
  const own = { late: false };
  assert.deepEqual(await told(project, { a: own }), { settings: { loud: true, late: false }, own });
  await assert.rejects(told({}, { a: { quiet: true } }), { code: "CONFIG_INVALID" });
});

test("what was left out before the host was built is told beside what the host leaves out itself", () => {
  const fault = {
    code: "ENGINE_MISMATCH",
    skill: "old",
    file: "/old/skill.json",
    pointer: "",
    sentence: "old is too old.",
  } as const;
  const host = fixtureHost([greeter("a"), greeter("a", { folder: "/other/a" })], { faults: [fault] });
  assert.deepEqual(
    host.catalog.faults.map(({ code }) => code),
    ["ENGINE_MISMATCH", "SKILL_CONFLICT"],
  );
});
