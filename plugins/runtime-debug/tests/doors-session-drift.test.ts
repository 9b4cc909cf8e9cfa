/** Code that changes too early: it is reported, stops the session, and only `undo` restores it. */
import assert from "node:assert/strict";
import { chmod, link, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { BUG, FIX, ID, PROBES, bytesOf, event, heard, verdicts, walked, walkedTo } from "./doors-walk.ts";
import { debugProject } from "./session-harness.ts";

describe("code that changes before the evidence [debug.gate.evidence]", () => {
  test("a change between the check and the judgement never becomes the fix", async (t) => {
    const walk = await walkedTo(t, "judging");
    const probed = bytesOf(walk);
    await walk.replace(BUG, FIX);
    const error = await walk.fails("judge", { verdicts: verdicts("#1", "#2", "#3") });
    assert.equal(error.code, "DEBUG_DRIFT");
    const line =
      1 +
      bytesOf(walk)
        .split("\n")
        .findIndex((one) => one.includes(FIX));
    assert.ok(error.message.includes(`total.js:${line}: `), error.message);
    assert.match(error.hint ?? "", /runtime-debug undo .*keep FILE/);
    const status = await walk.run("status");
    const [row] = status.sessions;
    assert.equal(row?.state, "judging");
    assert.deepEqual(
      row.drift?.map((one) => `${one.file}:${one.line} ${one.code}`),
      [`total.js:${line} code-changed`],
    );
    assert.ok(status.text.includes(`Changed by more than probes:\ntotal.js:${line}: `), status.text);
    await walk.run("undo");
    assert.equal(bytesOf(walk), probed);
    assert.doesNotMatch((await walk.run("status")).text, /Changed by more than probes/);
    assert.equal((await walk.run("judge", { verdicts: verdicts("#1", "#2", "#3") })).state, "fixing");
    assert.equal((await walk.fails("fix", { summary: "None." })).code, "DEBUG_STEP");
  });

  test("the answer to a reproduction is refused with drift; an abort is accepted and reports it", async (t) => {
    const walk = await walkedTo(t, "reproducing");
    await walk.post(event("A"), event("B"), event("C"));
    await walk.replace(BUG, FIX);
    for (const answer of ["A", "B", "C"])
      assert.equal((await walk.fails("answer", { answer })).code, "DEBUG_DRIFT", answer);
    const { text, state } = await walk.run("answer", { answer: "D" });
    assert.equal(state, "cleaning");
    assert.match(text, /Code other than the probes has changed:\ntotal\.js:\d+: /);
    assert.ok(bytesOf(walk).includes(FIX));
    await walk.run("undo");
    assert.ok(bytesOf(walk).includes(BUG));
  });
});

describe("undo", () => {
  test("restores changed, added and removed files, keeps their replaced text, and leaves the probes", async (t) => {
    const project = await debugProject(t, { git: "none" });
    await project.write("tool.sh", "#!/bin/sh\necho 1\n");
    await chmod(join(project.root, "tool.sh"), 0o750);
    await project.write("real.js", "1;\n");
    await symlink("real.js", join(project.root, "link.js"));
    const walk = await walked(project, "judging");
    const { root } = walk;
    const probed = bytesOf(walk);
    await walk.replace(BUG, FIX);
    const changed = bytesOf(walk);
    await walk.write("src/new.js", "2;\n");
    await rm(join(root, "tool.sh"));
    await rm(join(root, "link.js"));
    await mkdir(join(root, "link.js"));
    await writeFile(join(root, "link.js", "inside.txt"), "x");
    const { undone, text } = await walk.run("undo");
    assert.deepEqual(
      undone.map(({ file, kind, gone }) => [file, kind, gone]),
      [
        ["link.js", "changed", []],
        ["src/new.js", "added", []],
        ["tool.sh", "removed", []],
        ["total.js", "changed", []],
      ],
    );
    assert.equal(bytesOf(walk), probed);
    assert.equal(await readlink(join(root, "link.js")), "real.js");
    assert.equal((await lstat(join(root, "tool.sh"))).mode & 0o777, 0o750);
    await assert.rejects(lstat(join(root, "src/new.js")));
    const kept = new Map(undone.map(({ file, keptAt }) => [file, keptAt ?? ""]));
    assert.equal(await readFile(kept.get("total.js") ?? "", "latin1"), changed);
    assert.equal(await readFile(kept.get("src/new.js") ?? "", "utf8"), "2;\n");
    assert.equal(await readFile(join(kept.get("link.js") ?? "", "inside.txt"), "utf8"), "x");
    for (const place of [...kept.values()].filter((one) => one !== ""))
      assert.ok(text.includes(place), place);
    assert.equal((await walk.run("judge", { verdicts: verdicts("#1", "#2", "#3") })).state, "fixing");
    await walk.run("answer", { answer: "D" });
    await walk.stop();
    const summary = (await walk.run("cleanup")).text;
    assert.match(summary, /Undone and kept[^]*Undone: link\.js, src\/new\.js, tool\.sh, total\.js\./);
    assert.equal(await readFile(kept.get("total.js") ?? "", "latin1"), changed);
  });
});

describe("undo of a file that has several names", () => {
  test("separates it from them: they keep their bytes, and writes to them no longer reach the code", async (t) => {
    const project = await debugProject(t, { git: "none" });
    const outside = join(project.host.folder, "outside.js");
    await link(join(project.root, "total.js"), outside);
    const walk = await walked(project, "instrumenting");
    assert.match((await walk.fails("probe", PROBES[0])).message, /has 2 hard links/);
    const before = await walk.read("total.js");
    await writeFile(outside, before.replace(BUG, FIX));
    await link(outside, join(walk.root, "again.js"));
    const { undone } = await walk.run("undo");
    assert.deepEqual(
      undone.map(({ file, kind }) => [file, kind]),
      [
        ["again.js", "added"],
        ["total.js", "changed"],
      ],
    );
    assert.equal(await readFile(outside, "utf8"), before.replace(BUG, FIX));
    await writeFile(outside, "changed again\n");
    assert.equal(await walk.read("total.js"), before);
    for (const { keptAt } of undone)
      assert.equal(await readFile(keptAt ?? "", "utf8"), before.replace(BUG, FIX));
    assert.equal((await walk.run("probe", { from: PROBES, check: true })).state, "reproducing");
  });
});

describe("a text that is replaced in a whole file", () => {
  test("is restored by undo, and the probes that it has changed are reported", async (t) => {
    const { run, read, write } = await walkedTo(t, "reproducing");
    const told = /total\.js:4: This probe differs from the one that `probe` has set/;
    assert.doesNotMatch((await run("check")).text, told);
    await write("total.js", (await read("total.js")).replaceAll(/\bsum(?=[);])/g, "sum + 1"));
    const { text } = await run("undo");
    assert.match(await read("total.js"), /\(sum \+ 1\)[^]* return sum;/);
    assert.match(text, told);
    assert.match((await run("check")).text, told);
  });
});

describe("events that came while the code had changed", () => {
  test("are not evidence after the undo, and must be collected again", async (t) => {
    const walk = await walkedTo(t, "reproducing");
    await walk.replace(BUG, FIX);
    await walk.post(event("A"), event("B"), event("C"));
    assert.equal((await walk.fails("answer", { answer: "A" })).code, "DEBUG_DRIFT");
    const { text, state } = await walk.run("undo");
    assert.match(
      text,
      /Events count from the run pre-fix-2 onwards\.[^]*the user must repeat the reproduction/,
    );
    assert.equal(state, "reproducing");
    assert.equal((await walk.fails("answer", { answer: "A" })).code, "DEBUG_STEP");
    await walk.post(event("A"), event("B"), event("C"));
    await walk.run("answer", { answer: "A" });
    const error = await walk.fails("judge", { verdicts: verdicts("#1", "#2", "#3") });
    assert.equal(error.code, "DEBUG_CITATION");
    // Events that had been seen with the right code stay evidence, unless others have come.
    await walk.replace(BUG, FIX);
    assert.doesNotMatch((await walk.run("undo")).text, /Events count/);
    await walk.replace(BUG, FIX);
    await walk.post(event("A"));
    assert.equal((await walk.run("undo")).state, "reproducing");
  });

  test("do not count with the fix either", async (t) => {
    const walk = await walkedTo(t, "verifying");
    await walk.replace(FIX, "index = 3");
    await walk.post(event("A", { data: { sum: 7 } }));
    await walk.run("undo");
    assert.equal((await walk.fails("verify")).code, "DEBUG_STEP");
    await walk.post(event("A", { data: { sum: 7 } }));
    assert.equal((await walk.run("verify")).state, "confirming");
  });
});

describe("keep", () => {
  test("accepts a change at the user's request: it is recorded, and earlier events no longer count", async (t) => {
    const walk = await walkedTo(t, "judging");
    await walk.replace(BUG, "index = 2");
    const { run, state, text } = await walk.run("keep", { files: ["total.js"] });
    assert.deepEqual([run, state], ["pre-fix-2", "reproducing"]);
    assert.match(
      text,
      /^Kept at the user's request: total\.js\. Events count from the run pre-fix-2 onwards\./,
    );
    assert.match(
      await walk.read(`debug-${ID}.md`),
      /## Undone and Kept\n\n- Kept at the user's request: total\.js/,
    );
    assert.equal((await walk.fails("answer", { answer: "A" })).code, "DEBUG_STEP");
    await walk.post(event("A"), event("B"), event("C"));
    assert.equal((await walk.run("answer", { answer: "A" })).state, "judging");
    assert.equal(
      (await walk.fails("judge", { verdicts: verdicts("#1", "#2", "#3") })).code,
      "DEBUG_CITATION",
    );
    await walk.run("judge", { verdicts: verdicts("#4", "#5", "#6") });
    await walk.replace("index = 2", FIX);
    assert.deepEqual((await walk.run("fix", { summary: "From 0." })).files, ["total.js"]);
  });

  test("the loss of an accepted change is drift: undo restores it, keep accepts the loss", async (t) => {
    const walk = await walkedTo(t, "reproducing", { "other.js": "1;\n" });
    await walk.write("new.js", "2;\n");
    await walk.write("other.js", "3;\n");
    await walk.run("keep", { files: ["new.js", "other.js"] });
    await rm(join(walk.root, "new.js"));
    await walk.write("other.js", "1;\n");
    const { code, message } = await walk.fails("answer", { answer: "A" });
    assert.equal(code, "DEBUG_DRIFT");
    assert.match(
      message,
      /new\.js: This file lacks its accepted change[^]*other\.js: This file lacks its accepted change/,
    );
    await walk.run("undo");
    assert.deepEqual([await walk.read("new.js"), await walk.read("other.js")], ["2;\n", "3;\n"]);
    await rm(join(walk.root, "new.js"));
    await walk.run("keep", { files: ["new.js"] });
    assert.match((await walk.run("undo")).text, /^Apart from probes, nothing has changed/);
  });

  test("refuses unchanged files, and faults of probes, which a user cannot accept", async (t) => {
    const walk = await walkedTo(t, "judging");
    assert.equal((await walk.fails("keep", { files: ["total.js"] })).code, "USAGE");
    await walk.replace("return sum;", 'fetch("http://127.0.0.1:7777/event");\n  return sum;');
    assert.equal((await walk.fails("keep", { files: ["total.js"] })).code, "DEBUG_CHECK_FAILED");
  });
});

describe("code that changes after the fix", () => {
  test("is refused by verify until it is undone, and the fix with its probes stays", async (t) => {
    const walk = await walkedTo(t, "verifying");
    const fixed = bytesOf(walk);
    for (const [from, to] of [
      [FIX, "index = 3"],
      [FIX, BUG],
    ] as const) {
      await walk.post(event("A", { data: { sum: 7 } }));
      await walk.replace(from, to);
      const { code, message } = await walk.fails("verify");
      assert.equal(code, "DEBUG_DRIFT");
      assert.match(message, /total\.js.* /);
      await walk.run("undo");
      assert.equal(bytesOf(walk), fixed);
    }
    await walk.post(event("A", { data: { sum: 7 } }));
    assert.equal((await walk.run("verify")).state, "confirming");
  });
});

describe("a fix that was declared too early", () => {
  test("is undone by the command in the refusal before another run, and includes later changes", async (t) => {
    const walk = await walkedTo(t, "verifying");
    await walk.write("also.js", "1;\n");
    for (const command of ["verify", "check"] as const)
      assert.match((await walk.fails(command)).hint ?? "", /If `fix` was wrong, [^]*runtime-debug back /);
    assert.equal((await walk.run("back")).state, "fixing");
    assert.deepEqual((await walk.run("fix", { summary: "Both." })).files, ["also.js", "total.js"]);
  });
});

describe("with the hook of an agent", () => {
  test("the changes of a call are reported after it, no file is touched, and the commands refuse", async (t) => {
    const walk = await walkedTo(t, "judging");
    assert.equal((await heard(walk)).decision, "allow");
    await walk.replace(BUG, FIX);
    await walk.write("helper.js", "1;\n");
    const before = bytesOf(walk);
    for (const more of [{}, { tool: "mcp", name: "mcp__files__save" }, { event: "turn.stop" }]) {
      const { decision, message = "", agentMessage = "" } = await heard(walk, more);
      assert.equal(decision, "warn");
      assert.match(message, /helper\.js: This file is new[^]*total\.js:\d+: /);
      assert.match(agentMessage, /does not continue until that is undone[^]*undo[^]*keep FILE/);
    }
    assert.equal(bytesOf(walk), before);
    assert.equal(await walk.read("helper.js"), "1;\n");
    assert.equal((await walk.fails("judge", { verdicts: verdicts("#1", "#2", "#3") })).code, "DEBUG_DRIFT");
    await walk.run("undo");
    assert.equal((await heard(walk)).decision, "allow");
  });
});
