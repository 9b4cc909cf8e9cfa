import assert from "node:assert/strict";
import { test } from "node:test";
import { token } from "./container/token.ts";
import type { Wiring } from "./plugin.ts";
import { borrower, greeter, greetingBy, greets, lender } from "./testing/fixture-ports.ts";
import { fixtureHost, fixtureSkill } from "./testing/fixture-skills.ts";

test("the code of a skill is loaded when it is first needed, without that of any other skill", async () => {
  const loads: string[] = [];
  const counted = (name: string) =>
    greeter(name, { load: async () => ({ default: (loads.push(name), greets) }) });
  const host = fixtureHost([counted("a"), counted("b")]);
  assert.deepEqual([loads, host.activator.loaded], [[], []]);
  await host.run(greetingBy("b"));
  assert.deepEqual([loads, host.activator.loaded], [["b"], ["b"]]);
});

test("concurrent requests share one loading, one wiring and one handler", async () => {
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
  await host.run(greetingBy("a"));
  assert.deepEqual(journal, ["loaded", "wired", "made"]);
  assert.equal(new Set(handlers).size, 1);
});

test("a command, a route and a rule of the same name have separate handlers", async () => {
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

test("a provider is opened before its consumer, and lends the service that it bound to the port", async () => {
  const journal: string[] = [];
  const consumer = borrower("consumer", "required");
  const load = async () => {
    journal.push("consumer loaded");
    return consumer.load();
  };
  const host = fixtureHost([{ ...consumer, load }, lender("lender", journal)]);
  assert.deepEqual(await host.run(greetingBy("consumer")), { salute: "lender" });
  assert.deepEqual(journal, ["lender made", "consumer loaded"]);
  assert.deepEqual([...host.activator.loaded].sort(), ["consumer", "lender"]);
});

test("two consumers of a port share one service, and its provider is loaded once", async () => {
  const journal: string[] = [];
  const host = fixtureHost([
    borrower("one", "required"),
    borrower("two", "optional"),
    lender("lender", journal),
  ]);
  await Promise.all([host.run(greetingBy("one")), host.run(greetingBy("two"))]);
  assert.deepEqual(journal, ["lender made"]);
});

test("the provider of an optional port is opened on first use, and closed with the host", async () => {
  const journal: string[] = [];
  const host = fixtureHost([borrower("consumer", "optional"), lender("lender", journal)]);
  await host.activator.command("consumer", "greet");
  assert.deepEqual([journal, host.activator.loaded], [[], ["consumer"]]);
  assert.deepEqual(await host.run(greetingBy("consumer")), { salute: "lender" });
  await host.close();
  assert.deepEqual(journal, ["lender made", "lender closed"]);
});

test("using an optional port whose hosted provider fails is an error; the port is not undefined", async () => {
  const broken = lender("lender", [], { load: () => Promise.reject(new Error("out of order")) });
  await assert.rejects(fixtureHost([borrower("a", "optional"), broken]).run(greetingBy("a")), {
    code: "PLUGIN_BROKEN",
    message: "The code of lender fails while it is loaded: out of order",
  });
});

test("a skill that needs a port of a cycle is hosted, and running it names the cycle as the reason", async () => {
  const first = lender("first", [], { requires: { bows: "required" } });
  const second = fixtureSkill("second", {
    provides: ["bows"],
    requires: { salutes: "required" },
  });
  const host = fixtureHost([borrower("bystander", "required"), first, second]);
  assert.deepEqual(
    host.catalog.skills.map(({ manifest }) => manifest.name),
    ["bystander"],
  );
  await assert.rejects(host.run(greetingBy("bystander")), {
    code: "PORT_MISSING",
    message: "bystander needs the port salutes, and no hosted skill provides it.",
    hint: "first provides it and was left out: first needs itself: first -> second -> first.",
  });
  await assert.rejects(host.run(greetingBy("first")), { code: "PORT_CYCLE" });
});

test("a skill that asks other skills for a port of skillctl is told to inject it", async () => {
  const asker = greeter("asker", { requires: { clock: "required" } });
  await assert.rejects(fixtureHost([asker]).run(greetingBy("asker")), {
    code: "PORT_MISSING",
    hint: 'It is a port of skillctl itself: remove it from requires, and inject CLOCK from "skillctl".',
  });
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
  await host.run(greetingBy("a"));
  assert.deepEqual(asked, [host, "a", { routes: ["greet"] }]);
  const { server } = (await fixtureHost([skill]).activator.command("a", "greet")) as unknown as Greet;
  await assert.rejects(server.open({ routes: [] }), {
    code: "PORT_MISSING",
    message: "a asks for a server, and this host opens none.",
  });
});
