/** The promises of the command line: exit statuses, one document under --json, hints, and what is kept off the screen. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { writeSkill } from "../fixture-command-line.ts";
import { TOKEN } from "../../../../contract-tests/agent-calls.ts";
import { documentOf, foreignHarness, sample } from "../../../../contract-tests/doors-harness.ts";

const command = (name: string, more: object = {}) => ({
  summary: `Does ${name}.`,
  input: "sample/any",
  output: "sample/text-output",
  display: "text",
  ...more,
});
const GREET = {
  summary: "Greets.",
  input: "sample/greet-input",
  output: "sample/text-output",
  positional: ["name"],
  display: "text",
  default: true,
};
const rule = (more: object) => ({
  tell: "It is told.",
  decision: "deny",
  message: "It is refused.",
  ...more,
});
const named = (name: string) => ({
  type: "object",
  required: ["input"],
  properties: { input: { type: "object", properties: { name: { const: name } }, required: ["name"] } },
});
const PARTS = {
  manifest: {
    config: "sample/config",
    commands: {
      greet: GREET,
      own: command("own", { errors: ["HOUSE_CLOSED"], exitStatus: { HOUSE_CLOSED: 42 } }),
      closed: command("closed"),
      boom: command("boom"),
      odd: command("odd"),
      half: command("half"),
      talk: command("talk"),
      remote: command("remote", { surfaces: ["http"] }),
      wait: command("wait"),
      settings: command("settings"),
      typed: command("typed", { input: "sample/typed" }),
    },
    errors: { HOUSE_CLOSED: { summary: "The sample is closed.", exit: 69, http: 503, fault: "user" } },
    rules: {
      before: rule({ on: ["command.pre"], when: named("Mallory") }),
      question: rule({ on: ["command.pre"], when: named("Trent"), decision: "ask" }),
      told: rule({ on: ["command.pre"], when: named("Eve"), decision: "warn", message: "It is Eve." }),
      rename: {
        tell: "It is told.",
        on: ["command.pre"],
        when: named("Bob"),
        handler: true,
        timeoutMs: 5_000,
      },
      after: rule({
        on: ["command.post"],
        when: {
          type: "object",
          required: ["output"],
          properties: {
            output: { type: "object", properties: { text: { const: "Hello Oscar" } }, required: ["text"] },
          },
        },
      }),
    },
  },
  schemas: {
    any: { type: "object", additionalProperties: true },
    config: {
      type: "object",
      additionalProperties: false,
      properties: {
        colour: { type: "string", default: "green" },
        size: { type: "integer", minimum: 1, maximum: 3 },
      },
    },
    typed: {
      type: "object",
      required: ["count"],
      additionalProperties: false,
      properties: {
        count: { type: "integer", minimum: 0, maximum: 9 },
        loud: { type: "boolean" },
        tags: { type: "array", items: { type: "string" } },
      },
    },
  },
  code: `
const known = (code, message, more = {}) => Object.assign(new Error(message), { code, [Symbol.for("skillctl.error")]: true, ...more });
const does = (run) => class { run = async (input, call) => ({ text: await run(input, call) }); };
let settings;
export default {
  wire: () => {},
  commands: {
    greet: does(({ name }) => "Hello " + name),
    own: does(() => { throw known("HOUSE_CLOSED", "Closed \\u001b[31mtoday.", { hint: "Come back." }); }),
    closed: does(() => { throw known("HOUSE_CLOSED", "Closed."); }),
    boom: does(() => { throw new Error("it broke", { cause: new Error("the wire") }); }),
    odd: class { run = async () => ({ words: 1 }); },
    half: does(() => { throw known("HOUSE_CLOSED", "Half.", { result: { text: "the first half" } }); }),
    talk: does((_, { announce, progress }) => { announce("Come in."); progress("Cooking."); progress("Cooking."); return "Done"; }),
    remote: does(() => ""),
    wait: does((_, { signal, announce }) => {
      const ended = new Promise((end) => signal.addEventListener("abort", () => end("waited")));
      announce("waits");
      return ended;
    }),
    settings: does(() => "none"),
    typed: does((input) => JSON.stringify(input)),
  },
  rules: { rename: class { judge({ input }) { return { decision: "transform", input: { ...input, name: "Robert" } }; } } },
};
`,
};

describe("the exit status", () => {
  test("is that of the command, of the skill's row, or of the table of codes", async (t) => {
    const { say } = await sample(t, PARTS);
    const status = async (...words: readonly string[]) => (await say(["run", "sample", ...words])).status;
    assert.equal(await status("Ada"), 0);
    assert.equal(await status("own"), 42);
    assert.equal(await status("closed"), 69);
    assert.equal(await status("boom"), 70);
    assert.equal(await status("odd"), 70);
    assert.equal(await status("remote"), 64);
    assert.equal(await status("typed", "--count", "10"), 65);
    assert.equal(await status("typed", "--count", "x"), 64);
    assert.equal(await status("typed"), 64);
    assert.equal(await status("Mallory"), 77);
    assert.equal((await say(["run", "sampl"])).status, 64);
    assert.equal((await say(["lst"])).status, 64);
  });

  test("is 130 if the person stops the command", async (t) => {
    const { say } = await sample(t, PARTS);
    const signal = AbortSignal.abort();
    const stopped = await say(["run", "sample", "Ada"], { signal });
    assert.equal(stopped.status, 130);
    assert.match(stopped.err, /^error: The command was cancelled\.$/m);
    const late = await say(["run", "sample", "wait"], { untilShown: true });
    assert.deepEqual([late.status, /waited/.test(late.out)], [130, true], late.err);
  });
});

describe("messages", () => {
  test("a command of another surface is refused by name, and so is one that a rule denies", async (t) => {
    const { say } = await sample(t, PARTS);
    const hint = async (...words: readonly string[]) => /^hint: (.*)$/m.exec((await say(words)).err)?.[1];
    assert.match((await hint("run", "sample", "remote")) ?? "", /offered on: http/);
    const refused = await say(["run", "sample", "Mallory"]);
    assert.match(
      refused.err,
      /^error: It is refused\.\nhint: Rule: sample\/before\. `skillctl why g-\S+` explains it\.\n$/,
    );
  });

  test("results go to standard output and everything else to standard error", async (t) => {
    const { say } = await sample(t, PARTS);
    assert.deepEqual(await say(["run", "sample", "Ada"]), { status: 0, out: "Hello Ada\n", err: "" });
    const talk = await say(["run", "sample", "talk"]);
    assert.deepEqual([talk.out, talk.err], ["Come in.\nDone\n", "Cooking.\n"]);
    assert.equal((await say(["run", "sample", "talk", "--no-progress"])).err, "");
    const half = await say(["run", "sample", "half"]);
    assert.deepEqual([half.out, half.err], ["the first half\n", "error: Half.\n"]);
    const warned = await say(["run", "sample", "Eve"]);
    assert.deepEqual([warned.out, warned.err], ["Hello Eve\n", "It is Eve.\n"]);
  });

  test("control characters are shown as escapes, and a login token is masked", async (t) => {
    const { say } = await sample(t, PARTS);
    const own = await say(["run", "sample", "own"]);
    assert.equal(own.err, "error: Closed \\u001b[31mtoday.\nhint: Come back.\n");
    for (const [words, told] of [
      [["info", TOKEN], /\[token\]/],
      [["run", "sample", "greet", "Ada", TOKEN], /one word too many/],
      [["list", TOKEN], /one word too many/],
    ] as const) {
      const { err } = await say(words);
      assert.match(err, told);
      assert.ok(!err.includes(TOKEN));
    }
  });

  test("causes are shown with --verbose only", async (t) => {
    const { say } = await sample(t, PARTS);
    const short = await say(["run", "sample", "boom"]);
    assert.match(short.err, /^error: Unexpected failure: it broke\nhint: .*--verbose/);
    assert.doesNotMatch(short.err, /the wire|\n {4}at /);
    assert.equal(short.err.split("\n").length, 3);
    const long = await say(["run", "sample", "boom", "--verbose"]);
    assert.match(
      long.err,
      /^code: INTERNAL\ncaused by: Error: it broke\n {4}at [^]*^caused by: Error: the wire/m,
    );
  });
});

describe("--json", () => {
  test("makes standard output one document, whatever else is printed", async (t) => {
    const { say } = await sample(t, PARTS);
    const talk = await say(["run", "sample", "talk", "--json"]);
    assert.equal(talk.out, '{"ok":true,"output":{"text":"Done"}}\n');
    assert.match(talk.err, /^Come in\.$/m);
    const half = documentOf(await say(["run", "sample", "half", "--json"])) as object;
    assert.deepEqual(half, {
      ok: false,
      error: { code: "HOUSE_CLOSED", message: "Half.", exit: 69 },
      output: { text: "the first half" },
    });
  });

  test("has the same envelope around a help and the version", async (t) => {
    const { say } = await sample(t, PARTS);
    for (const words of [["--version"], ["--help"], ["list", "--help"], ["run", "sample", "--help"], []]) {
      const plain = await say(words);
      const { ok, output } = documentOf(await say([...words, "--json"])) as { ok: boolean; output: object };
      assert.deepEqual([ok, String(Object.values(output)).trimEnd()], [true, plain.out.trimEnd()]);
    }
  });

  test("describes an error by code, sentence, hint, place and exit status", async (t) => {
    const { say } = await sample(t, PARTS);
    const typed = await say(["run", "sample", "typed", "--count", "10", "--json"]);
    assert.deepEqual(documentOf(typed), {
      ok: false,
      error: {
        code: "INPUT_INVALID",
        message: "--count must be at most 9.",
        hint: "See: skillctl run sample typed --help",
        pointer: "/count",
        exit: 65,
      },
    });
    assert.equal(typed.err, "");
    const verb = documentOf(await say(["lst", "--json"])) as { error: { code: string } };
    assert.equal(verb.error.code, "USAGE");
  });
});

describe("rules about commands", () => {
  test("refuse before the command runs, ask, change the input, and refuse the output", async (t) => {
    const { say } = await sample(t, PARTS);
    const run = (name: string) => say(["run", "sample", name, "--json"]);
    const code = async (name: string) =>
      (documentOf(await run(name)) as { error: { code: string } }).error.code;
    assert.equal(await code("Mallory"), "GUARD_DENIED");
    assert.equal(await code("Trent"), "GUARD_ASKS");
    assert.equal((await run("Bob")).out, '{"ok":true,"output":{"text":"Hello Robert"}}\n');
    const after = await run("Oscar");
    assert.equal((documentOf(after) as { error: { code: string } }).error.code, "GUARD_DENIED");
    assert.doesNotMatch(after.out, /Hello Oscar/);
  });

  test("of one skill are not evaluated for another", async (t) => {
    const { path, say } = await foreignHarness(t, PARTS);
    const other = await writeSkill(path, "other");
    assert.equal((await say(["run", "other", "Mallory", "--plugin", other])).out, "Hello Mallory\n");
  });
});

describe("words", () => {
  test("become the input by the schema of the command", async (t) => {
    const { say } = await sample(t, PARTS);
    const typed = async (...words: readonly string[]): Promise<unknown> =>
      JSON.parse((await say(["run", "sample", "typed", ...words])).out) as unknown;
    assert.deepEqual(await typed("--count", "3", "--loud", "--tags", "a", "--tags", "7"), {
      count: 3,
      loud: true,
      tags: ["a", "7"],
    });
    assert.deepEqual(await typed("--count=3", "--no-loud"), { count: 3, loud: false });
    assert.deepEqual(await typed("--input", '{"count":4}'), { count: 4 });
    const twice = await say(["run", "sample", "typed", "--count", "3", "--count", "4"]);
    assert.deepEqual([twice.status, /given 2 times/.test(twice.err)], [64, true]);
    assert.equal((await say(["run", "sample", "--", "--json"])).out, "Hello --json\n");
  });
});

describe("skills and settings", () => {
  test("run reports a --plugin folder without a skill if no skill has the given name", async (t) => {
    const { path, say } = await foreignHarness(t);
    const shown = await say(["run", "temperature", "--plugin", join(path, "nowhere")]);
    assert.equal(shown.status, 64);
    assert.match(
      shown.err,
      /^left out: nowhere: There is no folder [^]*^error: There is no skill "temperature"\.$/m,
    );
  });

  test("run reports a skill of the same name that was left out, with its folder", async (t) => {
    const { path, say } = await foreignHarness(t);
    const twin = await writeSkill(join(path, "other"), "sample", {});
    const shown = await say(["run", "sample", "Ada", "--plugin", twin]);
    assert.deepEqual([shown.status, shown.out], [0, "Hello Ada\n"]);
    assert.match(
      shown.err,
      /^left out: sample: sample is already the name of the skill in .*other\/sample\. \(.*sample\/skill\.json#\/name\)$/m,
    );
  });

  test("a skillctl.json that is not JSON is reported in a sentence, without the message of the parser", async (t) => {
    const { path, say } = await foreignHarness(t);
    const rows: readonly (readonly [string, string])[] = [
      ['{\n  // mine\n  "plugins": []\n}', "JSON has no comments (line 2, column 3)"],
      ['{"plugins": [],}', "JSON has no comma before a closing brace or bracket (line 1, column 16)"],
      ['{"plugins": []', "it ends too early (line 1, column 15)"],
      ['{"plugins" []}', "a colon is missing after a name (line 1, column 12)"],
      ["", "it is empty"],
    ];
    for (const [text, sentence] of rows) {
      await writeFile(join(path, "skillctl.json"), text);
      const { out, err } = await say(["validate"]);
      assert.ok(`${out}${err}`.includes(`is not JSON: ${sentence}.`), `${text}: ${out}${err}`);
    }
  });

  test("list shows the valid skills and reports the broken one with its place", async (t) => {
    const { path, say } = await foreignHarness(t);
    const bad = await writeSkill(path, "bad", { manifest: { version: "one" } });
    const shown = await say(["list", "--plugin", bad]);
    assert.deepEqual([shown.status, shown.out], [0, "sample  The skill sample.\n"]);
    assert.match(shown.err, /^left out: bad: \/version does not fit: .*bad\/skill\.json#\/version\)$/m);
    const { output } = documentOf(await say(["list", "--plugin", bad, "--json"])) as {
      output: { skills: object[]; faults: { code: string }[] };
    };
    assert.deepEqual(output.skills, [{ name: "sample", summary: "The skill sample.", builtin: false }]);
    assert.deepEqual(
      output.faults.map(({ code }) => code),
      ["MANIFEST_INVALID"],
    );
    const run = await say(["run", "bad", "Ada", "--plugin", bad]);
    assert.deepEqual([run.status, /The skill bad was left out/.test(run.err)], [78, true]);
  });

  test("settings that do not fit end the command with their place", async (t) => {
    const { path, say } = await sample(t, PARTS);
    await writeFile(join(path, "skillctl.json"), JSON.stringify({ config: { sample: { size: 4 } } }));
    await say(["trust"]);
    const { error } = documentOf(await say(["run", "sample", "Ada", "--json"])) as {
      error: { code: string; pointer: string; exit: number };
    };
    assert.deepEqual([error.code, error.pointer, error.exit], ["CONFIG_INVALID", "/config/sample/size", 78]);
    await writeFile(join(path, "skillctl.json"), JSON.stringify({ config: { sample: { size: 3 } } }));
    await say(["trust"]);
    assert.equal((await say(["run", "sample", "Ada"])).out, "Hello Ada\n");
    await writeFile(join(path, "skillctl.json"), "{");
    assert.equal((await say(["run", "sample", "Ada"])).status, 78);
  });

  test("a failure to close a skill is reported with its own status", async (t) => {
    const { say } = await sample(t, {
      code: `class Greet { run = async ({ name }) => ({ text: "Hello " + name }); close() { throw new Error("The lid is stuck."); } }
export default { commands: { greet: Greet } };`,
    });
    const shown = await say(["run", "sample", "Ada"]);
    assert.deepEqual([shown.out, shown.status], ["Hello Ada\n", 70]);
    assert.match(
      shown.err,
      /^error: Not everything could be closed: Greet of sample failed to close: The lid is stuck \(plugin\.js:1\)\.$/m,
    );
  });
});
