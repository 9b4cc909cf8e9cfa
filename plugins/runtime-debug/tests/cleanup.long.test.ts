/** The command `cleanup` on real projects: the code comes back, the fix stays, nothing of the session is left. */
import assert from "node:assert/strict";
import { chmod, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { cleanupHarness, fixedAs, region, REPORT } from "./cleanup-harness.ts";
import { ID, RECORD } from "./doors-walk.ts";
import { noGit } from "./worktree-harness.ts";

const MAIN = "import { total } from './total.js';\nconsole.log(total([1]));\n";
const FIXED = "import { total } from './total.js';\nconsole.log(total([1, 2]));\n";

test("accepted changes are kept, and files are written when nothing else is left to accept", async (t) => {
  const harness = await cleanupHarness(t, { "main.js": MAIN });
  const kept = `${REPORT}\n`;
  await harness.write("main.js", `${region("B:here")}${MAIN}${kept}`);
  await harness.write("total.js", `${(await harness.read("total.js")) ?? ""}${kept}`);
  await harness.answered("fixed");
  assert.deepEqual(await harness.refused(), ["residue main.js:6", "residue total.js:6"]);
  assert.deepEqual(await harness.refused({ accept: ["main.js:6"] }), ["residue total.js:6"]);
  assert.match((await harness.read("main.js")) ?? "", /region/);
  await harness.cleanup({ accept: ["./main.js:6", join(harness.root, "total.js:6")] });
  assert.equal(await harness.read("main.js"), MAIN + kept);
});

test("modes, links, renamed, removed and ignored files are restored", async (t) => {
  const harness = await cleanupHarness(t, {
    "run.sh": "#!/bin/sh\necho 1\n",
    "old.js": MAIN,
    "gone.js": "x();\n",
    "kept.js": "y();\n",
  });
  const at = (name: string): string => join(harness.root, name);
  await harness.write(
    "run.sh",
    "#!/bin/sh\n# #region debug-point A\ncurl -s http://127.0.0.1:7777/event &\n# #endregion\necho 1\n",
  );
  await chmod(at("run.sh"), 0o755);
  await harness.write("kept.js", `${region("A")}y();\n`);
  await chmod(at("kept.js"), 0o444);
  await symlink("kept.js", at("link.js"));
  await rename(at("old.js"), at("new.js"));
  await harness.write("new.js", `${region("B")}${FIXED}`);
  await rm(at("gone.js"));
  await harness.answered("fixed", fixedAs({ "gone.js": undefined, "old.js": undefined, "new.js": FIXED }));
  const { fixed } = await harness.cleanup();
  assert.deepEqual(fixed, ["gone.js", "link.js", "new.js", "old.js"]);
  assert.equal(await harness.read("run.sh"), "#!/bin/sh\necho 1\n");
  assert.equal((await stat(at("run.sh"))).mode & 0o777, 0o755);
  assert.equal(await harness.read("link.js"), "y();\n");
  assert.equal((await stat(at("kept.js"))).mode & 0o777, 0o444);
  assert.equal(await harness.read("new.js"), FIXED);
});

test("files of another session and of people are kept in .dbg", async (t) => {
  const harness = await cleanupHarness(t, {});
  const others = [
    "other-one.env",
    `svc-debug-log-${ID}-two.ndjson`,
    "notes.txt",
    `svc-debug-log-${ID}.ndjson.bak`,
  ];
  for (const name of [...others, `${ID}.serve.log`, `svc-debug-rejected-${ID}.ndjson`, ".gitignore"])
    await harness.write(`.dbg/${name}`, "*\n");
  await harness.answered("aborted");
  assert.deepEqual((await harness.cleanup()).removed, [
    RECORD,
    `.dbg/${ID}.serve.log`,
    `.dbg/svc-debug-rejected-${ID}.ndjson`,
  ]);
  assert.deepEqual(
    await harness.all(),
    [...[".gitignore", ...others].map((name) => `.dbg/${name}`), "total.js"].sort(),
  );
});

test("a file in a submodule or an odd place does not stop a cleanup", { skip: noGit }, async (t) => {
  const harness = await cleanupHarness(t, { "a b/\u00fc [1].js": "a();\n" });
  await harness.write("a b/\u00fc [1].js", `${region("A")}a();\n`);
  harness.git("init", "-q", "inner");
  await harness.write("inner/b.js", `${region("B")}b();\n`);
  await harness.answered("fixed");
  assert.deepEqual(await harness.refused(), ["unproven inner/b.js:1"]);
  await harness.cleanup({ accept: ["inner/b.js:1"] });
  assert.equal(await harness.read("inner/b.js"), "b();\n");
  assert.equal(await harness.read("a b/\u00fc [1].js"), "a();\n");
});

test("a missing fix does not keep the session open once it is accepted", async (t) => {
  const harness = await cleanupHarness(t, { "main.js": MAIN });
  await harness.answered("fixed", fixedAs({ "main.js": FIXED }));
  assert.deepEqual(await harness.refused(), ["fix-missing main.js:1"]);
  assert.deepEqual((await harness.cleanup({ accept: ["main.js:1"] })).fixed, []);
});

test("an abort names code that was removed with its region", async (t) => {
  const harness = await cleanupHarness(t, { "main.js": MAIN });
  await harness.write("main.js", `${MAIN}${region("A:here", "//", "restart(everything);")}`);
  await harness.answered("aborted");
  const { notes = [], text } = await harness.cleanup();
  assert.deepEqual(
    notes.map(({ code, file }) => [code, file]),
    [["more-than-report", "main.js"]],
  );
  assert.match(text, /Removed with its region/);
  assert.equal(await harness.read("main.js"), MAIN);
});

test("a session can be closed without the stored images of its code", async (t) => {
  const harness = await cleanupHarness(t, { "new.js": MAIN }, { git: false });
  const mine = region("A:here", "//", `${REPORT} // ${ID}`);
  const before = await harness.read("total.js");
  await harness.write("total.js", mine + (before ?? ""));
  await harness.write("new.js", mine + MAIN);
  await harness.write("theirs.js", region("A:theirs") + MAIN);
  const { baseline } = await harness.answered("aborted");
  await rm(dirname(baseline.images), { recursive: true });
  const { notes = [] } = await harness.cleanup();
  assert.equal(await harness.read("total.js"), before);
  assert.equal(await harness.read("new.js"), MAIN);
  assert.deepEqual(
    notes.map(({ code }) => code),
    ["no-image"],
  );
  assert.equal(await harness.read("theirs.js"), region("A:theirs") + MAIN);
});

test("unknown places to accept are refused, and the hint names all places in one call", async (t) => {
  const harness = await cleanupHarness(t, { "main.js": MAIN });
  await harness.write("main.js", region("A") + FIXED);
  await harness.answered("fixed");
  for (const accept of ["nofile.js:1", "main.js:99"])
    assert.equal((await harness.fails("cleanup", { accept: [accept] })).code, "USAGE", accept);
  assert.match((await harness.fails("cleanup")).hint ?? "", /all accepted places in one call/);
});

test("the summary of an abort names no cause from abandoned hypotheses", async (t) => {
  const harness = await cleanupHarness(t, {});
  await harness.answered("aborted", { cause: "Price and quantity are added" });
  assert.match((await harness.cleanup()).summary ?? "", /## Root cause\s+Not found/);
});
