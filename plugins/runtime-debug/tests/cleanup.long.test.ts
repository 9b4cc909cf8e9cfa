/** The command `cleanup` on real projects: the code comes back, the fix stays, nothing of the session is left. */
import assert from "node:assert/strict";
import { chmod, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { cleanupHouse, ID, RECORD, region, REPORT } from "./cleanup-harness.ts";
import { excludedIn, noGit } from "./worktree-harness.ts";

const MAIN = "import { total } from './total.js';\nconsole.log(total([1]));\n";
const FIXED = "import { total } from './total.js';\nconsole.log(total([1, 2]));\n";

for (const git of [true, false]) {
  const name = `a cleanup ${git ? "in a project of git" : "without git"} leaves the fix and nothing else`;
  test(name, { skip: git && noGit }, async (t) => {
    const house = await cleanupHouse(t, { "main.js": MAIN, "lib/a.py": "a = 1\n" }, { git });
    const before = await house.read("total.js");
    await house.write("total.js", `${region("A:first")}${before ?? ""}${region("B:last")}`);
    await house.write("main.js", FIXED.replace("console", `${region("C:here")}console`));
    await house.write(
      "lib/a.py",
      `# #region debug-point A\nurlopen("http://127.0.0.1:7777/event")\n# #endregion\na = 2\n`,
    );
    await house.write(`.dbg/svc-debug-log-${ID}.1.ndjson`, "{}\n");
    await house.write(`.dbg/${ID}.env`, "DEBUG_SERVER_URL=http://127.0.0.1:1/event\n");
    await house.write(".dbg/.gitignore", "*\n");
    await house.answered("fixed");
    const output = await house.cleanup();
    assert.equal(output.state, "closed");
    assert.deepEqual(output.cleaned, ["lib/a.py", "main.js", "total.js"]);
    assert.deepEqual(output.fixed, ["lib/a.py", "main.js"]);
    assert.deepEqual(output.removed, [RECORD, `.dbg/${ID}.env`, `.dbg/svc-debug-log-${ID}.1.ndjson`, ".dbg"]);
    assert.equal(await house.read("total.js"), before);
    assert.equal(await house.read("main.js"), FIXED);
    assert.equal(await house.read("lib/a.py"), "a = 2\n");
    assert.deepEqual(await house.all(), ["lib/a.py", "main.js", "total.js"]);
    assert.ok(await house.isForgotten());
    if (git) assert.doesNotMatch(await excludedIn(house.root), /debug-/);
    assert.equal((await house.fails("cleanup")).code, "DEBUG_NO_SESSION");
  });
}

test("a cleanup before the answer is refused and changes nothing [debug.gate.confirmation]", async (t) => {
  const house = await cleanupHouse(t, {});
  const now = `${region("A:first")}x();\n`;
  await house.write("total.js", now);
  assert.equal((await house.fails("cleanup")).code, "DEBUG_STEP");
  assert.equal(await house.read("total.js"), now);
  assert.ok((await house.all()).includes(RECORD));
});

test("what is not safe is shown and left with the session open, what is safe is cleaned; mended, it goes on", async (t) => {
  const house = await cleanupHouse(t, { "main.js": MAIN });
  await house.write("total.js", `${region("A:first")}${(await house.read("total.js")) ?? ""}`);
  const unsafe = `${MAIN}${REPORT}\n${region("B:here")}`;
  await house.write("main.js", unsafe);
  await house.answered("fixed");
  assert.deepEqual(await house.refused(), ["residue main.js:3"]);
  assert.doesNotMatch((await house.read("total.js")) ?? "", /region/);
  assert.equal(await house.read("main.js"), unsafe);
  assert.ok((await house.all()).includes(RECORD));
  assert.match((await house.run("status")).text, /cleanup/);
  await house.write("main.js", `${MAIN}${region("B:here")}`);
  assert.deepEqual((await house.cleanup()).cleaned, ["main.js"]);
  assert.equal(await house.read("main.js"), MAIN);
  assert.deepEqual(await house.all(), ["main.js", "total.js"]);
});

test("what is accepted is written when nothing else is left, and stays as accepted", async (t) => {
  const house = await cleanupHouse(t, { "main.js": MAIN });
  const kept = `${REPORT}\n`;
  await house.write("main.js", `${region("B:here")}${MAIN}${kept}`);
  await house.write("total.js", `${(await house.read("total.js")) ?? ""}${kept}`);
  await house.answered("fixed");
  assert.deepEqual(await house.refused(), ["residue main.js:6", "residue total.js:6"]);
  assert.deepEqual(await house.refused({ accept: ["main.js:6"] }), ["residue total.js:6"]);
  assert.match((await house.read("main.js")) ?? "", /region/);
  await house.cleanup({ accept: ["./main.js:6", join(house.root, "total.js:6")] });
  assert.equal(await house.read("main.js"), MAIN + kept);
});

test("an aborted session gives back the code before, also what was only written into regions", async (t) => {
  const house = await cleanupHouse(t, { "main.js": MAIN });
  await house.write("main.js", `${MAIN}${region("A:here", "//", "restart(everything);")}`);
  await house.run("answer", { answer: "D" });
  const { text, cleaned } = await house.cleanup();
  assert.deepEqual(cleaned, ["main.js"]);
  assert.match(text, /# Aborted: sum-is-wrong[\s\S]*The sum is wrong/);
  assert.equal(await house.read("main.js"), MAIN);
  assert.ok(await house.isForgotten());
});

test("modes, links, files under another name, removed ones and ignored ones come back as they should", async (t) => {
  const house = await cleanupHouse(t, {
    "run.sh": "#!/bin/sh\necho 1\n",
    "old.js": MAIN,
    "gone.js": "x();\n",
    "kept.js": "y();\n",
  });
  const at = (name: string): string => join(house.root, name);
  await house.write(
    "run.sh",
    "#!/bin/sh\n# #region debug-point A\ncurl -s http://127.0.0.1:7777/event &\n# #endregion\necho 1\n",
  );
  await chmod(at("run.sh"), 0o755);
  await house.write("kept.js", `${region("A")}y();\n`);
  await chmod(at("kept.js"), 0o444);
  await symlink("kept.js", at("link.js"));
  await rename(at("old.js"), at("new.js"));
  await house.write("new.js", `${region("B")}${FIXED}`);
  await rm(at("gone.js"));
  await house.answered("fixed");
  const { fixed } = await house.cleanup();
  assert.deepEqual(fixed, ["gone.js", "link.js", "new.js", "old.js"]);
  assert.equal(await house.read("run.sh"), "#!/bin/sh\necho 1\n");
  assert.equal((await stat(at("run.sh"))).mode & 0o777, 0o755);
  assert.equal(await house.read("link.js"), "y();\n");
  assert.equal((await stat(at("kept.js"))).mode & 0o777, 0o444);
  assert.equal(await house.read("new.js"), FIXED);
});

test("files of another session and of people stay in .dbg", async (t) => {
  const house = await cleanupHouse(t, {});
  const others = [
    "other-one.env",
    `svc-debug-log-${ID}-two.ndjson`,
    "notes.txt",
    `svc-debug-log-${ID}.ndjson.bak`,
  ];
  for (const name of [...others, `${ID}.serve.log`, `svc-debug-rejected-${ID}.ndjson`, ".gitignore"])
    await house.write(`.dbg/${name}`, "*\n");
  await house.answered("aborted");
  assert.deepEqual((await house.cleanup()).removed, [
    RECORD,
    `.dbg/${ID}.serve.log`,
    `.dbg/svc-debug-rejected-${ID}.ndjson`,
  ]);
  assert.deepEqual(
    await house.all(),
    [...[".gitignore", ...others].map((name) => `.dbg/${name}`), "total.js"].sort(),
  );
});

test("markers in texts and heredocs are no regions", async (t) => {
  const house = await cleanupHouse(t, { "a.sh": "echo 1\n" });
  const heredoc = "cat <<EOF >/dev/null\n# #region debug-point Z\n# #endregion\nEOF\n";
  await house.write("a.sh", `${heredoc}echo 1\n`);
  await house.answered("fixed");
  assert.deepEqual(await house.refused(), ["marker-unbalanced a.sh:3", "residue a.sh:2"]);
  assert.deepEqual((await house.cleanup({ accept: ["a.sh:2", "a.sh:3"] })).fixed, ["a.sh"]);
  assert.equal(await house.read("a.sh"), `${heredoc}echo 1\n`);
});

test("a report keeps what was found, with what people wrote into the record; no other file is overwritten", async (t) => {
  const house = await cleanupHouse(t, { "page.md": "mine\n" });
  await writeFile(join(house.root, RECORD), "\n## Thoughts\n\nIt began on Tuesday.\n", { flag: "a" });
  await house.answered("fixed", {
    cause: "The loop begins at 1.",
    fixes: [{ summary: "Begin at 0", files: ["total.js"] }],
    conclusion: "before 2, after 3",
  });
  for (const report of ["page.md", `.dbg/x.md`, RECORD, ".git/x.md"])
    assert.equal((await house.fails("cleanup", { report })).code, "USAGE", report);
  const { report, summary, text } = await house.cleanup({ report: "why.md" });
  assert.equal(report, join(house.root, "why.md"));
  const page = (await house.read("why.md")) ?? "";
  for (const part of [
    "The sum is wrong",
    "The loop begins at 1.",
    "Begin at 0",
    "before 2, after 3",
    "It began on Tuesday.",
  ]) {
    assert.ok(page.includes(part), part);
    assert.ok(text.includes(part), part);
  }
  assert.ok(page.endsWith(summary ?? "-"));
  assert.equal(await house.read("page.md"), "mine\n");
});

test("a file in a submodule or an odd place does not stop a cleanup", { skip: noGit }, async (t) => {
  const house = await cleanupHouse(t, { "a b/\u00fc [1].js": "a();\n" });
  await house.write("a b/\u00fc [1].js", `${region("A")}a();\n`);
  house.git("init", "-q", "inner");
  await house.write("inner/b.js", `${region("B")}b();\n`);
  await house.answered("fixed");
  await house.cleanup();
  assert.equal(await house.read("a b/\u00fc [1].js"), "a();\n");
});
