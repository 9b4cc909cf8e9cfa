/** What git itself would not show, or would run: flags of its index, ignore lists, filters, hooks, other repositories. */
import assert from "node:assert/strict";
import { appendFile, chmod, chown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { committed, noGit, project } from "./worktree-harness.ts";

const START = { "a.js": "let a = 1;\n", "src/b.py": "b = 1\n", "c.txt": "one\ntwo\n" };

describe("a project of git", { skip: noGit }, () => {
  test("what differed before the session began, staged or not or untracked, is how it was", async (t) => {
    const one = await committed(t, START);
    await one.write({ "a.js": "staged", "c.txt": "staged" });
    one.git("add", "--all");
    await one.write({ "a.js": "in the work tree", "untracked.js": "u" });
    await rm(join(one.root, "src/b.py"));
    const baseline = await one.begin();
    assert.deepEqual(await one.changes(baseline), []);
    assert.equal(await one.before(baseline, "a.js"), "in the work tree");
    assert.equal(await one.before(baseline, "src/b.py"), undefined);
    await one.write({ "a.js": START["a.js"], "src/b.py": START["src/b.py"], "untracked.js": "v" });
    assert.deepEqual(await one.changes(baseline), ["changed a.js", "added src/b.py", "changed untracked.js"]);
  });

  test("commits, resets, checkouts and stashes since then hide nothing", async (t) => {
    const one = await committed(t, START);
    const baseline = await one.begin();
    await one.write({ "a.js": "probe\n" });
    one.git("add", "--all");
    one.git("commit", "--quiet", "--message", "probes");
    assert.deepEqual(await one.changes(baseline), ["changed a.js"]);
    one.git("checkout", "--quiet", "-b", "other");
    await one.write({ "new.js": "n" });
    one.git("add", "--all");
    assert.deepEqual(await one.changes(baseline), ["changed a.js", "added new.js"]);
    one.git("stash", "--quiet");
    assert.deepEqual(await one.changes(baseline), ["changed a.js"]);
    one.git("reset", "--quiet", "--hard", "HEAD~1");
    assert.deepEqual(await one.changes(baseline), []);
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
      "git shows one of them, so that this test shows nothing",
    );
    assert.deepEqual(await one.changes(baseline), [
      "changed a.js",
      "added hidden.js",
      "changed src/b.py",
      "added x.ts",
    ]);
    await one.write({ ".gitignore": "*.log\n*.ts\n" });
    assert.ok((await one.changes(baseline)).includes("changed .gitignore"));
  });

  test("a file that the repository keeps although a list leaves it out is code like any other", async (t) => {
    const one = await committed(t, { "build/a.js": "one\n", "b.js": "b\n" });
    await one.write({ ".gitignore": "build/\n", "build/out.js": "out\n" });
    const baseline = await one.begin();
    assert.deepEqual(await one.changes(baseline), []);
    await one.write({ "build/a.js": "two\n", "build/out.js": "other\n" });
    assert.deepEqual(await one.changes(baseline), ["changed build/a.js"]);
    assert.equal(await one.before(baseline, "build/a.js"), "one\n");
  });

  test("the ignore lists of the start hold, of the user, the repository and each folder, the deeper the stronger", async (t) => {
    const one = await committed(t, {
      ...START,
      ".gitignore": "build/\n*.tmp\n",
      "src/.gitignore": "\uFEFF/own\r\n!keep.tmp\ndeep/*.js\n# no\n\n",
      "src/in/.gitignore": "/own\n",
    });
    await mkdir(join(one.root, ".git/info"), { recursive: true });
    await appendFile(join(one.root, ".git/info/exclude"), "mine/\n");
    one.git("config", "core.excludesFile", join(one.root, "../ignore"));
    await writeFile(join(one.root, "../ignore"), "*.swp\n");
    const baseline = await one.begin();
    await one.write({ ".gitignore": "", "src/.gitignore": "*\n" });
    const free = [
      "build/x.js",
      "mine/x.js",
      "a.swp",
      "a.tmp",
      "src/a.tmp",
      "src/own",
      "src/deep/x.js",
      "src/in/own",
    ];
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

  test("bytes count, whatever line ends, keywords and filters git is told to use, and no filter is run", async (t) => {
    const one = await committed(t, { ...START, "id.c": "/* $Id$ */\n" });
    const ran = join(one.root, "..", "ran");
    const program = `sh -c 'touch "${ran}"; cat'`;
    one.git("config", "core.autocrlf", "true");
    one.git("config", "filter.own.clean", program);
    one.git("config", "filter.own.smudge", program);
    await one.write({
      ".gitattributes": "*.c ident\n*.js filter=own\n*.txt text\n*.py working-tree-encoding=UTF-16\n",
    });
    one.git("rm", "--quiet", "--cached", "-r", ".");
    one.git("reset", "--quiet", "--hard");
    await rm(ran, { force: true });
    const before = await Promise.all(["a.js", "c.txt", "id.c", "src/b.py"].map((path) => one.read(path)));
    const baseline = await one.begin();
    assert.deepEqual(await one.changes(baseline), []);
    await one.write({ "a.js": "x", "c.txt": "one\ntwo\n", "id.c": "/* $Id: no $ */\n", "src/b.py": "x" });
    assert.deepEqual(await one.changes(baseline), [
      "changed a.js",
      "changed c.txt",
      "changed id.c",
      "changed src/b.py",
    ]);
    for (const [index, path] of ["a.js", "c.txt", "id.c", "src/b.py"].entries())
      assert.equal(await one.before(baseline, path), before[index], path);
    await assert.rejects(stat(ran), { code: "ENOENT" });
  });

  test("no program that the project names is run, and nothing in its repository is changed", async (t) => {
    const one = await committed(t, START);
    const ran = join(one.root, "..", "ran");
    const script = join(one.root, "..", "script");
    await writeFile(script, `#!/bin/sh\ntouch "${ran}"\n`, { mode: 0o755 });
    for (const key of ["core.fsmonitor", "diff.external", "core.pager", "core.sshCommand", "core.editor"])
      one.git("config", key, script);
    await mkdir(join(one.root, ".git/hooks"), { recursive: true });
    for (const hook of ["post-index-change", "reference-transaction", "post-checkout"]) {
      await writeFile(join(one.root, ".git/hooks", hook), `#!/bin/sh\ntouch "${ran}"\n`);
      await chmod(join(one.root, ".git/hooks", hook), 0o755);
    }
    const listed = async (): Promise<readonly string[]> =>
      (await readdir(join(one.root, ".git"), { recursive: true })).sort();
    const index = await one.read(".git/index");
    const names = await listed();
    const baseline = await one.begin();
    await one.write({ "a.js": "x" });
    await one.changes(baseline);
    await one.before(baseline, "a.js");
    await assert.rejects(stat(ran), { code: "ENOENT" });
    assert.deepEqual([await listed(), await one.read(".git/index")], [names, index]);
  });

  test("a submodule, a repository inside and what is in them are looked after too", async (t) => {
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

  test("before the first commit, in a second work tree and with a sparse checkout it is the same", async (t) => {
    const unborn = await project(t);
    await unborn.write(START);
    const first = await unborn.begin();
    await unborn.write({ "a.js": "x" });
    assert.deepEqual(await unborn.changes(first), ["changed a.js"]);

    const one = await committed(t, START);
    const second = { ...one, root: join(one.root, "..", "second") };
    one.git("worktree", "add", "--quiet", second.root);
    const begun = await one.worktree.begin(second.root, "login-timeout", new AbortController().signal);
    await writeFile(join(second.root, "a.js"), "x");
    const changes = await (await one.worktree.tree(second.root, begun)).changes();
    assert.deepEqual(
      changes.map(({ kind, path }) => `${kind} ${path}`),
      ["changed a.js"],
    );

    one.git("sparse-checkout", "set", "--no-cone", "/a.js");
    const sparse = await one.begin();
    assert.deepEqual(await one.changes(sparse), []);
    await one.write({ "src/b.py": START["src/b.py"] });
    assert.deepEqual(await one.changes(sparse), ["added src/b.py"]);
  });

  test(
    "a repository of somebody else, which git does not trust, is kept like a folder",
    { skip: process.getuid?.() !== 0 && "only the superuser can give a folder away" },
    async (t) => {
      const one = await committed(t, START);
      try {
        for (const path of ["", ".git"]) await chown(join(one.root, path), 12_345, 12_345);
      } catch {
        return t.skip("this superuser cannot give a folder away");
      }
      assert.throws(() => one.git("status"), /dubious ownership|unsafe repository/);
      const baseline = await one.begin();
      await one.write({ "a.js": "x" });
      assert.deepEqual(await one.changes(baseline), ["changed a.js"]);
      assert.equal(await one.before(baseline, "a.js"), START["a.js"]);
    },
  );
});
