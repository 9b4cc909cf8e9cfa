import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPTS = fileURLToPath(new URL("./", import.meta.url));
const LOADER = new URL("../node_modules/tsx/dist/loader.mjs", import.meta.url).href;

/** Runs a copy of the script over a small tree of test files. */
async function ran(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  patienceMs = 60_000,
) {
  const root = await mkdtemp(join(tmpdir(), "skillctl-all-tests-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  for (const [path, source] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `import { test } from "node:test";\n${source}`);
  }
  await mkdir(join(root, "scripts"), { recursive: true });
  for (const file of ["all-tests.mjs", "counting-reporter.mjs"])
    await cp(join(SCRIPTS, file), join(root, "scripts", file));
  const child = spawn(
    process.execPath,
    ["--import", LOADER, join(root, "scripts", "all-tests.mjs"), ...words],
    {
      cwd: root,
      env: { PATH: process.env["PATH"], SKILLCTL_TEST_PATIENCE_MS: String(patienceMs) },
    },
  );
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.resume();
  const status = await new Promise((resolve) => child.on("close", resolve));
  return { status, last: out.trimEnd().split("\n").at(-1), out };
}

test("every test file of every place is run, and the last line counts", async (t) => {
  const { status, last, out } = await ran(t, {
    "core/a.test.ts": 'test("one", () => {});',
    "plugins/x/y/b.test.ts":
      'const two: string = "two";\ntest(two, () => {});\ntest("left out", { skip: "why" }, () => {});',
    "contract-tests/c.ts": 'test("no test file", () => {});',
    "core/node_modules/d.test.ts": 'test("foreign", () => {});',
  });
  assert.deepEqual([status, last], [0, "2 passed, 0 failed, 1 skipped"]);
  assert.ok(!out.includes("no test file") && !out.includes("foreign"));
});

test("a failed test fails the run", async (t) => {
  const { status, last } = await ran(t, {
    "core/a.test.ts": 'test("one", () => {});\ntest("two", () => { throw new Error("no"); });',
  });
  assert.deepEqual([status, last], [1, "1 passed, 1 failed, 0 skipped"]);
});

test("a file that cannot be imported is a failed test, and the others run", async (t) => {
  const { status, last, out } = await ran(t, {
    "core/a.test.ts": 'import "./missing.ts";',
    "core/b.test.ts": 'test("one", () => {});',
  });
  assert.deepEqual([status, last], [1, "1 passed, 1 failed, 0 skipped"]);
  assert.match(out, /core\/a\.test\.ts can be imported/);
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
});

test("what is left out is named and not run", async (t) => {
  const files = {
    "core/a.test.ts": 'test("one", () => {});',
    "core/b.test.ts": 'test("two", () => { throw new Error("no"); });',
  };
  const { status, last, out } = await ran(t, files, ["--without=nothing,core/b"]);
  assert.deepEqual([status, last], [0, "1 passed, 0 failed, 0 skipped"]);
  assert.match(out, /^left out: core\/b\.test\.ts$/m);
});

test("a test that hangs is named, and the run is cut off as a failure", async (t) => {
  const source =
    'test("one", () => {});\ntest("waits for ever", () => new Promise(() => setInterval(() => {}, 1_000)));';
  const { status, last, out } = await ran(t, { "core/a.test.ts": source }, [], 500);
  assert.deepEqual([status, last], [1, "1 passed, 1 failed, 0 skipped"]);
  assert.match(out, /still running:\n {2}waits for ever \(\S*a\.test\.ts\)/);
});

test("a test that waits for what cannot happen any more fails the run", async (t) => {
  // Node 20 and 22 see at once that nothing is left to wait for; 24.21 waits on, and the run is cut off.
  const files = { "core/a.test.ts": 'test("one", () => new Promise(() => {}));' };
  const { status, last } = await ran(t, files, [], 3_000);
  assert.deepEqual([status, last], [1, "0 passed, 1 failed, 0 skipped"]);
});
