import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { greetingFiles, writeSkill } from "../../../testing/fixture-greeting.ts";
import { say, testFolder } from "../skeleton/fixture-skeleton.ts";

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
  const folder = await testFolder(t);
  await writeSkill(folder, "greeting", greetingFiles());
  const { status, out } = await say(["test", "./greeting"], folder);
  assert.equal(status, 0, out);
  assert.match(out, /^greeting\n {2}ok {3}schema greeting\/input: has examples/);
  assert.match(out, /\n {2}ok {3}route echo: the \d+ derived wrong requests are problems with the place\n/);
  assert.match(out, /\n\d+ passed, 0 failed, \d+ skipped\n$/);
});

test("test loads code of a folder that is not hosted only if its path is given", async (t) => {
  const folder = await testFolder(t);
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
  const folder = await testFolder(t);
  await writeSkill(folder, "greeting", {
    ...greetingFiles(),
    "rules/no-shouting.json": { passes: [], stops: [] },
  });
  const { status, out } = await say(["test", "./greeting"], folder);
  assert.equal(status, 1);
  assert.match(
    out,
    /\n {2}FAIL rule no-shouting: [^\n]*\n {7}\S+no-shouting\.json has no case that passes\.\n/,
  );
});

test("test --json is one document with every test", async (t) => {
  const folder = await testFolder(t);
  await writeSkill(folder, "greeting", greetingFiles());
  const { out } = await say(["test"], folder, { plugins: ["greeting"], json: true });
  const { passed, failed, skipped, tests } = reportIn(out);
  assert.deepEqual([failed, tests.length], [0, passed + failed + skipped]);
  assert.ok(tests.every(({ skill, title, status }) => skill === "greeting" && title !== "" && status !== ""));
});

test("test takes names of hosted skills and leaves the others out", async (t) => {
  const folder = await testFolder(t);
  for (const name of ["alpha", "beta"]) await writeSkill(folder, name, greetingFiles(name));
  const { out } = await say(["test", "beta"], folder, { plugins: ["alpha", "beta"], json: true });
  assert.deepEqual([...new Set(reportIn(out).tests.map(({ skill }) => skill))], ["beta"]);
});

test("test reports a skill that cannot be hosted, and still tests the others", async (t) => {
  const folder = await testFolder(t);
  await writeSkill(folder, "alpha", greetingFiles("alpha"));
  await writeSkill(folder, "beta", { "skill.json": "{" });
  const { status, out } = await say(["test"], folder, { plugins: ["alpha", "beta"] });
  assert.equal(status, 1);
  assert.match(out, new RegExp(`FAIL is hosted\\n {7}${join(folder, "beta", "skill.json")}#: `));
  assert.match(out, /\d+ passed, 1 failed/);
});

test("test refuses unknown skills and flags, and fails without any skill", async (t) => {
  const folder = await testFolder(t);
  await writeSkill(folder, "greeting", greetingFiles());
  const unknown = await say(["test", "greting"], folder, { plugins: ["greeting"] });
  assert.deepEqual([unknown.status, /Did you mean greeting\?/.test(unknown.err)], [64, true]);
  assert.match((await say(["test", "--all"], folder)).err, /There is no flag --all\./);
  assert.equal((await say(["test"], folder)).status, 1);
});
