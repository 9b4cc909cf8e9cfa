/** Changes that git would not show, and programs that it would run: flags of its index, ignore lists, filters, hooks, other repositories. */
import assert from "node:assert/strict";
import { appendFile, chmod, mkdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { committed, noGit, project, type Project } from "./worktree-harness.ts";

/** No file of the commit that was checked out is left in the project. */
function forgetCommit(one: Project): void {
  one.git("add", "--all");
  one.git("commit", "--quiet", "--amend", "--message", "other");
  one.git("reflog", "expire", "--expire=now", "--all");
  one.git("gc", "--quiet", "--prune=now");
}

const START = { "a.js": "let a = 1;\n", "src/b.py": "b = 1\n", "c.txt": "one\ntwo\n" };

describe("a project of git", { skip: noGit }, () => {
  test("earlier differences count as the start, and later commits, resets and stashes hide nothing", async (t) => {
    const one = await committed(t, START);
    await one.write({ "c.txt": "staged" });
    one.git("add", "--all");
    await one.write({ "c.txt": "in the work tree", "untracked.js": "u" });
    await rm(join(one.root, "src/b.py"));
    const baseline = await one.begin();
    assert.deepEqual(await one.changes(baseline), []);
    assert.equal(await one.before(baseline, "c.txt"), "in the work tree");
    assert.equal(await one.before(baseline, "src/b.py"), undefined);
    await one.write({ "a.js": "probe\n", "src/b.py": START["src/b.py"], "untracked.js": "v" });
    const all = ["changed a.js", "added src/b.py", "changed untracked.js"];
    assert.deepEqual(await one.changes(baseline), all);
    one.git("add", "--all");
    one.git("commit", "--quiet", "--message", "probes");
    assert.deepEqual(await one.changes(baseline), all);
    one.git("reset", "--quiet", "--hard", "HEAD~1");
    assert.deepEqual(await one.changes(baseline), [
      "changed c.txt",
      "added src/b.py",
      "removed untracked.js",
    ]);
  });

  test("neither flags of the index nor new ignore rules hide a change", async (t) => {
    const one = await committed(t, { ...START, ".gitignore": "*.log\n" });
    const baseline = await one.begin();
    one.git("update-index", "--assume-unchanged", "a.js");
    one.git("update-index", "--skip-worktree", "src/b.py");
    one.git("config", "core.excludesFile", join(one.root, "../ignore"));
    await writeFile(join(one.root, "../ignore"), "*.ts\n");
    await mkdir(join(one.root, ".git/info"), { recursive: true });
    await appendFile(join(one.root, ".git/info/exclude"), "hidden.js\n");
    await one.write({ "a.js": "1", "src/b.py": "2", "hidden.js": "3", "x.ts": "4", "x.log": "5" });
    assert.equal(
      one.git("status", "--porcelain"),
      "",
      "git shows one of them, so that this test proves nothing",
    );
    assert.deepEqual(await one.changes(baseline), [
      "changed a.js",
      "added hidden.js",
      "changed src/b.py",
      "added x.ts",
    ]);
  });

  test("a tracked file that an ignore list names is code like any other", async (t) => {
    const one = await committed(t, { "build/a.js": "one\n", "b.js": "b\n" });
    await one.write({ ".gitignore": "build/\n", "build/out.js": "out\n" });
    const baseline = await one.begin();
    assert.deepEqual(await one.changes(baseline), []);
    await one.write({ "build/a.js": "two\n", "build/out.js": "other\n" });
    assert.deepEqual(await one.changes(baseline), ["changed build/a.js"]);
    assert.equal(await one.before(baseline, "build/a.js"), "one\n");
  });

  test("the ignore lists of the start apply: those of the user, the repository and each folder, with priority for deeper folders", async (t) => {
    const one = await committed(t, {
      ...START,
      ".gitignore": "build/\n*.tmp\n",
      "src/.gitignore": "\uFEFF/own\r\n!keep.tmp\ndeep/*.js\n# no\n\n",
      "src/in/.gitignore": "/own\n",
    });
    await mkdir(join(one.root, ".git/info"), { recursive: true });
    await appendFile(join(one.root, ".git/info/exclude"), "mine/\n");
    one.git("config", "--global", "core.excludesFile", join(one.root, "../ignore"));
    await writeFile(join(one.root, "../ignore"), "*.swp\n");
    const baseline = await one.begin();
    await one.write({ ".gitignore": "", "src/.gitignore": "*\n" });
    const free = "build/x.js mine/x.js a.swp a.tmp src/a.tmp src/own src/deep/x.js src/in/own".split(" ");
    const told = ["own", "src/in/keep.tmp", "src/in/deep/x.js", "src/keep.tmp", "src/x/own"];
    for (const path of [...free, ...told]) await one.write({ [path]: "x" });
    const added = told.map((path) => `added ${path}`);
    assert.deepEqual(
      await one.changes(baseline),
      ["changed .gitignore", "changed src/.gitignore", ...added].sort((a, b) =>
        a.slice(a.indexOf(" ")) < b.slice(b.indexOf(" ")) ? -1 : 1,
      ),
    );
  });

  test("files are compared byte by byte, whatever git converts; no program of the project is run, and its repository stays unchanged", async (t) => {
    const one = await committed(t, { ...START, "id.c": "/* $Id$ */\n" });
    const ran = join(one.root, "..", "ran");
    const script = join(one.root, "..", "script");
    await writeFile(script, `#!/bin/sh\ntouch "${ran}"\ncat\n`, { mode: 0o755 });
    one.git("config", "core.autocrlf", "true");
    for (const key of "filter.own.clean filter.own.smudge core.fsmonitor diff.external core.pager".split(" "))
      one.git("config", key, script);
    await one.write({
      ".gitattributes": "*.c ident\n*.js filter=own\n*.txt text\n*.py working-tree-encoding=UTF-16\n",
      ".git/hooks/post-index-change": `#!/bin/sh\ntouch "${ran}"\n`,
    });
    await chmod(join(one.root, ".git/hooks/post-index-change"), 0o755);
    one.git("rm", "--quiet", "--cached", "-r", ".");
    one.git("reset", "--quiet", "--hard");
    await rm(ran, { force: true });
    const paths = ["a.js", "c.txt", "id.c", "src/b.py"];
    const before = await Promise.all([...paths, ".git/index"].map((path) => one.read(path)));
    const baseline = await one.begin();
    assert.deepEqual(await one.changes(baseline), []);
    await one.write({ "a.js": "x", "c.txt": "one\ntwo\n", "id.c": "/* $Id: no $ */\n", "src/b.py": "x" });
    assert.deepEqual(
      await one.changes(baseline),
      paths.map((path) => `changed ${path}`),
    );
    for (const [index, path] of paths.entries())
      assert.equal(await one.before(baseline, path), before[index], path);
    await assert.rejects(stat(ran), { code: "ENOENT" });
    assert.equal(await one.read(".git/index"), before.at(-1));
  });

  test("a submodule and a nested repository are covered with their contents", async (t) => {
    const library = await committed(t, { "lib.js": "lib\n" });
    const one = await committed(t, START);
    one.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.root, "sub module");
    one.git("commit", "--quiet", "--message", "submodule");
    one.git("clone", "--quiet", library.root, "inside");
    await mkdir(join(one.root, "empty"));
    one.git("init", "--quiet", "empty");
    const baseline = await one.begin();
    assert.deepEqual(await one.changes(baseline), []);
    await one.write({
      "sub module/lib.js": "x",
      "inside/new.js": "x",
      "inside/lib.js": "y",
      "empty/first.js": "z",
    });
    one.git("clone", "--quiet", library.root, "later");
    assert.deepEqual(await one.changes(baseline), [
      "added empty/first.js",
      "changed inside/lib.js",
      "added inside/new.js",
      "added later/lib.js",
      "changed sub module/lib.js",
    ]);
    assert.equal(await one.before(baseline, "sub module/lib.js"), "lib\n");
  });

  test("the same holds before the first commit and with a broken repository", async (t) => {
    for (const broken of [false, true]) {
      const one = await project(t, { git: !broken });
      await one.write({ ...START, ...(broken && { ".git": "gitdir: nowhere\n" }) });
      const baseline = await one.begin();
      await one.write({ "a.js": "x" });
      assert.deepEqual(await one.changes(baseline), ["changed a.js"]);
    }
  });

  test("objects that git has discarded since are kept", async (t) => {
    const one = await committed(t, START);
    // Git treats files that have just been written as changed, and keeps them in any case.
    for (const path of Object.keys(START)) await utimes(join(one.root, path), 1_000_000, 1_000_000);
    const baseline = await one.begin();
    await one.write({ "a.js": "probe\n", "c.txt": "probe\n" });
    forgetCommit(one);
    assert.deepEqual(await one.changes(baseline), ["changed a.js", "changed c.txt"]);
    for (const [path, text] of Object.entries(START)) assert.equal(await one.before(baseline, path), text);
    await rm(join(one.root, ".git"), { recursive: true });
    assert.equal(await one.before(baseline, "a.js"), START["a.js"]);
  });

  test("a new folder that hides itself by its own ignore list is added all the same", async (t) => {
    const one = await committed(t, { ...START, ".gitignore": "dist/\n*.log\n" });
    await one.write({ "src/old.log": "old", "src/x.js": "x", "own/.gitignore": "*\n", "own/y.js": "y" });
    const baseline = await one.begin();
    assert.deepEqual(await one.changes(baseline), []);
    await one.write({
      "dbgtools/.gitignore": "*\n",
      "dbgtools/in/util.js": "u",
      "own/later.js": "y",
      "dist/.gitignore": "*\n",
      "dist/made.js": "m",
      ".pytest_cache/.gitignore": "*\n",
      ".pytest_cache/x.py": "x",
      "src/.gitignore": "/hidden.js\n/.gitignore\n",
      "src/hidden.js": "h",
    });
    assert.deepEqual(await one.changes(baseline), [
      "added dbgtools/.gitignore",
      "added dbgtools/in/util.js",
      "added src/.gitignore",
      "added src/hidden.js",
    ]);
  });
});
