/** More effects of code that changes too early; see doors-session-drift.test.ts. */
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { CleanupOutput } from "../contract.ts";
import { strip } from "../regions/regions.ts";
import { BUG, FIX, ID, bytesOf, event, heard, walked, walkedTo } from "./doors-walk.ts";
import { debugProject, entryOf } from "./session-harness.ts";

describe("undo", () => {
  test("restores only the named files, and lists the changed ones if another file is named", async (t) => {
    const walk = await walkedTo(t, "judging", { "other.js": "1;\n" });
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
    assert.match((await walk.run("undo")).text, /^Apart from probes, nothing has changed/);
  });

  test("restores the bytes of files with CRLF, a byte order mark, no final line end or another encoding", async (t) => {
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
    for (const spoiled of [
      (text: string) => text.replace("a = 1", "a = 2"),
      (text: string) => `${text}\nmore();\n`,
      (text: string) => text.replaceAll("\r\n", "\n").replace("end()", "other()"),
      () => "",
    ]) {
      for (const [path, text] of probed) await writeFile(join(walk.root, path), spoiled(text), "latin1");
      await walk.run("undo");
      for (const path of paths) {
        const bare = strip(bytesOf(walk, path));
        assert.equal(bare.ok && bare.text, texts[path], `${path} ${String(spoiled)}`);
      }
    }
  });

  test("names the probes that are removed with the lines around them", async (t) => {
    const walk = await walkedTo(t, "judging");
    await walk.write("total.js", "// #region debug-point A:lost\n// #endregion\nother();\n");
    const { undone, text } = await walk.run("undo");
    assert.deepEqual(undone[0]?.gone, ["A:lost"]);
    assert.match(text, /total\.js: set the removed probes again: A:lost/);
  });
});

describe("code that changes after the fix", () => {
  test("is part of the fix once the user keeps it, and is tested again; otherwise the answer reports it", async (t) => {
    const walk = await walkedTo(t, "confirming");
    await walk.write("also.js", "1;\n");
    const { run, state } = await walk.run("keep", { files: ["also.js"] });
    assert.deepEqual([run, state], ["post-fix-2", "verifying"]);
    assert.equal((await walk.fails("verify")).code, "DEBUG_STEP");
    await walk.post(event("A", { data: { sum: 7 } }));
    assert.equal((await walk.run("verify")).state, "confirming");
    await walk.replace(FIX, "index = 3");
    const answer = await walk.run("answer", { answer: "A" });
    assert.equal(answer.state, "cleaning");
    assert.match(answer.text, /Code other than the probes has changed:\ntotal\.js:/);
    await walk.stop();
    assert.deepEqual(((await walk.fails("cleanup")).result as CleanupOutput).fixed, ["also.js", "total.js"]);
  });
});

describe("with the hook of an agent", () => {
  test("a call from another folder that names the project is checked, and the fix itself is not drift", async (t) => {
    const walk = await walkedTo(t, "fixing");
    await walk.replace(BUG, FIX);
    assert.equal((await heard(walk)).decision, "allow");
    await walk.run("fix", { summary: "From 0." });
    assert.equal((await heard(walk)).decision, "allow");
    await walk.replace(FIX, "index = 3");
    const paths = [join(walk.root, "total.js")];
    const call = { cwd: "/", tool: "write", name: "Write", paths };
    assert.match((await heard(walk, call)).message ?? "", /since `fix` accepted it/);
  });

  test("a project that cannot be compared is reported, and blocks nothing", async (t) => {
    const walk = await walkedTo(t, "judging");
    const { baseline } = await entryOf(walk, ID);
    await rm(baseline.images, { recursive: true });
    const { decision, message = "" } = await heard(walk);
    assert.equal(decision, "warn");
    assert.match(message, /could not be checked for changes/);
    assert.equal((await walk.run("answer", { answer: "D" })).state, "cleaning");
  });
});
