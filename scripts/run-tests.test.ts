/** The runner of the tests, over a small tree of test files. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";

/** Runs a copy of the runner over some files. */
async function ran(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  patienceMs = 60_000,
) {
  const root = await mkdtemp(join(tmpdir(), "skillctl-run-tests-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  await symlink(join(import.meta.dirname, "../node_modules"), join(root, "node_modules"), "junction");
  for (const [path, source] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `import { test } from "node:test";\n${source}`);
  }
  await mkdir(join(root, "scripts"), { recursive: true });
  for (const file of ["run-tests.mjs", "test-files.mjs", "test-reporter.mjs"])
    await cp(join(import.meta.dirname, file), join(root, "scripts", file));
  const child = spawn(process.execPath, [join(root, "scripts", "run-tests.mjs"), ...words], {
    cwd: root,
    env: { PATH: process.env["PATH"], TMPDIR: tmpdir(), TEST_PATIENCE_MS: String(patienceMs) },
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.resume();
  const status = await new Promise((resolve) => child.on("close", resolve));
  return { status, last: out.trimEnd().split("\n").at(-1), out };
}

test("every file of the short suite is run and named, and the last line counts the tests", async (t) => {
  const { status, last, out } = await ran(t, {
    "core/a.test.ts": 'test("one", () => {});',
    "plugins/x/y/b.test.ts":
      'const two: string = "two";\ntest(two, () => {});\ntest("left out", { skip: "why" }, () => {});',
    "contract-tests/c.ts": 'test("no test file", () => { throw new Error(); });',
    "contract-tests/d.long.test.ts": 'test("long", () => { throw new Error(); });',
    "core/node_modules/d.test.ts": 'test("foreign", () => { throw new Error(); });',
  });
  assert.deepEqual([status, last], [0, "2 passed, 0 failed, 1 skipped"]);
  assert.match(out, /^core\/a\.test\.ts {2}1 tests /m);
  assert.match(out, /^plugins\/x\/y\/b\.test\.ts {2}2 tests /m);
  assert.match(out, /^skipped: 1 x why$/m);
});

test("failures are reported, with the tests of one file that cannot be imported", async (t) => {
  const { status, last, out } = await ran(t, {
    "core/a.test.ts": 'import "./missing.ts";',
    "core/b.test.ts": 'test("one", () => {});\ntest("two", () => { throw new Error("no"); });',
  });
  assert.deepEqual([status, last], [1, "1 passed, 2 failed, 0 skipped"]);
  assert.match(out, /FAILED: core\/a\.test\.ts can be imported/);
  assert.match(out, /FAILED: two \(core\/b\.test\.ts:\d+\)\n {4}Error: no/);
});

test("a test that ends the process fails the run, whatever status it names", async (t) => {
  const { status, last } = await ran(t, { "core/a.test.ts": 'test("one", () => { process.exit(0); });' });
  assert.deepEqual([status, last], [1, "0 passed, 1 failed, 0 skipped"]);
});

test("parts of a path choose files, and a choice without a test is a failure", async (t) => {
  const files = {
    "core/a.test.ts": 'test("one", () => {});',
    "plugins/b.test.ts": 'test("two", () => { throw new Error("no"); });',
  };
  assert.equal((await ran(t, files, ["core/"])).last, "1 passed, 0 failed, 0 skipped");
  assert.equal((await ran(t, files, ["nothing"])).status, 1);
  assert.equal((await ran(t, files, ["core/", "nothing"])).last, "1 passed, 1 failed, 0 skipped");
});

test("the long suite runs the long files, and the files that test more in it", async (t) => {
  const files = {
    "core/a.test.ts": 'test("short", () => { throw new Error("no"); });',
    "core/b.test.ts":
      'test("effort(", () => { if (process.env.TEST_EFFORT !== "long") throw new Error(); });',
    "core/c.long.test.ts": 'test("long", () => {});',
  };
  const { last, out } = await ran(t, files, ["--long", "core/b", "core/c"]);
  assert.equal(last, "2 passed, 0 failed, 0 skipped");
  assert.match(out, /^seed \d+$/m);
});

test("tests see their own home and variables, and only Node, git and POSIX tools", async (t) => {
  const source = `import { existsSync } from "node:fs"; import { join } from "node:path";
    test("own", () => {
      if (!process.env.HOME.startsWith(process.env.TMPDIR.replace(/tmp$/, ""))) throw new Error(process.env.HOME);
      for (const name of ["node", "git", "sh"]) if (!existsSync(join(process.env.PATH, name))) throw new Error(name);
      for (const name of ["python3", "gcc", "npm"]) if (existsSync(join(process.env.PATH, name))) throw new Error(name);
    });`;
  assert.equal((await ran(t, { "core/a.test.ts": source })).last, "1 passed, 0 failed, 0 skipped");
});

test("a title that is not one short line is a failure", async (t) => {
  const files = { "core/a.test.ts": 'test("x".repeat(200), () => {});\ntest("a\\nb", () => {});' };
  assert.equal((await ran(t, files)).last, "0 passed, 2 failed, 0 skipped");
});

test("a test that hangs is named, and the run is cut off as a failure", async (t) => {
  const source =
    'test("one", () => {});\ntest("waits for ever", () => new Promise(() => setInterval(() => {}, 1_000)));';
  const { status, last, out } = await ran(t, { "core/a.test.ts": source }, [], 500);
  assert.deepEqual([status, last], [1, "1 passed, 1 failed, 0 skipped"]);
  assert.match(out, /still running:\n {2}waits for ever \(\S*a\.test\.ts\)/);
});

test("a test that waits for something that can no longer happen fails the run", async (t) => {
  // Node 20 and 22 see at once that nothing is left to wait for; 24.21 waits on, and the run is cut off.
  const files = { "core/a.test.ts": 'test("one", () => new Promise(() => {}));' };
  const { status, last } = await ran(t, files, [], 3_000);
  assert.deepEqual([status, last], [1, "0 passed, 1 failed, 0 skipped"]);
});
