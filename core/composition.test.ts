import assert from "node:assert/strict";
import { test } from "node:test";
import { config, ownConfig } from "./container/token.ts";
import type { Call, Person } from "./plugin.ts";
import type { Validator } from "./schema/schemas.ts";
import { greeter, greetingBy } from "./testing/fixture-ports.ts";
import { commandClass, fixtureHost } from "./testing/fixture-skills.ts";

/** A skill whose handler cannot be closed. */
const stuck = (name: string) => {
  class Stuck {
    readonly run = async () => ({});
    readonly close = () => Promise.reject(new Error("jammed"));
  }
  return greeter(name, { code: { commands: { greet: Stuck } } });
};

test("a run in process has its own surface, signal and listeners, also if they are given as undefined", async () => {
  const calls: Call[] = [];
  const run = async (_input: unknown, call: Call) => {
    calls.push(call);
    call.progress("Looking.");
    call.announce("Open.");
    return {};
  };
  const host = fixtureHost([greeter("a", { code: { commands: { greet: commandClass(run) } } })]);
  await host.run(greetingBy("a"));
  const unset = { surface: undefined, signal: undefined, progress: undefined, announce: undefined };
  await host.run({ ...greetingBy("a"), ...unset } as unknown as Parameters<typeof host.run>[0]);
  for (const { surface, signal, session, person } of calls)
    assert.deepEqual([surface, signal.aborted, session, person], ["host", false, undefined, undefined]);
  assert.equal(calls.length, 2);
});

test("the input and the embedder's facts about a call are passed on unchanged", async () => {
  const calls: (readonly [unknown, Call])[] = [];
  const run = async (input: unknown, call: Call) => (calls.push([input, call]), {});
  const host = fixtureHost([greeter("a", { code: { commands: { greet: commandClass(run) } } })]);
  const person: Person = { columns: 80, secret: async () => "a key" };
  const given = {
    surface: "mcp",
    signal: new AbortController().signal,
    progress: () => undefined,
    announce: () => undefined,
    session: "s1",
    person,
  } as const;
  const request = greetingBy("a");
  await host.run({ ...request, ...given });
  const [[input, call] = []] = calls;
  assert.equal(input, request.input);
  for (const [name, value] of Object.entries(given)) assert.equal(call?.[name as keyof Call], value, name);
});

test("closing continues after a failure and reports all failures in one error", async () => {
  const host = fixtureHost([stuck("a"), greeter("b"), stuck("c")]);
  for (const skill of ["a", "b", "c"]) await host.run(greetingBy(skill));
  const caught: unknown = await host.close().catch((error: unknown) => error);
  assert.ok(caught instanceof AggregateError);
  assert.equal(caught.message, "2 parts failed to close.");
  assert.deepEqual(caught.errors.map(String), [
    "Error: Stuck of c failed to close: jammed.",
    "Error: Stuck of a failed to close: jammed.",
  ]);
  const one = fixtureHost([stuck("a")]);
  await one.run(greetingBy("a"));
  await assert.rejects(one.close(), { message: "1 part failed to close." });
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
  await host.run(greetingBy("a"));
  const done: string[] = [];
  const both = [host.close().then(() => done.push("first")), host.close().then(() => done.push("second"))];
  await new Promise(setImmediate);
  assert.deepEqual(done, []);
  release();
  await Promise.all(both);
  await host.close();
  assert.deepEqual([closed, done.length], [1, 2]);
});

test("a schema file that is not JSON, or not an object, is reported with its path", async () => {
  const rows: readonly (readonly [string, string])[] = [
    ['{ "type": "object", }', "/schemas/a/input.json is not JSON."],
    ["[]", "/schemas/a/input.json is not a JSON object."],
    ["null", "/schemas/a/input.json is not a JSON object."],
  ];
  for (const [text, message] of rows) {
    const host = fixtureHost([greeter("a")], { documents: { "a/input": text } });
    await assert.rejects(host.run(greetingBy("a")), {
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
  assert.deepEqual(await host.run(greetingBy("a")), { text: "Hello." });
  await assert.rejects(host.run({ ...greetingBy("a"), input: { b: 1 } }), {
    code: "INPUT_INVALID",
  });
});

test("schemas are found by skill, those of the core in its folder; a schema of a skill that is not hosted is missing", async () => {
  const documents = { "b/shape": { title: "b's" }, "core/problem": { title: "the core's" } };
  const host = fixtureHost([greeter("a"), greeter("b")], { documents });
  assert.deepEqual(await host.schemas.document("b/shape"), documents["b/shape"]);
  assert.deepEqual(await host.schemas.document("core/problem"), documents["core/problem"]);
  await assert.rejects(host.schemas.document("stranger/shape"), {
    code: "SCHEMA_INVALID",
    message: "There is no schema stranger/shape.",
  });
});

test("validators of the build are used for the built-in skills, and never for a third-party skill of the same name", async () => {
  const refuse: Validator = Object.assign(() => false, {
    errors: [{ instancePath: "", keyword: "built", params: {}, message: "was built" }],
  });
  const accept: Validator = () => true;
  const asked: string[] = [];
  const precompiled = async (skill: string) => {
    asked.push(skill);
    return { [`${skill}/input`]: refuse, [`${skill}/output`]: accept };
  };
  const request = greetingBy("a");
  await assert.rejects(fixtureHost([greeter("a", { builtin: true })], { precompiled }).run(request), {
    code: "INPUT_INVALID",
    message: "The value was built.",
  });
  assert.deepEqual(await fixtureHost([greeter("a")], { precompiled }).run(request), { text: "Hello." });
  await fixtureHost([], { precompiled }).schemas.check("core/input");
  assert.deepEqual([...new Set(asked)], ["a", "core"]);
});

test("settings of the user's own file override those of a project, and can be distinguished from them", async () => {
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
  const told = (project: object, own: object) =>
    fixtureHost([skill], {
      documents: { "a/config": shape },
      config: { ...project },
      ownConfig: { ...own },
    }).run(greetingBy("a"));
  const project = { a: { loud: true, late: true } };
  assert.deepEqual(await told(project, {}), { settings: project.a, own: {} });
  const own = { late: false };
  assert.deepEqual(await told(project, { a: own }), { settings: { loud: true, late: false }, own });
  await assert.rejects(told({}, { a: { quiet: true } }), { code: "CONFIG_INVALID" });
});

test("the user's own settings include the secrets, and may omit the settings of the project", async () => {
  class Greet {
    static readonly inject = [config<unknown>(), ownConfig<unknown>()];
    constructor(
      readonly settings: object,
      readonly own: object,
    ) {}
    readonly run = async () => ({
      settings: Object.keys(this.settings),
      own: Object.entries(this.own).map(([name, value]) => `${name} ${String(value).length}`),
    });
  }
  const text = { type: "string", minLength: 8 };
  const shape = {
    type: "object",
    additionalProperties: false,
    required: ["address", "key"],
    properties: { address: text, key: { ...text, secret: true }, loud: { type: "boolean", default: false } },
  };
  const skill = greeter("a", { config: "a/config", code: { commands: { greet: Greet } } });
  const told = (settings: Parameters<typeof fixtureHost>[1]) =>
    fixtureHost([skill], { documents: { "a/config": shape }, ...settings }).run(greetingBy("a"));
  const readSecret = async () => "canary-1";
  const project = { a: { address: "http://a" } };
  const own = { a: { loud: true } };
  const settings = ["loud", "address", "key"];
  assert.deepEqual(await told({ readSecret, config: project }), { settings, own: ["loud 5", "key 8"] });
  assert.deepEqual(await told({ readSecret, config: project, ownConfig: own }), {
    settings,
    own: ["loud 4", "key 8"],
  });
  await assert.rejects(told({ readSecret, ownConfig: own }), { code: "CONFIG_INVALID" });
  await assert.rejects(told({ config: project }), {
    code: "CONFIG_INVALID",
    message: /needs the secret key/,
  });
});
