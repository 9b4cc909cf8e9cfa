/** What a look at the code puts back, and what it leaves. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFile, chmod, lstat, open, readFile, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Files } from "skillctl";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { noGit } from "./worktree-harness.ts";
import { watchedProject, type WatchedProject } from "./watch-harness.ts";

const CODE = "let sum = 0;\n";
const onPosix = { skip: process.platform === "win32" };

/** `changed a.js`, sorted. */
async function put(project: WatchedProject): Promise<readonly string[]> {
  const { reverted, stuck } = await project.look();
  assert.deepEqual(stuck, []);
  return reverted.map(({ kind, path }) => `${kind} ${path}`).sort();
}

describe("a look at code that git knows", { skip: noGit }, () => {
  test("a change of the same length within one tick of the clock is seen, with its time set back", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": CODE });
    const { atime, mtime } = await lstat(join(project.root, "a.js"));
    await project.begin();
    await project.write({ "a.js": "let sum = 1;\n" });
    await utimes(join(project.root, "a.js"), atime, mtime);
    assert.deepEqual(await put(project), ["changed a.js"]);
    await project.write({ "a.js": "let sum = 2;\n" });
    assert.deepEqual(await put(project), ["changed a.js"]);
    assert.equal(await readFile(join(project.root, "a.js"), "utf8"), CODE);
  });

  test("what was ignored at the beginning may be written, also where nothing of it was there yet", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": CODE, ".gitignore": "dist/\n*.tmp\n!kept.tmp\nout\n", "dist/a.js": "1" });
    await appendFile(join(project.root, ".git", "info", "exclude"), "local/\n");
    await project.begin();
    const may = {
      "dist/a.js": "2",
      "dist/b/c.js": "1",
      "src/x.tmp": "1",
      out: "1",
      "lib/out/x.js": "1",
      "local/x.js": "1",
    };
    await project.write(may);
    assert.deepEqual(await put(project), []);
    await project.write({ ...may, "dist/b/c.js": "3", "lib/out/y.js": "1" });
    assert.deepEqual(await put(project), []);
    await project.write({ "kept.tmp": "1", "lib/x.js": "1" });
    assert.deepEqual(await put(project), ["added kept.tmp", "added lib/x.js"]);
  });

  test("no ignore list that is written later hides anything, and what it had ignored stays ignored", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": CODE, ".gitignore": "dist/\n", "own/.gitignore": ".gitignore\nx.tmp\n" });
    await project.begin();
    await project.write({ ".gitignore": "", "dist/a.js": "1", "new/.gitignore": "*\n", "new/b.js": "1" });
    await project.write({
      "new/deep/.gitignore": "c.js\n",
      "new/deep/c.js": "1",
      "own/.gitignore": "x.js\n",
    });
    assert.deepEqual(await put(project), [
      "added new/.gitignore",
      "added new/b.js",
      "added new/deep/.gitignore",
      "added new/deep/c.js",
      "changed .gitignore",
      "changed own/.gitignore",
    ]);
    await rm(join(project.root, ".gitignore"));
    await project.write({ "dist/b.js": "1" });
    assert.deepEqual(await put(project), ["removed .gitignore"]);
    assert.equal(await readFile(join(project.root, "dist", "b.js"), "utf8"), "1");
  });

  test("a folder in which only all that is there is ignored may get no code", async (t) => {
    const project = await watchedProject(t);
    await project.write({
      "a.js": CODE,
      ".gitignore": "*.log\n/all/*\n",
      "logs/one.log": "1",
      "all/x.js": "1",
      "self/.gitignore": "*\n",
    });
    await project.begin();
    await project.write({ "logs/two.log": "1", "logs/one.log": "2", "all/y.js": "1", "self/z.js": "1" });
    assert.deepEqual(await put(project), []);
    await project.write({ "logs/code.js": "1" });
    assert.deepEqual(await put(project), ["added logs/code.js"]);
  });

  test("a file that git tracks in a folder that it ignores is looked after, its neighbours are not", async (t) => {
    const project = await watchedProject(t);
    await project.write({ ".gitignore": "vendor/\n", "vendor/patched.js": CODE, "vendor/other.js": CODE });
    project.git("add", ".gitignore");
    project.git("add", "-f", "vendor/patched.js");
    await project.begin();
    await project.write({ "vendor/patched.js": "1", "vendor/other.js": "1", "vendor/new.js": "1" });
    assert.deepEqual(await put(project), ["changed vendor/patched.js"]);
    await rm(join(project.root, "vendor"), { recursive: true });
    assert.deepEqual(await put(project), ["removed vendor/patched.js"]);
  });

  test("the same in a folder in which all that is there is ignored", async (t) => {
    const project = await watchedProject(t);
    await project.write({
      ".gitignore": "*.gen.js\n",
      "out/a.gen.js": CODE,
      "more/b.gen.js": CODE,
      "more/c.gen.js": CODE,
    });
    project.git("add", ".gitignore");
    project.git("add", "-f", "out/a.gen.js", "more/b.gen.js");
    project.git("commit", "--quiet", "--message", "first");
    await project.begin();
    await project.write({
      "out/a.gen.js": "1",
      "more/b.gen.js": "1",
      "more/c.gen.js": "1",
      "more/d.gen.js": "1",
    });
    assert.deepEqual(await put(project), ["changed more/b.gen.js", "changed out/a.gen.js"]);
  });

  test("a repository inside has rules of its own", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": CODE, "inner/b.js": CODE, "inner/.gitignore": "made/\n" });
    execFileSync("git", ["init", "--quiet", join(project.root, "inner")]);
    await project.begin();
    await project.write({ "inner/b.js": "1", "inner/made/x.js": "1", "inner/c.js": "1" });
    assert.deepEqual(await put(project), ["added inner/c.js", "changed inner/b.js"]);
    await rm(join(project.root, "inner", ".git"), { recursive: true });
    await project.write({ "inner/b.js": "2" });
    assert.deepEqual(await put(project), ["changed inner/b.js"]);
  });

  test("stash, reset and another branch change the tree, and it comes back", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": "old\n" });
    project.git("add", "--all");
    project.git("commit", "--quiet", "--message", "first");
    await project.write({ "a.js": CODE, "b.js": CODE });
    await project.begin();
    const before = project.tree();
    for (const words of [
      ["stash", "--include-untracked"],
      ["reset", "--quiet", "--hard"],
      ["clean", "-fdq"],
    ]) {
      project.git(...words);
      assert.notDeepEqual(project.tree(), before);
      assert.ok((await project.look()).reverted.length > 0);
      assert.deepEqual(project.tree(), before, words.join(" "));
    }
  });

  test("a file over 4 MiB cannot be put back: that is told once, and again when it has changed again", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "large.bin": Buffer.alloc(5_000_000, 1), "gone.bin": Buffer.alloc(5_000_000, 1) });
    await project.begin();
    assert.deepEqual((await project.look()).stuck, []);
    await appendFile(join(project.root, "large.bin"), "x");
    await rm(join(project.root, "gone.bin"));
    const { stuck } = await project.look();
    assert.deepEqual(
      new Set(stuck.map((sentence) => sentence.split(" ")[0])),
      new Set(["gone.bin", "large.bin"]),
    );
    assert.deepEqual((await project.look()).stuck, []);
    await appendFile(join(project.root, "large.bin"), "x");
    assert.equal((await project.look()).stuck.length, 1);
  });

  test("a new file over 4 MiB is set aside too", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": CODE });
    await project.begin();
    await project.write({ "large.js": Buffer.alloc(5_000_000, 1) });
    const [one] = (await project.look()).reverted;
    assert.equal((await readFile(one?.keptAt ?? "")).byteLength, 5_000_000);
  });

  test("what somebody writes all the time is told as such, and is put back once he has ended", async (t) => {
    let isWriting = true;
    const files: Files = {
      ...nodeFiles,
      replace: async (path, content, mode) => {
        await nodeFiles.replace(path, content, mode);
        if (isWriting && path.endsWith("/a.js")) await appendFile(path, "x\n");
      },
    };
    const project = await watchedProject(t, { files });
    await project.write({ "a.js": CODE });
    await project.begin();
    await project.write({ "a.js": "1\n" });
    const { reverted, stuck } = await project.look();
    assert.deepEqual([reverted.length, stuck], [3, ["a.js is still being written"]]);
    isWriting = false;
    assert.deepEqual(await put(project), ["changed a.js"]);
    assert.equal(await readFile(join(project.root, "a.js"), "utf8"), CODE);
  });

  test(
    "what a writer with an open file adds after it was put back is kept with the rest",
    onPosix,
    async (t) => {
      const project = await watchedProject(t);
      await project.write({ "a.js": CODE });
      await project.begin();
      const file = await open(join(project.root, "a.js"), "a");
      t.after(() => file.close());
      await file.write("one\n");
      const [one] = (await project.look()).reverted;
      await file.write("two\n");
      assert.equal(await readFile(one?.keptAt ?? "", "utf8"), `${CODE}one\ntwo\n`);
      assert.deepEqual(await put(project), []);
    },
  );

  test("rights come back: those to run it with a word, others without one", onPosix, async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": CODE, "run.sh": "#!/bin/sh\n" });
    await chmod(join(project.root, "run.sh"), 0o755);
    await project.begin();
    const before = project.tree();
    await chmod(join(project.root, "a.js"), 0o600);
    await chmod(join(project.root, "run.sh"), 0o644);
    assert.deepEqual(await put(project), ["changed run.sh"]);
    assert.deepEqual(project.tree(), before);
    await chmod(join(project.root, "a.js"), 0);
    await put(project);
    assert.deepEqual(project.tree(), before);
  });

  test("files that were touched, or saved again as they were, are left alone", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": CODE, "b.js": CODE });
    await project.begin();
    const inode = (await lstat(join(project.root, "a.js"))).ino;
    await utimes(join(project.root, "a.js"), new Date(), new Date());
    await project.write({ "b.js": CODE });
    assert.deepEqual(await put(project), []);
    assert.equal((await lstat(join(project.root, "a.js"))).ino, inode);
  });

  test("the session's own files, logs and what programs leave behind may come", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": CODE });
    await project.begin();
    await project.write({
      "debug-sum-is-wrong.md": "# Record\n",
      ".dbg/x.env": "A=1\n",
      "logs/.gitignore": "*\n",
      "logs/svc-debug-log-sum-is-wrong.ndjson": "{}\n",
      "app.log": "1",
      "data.sqlite-wal": "1",
      "node_modules/x/index.js": "1",
    });
    assert.deepEqual(await put(project), []);
    await project.write({ "logs/x.js": "1", "other/.gitignore": "*\n", "other/x.js": "1" });
    assert.deepEqual(await put(project), ["added logs/x.js", "added other/.gitignore", "added other/x.js"]);
  });
});

for (const program of [true, false])
  test(`without ${program ? "a repository" : "git"} folders of tools are left out, and all else is looked after`, async (t) => {
    if (program && noGit !== false) return t.skip(noGit);
    const project = await watchedProject(t, { git: false, program });
    await project.write({ "a.js": CODE, "src/b.js": CODE, "node_modules/x.js": "1" });
    await project.begin();
    const before = project.tree();
    await project.write({ "a.js": "1", "src/b.js": "1", "src/new.js": "1", "more/.gitignore": "*\n" });
    assert.deepEqual(await put(project), [
      "added more/.gitignore",
      "added src/new.js",
      "changed a.js",
      "changed src/b.js",
    ]);
    assert.deepEqual(project.tree(), before);
    await project.write({ "node_modules/y/y.js": "1" });
    assert.deepEqual(await put(project), []);
  });
