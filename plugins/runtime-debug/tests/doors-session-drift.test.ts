/** Code that changes too early, from the outside: it is told, stops the session, and nobody but `undo` puts it back. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chmod, lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { strip } from "../regions/strip.ts";
import { BUG, FIX, ID, event, verdicts, walked, type Walk } from "./doors-walk.ts";
import { debugProject, entryOf } from "./session-harness.ts";

/** A session in a state; without git, which tests of the worktree use. */
async function at(
  t: TestContext,
  state: Parameters<typeof walked>[1],
  more: Readonly<Record<string, string>> = {},
): Promise<Walk> {
  const project = await debugProject(t, { git: false });
  for (const [path, text] of Object.entries(more)) await project.write(path, text);
  return walked(project, state);
}

const bytesOf = ({ root }: Walk, path = "total.js"): string => readFileSync(join(root, path), "latin1");

describe("code that changes before the evidence [debug.gate.evidence]", () => {
  test("a change between the check and the judgement never becomes the fix", async (t) => {
    const walk = await at(t, "judging");
    const probed = bytesOf(walk);
    await walk.replace(BUG, FIX);
    const error = await walk.fails("judge", { verdicts: verdicts("#1-3") });
    assert.equal(error.code, "DEBUG_DRIFT");
    const line =
      1 +
      bytesOf(walk)
        .split("\n")
        .findIndex((one) => one.includes(FIX));
    assert.ok(error.message.includes(`total.js:${line}: `), error.message);
    assert.match(error.hint ?? "", /runtime-debug undo .*keep FILE/);
    assert.equal((await entryOf(walk, ID)).state, "judging");
    await walk.run("undo");
    assert.equal(bytesOf(walk), probed);
    assert.equal((await walk.run("judge", { verdicts: verdicts("#1-3") })).state, "fixing");
    assert.equal((await walk.fails("fix", { summary: "None." })).code, "DEBUG_STEP");
  });

  test("the answer to a reproduction is refused with drift, an abort is not and tells it", async (t) => {
    const walk = await at(t, "reproducing");
    await walk.post(event("A"), event("B"), event("C"));
    await walk.replace(BUG, FIX);
    for (const answer of ["A", "B", "C"])
      assert.equal((await walk.fails("answer", { answer })).code, "DEBUG_DRIFT", answer);
    const { text, state } = await walk.run("answer", { answer: "D" });
    assert.equal(state, "cleaning");
    assert.match(text, /Beside probes, the code has changed:\ntotal\.js:\d+: /);
    assert.ok(bytesOf(walk).includes(FIX));
    await walk.run("undo");
    assert.ok(bytesOf(walk).includes(BUG));
  });

  test("status tells it with file and line, and nothing when there is none", async (t) => {
    const walk = await at(t, "judging");
    const row = async (): Promise<Readonly<Record<string, unknown>>> => {
      const { sessions, text } = await walk.run("status");
      return { ...(sessions as readonly object[])[0], text };
    };
    assert.equal("drift" in (await row()), false);
    await walk.replace(BUG, FIX);
    const { drift, text } = await row();
    assert.deepEqual(
      (drift as readonly { file: string; code: string }[]).map(({ file, code }) => [file, code]),
      [["total.js", "code-changed"]],
    );
    assert.match(text as string, /Changed by more than probes:\ntotal\.js:\d+: /);
  });

  test("a line that reports outside of regions, and a region that writes to the console, stop it too", async (t) => {
    const walk = await at(t, "judging");
    const probed = bytesOf(walk);
    for (const [from, to, sign] of [
      ["return sum;", 'fetch("http://127.0.0.1:7777/event");\n  return sum;', /outside all regions/],
      [
        "#endregion",
        "#endregion\n  // #region debug-point A:log\n  console.log(sum);\n  // #endregion",
        /console/,
      ],
      ["#endregion", "#nothing", /does not end|inside another/],
    ] as const) {
      await walk.replace(from, to);
      const { code, message } = await walk.fails("judge", { verdicts: verdicts("#1-3") });
      assert.equal(code, "DEBUG_DRIFT");
      assert.match(message, sign);
      await walk.write("total.js", probed);
    }
  });

  test("what nobody writes by hand is none: data, notes, logs", async (t) => {
    const walk = await at(t, "judging");
    await walk.write("out/app.log", "line\n");
    await walk.write("notes.md", "# Notes\n");
    await walk.write("data.csv", "1,2\n");
    assert.equal((await walk.run("judge", { verdicts: verdicts("#1-3") })).state, "fixing");
  });
});

describe("undo", () => {
  test("puts back what was changed, added and removed, keeps aside what stood there, and leaves the probes", async (t) => {
    const project = await debugProject(t, { git: false });
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
    const { undone, text } = (await walk.run("undo")) as unknown as {
      undone: readonly { file: string; kind: string; keptAt?: string; gone: readonly string[] }[];
      text: string;
    };
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
    assert.equal((await walk.run("judge", { verdicts: verdicts("#1-3") })).state, "fixing");
    await walk.run("answer", { answer: "D" });
    await walk.stop();
    const summary = (await walk.run("cleanup")).text;
    assert.match(summary, /Undone and kept[^]*Undone: link\.js, src\/new\.js, tool\.sh, total\.js\./);
    assert.equal(await readFile(kept.get("total.js") ?? "", "latin1"), changed);
  });

  test("puts back the files that are named alone, and says which have changed when another is named", async (t) => {
    const walk = await at(t, "judging", { "other.js": "1;\n" });
    await walk.replace(BUG, FIX);
    await walk.write("other.js", "2;\n");
    const error = await walk.fails("undo", { files: ["real.js"] });
    assert.equal(error.code, "USAGE");
    assert.match(error.hint ?? "", /other\.js, total\.js/);
    await walk.run("undo", { files: ["other.js"] });
    assert.equal(await walk.read("other.js"), "1;\n");
    assert.ok(bytesOf(walk).includes(FIX));
    await walk.run("undo", { files: [join(walk.root, "total.js")] });
    assert.ok(bytesOf(walk).includes(BUG));
    assert.match((await walk.run("undo")).text, /^Nothing has changed/);
  });

  test("gives back the bytes of files with CRLF, a byte order mark, no last line end or another encoding", async (t) => {
    const texts: Readonly<Record<string, string>> = {
      "crlf.js": "export const a = 1;\r\nrun(a);\r\nend();\r\n",
      "mark.js": "\u00ef\u00bb\u00bfexport const a = 1;\nrun(a);\nend();\n",
      "bare.js": "export const a = 1;\nrun(a);\nend();",
      "bytes.js": "export const a = 1;\n// \u00ff\u00fe\nend();\n",
    };
    const project = await debugProject(t, { git: false });
    for (const [path, text] of Object.entries(texts))
      await writeFile(join(project.root, path), text, "latin1");
    const walk = await walked(project, "instrumenting");
    const probe = { hypothesis: "A", point: "end", data: ["a"] };
    for (const path of ["crlf.js", "mark.js", "bare.js"])
      await walk.run("probe", { ...probe, apply: `${path}:3` });
    const paths = Object.keys(texts);
    const probed = new Map(paths.map((path) => [path, bytesOf(walk, path)]));
    const spoil = async (spoiled: (text: string) => string): Promise<string> => {
      for (const [path, text] of probed) await writeFile(join(walk.root, path), spoiled(text), "latin1");
      return (await walk.run("undo")).text;
    };
    assert.doesNotMatch(await spoil((text) => text.replace("a = 1", "a = 2")), /gone/);
    for (const path of paths) assert.equal(bytesOf(walk, path), probed.get(path), path);
    for (const spoiled of [
      (text: string) => text.replaceAll("\r\n", "\n").replace("end()", "other()"),
      (text: string) => `${text}\nmore();\n`,
      () => "x",
      () => "",
    ]) {
      await spoil(spoiled);
      for (const path of paths) {
        const bare = strip(bytesOf(walk, path));
        assert.equal(bare.ok && bare.text, texts[path], `${path} ${String(spoiled)}`);
      }
    }
  });

  test("names the probes that go with the lines around them", async (t) => {
    const walk = await at(t, "judging");
    await walk.write("total.js", "// #region debug-point A:lost\n// #endregion\nother();\n");
    const { undone, text } = await walk.run("undo");
    assert.deepEqual((undone as readonly { gone: readonly string[] }[])[0]?.gone, ["A:lost"]);
    assert.match(text, /total\.js: these probes are gone, set them again: A:lost/);
  });
});

describe("keep", () => {
  test("accepts a change because the user says so: it is recorded, and events before it count no more", async (t) => {
    const walk = await at(t, "judging");
    await walk.replace(BUG, "index = 2");
    const { run, state, text } = await walk.run("keep", { files: ["total.js"] });
    assert.deepEqual([run, state], ["pre-fix-2", "reproducing"]);
    assert.match(
      text,
      /^Kept because the user says so: total\.js\. Events count from the run pre-fix-2 on\./,
    );
    assert.match(
      await walk.read(`debug-${ID}.md`),
      /## Undone and Kept\n\n- Kept because the user says so: total\.js/,
    );
    assert.equal((await walk.fails("answer", { answer: "A" })).code, "DEBUG_STEP");
    await walk.post(event("A"), event("B"), event("C"));
    assert.equal((await walk.run("answer", { answer: "A" })).state, "judging");
    assert.equal((await walk.fails("judge", { verdicts: verdicts("#1-3") })).code, "DEBUG_CITATION");
    await walk.run("judge", { verdicts: verdicts("#4-6") });
    await walk.replace("index = 2", FIX);
    assert.deepEqual((await walk.run("fix", { summary: "From 0." }))["files"], ["total.js"]);
  });

  test("a file that was kept is as it should be, and undo gives it back as it was kept", async (t) => {
    const walk = await at(t, "instrumenting", { "other.js": "1;\n" });
    await walk.write("other.js", "2;\n");
    await walk.write("new.js", "3;\n");
    await walk.run("keep", { files: ["other.js", "new.js"] });
    for (const hypothesis of ["A", "B", "C"])
      await walk.run("probe", { hypothesis, point: "loop", data: ["sum"], apply: "total.js:4" });
    assert.equal((await walk.run("check")).state, "reproducing");
    await walk.write("other.js", "4;\n");
    await walk.write("new.js", "5;\n");
    await walk.run("undo");
    assert.deepEqual([await walk.read("other.js"), await walk.read("new.js")], ["2;\n", "3;\n"]);
  });

  test("refuses what has not changed, and faults of probes, which nobody can answer for", async (t) => {
    const walk = await at(t, "judging");
    assert.equal((await walk.fails("keep", { files: ["total.js"] })).code, "USAGE");
    await walk.replace("return sum;", 'fetch("http://127.0.0.1:7777/event");\n  return sum;');
    assert.equal((await walk.fails("keep", { files: ["total.js"] })).code, "DEBUG_CHECK_FAILED");
  });
});

describe("code that changes after the fix", () => {
  test("is refused by verify until it is undone, and the fix with its probes stays", async (t) => {
    const walk = await at(t, "verifying");
    const fixed = bytesOf(walk);
    await walk.post(event("A", { data: { sum: 7 } }));
    for (const [from, to] of [
      [FIX, "index = 3"],
      [FIX, BUG],
    ] as const) {
      await walk.replace(from, to);
      const { code, message } = await walk.fails("verify");
      assert.equal(code, "DEBUG_DRIFT");
      assert.match(message, /total\.js.* /);
      await walk.run("undo");
      assert.equal(bytesOf(walk), fixed);
    }
    assert.equal((await walk.run("verify")).state, "confirming");
  });

  test("is part of the fix once the user keeps it, and is tried again", async (t) => {
    const walk = await at(t, "confirming");
    await walk.write("also.js", "1;\n");
    const { run, state } = await walk.run("keep", { files: ["also.js"] });
    assert.deepEqual([run, state], ["post-fix-kept", "verifying"]);
    assert.equal((await walk.fails("verify")).code, "DEBUG_STEP");
    await walk.post(event("A", { data: { sum: 7 } }));
    assert.equal((await walk.run("verify")).state, "confirming");
    await walk.run("answer", { answer: "A" });
    await walk.stop();
    assert.deepEqual((await walk.run("cleanup"))["fixed"], ["also.js", "total.js"]);
  });

  test("is told when the user confirms, and stops no way to the cleanup", async (t) => {
    const walk = await at(t, "confirming");
    await walk.replace(FIX, "index = 3");
    const { state, text } = await walk.run("answer", { answer: "A" });
    assert.equal(state, "cleaning");
    assert.match(text, /Beside probes, the code has changed:\ntotal\.js:/);
  });
});

describe("with the hook of an agent", () => {
  const heard = (walk: Walk, more: object = {}) =>
    walk.host.host.guard.decide({
      event: "tool.post",
      surface: "hook",
      tool: "shell",
      name: "Bash",
      command: "npm test",
      cwd: walk.root,
      session: "agent-1",
      ...more,
    });

  test("what a call has changed is told after it, no file is touched, and the commands refuse", async (t) => {
    const walk = await at(t, "judging");
    assert.equal((await heard(walk)).decision, "allow");
    await walk.replace(BUG, FIX);
    await walk.write("helper.js", "1;\n");
    const before = bytesOf(walk);
    for (const more of [{}, { tool: "mcp", name: "mcp__files__save" }, { event: "turn.stop" }]) {
      const { decision, message = "", agentMessage = "" } = await heard(walk, more);
      assert.equal(decision, "warn");
      assert.match(message, /helper\.js: This file is new[^]*total\.js:\d+: /);
      assert.match(agentMessage, /does not go on until that is undone[^]*undo[^]*keep FILE/);
    }
    assert.equal(bytesOf(walk), before);
    assert.equal(await walk.read("helper.js"), "1;\n");
    assert.equal((await walk.fails("judge", { verdicts: verdicts("#1-3") })).code, "DEBUG_DRIFT");
    await walk.run("undo");
    assert.equal((await heard(walk)).decision, "allow");
  });

  test("a call from elsewhere that names the project is looked at, and the fix itself is none", async (t) => {
    const walk = await at(t, "fixing");
    await walk.replace(BUG, FIX);
    assert.equal((await heard(walk)).decision, "allow");
    await walk.run("fix", { summary: "From 0." });
    assert.equal((await heard(walk)).decision, "allow");
    await walk.replace(FIX, "index = 3");
    const paths = [join(walk.root, "total.js")];
    const call = { cwd: "/", tool: "write", name: "Write", paths };
    assert.match((await heard(walk, call)).message ?? "", /since `fix` accepted it/);
  });

  test("a project that cannot be compared is told, and stops nothing", async (t) => {
    const walk = await at(t, "judging");
    const { baseline } = await entryOf(walk, ID);
    await rm(baseline.images, { recursive: true });
    const { decision, message = "" } = await heard(walk);
    assert.equal(decision, "warn");
    assert.match(message, /could not be seen/);
    assert.equal((await walk.run("answer", { answer: "D" })).state, "cleaning");
  });
});
