import assert from "node:assert/strict";
import { test } from "node:test";
import { token } from "./container/token.ts";
import type { Rule } from "./contract.ts";
import { SkillError } from "./errors/skill-error.ts";
import { ACCESS_TOKENS, type AccessTokens } from "./ports/access-tokens.ts";
import { ANALYSIS_SERVICE } from "./ports/analysis-service.ts";
import type { Wiring } from "./plugin.ts";
import { commandClass, fixtureCommand, fixtureHost, fixtureSkill, type FixtureParts } from "./testing/fixture-skills.ts";

const greets = { commands: { greet: commandClass(async () => ({ text: "Hello." })) } };

/** A skill with the one command `greet`. */
function greeter(name: string, parts: FixtureParts = {}) {
  return fixtureSkill(name, { commands: { greet: fixtureCommand(name) }, code: greets, ...parts });
}

/** A skill that lends access tokens; the class counts how often it is made and closed. */
function lender(name: string, journal: string[] = [], parts: FixtureParts = {}) {
  class Tokens implements AccessTokens {
    constructor() {
      journal.push(`${name} made`);
    }
    readonly current = async () => ({ value: name, source: "cache" }) as const;
    readonly close = (): void => void journal.push(`${name} closed`);
  }
  const code = { wire: ({ single }: Wiring) => single(ACCESS_TOKENS, Tokens) };
  return fixtureSkill(name, { provides: ["access-tokens"], code, ...parts });
}

/** A skill whose command answers the token that it borrowed. */
function borrower(name: string, need: "required" | "optional") {
  class Greet {
    static readonly inject = [ACCESS_TOKENS];
    constructor(readonly tokens: AccessTokens | undefined) {}
    readonly run = async () => ({ token: await this.tokens?.current() });
  }
  return greeter(name, { requires: { "access-tokens": need }, code: { commands: { greet: Greet } } });
}

const request = (skill: string) => ({ skill, command: "greet", input: {} });

test("the code of a skill is loaded when it is first needed, and no other skill's with it", async () => {
  const loads: string[] = [];
  const counted = (name: string) =>
    greeter(name, { load: async () => ({ default: (loads.push(name), greets) }) });
  const host = fixtureHost([counted("a"), counted("b")]);
  assert.deepEqual([loads, host.activator.loaded], [[], []]);
  await host.run(request("b"));
  assert.deepEqual([loads, host.activator.loaded], [["b"], ["b"]]);
});

test("who asks at the same time shares one loading, one wiring and one handler", async () => {
  const journal: string[] = [];
  class Greet {
    constructor() {
      journal.push("made");
    }
    readonly run = async () => ({});
  }
  const code = { wire: () => void journal.push("wired"), commands: { greet: Greet } };
  const load = async () => {
    journal.push("loaded");
    await new Promise(setImmediate);
    return { default: code };
  };
  const host = fixtureHost([greeter("a", { load })]);
  const handlers = await Promise.all([1, 2, 3].map(() => host.activator.command("a", "greet")));
  await host.run(request("a"));
  assert.deepEqual(journal, ["loaded", "wired", "made"]);
  assert.equal(new Set(handlers).size, 1);
});

test("commands, routes and rules of one name are three handlers", async () => {
  class Run {
    readonly run = async () => ({});
  }
  class Handle {
    readonly handle = async () => ({ status: 200, body: {} });
  }
  class Judge {
    readonly judge = () => ({ decision: "allow" });
  }
  const skill = greeter("a", {
    routes: { greet: { summary: "Greets.", method: "GET", path: "/", replies: { 200: "a/output" } } },
    rules: { greet: { tell: "Greet.", on: ["command.pre"], handler: true } },
    code: { commands: { greet: Run }, routes: { greet: Handle }, rules: { greet: Judge } },
  });
  const { activator } = fixtureHost([skill]);
  assert.ok((await activator.command("a", "greet")) instanceof Run);
  assert.ok((await activator.route("a", "greet")) instanceof Handle);
  assert.ok((await activator.rule("a", "greet")) instanceof Judge);
});

test("a handler is given the settings, the ports of the host and the services that its plugin wired", async () => {
  const NAME = token<string>("name");
  class Name {
    readonly text = "Ada";
  }
  const SERVICE = token<Name>("service");
  const { config, CLOCK } = await import("./index.ts");
  class Greet {
    static readonly inject = [config<unknown>(), CLOCK, NAME, SERVICE];
    readonly given: readonly unknown[];
    constructor(...given: readonly unknown[]) {
      this.given = given;
    }
    readonly run = async () => ({});
  }
  const wire = ({ value, single }: Wiring): void => {
    value(NAME, "Eve");
    single(SERVICE, Name);
  };
  const host = fixtureHost([greeter("a", { code: { wire, commands: { greet: Greet } } })]);
  const { given } = (await host.activator.command("a", "greet")) as unknown as Greet;
  assert.deepEqual(given, [{}, host.ports.clock, "Eve", new Name()]);
});

test("a provider is opened before its consumer, and lends what it bound to the port", async () => {
  const journal: string[] = [];
  const consumer = borrower("consumer", "required");
  const load = async () => {
    journal.push("consumer loaded");
    return consumer.load();
  };
  const host = fixtureHost([{ ...consumer, load }, lender("lender", journal)]);
  assert.deepEqual(await host.run(request("consumer")), { token: { value: "lender", source: "cache" } });
  assert.deepEqual(journal, ["lender made", "consumer loaded"]);
  assert.deepEqual([...host.activator.loaded].sort(), ["consumer", "lender"]);
});

test("two consumers of a port are lent one service, and its provider is loaded once", async () => {
  const journal: string[] = [];
  const host = fixtureHost([borrower("one", "required"), borrower("two", "optional"), lender("lender", journal)]);
  await Promise.all([host.run(request("one")), host.run(request("two"))]);
  assert.deepEqual(journal, ["lender made"]);
});

test("an optional port that nobody provides is undefined; a required one is missed with its name before code is loaded", async () => {
  assert.deepEqual(await fixtureHost([borrower("a", "optional")]).run(request("a")), { token: undefined });
  const load = () => assert.fail("the code was loaded");
  const host = fixtureHost([{ ...borrower("a", "required"), load }]);
  await assert.rejects(host.run(request("a")), {
    code: "PORT_MISSING",
    message: "a needs the port access-tokens, and no hosted skill provides it.",
    hint: "Install a skill that provides access-tokens and name it with --plugin or in skillctl.json.",
  });
  assert.deepEqual(host.activator.loaded, []);
});

test("an optional port whose provider is hosted and fails is a failure, not undefined", async () => {
  const broken = lender("lender", [], { load: () => Promise.reject(new Error("out of order")) });
  await assert.rejects(fixtureHost([borrower("a", "optional"), broken]).run(request("a")), {
    code: "PLUGIN_BROKEN",
    message: "The code of lender fails while it is loaded: out of order",
  });
});

test("a skill that needs a port of a circle is hosted, and running it says that the circle is why", async () => {
  const first = lender("first", [], { requires: { "analysis-service": "required" } });
  const second = fixtureSkill("second", { provides: ["analysis-service"], requires: { "access-tokens": "required" } });
  const host = fixtureHost([borrower("bystander", "required"), first, second]);
  assert.deepEqual(host.catalog.skills.map(({ manifest }) => manifest.name), ["bystander"]);
  await assert.rejects(host.run(request("bystander")), {
    code: "PORT_MISSING",
    message: "bystander needs the port access-tokens, and no hosted skill provides it.",
    hint: "first provides it and was left out: first needs itself: first -> second -> first.",
  });
  await assert.rejects(host.run(request("first")), { code: "PORT_CYCLE" });
});

test("a skill that says it provides a port and binds nothing to it is broken, and so is who needs it", async () => {
  const liar = fixtureSkill("liar", { provides: ["access-tokens"], commands: { greet: fixtureCommand("liar") }, code: greets });
  const host = fixtureHost([liar, borrower("a", "required")]);
  const message = "liar says that it provides access-tokens, but its code binds nothing to it.";
  for (const skill of ["liar", "a"]) await assert.rejects(host.run(request(skill)), { code: "PLUGIN_BROKEN", message });
});

test("a module that throws is told with the name of the skill, the reason and the cause", async () => {
  for (const thrown of [new TypeError("nope is not a function"), "just a text", undefined]) {
    const host = fixtureHost([greeter("a", { load: () => Promise.reject(thrown) })]);
    const caught: unknown = await host.run(request("a")).catch((error: unknown) => error);
    assert.ok(caught instanceof SkillError);
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    assert.equal(caught.code, "PLUGIN_BROKEN");
    assert.equal(caught.message, `The code of a fails while it is loaded: ${reason}`);
    assert.equal(caught.cause, thrown);
    assert.equal(caught.file, "/skills/a");
  }
});

test("code that cannot be imported is told with what was looked for", async () => {
  const missing = new URL("./no-such-module.ts", import.meta.url).href;
  const host = fixtureHost([greeter("a", { load: () => import(missing) })]);
  await assert.rejects(host.run(request("a")), {
    code: "PLUGIN_MISSING",
    message: /^The code of a, or something that it imports, cannot be found: Cannot find module '.*no-such-module/,
  });
});

test("handlers that do not fit the manifest are named both ways", async () => {
  const code = { commands: { great: commandClass(async () => ({})) } };
  await assert.rejects(fixtureHost([greeter("a", { code })]).run(request("a")), {
    code: "PLUGIN_BROKEN",
    message: /commands lacks a class for "greet"; commands has "great", which the manifest does not name\.$/,
  });
});

test("a handler without its function is told by name, not when it is called", async () => {
  const rules: Readonly<Record<string, Rule>> = { polite: { tell: "Be polite.", on: ["command.pre"], handler: true } };
  const code = { commands: { greet: class {} }, rules: { polite: class {} } };
  const { activator } = fixtureHost([greeter("a", { code, rules })]);
  await assert.rejects(activator.command("a", "greet"), {
    code: "PLUGIN_BROKEN",
    message: 'The class of commands/greet of a has no function "run".',
  });
  await assert.rejects(activator.rule("a", "polite"), { message: 'The class of rules/polite of a has no function "judge".' });
});

test("a wiring or a constructor that throws is told with the name of the skill; an error with a code stays itself", async () => {
  class Broken {
    constructor() {
      throw new RangeError("too early");
    }
  }
  const wiring = (wire: (wiring: Wiring) => unknown) => ({ ...greets, wire });
  const rows: readonly (readonly [unknown, object])[] = [
    [wiring(() => { throw new RangeError("too early"); }), { code: "PLUGIN_BROKEN", message: "a cannot be wired: too early" }],
    [wiring(() => { throw new SkillError("CONFIG_INVALID", "No."); }), { code: "CONFIG_INVALID", message: "No." }],
    [wiring(({ value }) => { value(ACCESS_TOKENS, {} as never); value(ACCESS_TOKENS, {} as never); }), { code: "PLUGIN_BROKEN" }],
    [{ ...greets, wire: "no function" }, { code: "PLUGIN_BROKEN", message: /^a cannot be wired: / }],
    [{ commands: { greet: Broken } }, { code: "PLUGIN_BROKEN", message: /^a cannot be wired: .*too early/s }],
    [{ commands: { greet: () => undefined } }, { code: "PLUGIN_BROKEN", message: /^a cannot be wired: / }],
  ];
  for (const [code, expected] of rows) await assert.rejects(fixtureHost([greeter("a", { code })]).run(request("a")), expected);
});

test("a wiring of plain JavaScript that answers a promise is waited for, and its failure does not end the process", async () => {
  const NAME = token<string>("name");
  class Greet {
    static readonly inject = [NAME];
    constructor(readonly name: string) {}
    readonly run = async () => ({ name: this.name });
  }
  const late = async ({ value }: Wiring): Promise<void> => {
    await new Promise(setImmediate);
    value(NAME, "Ada");
  };
  const host = fixtureHost([greeter("a", { code: { wire: late, commands: { greet: Greet } } })]);
  assert.deepEqual(await host.run(request("a")), { name: "Ada" });
  const broken = { ...greets, wire: () => Promise.reject(new Error("no key")) };
  await assert.rejects(fixtureHost([greeter("b", { code: broken })]).run(request("b")), {
    code: "PLUGIN_BROKEN",
    message: "b cannot be wired: no key",
  });
});

test("a skill that failed to open is tried anew by the next request, and is not counted as loaded", async () => {
  const journal: string[] = [];
  let failures = 2;
  const tokens = lender("lender", journal);
  const load = async () => {
    journal.push("load");
    if (failures-- > 0) throw new Error("too many open files");
    return tokens.load();
  };
  const host = fixtureHost([{ ...tokens, load }, borrower("a", "required")]);
  const together = await Promise.allSettled([host.run(request("a")), host.run(request("a"))]);
  assert.deepEqual(together.map(({ status }) => status), ["rejected", "rejected"]);
  assert.deepEqual([journal, host.activator.loaded], [["load"], []]);
  await assert.rejects(host.run(request("a")), { code: "PLUGIN_BROKEN" });
  assert.deepEqual(await host.run(request("a")), { token: { value: "lender", source: "cache" } });
  assert.deepEqual(journal, ["load", "load", "load", "lender made"]);
  await host.close();
  assert.deepEqual(journal.at(-1), "lender closed");
});

test("settings that do not fit stop their skill and no other", async () => {
  const host = fixtureHost([greeter("a"), greeter("b")], { config: { a: { loud: true } } });
  await assert.rejects(host.run(request("a")), { code: "CONFIG_INVALID", pointer: "/config/a" });
  assert.deepEqual(await host.run(request("b")), { text: "Hello." });
});

test("what is closed is closed in the reverse order of opening, and every failure is answered", async () => {
  const journal: string[] = [];
  const closing = (name: string, fails = false) => {
    class Greet {
      readonly run = async () => ({});
      readonly close = async () => {
        await new Promise(setImmediate);
        journal.push(name);
        if (fails) throw new Error(`${name} is stuck`);
      };
    }
    return greeter(name, { code: { commands: { greet: Greet } } });
  };
  const consumer = borrower("consumer", "required");
  const skills = [closing("never-opened"), consumer, lender("lender", journal), closing("a", true), closing("b"), closing("c", true)];
  const { activator } = fixtureHost(skills);
  for (const name of ["a", "consumer", "b", "c"]) await activator.command(name, "greet");
  const failures = await activator.close();
  assert.deepEqual(journal, ["lender made", "c", "b", "lender closed", "a"]);
  assert.deepEqual(failures.map(({ message }) => message), ["Greet of c failed to close.", "Greet of a failed to close."]);
  assert.deepEqual(failures.map(({ cause }) => (cause as Error).message), ["c is stuck", "a is stuck"]);
});

test("closing waits for a skill that is being opened and closes it; who waited for it is told that the host is closed", async () => {
  const journal: string[] = [];
  const tokens = lender("lender", journal);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const consumer = borrower("consumer", "required");
  const load = async () => {
    journal.push("loading");
    await gate;
    return consumer.load();
  };
  const host = fixtureHost([{ ...consumer, load }, tokens]);
  const running = assert.rejects(host.run(request("consumer")), {
    code: "CANCELLED",
    message: "The host is closed: consumer cannot be used any more.",
  });
  while (!journal.includes("loading")) await new Promise(setImmediate);
  let closed = false;
  const closing = host.close().then(() => (closed = true));
  await new Promise(setImmediate);
  assert.equal(closed, false);
  release();
  await Promise.all([running, closing]);
  assert.deepEqual(journal, ["lender made", "loading", "lender closed"]);
});

test("a closed host opens nothing more, so that nothing is left open", async () => {
  const load = () => assert.fail("the code was loaded");
  const host = fixtureHost([greeter("a", { load }), greeter("b")]);
  await host.activator.command("b", "greet");
  await host.close();
  for (const name of ["a", "b"]) await assert.rejects(host.activator.command(name, "greet"), { code: "CANCELLED" });
});

test("a service whose making failed is not said to need itself when it is asked for again", async () => {
  class Service {
    constructor() {
      throw new Error("no device");
    }
  }
  const SERVICE = token<Service>("service");
  class Greet {
    static readonly inject = [SERVICE];
    constructor(readonly service: Service) {}
    readonly run = async () => ({});
  }
  const code = { wire: ({ single }: Wiring) => single(SERVICE, Service), commands: { greet: Greet } };
  const host = fixtureHost([greeter("a", { code })]);
  for (const _ of [1, 2]) await assert.rejects(host.run(request("a")), { code: "PLUGIN_BROKEN", message: /no device/ });
});

test("a skill asks for its server under its own name, and a host without servers says so", async () => {
  const { SERVER } = await import("./ports/server.ts");
  class Greet {
    static readonly inject = [SERVER];
    constructor(readonly server: { readonly open: (options: object) => Promise<unknown> }) {}
    readonly run = async () => ({ opened: await this.server.open({ routes: ["greet"] }) });
  }
  const skill = greeter("a", { code: { commands: { greet: Greet } } });
  const asked: unknown[] = [];
  const host = fixtureHost([skill], {
    openServer: async (...given) => {
      asked.push(...given);
      return { url: "http://127.0.0.1:7", port: 7, close: async () => undefined };
    },
  });
  await host.run(request("a"));
  assert.deepEqual(asked, [host, "a", { routes: ["greet"] }]);
  const { server } = (await fixtureHost([skill]).activator.command("a", "greet")) as unknown as Greet;
  await assert.rejects(server.open({ routes: [] }), {
    code: "PORT_MISSING",
    message: "a asks for a server, and this host opens none.",
  });
});

test("a port that is bound to a lent service is the consumer's to use, and the provider's to close", async () => {
  const journal: string[] = [];
  const host = fixtureHost([borrower("a", "required"), lender("lender", journal)]);
  await host.run(request("a"));
  await host.close();
  assert.deepEqual(journal, ["lender made", "lender closed"]);
  assert.notEqual(ANALYSIS_SERVICE.symbol, ACCESS_TOKENS.symbol);
});
