import assert from "node:assert/strict";
import { test } from "node:test";
import { port, token } from "./container/token.ts";
import type { Rule } from "./contract.ts";
import { SkillError } from "./errors/skill-error.ts";
import type { Wiring } from "./plugin.ts";
import { borrower, greeter, greetingBy, greets, lender } from "./testing/fixture-ports.ts";
import { commandClass, fixtureCommand, fixtureHost, fixtureSkill } from "./testing/fixture-skills.ts";

test("a skill that declares a port without binding it fails, and so does its consumer", async () => {
  const liar = fixtureSkill("liar", {
    provides: ["salutes"],
    commands: { greet: fixtureCommand("liar") },
    code: greets,
  });
  const host = fixtureHost([liar, borrower("a", "required")]);
  const message = "liar lists salutes in provides, but its code binds nothing to it.";
  for (const skill of ["liar", "a"])
    await assert.rejects(host.run(greetingBy(skill)), { code: "PLUGIN_BROKEN", message });
});

test("an error of a module is reported with the name of the skill, the reason and the cause", async () => {
  const rows: readonly (readonly [unknown, string])[] = [
    ["just a text", '"just a text"'],
    [undefined, "undefined"],
    [{ code: "NO_GUEST", message: "no guest", key: "k" }, '{"code":"NO_GUEST","message":"no guest"}'],
    [{ key: "k" }, "[object Object]"],
  ];
  const told = rows.map(([thrown, shown]) => [
    thrown,
    `its code threw ${shown}, not an Error, so its line is unknown`,
  ]);
  const unreadable = Object.defineProperty(new Error("x"), "message", {
    get: () => assert.fail("read"),
  });
  for (const [thrown, reason] of [
    [new TypeError("nope is not a function"), "nope is not a function"],
    [new AggregateError([new Error("a"), "b"], "all failed"), "all failed: a; b"],
    [unreadable, "its message cannot be read"],
    ...told,
  ]) {
    const host = fixtureHost([greeter("a", { load: () => Promise.reject(thrown) })]);
    const caught: unknown = await host.run(greetingBy("a")).catch((error: unknown) => error);
    assert.ok(caught instanceof SkillError);
    assert.equal(caught.code, "PLUGIN_BROKEN");
    assert.equal(caught.message, `The code of a fails while it is loaded: ${String(reason)}`);
    assert.equal(caught.cause, thrown);
    assert.equal(caught.file, "/skills/a");
  }
});

test("a word of CommonJS in an ES module is reported with a hint that names its equivalent", async () => {
  for (const [word, remedy] of [
    ["exports", "export default"],
    ["require", "use import."],
    ["__dirname", "use import.meta.dirname."],
  ] as const) {
    const thrown = new ReferenceError(`${word} is not defined in ES module scope`);
    const host = fixtureHost([greeter("a", { load: () => Promise.reject(thrown) })]);
    const caught: unknown = await host.run(greetingBy("a")).catch((error: unknown) => error);
    assert.ok(caught instanceof SkillError && caught.hint?.includes(remedy), word);
  }
});

test("a getter of a plugin that throws is reported as code that fails while it is loaded", async () => {
  const code = {
    get commands(): never {
      throw new Error("lazy");
    },
  };
  const load = () => Promise.resolve({ default: code });
  await assert.rejects(fixtureHost([greeter("a", { load })]).run(greetingBy("a")), {
    code: "PLUGIN_BROKEN",
    message: "The code of a fails while it is loaded: lazy",
  });
});

test("a failure in the skill's own code names its file and line, and a syntax error its place", async () => {
  const thrown = new TypeError("nope");
  thrown.stack =
    "TypeError: nope\n    at node:internal\n    at file:///skills/a/lib/my%20words.js:7:12\n    at x";
  const rows: readonly (readonly [unknown, string])[] = [
    [thrown, "nope (lib/my%20words.js:7)"],
    [
      new SyntaxError("Unexpected token"),
      "Unexpected token (`skillctl validate DIR`, with the folder of the skill, names the line)",
    ],
    [
      Object.assign(new TypeError("bare"), { code: "ERR_IMPORT_ATTRIBUTE_MISSING" }),
      'bare, as in `import … with { type: "json" }`',
    ],
  ];
  for (const [cause, reason] of rows) {
    const host = fixtureHost([greeter("a", { load: () => Promise.reject(cause) })]);
    const message = `The code of a fails while it is loaded: ${reason}`;
    await assert.rejects(host.run(greetingBy("a")), { code: "PLUGIN_BROKEN", message });
  }
});

test("an entry of inject that is not a token is named, and so is an inject that is not a list", async () => {
  for (const [inject, reason] of [
    [
      [],
      "Greet: parameter 1 has no token: write static inject = [TOKEN] with one for each parameter, or @inject(TOKEN) before each",
    ],
    [
      [undefined],
      'inject[0] of Greet is not a token: use one that skillctl exports, config() or port("NAME").',
    ],
    [{ files: 1 }, "inject of Greet must be a list of tokens."],
  ] as const) {
    class Greet {
      static readonly inject = inject as unknown as [];
      constructor(readonly files: unknown) {}
      readonly run = async () => ({});
    }
    const broken = fixtureHost([greeter("a", { code: { commands: { greet: Greet } } })]);
    const message = `a cannot be wired: ${reason}`;
    await assert.rejects(broken.run(greetingBy("a")), { code: "PLUGIN_BROKEN", message });
  }
});

test("a class that injects an undeclared port is reported with both names", async () => {
  class Greet {
    static readonly inject = [port("salutes")];
    readonly run = async () => ({});
  }
  const host = fixtureHost([greeter("a", { code: { commands: { greet: Greet } } })]);
  await assert.rejects(host.run(greetingBy("a")), {
    code: "PLUGIN_BROKEN",
    message:
      /^a cannot be wired: Greet asks for "salutes", to which nothing is bound\. .* under requires in skill\.json/,
  });
});

test("missing handlers and handlers without a place in the manifest are both named", async () => {
  const code = { commands: { great: commandClass(async () => ({})) } };
  await assert.rejects(fixtureHost([greeter("a", { code })]).run(greetingBy("a")), {
    code: "PLUGIN_BROKEN",
    message: /commands lacks a class for "greet"; commands has "great", which the manifest does not name\.$/,
  });
});

test("a class for a rule with a fixed decision is reported as such", async () => {
  const rules: Readonly<Record<string, Rule>> = {
    polite: { tell: "Be polite.", on: ["command.pre"], when: { type: "object" }, decision: "deny" },
  };
  const code = { ...greets, rules: { polite: class {} } };
  const { activator } = fixtureHost([greeter("a", { code, rules })]);
  await assert.rejects(activator.command("a", "greet"), {
    code: "PLUGIN_BROKEN",
    message: /: rules has "polite", whose entry in the manifest does not ask for code: remove it, or write/,
  });
});

test("a handler without its function is reported by name before it is called", async () => {
  const rules: Readonly<Record<string, Rule>> = {
    polite: { tell: "Be polite.", on: ["command.pre"], handler: true },
  };
  const code = { commands: { greet: class {} }, rules: { polite: class {} } };
  const { activator } = fixtureHost([greeter("a", { code, rules })]);
  await assert.rejects(activator.command("a", "greet"), {
    code: "PLUGIN_BROKEN",
    message: 'The class of commands/greet of a has no method "run".',
  });
  await assert.rejects(activator.rule("a", "polite"), {
    message: 'The class of rules/polite of a has no method "judge".',
  });
  const commands = { greet: { ...fixtureCommand("b"), inputVaries: true } };
  await assert.rejects(fixtureHost([greeter("b", { commands })]).activator.command("b", "greet"), {
    message:
      'The class of commands/greet of b has no method "absent", which its manifest requires by inputVaries.',
  });
});

test("an error of a wiring or a constructor is reported with the name of the skill; an error with a code stays unchanged", async () => {
  class Broken {
    constructor() {
      throw new RangeError("too early");
    }
  }
  const wiring = (wire: (wiring: Wiring) => unknown) => ({ ...greets, wire });
  const rows: readonly (readonly [unknown, object])[] = [
    [
      wiring(() => {
        throw new RangeError("too early");
      }),
      { code: "PLUGIN_BROKEN", message: "a cannot be wired: too early" },
    ],
    [
      wiring(() => {
        throw new SkillError("CONFIG_INVALID", "No.");
      }),
      { code: "CONFIG_INVALID", message: "No." },
    ],
    [
      wiring(({ value }) => {
        value(port("salutes"), {});
        value(port("salutes"), {});
      }),
      { code: "PLUGIN_BROKEN" },
    ],
    [
      wiring(({ single }) => single(port("salutes"), {} as never)),
      {
        code: "PLUGIN_BROKEN",
        message:
          'a cannot be wired: single binds "salutes" to a class, but got an object; value binds a finished object',
      },
    ],
    [
      wiring(({ value }) => value(undefined as never, {})),
      {
        code: "PLUGIN_BROKEN",
        message: /value and single bind a token, but got a value of the type undefined/,
      },
    ],
    [
      { ...greets, wire: "no function" },
      { code: "PLUGIN_BROKEN", message: /^a cannot be wired: / },
    ],
    [{ commands: { greet: Broken } }, { code: "PLUGIN_BROKEN", message: /^a cannot be wired: .*too early/s }],
    [
      { commands: { greet: () => undefined } },
      {
        code: "PLUGIN_BROKEN",
        message: /commands has a value of the type function for "greet": write a class with the method run\./,
      },
    ],
  ];
  for (const [code, expected] of rows)
    await assert.rejects(fixtureHost([greeter("a", { code })]).run(greetingBy("a")), expected);
});

test("a wiring of plain JavaScript that returns a promise is awaited, and its failure does not end the process", async () => {
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
  assert.deepEqual(await host.run(greetingBy("a")), { name: "Ada" });
  const broken = { ...greets, wire: () => Promise.reject(new Error("no key")) };
  await assert.rejects(fixtureHost([greeter("b", { code: broken })]).run(greetingBy("b")), {
    code: "PLUGIN_BROKEN",
    message: "b cannot be wired: no key",
  });
});

test("the next request opens a failed skill again, and the skill does not count as loaded", async () => {
  const journal: string[] = [];
  let failures = 2;
  const tokens = lender("lender", journal);
  const load = async () => {
    journal.push("load");
    if (failures-- > 0) throw new Error("too many open files");
    return tokens.load();
  };
  const host = fixtureHost([{ ...tokens, load }, borrower("a", "required")]);
  const together = await Promise.allSettled([host.run(greetingBy("a")), host.run(greetingBy("a"))]);
  assert.deepEqual(
    together.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.deepEqual([journal, host.activator.loaded], [["load"], []]);
  await assert.rejects(host.run(greetingBy("a")), { code: "PLUGIN_BROKEN" });
  assert.deepEqual(await host.run(greetingBy("a")), { salute: "lender" });
  assert.deepEqual(journal, ["load", "load", "load", "lender made"]);
  await host.close();
  assert.deepEqual(journal.at(-1), "lender closed");
});

test("a service whose construction failed is not reported as a cycle when it is requested again", async () => {
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
  for (const _ of [1, 2])
    await assert.rejects(host.run(greetingBy("a")), { code: "PLUGIN_BROKEN", message: /no device/ });
});
