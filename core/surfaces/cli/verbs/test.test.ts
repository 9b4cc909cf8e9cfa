import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  greetingFiles,
  greetingManifest,
  writeSkill,
  type SkillFiles,
} from "../../../testing/fixture-greeting.ts";
import { createTestHost } from "../../../testing/test-host.ts";
import { ownFolder } from "../fixture-command-line.ts";
import { greetingFolder, say } from "../skeleton/fixture-skeleton.ts";

interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly tests: readonly {
    readonly skill: string;
    readonly title: string;
    readonly status: string;
    readonly reason?: string;
  }[];
}

const reportIn = (out: string): Report => (JSON.parse(out) as { readonly output: Report }).output;

test("test runs the tests derived from a folder and prints the counts", async (t) => {
  const folder = await ownFolder(t);
  await writeSkill(folder, "greeting", greetingFiles());
  const { status, out } = await say(["test", "./greeting"], folder);
  assert.equal(status, 0, out);
  assert.match(out, /^greeting\n {2}ok {3}schema greeting\/input: has examples/);
  assert.match(out, /\n {2}ok {3}route echo: the \d+ derived wrong requests are problems with the place\n/);
  assert.match(out, /\n\d+ passed, 0 failed, \d+ skipped\n$/);
});

test("a new skill has at least 30 derived values, tried within 2 s of processor time", async (t) => {
  const { root } = await greetingFolder(t);
  const before = process.cpuUsage();
  const { out } = await say(["test", "./greeting"], root);
  const { user, system } = process.cpuUsage(before);
  const counts = [...out.matchAll(/ \((\d+)\)|the (\d+) derived/g)].map(([, one, other]) =>
    Number(one ?? other),
  );
  const values = counts.reduce((sum, count) => sum + count, 0);
  assert.ok(values >= 30, out);
  assert.ok(user + system < 2_000_000, `${user + system} µs`);
});

test("test loads code of a folder that is not hosted only if its path is given", async (t) => {
  const folder = await ownFolder(t);
  const marker = join(folder, "marker");
  const loaded = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, "");\n`;
  const files = greetingFiles();
  await writeSkill(folder, "greeting", { ...files, "plugin.js": loaded + String(files["plugin.js"]) });
  const skill = join(folder, "greeting");
  for (const [words, place, hint] of [
    [["test", "greeting"], folder, "skillctl test ./greeting"],
    [["test"], skill, "skillctl test ."],
  ] as const) {
    const { status, err } = await say(words, place);
    assert.deepEqual([status, existsSync(marker)], [64, false], err);
    assert.match(err, new RegExp(`${hint}$`, "m"));
  }
  assert.equal((await say(["test", "."], skill)).status, 0);
  assert.ok(existsSync(marker));
  const hosted = await say(["test"], skill, { plugins: ["."] });
  assert.match(hosted.out, /^greeting\n[^]*\n\d+ passed, 0 failed/);
});

test("test shows each failure with its reason, and ends with 1", async (t) => {
  const folder = await ownFolder(t);
  await writeSkill(folder, "greeting", {
    ...greetingFiles(),
    "rules/no-shouting.json": { passes: [], stops: [] },
  });
  const { status, out } = await say(["test", "./greeting"], folder);
  assert.equal(status, 1);
  assert.match(
    out,
    /\n {2}FAIL rule no-shouting: [^\n]*\n {7}\S+no-shouting\.json#\/passes: \/passes must not be empty\.\n/,
  );
});

test("test --json is one document with every test", async (t) => {
  const folder = await ownFolder(t);
  await writeSkill(folder, "greeting", greetingFiles());
  const { out } = await say(["test"], folder, { plugins: ["greeting"], json: true });
  const { passed, failed, skipped, tests } = reportIn(out);
  assert.deepEqual([failed, tests.length], [0, passed + failed + skipped]);
  assert.ok(tests.every(({ skill, title, status }) => skill === "greeting" && title !== "" && status !== ""));
});

test("test takes names of hosted skills and leaves the others out", async (t) => {
  const folder = await ownFolder(t);
  for (const name of ["alpha", "beta"]) await writeSkill(folder, name, greetingFiles(name));
  const { out } = await say(["test", "beta"], folder, { plugins: ["alpha", "beta"], json: true });
  assert.deepEqual([...new Set(reportIn(out).tests.map(({ skill }) => skill))], ["beta"]);
});

test("test reports a skill that cannot be hosted, and still tests the others", async (t) => {
  const folder = await ownFolder(t);
  await writeSkill(folder, "alpha", greetingFiles("alpha"));
  await writeSkill(folder, "beta", { "skill.json": "{" });
  const { status, out } = await say(["test"], folder, { plugins: ["alpha", "beta"] });
  assert.equal(status, 1);
  assert.match(
    out,
    new RegExp(`FAIL the skill can be hosted\\n {7}${join(folder, "beta", "skill.json")}#: `),
  );
  assert.match(out, /\d+ passed, 1 failed/);
  const told = await say(["test"], folder, { plugins: ["alpha", "beta"], json: true });
  const { ok } = JSON.parse(told.out) as { readonly ok: boolean };
  assert.deepEqual([told.status, ok, reportIn(told.out).failed], [1, false, 1]);
});

test("test refuses unknown skills and flags, and fails without any skill", async (t) => {
  const folder = await ownFolder(t);
  await writeSkill(folder, "greeting", greetingFiles());
  const unknown = await say(["test", "greting"], folder, { plugins: ["greeting"] });
  assert.deepEqual([unknown.status, /Did you mean greeting\?/.test(unknown.err)], [64, true]);
  assert.match((await say(["test", "--all"], folder)).err, /There is no flag --all\./);
  assert.equal((await say(["test"], folder)).status, 1);
});

/** The greeting as a command that changes nothing, with the given code. */
function readOnly(code: string): SkillFiles {
  const { commands, ...manifest } = greetingManifest();
  return {
    ...greetingFiles(),
    "skill.json": { ...manifest, commands: { greet: { ...commands.greet, effects: { readOnly: true } } } },
    "plugin.js": `import { SkillError } from "skillctl";
class Greet { async run({ name }, { surface, person }) { ${code} } }
class Echo { async handle({ body }) { return { status: 200, body: { text: body.name } }; } }
export default { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };
`,
  };
}

test("test --surface finds a command that ends differently over a surface", async (t) => {
  for (const [code, differing] of [
    ['return { text: surface === "http" ? "Hi" : name };', []],
    [
      "globalThis.greeted = (globalThis.greeted ?? 0) + 1; return { text: `${globalThis.greeted}` };",
      ["cli", "http", "mcp"],
    ],
    [
      'globalThis.failed = !globalThis.failed; if (globalThis.failed) return { text: name }; throw new SkillError("USAGE", "No.");',
      ["cli", "http", "mcp"],
    ],
  ] as const) {
    const folder = await ownFolder(t);
    await writeSkill(folder, "greeting", readOnly(code));
    const { out } = await say(["test", "./greeting", "--surface", "cli,http", "--surface=mcp"], folder, {
      json: true,
    });
    const over = reportIn(out).tests.filter(({ title }) => title.includes(" ends over "));
    assert.equal(over.length, 3, out);
    const failed = over
      .filter(({ status }) => status === "failed")
      .map(({ title }) => /over (\w+)/.exec(title)?.[1]);
    assert.deepEqual(failed, differing, code);
  }
  const folder = await ownFolder(t);
  await writeSkill(folder, "greeting", greetingFiles());
  const unknown = await say(["test", "./greeting", "--surface", "tcp"], folder);
  assert.deepEqual([unknown.status, /--surface takes cli, http, mcp/.test(unknown.err)], [64, true]);
});

test("test --format writes TAP and the XML of JUnit", async (t) => {
  const folder = await ownFolder(t);
  const { commands, ...manifest } = greetingManifest();
  const greet = { ...commands.greet, surfaces: ["cli", "host"] };
  await writeSkill(folder, "greeting", {
    ...greetingFiles(),
    "skill.json": { ...manifest, commands: { greet } },
    "rules/no-shouting.json": { passes: [], stops: [] },
  });
  const tap = await say(["test", "./greeting", "--surface", "http", "--format", "tap"], folder);
  assert.equal(tap.status, 1);
  const [, plan] = /^TAP version 14\n# Seed: 1\n1\.\.(\d+)\n/.exec(tap.out) ?? [];
  const points = [...tap.out.matchAll(/^(not )?ok (\d+) - greeting: .+$/gm)];
  assert.deepEqual(
    points.map(([, , number]) => Number(number)),
    Array.from({ length: Number(plan) }, (_, index) => index + 1),
  );
  assert.match(
    tap.out,
    /^not ok \d+ - greeting: rule no-shouting: .*\n  ---\n  message: ".*passes must not be empty\."\n  \.\.\.\n/m,
  );
  assert.match(tap.out, /^ok \d+ - .* # SKIP /m);
  const junit = await say(["test", "./greeting", "--surface", "http", "--format", "junit"], folder);
  const count = (pattern: RegExp): number => [...junit.out.matchAll(pattern)].length;
  const head =
    /<testsuites tests="(\d+)" failures="2" skipped="(\d+)">\n  <testsuite name="greeting" .*>\n    <properties><property name="seed" value="1"\/><\/properties>\n/.exec(
      junit.out,
    );
  assert.deepEqual(
    [count(/<testcase /g), count(/<skipped /g)],
    [Number(head?.[1]), Number(head?.[2])],
    junit.out,
  );
  assert.equal(count(/<failure message="[^"<&]*(?:&#\d+;[^"<&]*)*"\/>/g), 2);
  for (const [format, json, told] of [
    ["sarif", false, /no format sarif of results/],
    ["tap", true, /cannot be combined/],
  ] as const) {
    const { out, err } = await say(["test", "./greeting", "--format", format], folder, { json });
    assert.match(out + err, told);
  }
});

const SEQUENCES = {
  twice: [
    { command: "greet", input: { name: "Ada" }, output: { text: "Hello Ada 1." } },
    { command: "greet", input: { name: "Ada" }, output: { text: "Hello Ada 2." } },
    { command: "greet", input: { name: "ADA" }, error: "GUARD_DENIED" },
  ],
};

/** A greeting that counts, with sequences and an error that no example has. */
function counting(sequences: object, effects?: object): SkillFiles {
  const { commands, ...manifest } = greetingManifest();
  const greet = { ...commands.greet, errors: ["GUARD_DENIED", "SERVER_BUSY"], ...(effects && { effects }) };
  return {
    ...greetingFiles(),
    "skill.json": { ...manifest, commands: { greet }, sequences },
    "plugin.js": `class Greet { count = 0; async run({ name }) { return { text: \`Hello \${name} \${this.count += 1}.\` }; } }
class Echo { async handle({ body }) { return { status: 200, body: { text: body.name } }; } }
export default { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };
`,
  };
}

test("test runs the sequences of a manifest in the process and over each surface", async (t) => {
  const folder = await ownFolder(t);
  await writeSkill(folder, "greeting", counting(SEQUENCES));
  const { out } = await say(["test", "./greeting", "--surface", "cli,http,mcp"], folder);
  for (const way of ["in the process", "over cli", "over http", "over mcp"])
    assert.ok(out.includes(`  ok   sequence twice: its 3 steps end as declared, ${way}\n`), out);
  const [first] = SEQUENCES.twice;
  await writeSkill(folder, "greeting", counting({ twice: [first, first] }));
  const wrong = await say(["test", "./greeting"], folder);
  assert.match(wrong.out, /Step 2, greet \{"name":"Ada"\}, ends in .*Hello Ada 2.* instead of .*Hello Ada 1/);
  const broken = counting({ twice: [first] });
  const code = String(broken["plugin.js"]).replace("{ return", '{ throw new Error("nope"); return');
  const other = await ownFolder(t);
  await writeSkill(other, "greeting", { ...broken, "plugin.js": code });
  assert.match((await say(["test", "./greeting"], other)).out, /Step 1, .*"message":"nope \(plugin\.js:1\)"/);
});

test("test gives a required secret of the settings a derived value", async (t) => {
  const folder = await ownFolder(t);
  const apiKey = { description: "The key.", type: "string", secret: true, minLength: 20, maxLength: 40 };
  await writeSkill(folder, "greeting", {
    ...greetingFiles(),
    "skill.json": { ...greetingManifest(), config: "greeting/config" },
    "schemas/config.json": {
      $id: "greeting/config",
      title: "Settings",
      description: "Settings.",
      type: "object",
      additionalProperties: false,
      required: ["apiKey"],
      properties: { apiKey },
      examples: [{ apiKey: "0123456789abcdef0123" }],
    },
    "plugin.js": `import { ownConfig } from "skillctl";
class Greet { static inject = [ownConfig()]; constructor({ apiKey }) { this.length = apiKey.length; } async run({ name }) { return { text: name + this.length }; } }
class Echo { async handle({ body }) { return { status: 200, body: { text: body.name } }; } }
export default { commands: { greet: Greet }, routes: { echo: Echo }, rules: {} };
`,
  });
  const { status, out } = await say(["test", "./greeting"], folder);
  assert.equal(status, 0, out);
});

test("test lists the parts that it has not exercised, and shows the seed that repeats its cases", async (t) => {
  const folder = await ownFolder(t);
  const files = counting({});
  const query = files["schemas/query.json"] as { readonly properties: object };
  await writeSkill(folder, "greeting", {
    ...files,
    "schemas/query.json": {
      ...query,
      properties: {
        ...query.properties,
        more: { type: "array", items: {}, contains: { const: 1 }, minContains: 2 },
      },
    },
  });
  const { out } = await say(["test", "./greeting"], folder);
  assert.match(out, /\nNot covered by a test \(no failures\):\n/);
  assert.match(out, /\n {2}greeting: command greet +no test returned its error SERVER_BUSY\n/);
  assert.doesNotMatch(out, /no test returned its output/);
  assert.match(out.replaceAll(/\s+/g, " "), /greeting: schema greeting\/query .*breaks \/more minContains/);
  assert.match(out, /\nSeed: 1\n\d+ passed, /);
  const seeded = (seed: string) => say(["test", "./greeting", "--seed", seed], folder);
  assert.match((await seeded("42")).out, /\nSeed: 42\n/);
  assert.equal((await seeded("x")).status, 64);
});

test("a command whose code no example reaches is listed as not exercised", async (t) => {
  const folder = await ownFolder(t);
  const files = readOnly("return { text: name };");
  const asks = { tell: "Ask.", on: ["command.pre"], decision: "ask", message: "Greet?" };
  const manifest = files["skill.json"] as ReturnType<typeof greetingManifest>;
  await writeSkill(folder, "greeting", { ...files, "skill.json": { ...manifest, rules: { asks } } });
  const { out } = await say(["test", "./greeting"], folder);
  assert.match(out, /\n {2}greeting: command greet +no test returned its output\n/);
});

test("test --base-url calls a running server, and commands that may have side effects only with --allow-writes", async (t) => {
  const folder = await ownFolder(t);
  const skill = await writeSkill(folder, "greeting", counting(SEQUENCES));
  await using host = await createTestHost({ plugins: [skill] });
  const { url } = await host.serve({ key: "a-key-of-the-test-of-the-server" });
  const address = `${url}/?k=a-key-of-the-test-of-the-server`;
  const read = await say(["test", "./greeting", "--base-url", address], folder, { json: true });
  assert.ok(
    reportIn(read.out).tests.every(({ status }) => status === "skipped"),
    read.out,
  );
  assert.equal(read.status, 1, "there was none to run");
  const all = await say(["test", "./greeting", "--base-url", address, "--allow-writes"], folder, {
    json: true,
  });
  const { failed, tests } = reportIn(all.out);
  assert.equal(failed, 1, all.out);
  const titles = tests.filter(({ status }) => status === "passed").map(({ title }) => title);
  for (const title of [
    "command greet: example 1 of its input ends in its output or a declared code, at the server",
    "route echo: example 1 gets a documented reply",
  ])
    assert.ok(titles.includes(title), all.out);
  assert.ok(
    titles.some((title) => /^command greet: the \d+ derived wrong inputs .* at the server$/.test(title)),
  );
  assert.match(
    tests.find(({ status }) => status === "failed")?.title ?? "",
    /^sequence twice/,
    "the server has counted before",
  );
  await writeSkill(folder, "greeting", counting({}, { readOnly: true }));
  const greet = await say(["test", "./greeting", "--base-url", address], folder, { json: true });
  assert.ok(reportIn(greet.out).passed >= 2, greet.out);
  const locked = await say(["test", "./greeting", "--base-url", url], folder);
  assert.match(locked.out, /KEY_REFUSED/);
  for (const words of [
    ["--base-url", "nowhere"],
    ["--allow-writes"],
    ["--base-url", url, "--surface", "http"],
  ])
    assert.equal((await say(["test", "./greeting", ...words], folder)).status, 64, words.join(" "));
});
