import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { HostedSkill } from "../../skill.ts";
import { runCli, temporaryFolder, writeSkill, type Shown } from "./fixture.ts";

const SKILL_ERROR = new URL("../../errors/skill-error.ts", import.meta.url).href;
const TEXT = { type: "object", required: ["text"], properties: { text: { type: "string" } } };

/** A skill whose commands end in every way. */
const ENDINGS = {
  manifest: {
    commands: Object.fromEntries(
      ["fail", "refuse", "partly", "crash", "wait", "talk", "bad", "strange"].map((name) => [
        name,
        {
          summary: `Does ${name}.`,
          input: "endings/any-input",
          output: "endings/text",
          display: "text",
          ...(name === "partly" && { exitStatus: { ENDINGS_PARTLY: 2, other: 1 }, errors: ["ENDINGS_PARTLY", "USAGE"] }),
          ...(name === "wait" && { keepsRunning: true }),
        },
      ]),
    ),
    errors: {
      ENDINGS_OWN: { exit: 42, http: 500, fault: "user", summary: "It ended." },
      ENDINGS_PARTLY: { exit: 43, http: 500, fault: "user", summary: "It ended halfway." },
    },
  },
  schemas: { "any-input": { type: "object", properties: { count: { type: "integer", maximum: 5 } } }, text: TEXT },
  code: `import { SkillError } from ${JSON.stringify(SKILL_ERROR)};
const ends = (run) => class { run = run; };
export default { commands: {
  fail: ends(async () => { throw new SkillError("ENDINGS_OWN", "It \\u001b[31mended.", { hint: "Do not.", cause: new Error("inner", { cause: new Error("innermost") }) }); }),
  refuse: ends(async () => { throw new SkillError("TOKEN_MISSING", "No token.", { hint: "Log in." }); }),
  partly: ends(async () => { throw new SkillError("ENDINGS_PARTLY", "Half.", { result: { text: "half" } }); }),
  crash: ends(async () => { throw new TypeError("boom"); }),
  wait: ends(async (_, { signal, announce }) => { announce("started"); await new Promise((r) => signal.addEventListener("abort", r)); return { text: "stopped" }; }),
  talk: ends(async (_, { progress }) => { progress("Working."); progress("Working."); return { text: "done\\n" }; }),
  bad: ends(async (_, { signal }) => { await new Promise((r) => signal.addEventListener("abort", r)); throw new Error("aborted"); }),
  strange: ends(async () => ({ txt: 1 })),
} };
`,
};

describe("the command line", () => {
  let folder = "";
  let close = async (): Promise<void> => undefined;
  const cli = (...words: readonly string[]): Promise<Shown> => runCli(folder, words);

  before(async () => {
    ({ path: folder, close } = await temporaryFolder());
    await writeSkill(join(folder, "skills"), "greeting");
    await writeSkill(join(folder, "skills"), "endings", ENDINGS);
    await writeFile(join(folder, "skillctl.json"), JSON.stringify({ plugins: ["./skills"] }));
  });
  after(() => close());

  test("without words the help of the program goes to standard output", async () => {
    const bare = await cli();
    assert.equal(bare.status, 0);
    assert.match(bare.out, /^skillctl 0\.0\.0-test[^]*\n {2}run SKILL/);
    assert.deepEqual([await cli("--help"), await cli("help")], [bare, bare]);
    for (const line of bare.out.split("\n")) assert.ok(line.length <= 90, line);
  });

  test("--version is the version and nothing else", async () => {
    assert.deepEqual(await cli("--version"), { status: 0, out: "0.0.0-test\n", err: "" });
  });

  const SLIPS: readonly (readonly [readonly string[], number, RegExp, RegExp])[] = [
    [["lst"], 64, /There is no verb "lst"\./, /Did you mean list\?/],
    [["--jsn", "list"], 64, /There is no flag --jsn\./, /Did you mean --json\?/],
    [["--jsn"], 64, /There is no flag --jsn\./, /Did you mean --json\?/],
    [["list", "greeting"], 64, /"greeting" is one word too many\./, /skillctl info greeting/],
    [["--plugin"], 64, /--plugin needs a path\./, /--plugin \./],
    [["run"], 64, /No skill is named\./, /skillctl run SKILL/],
    [["run", "greting", "Ada"], 64, /There is no skill "greting"\./, /Did you mean greeting\?/],
    [["info", "greting"], 64, /There is no skill "greting"\./, /Did you mean greeting\?/],
    [["run", "greeting", "gret"], 64, /greeting has no command "gret"\./, /Did you mean greet\? To pass it as text: skillctl run greeting greet gret/],
    [["run", "greeting"], 64, /NAME is missing: Who is greeted\./, /skillctl run greeting greet --help/],
    [["run", "greeting", "Ada", "--nam", "x"], 64, /There is no flag --nam\./, /Did you mean --name\?/],
    [["run", "endings", "fial"], 64, /endings has no command "fial"\./, /Its commands|Did you mean/],
    [["run", "endings"], 64, /endings has no default command\./, /Name one of its commands: fail, /],
    [["run", "endings", "talk", "--count", "9"], 65, /--count must be <= 5\./, /--help/],
    [["serve", "--port", "x"], 64, /--port must be a whole number from 0 to 65535, not "x"\./, /serve --help/],
  ];
  for (const [words, status, message, hint] of SLIPS) {
    test(`the slip \`skillctl ${words.join(" ")}\` is told with a hint`, async () => {
      const shown = await cli(...words);
      assert.equal(shown.status, status);
      assert.equal(shown.out, "");
      const [first, second, ...rest] = shown.err.split("\n");
      assert.match(first ?? "", /^error: /);
      assert.match(first ?? "", message);
      assert.match(second ?? "", /^hint: /);
      assert.match(second ?? "", hint);
      assert.deepEqual(rest, [""]);
    });
  }

  test("a skill's default command takes the words, and what it displays is the output", async () => {
    assert.deepEqual(await cli("run", "greeting", "王 小明"), { status: 0, out: "Hello 王 小明\n", err: "" });
    assert.equal((await cli("run", "greeting", "greet", "gret")).out, "Hello gret\n");
    assert.equal((await cli("run", "greeting", "--name=--x")).out, "Hello --x\n");
    assert.equal((await cli("run", "greeting", "--", "--json")).out, "Hello --json\n");
  });

  test("--json is one document with the output, wherever it stands", async () => {
    for (const words of [["--json", "run", "greeting", "Ada"], ["run", "greeting", "Ada", "--json"]]) {
      const { out } = await cli(...words);
      assert.equal(out, '{"ok":true,"output":{"text":"Hello Ada"}}\n');
    }
  });

  test("a skill's own error is shown without its control characters and ends with its own status", async () => {
    const shown = await cli("run", "endings", "fail");
    assert.deepEqual(shown, { status: 42, out: "", err: "error: It \\u001b[31mended.\nhint: Do not.\n" });
  });

  test("--verbose adds the code and the chain of causes", async () => {
    const { err, status } = await cli("--verbose", "run", "endings", "fail");
    assert.equal(status, 42);
    assert.match(err, /\ncode: ENDINGS_OWN\ncaused by: Error: inner\n {4}at [^]*\ncaused by: Error: innermost\n {4}at /);
  });

  test("--json shows an error as one document with its exit status", async () => {
    const { out, err, status } = await cli("run", "endings", "fail", "--json");
    const error = { code: "ENDINGS_OWN", message: "It \u001B[31mended.", hint: "Do not.", exit: 42 };
    assert.deepEqual(JSON.parse(out), { ok: false, error });
    assert.deepEqual([err, status], ["", 42]);
    const usage = await cli("lst", "--json");
    assert.deepEqual(JSON.parse(usage.out), {
      ok: false,
      error: { code: "USAGE", message: 'There is no verb "lst".', hint: "Did you mean list?", exit: 64 },
    });
  });

  test("a code of the core ends with the status of the table", async () => {
    assert.deepEqual(await cli("run", "endings", "refuse"), { status: 77, out: "", err: "error: No token.\nhint: Log in.\n" });
    assert.equal((await cli("run", "endings", "strange")).status, 70);
  });

  test("a command's own exit statuses hold for its errors and for its words", async () => {
    assert.deepEqual(await cli("run", "endings", "partly"), { status: 2, out: "half\n", err: "error: Half.\n" });
    assert.equal((await cli("run", "endings", "partly", "--nope")).status, 1);
    const { out } = await cli("run", "endings", "partly", "--json");
    assert.deepEqual(JSON.parse(out), {
      ok: false,
      error: { code: "ENDINGS_PARTLY", message: "Half.", exit: 2 },
      output: { text: "half" },
    });
  });

  test("an unforeseen failure is one sentence, and its stack is shown only with --verbose", async () => {
    const { err, status } = await cli("run", "endings", "crash");
    assert.equal(status, 70);
    assert.match(err, /^error: Unexpected failure: boom\nhint: .*--verbose/);
    assert.doesNotMatch(err, /\n {4}at /);
    assert.match((await cli("run", "endings", "crash", "--verbose")).err, /caused by: TypeError: boom\n {4}at /);
  });

  test("progress is said on standard error once, and not at all after --no-progress", async () => {
    assert.deepEqual(await cli("run", "endings", "talk"), { status: 0, out: "done\n", err: "Working.\n" });
    assert.deepEqual(await cli("run", "endings", "talk", "--no-progress"), { status: 0, out: "done\n", err: "" });
  });

  test("a command that keeps running announces itself and ends with 0 when it is stopped", async () => {
    const signal = AbortSignal.timeout(20);
    assert.deepEqual(await runCli(folder, ["run", "endings", "wait"], { signal }), {
      status: 0,
      out: "started\nstopped\n",
      err: "",
    });
    const json = await runCli(folder, ["run", "endings", "wait", "--json"], { signal });
    assert.deepEqual(json, { status: 0, out: '{"ok":true,"output":{"text":"stopped"}}\n', err: "started\n" });
  });

  test("any other command that is stopped ends with 130", async () => {
    const shown = await runCli(folder, ["run", "endings", "bad"], { signal: AbortSignal.timeout(20) });
    assert.deepEqual(shown, { status: 130, out: "", err: "error: The command was cancelled.\n" });
  });

  test("the help of a skill and of a command is read off manifest and schema", async () => {
    const skill = await cli("run", "greeting", "--help");
    assert.match(skill.out, /^The skill greeting\.\n\nUsage: skillctl run greeting [^]*greet \(default\) {2}Greets\./);
    const command = await cli("run", "greeting", "greet", "-h");
    assert.match(command.out, /Usage:\n {2}skillctl run greeting \[greet\] NAME\n/);
    assert.match(command.out, /Arguments:\n {2}NAME {2}Who is greeted\. \(text; required\)\n/);
    const partly = await runCli(folder, ["run", "endings", "partly", "--help"], { columns: 60 });
    assert.match(partly.out, /--count INTEGER {2}\(integer; at most 5\)/);
    assert.match(partly.out, /Exit status:\n {2}0 {2}Success\.\n {2}2 {2}ENDINGS_PARTLY: It ended halfway\.\n {2}1 {2}USAGE: /);
    for (const line of partly.out.split("\n")) assert.ok(line.length <= 60, line);
  });

  test("info tells what one skill contributes, for a person and as a document", async () => {
    const { out, status } = await cli("info", "endings");
    assert.equal(status, 0);
    assert.match(out, /^endings 1\.0\.0\nThe skill endings\.\n\nCommands:\n {2}skillctl run endings fail \[--count INTEGER\]/);
    assert.match(out, /ENDINGS_OWN \(exit 42\) {2}It ended\.\n/);
    assert.match(out, /Folder \(from outside\): .*endings\n$/);
    const { output } = JSON.parse((await cli("info", "greeting", "--json")).out) as { output: Record<string, unknown> };
    assert.equal(output["folder"], join(folder, "skills", "greeting"));
    assert.deepEqual(output["usage"], { greet: "skillctl run greeting [greet] NAME" });
  });

  test("list shows the skills in the box first, then the foreign ones", async () => {
    const manifest = { manifestVersion: 1, name: "boxed", version: "1.0.0", summary: "In the box.", engines: { skillctl: "*" } } as const;
    const boxed: HostedSkill = { manifest, folder, schemas: folder, builtin: true, load: () => Promise.reject(new Error("listed only")) };
    const shown = await runCli(folder, ["list"], { builtin: [boxed] });
    const rows = ["boxed     In the box.", "endings   The skill endings.", "greeting  The skill greeting.", ""];
    assert.deepEqual(shown, { status: 0, out: rows.join("\n"), err: "" });
    const { output } = JSON.parse((await cli("list", "--json")).out) as { output: unknown };
    assert.deepEqual(output, {
      skills: [
        { name: "endings", summary: "The skill endings.", builtin: false },
        { name: "greeting", summary: "The skill greeting.", builtin: false },
      ],
      faults: [],
    });
  });

  test("--plugin and SKILLCTL_PLUGINS name further skills, relative to the working folder", async () => {
    await writeSkill(join(folder, "more"), "alpha");
    await writeSkill(join(folder, "more"), "beta");
    const variables = { SKILLCTL_CACHE: join(folder, "cache"), SKILLCTL_PLUGINS: "more/beta" };
    const { out } = await runCli(folder, ["list", "--plugin", "more/alpha"], { variables });
    assert.deepEqual(out.match(/^\w+/gm), ["alpha", "beta", "endings", "greeting"]);
    const run = await runCli(folder, ["run", "beta", "Ada"], { variables });
    assert.equal(run.out, "Hello Ada\n");
  });
});

describe("a broken skillctl.json", () => {
  test("is told with the place to blame, and a missing one is none", async () => {
    const { path, close } = await temporaryFolder();
    const file = join(path, "skillctl.json");
    await writeFile(file, '{"plugins":[1]}');
    const shown = await runCli(path, ["list", "--verbose"]);
    assert.equal(shown.status, 78);
    assert.match(shown.err, /^error: .*skillctl\.json: \/plugins\/0 must be a string\.\nhint: /);
    assert.match(shown.err, /\ncode: CONFIG_INVALID\nfile: .*\npointer: \/plugins\/0\n/);
    await writeFile(file, "{");
    assert.equal((await runCli(path, ["list"])).status, 78);
    await rm(file);
    assert.deepEqual(await runCli(path, ["list"]), { status: 0, out: "", err: "" });
    await close();
  });
});

/** One broken skill, how `list` tells it (or shows it like any other), and how it ends when it is run. */
const BROKEN: readonly (readonly [string, Parameters<typeof writeSkill>[2], RegExp | undefined, number, RegExp])[] = [
  ["a manifest that does not fit", { manifest: { version: 7 } }, /^left out: broken: \/version must be a string\. \(.*broken.skill\.json#\/version\)\n$/, 78, /broken was left out: \/version must be a string/],
  ["a missing module", { code: undefined }, undefined, 78, /The code of broken cannot be found/],
  ["a module that throws", { code: "throw new Error('no luck');" }, undefined, 70, /The code of broken fails while it is loaded: no luck/],
  ["a module without a plugin", { code: "export default { commands: {} };" }, undefined, 70, /commands lacks a class for "greet"/],
  ["ports in a circle", { manifest: { provides: ["analysis-service"], requires: { "analysis-service": "required" } } }, /^left out: broken: broken needs itself: broken -> broken\. \(/, 78, /broken needs itself/],
  ["a port that another provides", { manifest: { provides: ["access-tokens"] } }, /^left out: broken: broken provides access-tokens, and so does a-lender\. \(/, 78, /so does a-lender/],
  ["the wrong version of the host", { manifest: { engines: { skillctl: "^99.0.0" } } }, /^left out: broken: broken asks for skillctl \^99\.0\.0\. \(/, 78, /asks for skillctl/],
];

for (const [fault, parts, listed, status, message] of BROKEN) {
  test(`a skill with ${fault} is told, and the three others run`, async () => {
    const { path, close } = await temporaryFolder();
    const skills = join(path, "skills");
    await writeSkill(skills, "broken", parts);
    await writeSkill(skills, "a-lender", { manifest: { provides: ["access-tokens"] } });
    for (const name of ["good", "other"]) await writeSkill(skills, name);
    const cli = (...words: readonly string[]) => runCli(path, ["--plugin", skills, ...words]);
    const list = await cli("list");
    assert.equal(list.status, 0);
    assert.deepEqual(list.out.match(/^[\w-]+/gm), ["a-lender", ...(listed ? [] : ["broken"]), "good", "other"]);
    if (listed) assert.match(list.err, listed);
    else assert.equal(list.err, "");
    assert.equal((await cli("run", "good", "Ada")).out, "Hello Ada\n");
    assert.equal((await cli("run", "other", "Ada")).out, "Hello Ada\n");
    const broken = await cli("run", "broken", "Ada");
    assert.deepEqual([broken.status, broken.out], [status, ""]);
    assert.match(broken.err, message);
    await close();
  });
}
