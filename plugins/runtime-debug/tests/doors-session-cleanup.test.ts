/** The cleanup of a session, from the outside: the code comes back byte for byte, the fix stays, and nothing else does. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { CleanupOutput } from "../contract.ts";
import { sayInProcess } from "../../../contract-tests/command-line.ts";
import { debugProject } from "./session-harness.ts";
import { gitIn, noGit } from "./worktree-harness.ts";
import { BUG, FIX, ID, RECORD, event, walked, walkedTo } from "./doors-walk.ts";

const CRLF = "export function one() {\r\n  return 1;\r\n}\r\n\r\nexport const two = 2;";

describe("the cleanup of a session", () => {
  test("before the user has answered is refused and removes nothing", async (t) => {
    const { root, run, fails, read } = await walkedTo(t, "reproducing");
    const now = await read("total.js");
    const error = await fails("cleanup");
    assert.equal(error.code, "DEBUG_STEP");
    assert.match(error.message, /"cleanup" is not possible now: it belongs to step 11\./);
    assert.equal(await read("total.js"), now);
    assert.ok((await readdir(root)).includes(RECORD));
    assert.equal((await run("status")).text.includes("Step 6 of 11"), true);
  });

  test("restores the bytes and line ends of each file, keeps the fix, and leaves no file of the session", async (t) => {
    const project = await debugProject(t);
    await project.write("lines.js", CRLF);
    const { root, run, fails, read, replace, stop, git } = await walked(project, "instrumenting");
    const before = await read("total.js");
    for (const hypothesis of ["A", "B"])
      await run("probe", { hypothesis, point: "loop", data: ["sum"], apply: "total.js:4" });
    await run("probe", { hypothesis: "C", point: "one", apply: "lines.js:2" });
    assert.doesNotMatch(await read("lines.js"), /[^\r]\n/);
    await run("check");
    await replace(BUG, FIX);
    await run("answer", { answer: "D" });
    await replace(FIX, BUG);
    await stop();
    const { cleaned, removed } = await run("cleanup");
    assert.deepEqual(cleaned, ["lines.js", "total.js"]);
    assert.ok(removed.includes(RECORD));
    assert.equal(await read("total.js"), before);
    assert.equal(await read("lines.js"), CRLF);
    const names = (await readdir(root)).filter((name) => name !== ".git");
    assert.deepEqual(names.sort(), ["lines.js", "total.js"]);
    if (!noGit) assert.doesNotMatch(await read(join(".git", "info", "exclude")).catch(() => ""), /debug/);
    if (!noGit) assert.equal(git("status", "--short"), "?? lines.js\n");
    assert.equal((await fails("cleanup")).code, "DEBUG_NO_SESSION");
    const kept = join(project.host.environment.stateFolder, "runtime-debug");
    assert.deepEqual(await readdir(kept).catch(() => []), []);
  });

  test("holds the fix as a patch that gives the same tree, and names files that it has deleted", async (t) => {
    const files = { "old.js": "export const old = 1;\n", "data.bin": "a\0b" };
    const { root, run, post, replace, write, read, stop } = await walkedTo(t, "fixing", files);
    const probed = await read("total.js");
    await replace(BUG, FIX);
    await rm(join(root, "old.js"));
    await write("new.js", "export const one = 1;\n");
    await write("data.bin", "a\0c");
    await run("fix", { summary: "The loop begins at 0." });
    await post(event("A", { data: { sum: 7 } }));
    await run("verify");
    await run("answer", { answer: "A" });
    await stop();
    const { fixed, deleted, patch, text, summary } = await run("cleanup");
    assert.deepEqual([fixed, deleted], [["data.bin", "new.js", "old.js", "total.js"], ["old.js"]]);
    assert.match(text, /\nThe fix stays in: data\.bin, new\.js, total\.js\nDeleted by the fix: old\.js\n/);
    assert.match(
      summary ?? "",
      /- old\.js \(deleted\)\n[^]*\n## Patch\n\n {4}Binary files a\/data\.bin and b\/data\.bin differ\n/,
    );
    assert.match(summary ?? "", /\n {4}-[^\n]*index = 1[^\n]*\n {4}\+[^\n]*index = 0/);
    assert.doesNotMatch(patch ?? "", /debug-point/);
    if (noGit) return;
    const folder = join(root, "..", "before");
    await mkdir(folder);
    await writeFile(join(folder, "old.js"), files["old.js"]);
    await writeFile(
      join(folder, "total.js"),
      probed.replaceAll(/^.*#region debug-point[^]*?#endregion.*\n/gm, ""),
    );
    await writeFile(join(folder, "fix.patch"), (patch ?? "").replace(/^Binary .*\n/, ""));
    gitIn(folder, root, "apply", "fix.patch");
    assert.deepEqual((await readdir(folder)).sort(), ["fix.patch", "new.js", "total.js"]);
    assert.equal(await readFile(join(folder, "total.js"), "utf8"), await read("total.js"));
  });

  test("names built files that git ignores and that still hold probes", { skip: noGit }, async (t) => {
    const project = await debugProject(t);
    await project.write(".gitignore", "dist/\nbundle.js\n.env.local\n");
    const { run, stop, read, write } = await walked(project, "reproducing");
    const built = (await read("total.js")).replaceAll(/^ *\/\/.*\n/gm, "").replaceAll("\n", " ");
    for (const path of ["dist/a/total.min.js", "bundle.js", ".next/server/page.js"]) await write(path, built);
    for (const path of ["dist/plain.js", ".env.local"]) await write(path, `notes of ${ID}\n`);
    await run("answer", { answer: "D" });
    await stop();
    const { notes, text } = await run("cleanup");
    assert.deepEqual(
      notes?.filter(({ code }) => code === "built-with-probes").map(({ file }) => file),
      [".next/server/page.js", "bundle.js", "dist/a/total.min.js"],
    );
    assert.match(text, /none of it is left in the code\.[^]*Build again: \.next\/, bundle\.js, dist\/$/m);
    assert.equal(await read("bundle.js"), built);
  });

  test("keeps the confirmed fix without git too, and states the cause in a page that replaces no other file", async (t) => {
    const { root, run, fails, read, write, stop } = await walkedTo(t, "cleaning");
    await stop();
    await mkdir(join(root, ".git"));
    await write("notes.html", "mine\n");
    await write(RECORD, `${await read(RECORD)}\n## Thoughts\n\nIt began on Tuesday.\n`);
    for (const report of ["notes.html", ".dbg/x.md", RECORD, ".git/x.md", "no/such/page.md"])
      assert.equal((await fails("cleanup", { report })).code, "USAGE", report);
    assert.equal(await read("notes.html"), "mine\n");
    const fixed = (await read("total.js")).replaceAll(/^.*#region debug-point[^]*?#endregion.*\n/gm, "");
    const { report, summary = "", text } = await run("cleanup", { report: "page.md" });
    assert.equal(report, join(root, "page.md"));
    assert.match(text, /\nRoot cause: The loop skips the first item\nReport: .*page\.md$/);
    assert.match(summary, /## Root cause\n\nThe loop skips the first item\n/);
    for (const part of ["The sum is wrong", "The loop begins at 0.", "sum: 1 → 7", "It began on Tuesday."])
      assert.ok(summary.includes(part) && !text.includes(part), part);
    assert.equal(await read("total.js"), fixed);
    assert.match(fixed, /index = 0/);
    const page = await read("page.md");
    assert.match(page, /# Fixed: sum-is-wrong/);
    assert.ok(page.endsWith(summary));
    assert.deepEqual((await readdir(root)).sort(), [".git", "notes.html", "page.md", "total.js"]);
  });

  test("does not close if the confirmed fix is missing, and leaves probes of another session", async (t) => {
    const { run, fails, read, replace, stop } = await walkedTo(t, "cleaning");
    await run("start", { issue: "Another bug", session: "other-bug" });
    const line =
      'fetch("http://127.0.0.1:7777/event", { method: "POST", body: "other-bug" }).catch(() => {});';
    const other = `  // #region debug-point A:x\n  ${line}\n  // #endregion\n`;
    await replace("  return sum;\n", `${other}  return sum;\n`);
    await stop();
    await replace(FIX, BUG);
    const error = await fails("cleanup", { session: ID });
    assert.equal(error.code, "DEBUG_CLEANUP_UNSAFE");
    const { findings } = error.result as CleanupOutput;
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["fix-missing"],
    );
    assert.match((await run("status", { session: ID })).text, /Step 11 of 11/);
    await replace(BUG, FIX);
    await run("cleanup", { session: ID });
    assert.ok((await read("total.js")).includes(other));
  });

  test("keeps an accepted marker, and removes the other regions of its file", async (t) => {
    const { run, fails, write, read, stop } = await walked(await debugProject(t), "instrumenting");
    const before = await read("total.js");
    const alone = "// #region debug-point D\n";
    const probe = "// #region debug-point C\n// #endregion\n";
    await write("total.js", `${probe}${before}${alone}${probe}`);
    await run("answer", { answer: "D" });
    await stop();
    assert.match((await fails("cleanup")).message, /^2 places cannot be cleaned safely and stay unchanged/);
    const { text } = await run("cleanup", { accept: ["total.js:8"] });
    assert.match(
      text,
      /none of it is left in the files except the accepted parts\.\nAccepted: total\.js:8\n/,
    );
    assert.equal(await read("total.js"), `${before}${alone}`);
  });

  test("a file that had an unpaired marker at the start accepts no probe and blocks no session", async (t) => {
    const text = "one();\n// #endregion debug-point\n";
    const { run, fails, read, write, stop } = await walkedTo(t, "reproducing", { "end.js": text });
    assert.equal((await run("check")).regions, 3);
    const probe = { hypothesis: "A", point: "end", apply: "end.js:1" };
    assert.equal((await fails("probe", probe)).code, "DEBUG_PROBE_PLACE");
    await write("end.js", `two();\n${text}`);
    assert.match((await fails("check")).message, /^end\.js:1: /);
    await run("undo");
    assert.equal(await read("end.js"), text);
    await run("answer", { answer: "D" });
    await stop();
    assert.deepEqual((await run("cleanup")).cleaned, ["total.js"]);
    assert.equal(await read("end.js"), text);
  });

  test("names each unpaired marker by file and line, and leaves that file unchanged", async (t) => {
    const walk = await walkedTo(t, "reproducing", { "end.js": "one();\n", "begin.js": "one();\n" });
    const { root, host, run, read, write, stop } = walk;
    const before = (await read("total.js")).replaceAll(/^.*#region debug-point[^]*?#endregion.*\n/gm, "");
    const lone = {
      "end.js": "one();\ntwo();\n// #endregion debug-point A:loop\n",
      "begin.js": "// #region debug-point A:loop\none();\n",
    };
    for (const [path, text] of Object.entries(lone)) await write(path, text);
    await run("answer", { answer: "D" });
    await stop();
    const { status, out, err } = await sayInProcess(["run", "runtime-debug", "cleanup"], root, {
      variables: { HOME: host.folder, SKILLCTL_STATE: host.environment.stateFolder },
    });
    assert.equal(status, 65, `${out}${err}`);
    assert.match(`${out}${err}`, /end\.js:3: A region of instrumentation ends but has not begun\./);
    assert.match(`${out}${err}`, /begin\.js:1: A region of instrumentation does not end\./);
    for (const [path, text] of Object.entries(lone)) assert.equal(await read(path), text);
    assert.equal(await read("total.js"), before);
    for (const path of Object.keys(lone)) await write(path, "one();\n");
    assert.equal((await run("cleanup")).state, "closed");
  });
});
