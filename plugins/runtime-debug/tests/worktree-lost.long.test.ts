/** What a session needs of the code before outlives what git, other programs and other names of a file do to it. */
import assert from "node:assert/strict";
import { chmod, chown, link, lstat, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Programs } from "skillctl";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { nodePrograms } from "../../../core/adapters/programs.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import { refuseMuch } from "../worktree/plain-images.ts";
import { Worktree } from "../worktree/worktree.ts";
import { committed, noGit, project, type Project } from "./worktree-harness.ts";

const START = { "a.js": "let a = 1;\n", "b.js": "let b = 1;\n", "c.js": "let c = 1;\n" };
const onPosix = { skip: process.platform === "win32" };

/** Nothing of the commit that was checked out is left in the project. */
function forgetCommit(one: Project): void {
  one.git("add", "--all");
  one.git("commit", "--quiet", "--amend", "--message", "other");
  one.git("reflog", "expire", "--expire=now", "--all");
  one.git("gc", "--quiet", "--prune=now");
}

describe("git has thrown away what was committed at the start", { skip: noGit }, () => {
  test("the image of a file is a copy of its own", async (t) => {
    const one = await committed(t, START);
    // What has just been written git takes for changed, and keeps in any case.
    for (const path of Object.keys(START)) await utimes(join(one.root, path), 1_000_000, 1_000_000);
    const baseline = await one.begin();
    await one.write({ "a.js": "probe\n", "b.js": "probe\n" });
    forgetCommit(one);
    assert.deepEqual(await one.changes(baseline), ["changed a.js", "changed b.js"]);
    for (const [path, text] of Object.entries(START)) assert.equal(await one.before(baseline, path), text);
    await rm(join(one.root, ".git"), { recursive: true });
    assert.equal(await one.before(baseline, "a.js"), START["a.js"]);
  });
});

describe("a new folder that hides itself from git", { skip: noGit }, () => {
  test("by an ignore list of its own is added all the same", async (t) => {
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

describe("what cannot be kept", { skip: noGit }, () => {
  test("is told with its number", async (t) => {
    const one = await project(t, {});
    await one.write({
      ...START,
      "large.sql": Buffer.alloc(5_000_000),
      "larger.sql": Buffer.alloc(6_000_000),
    });
    const told: string[] = [];
    const note = (sentence: string): void => void told.push(sentence);
    await one.worktree.begin(one.root, "login-timeout", new AbortController().signal, note);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /^2 files are not looked after/);
  });

  test("a git add that is ended ends the start, in place of leaving files without an image", async (t) => {
    const one = await project(t, { git: false });
    await one.write(START);
    const environment = testEnvironment(join(one.root, ".."), { PATH: process.env["PATH"] });
    const programs = nodePrograms(environment);
    const run: Programs["run"] = async (wanted) => {
      const end = await programs.run(wanted);
      return wanted.args.includes("add") ? { ...end, status: undefined } : end;
    };
    const worktree = new Worktree(nodeFiles, { ...programs, run }, environment);
    const begun = worktree.begin(one.root, "login-timeout", new AbortController().signal);
    await assert.rejects(begun, { code: "PROGRAM_FAILED", message: /git add failed/ });
  });

  test("without git more than 128 MiB are refused before anything is copied", () => {
    const file = { path: "a", kind: "file", bytes: 2 ** 27, modifiedMs: 0, changedMs: 0, inode: 1 } as const;
    refuseMuch("/home", [file]);
    assert.throws(() => refuseMuch("/home", [file, file]), { code: "STORAGE_UNSAFE", hint: /install git/ });
  });

  test("a copy of the code is not made once nobody waits for it", async (t) => {
    const one = await project(t, { git: false, program: false });
    await one.write(START);
    const begun = one.worktree.begin(one.root, "login-timeout", AbortSignal.abort());
    await assert.rejects(begun, { code: "CANCELLED" });
  });

  test("skillctl's own folder inside the project is left out without git too", async (t) => {
    const one = await project(t, { git: false, program: false });
    await one.write(START);
    const around = join(one.root, "..");
    const baseline = await one.worktree.begin(around, "login-timeout", new AbortController().signal);
    assert.ok(baseline.images.startsWith(around));
    await one.write({ "a.js": "x" });
    const changes = await (await one.worktree.tree(around, baseline)).changes();
    assert.deepEqual(
      changes.map(({ kind, path }) => `${kind} ${path}`),
      ["changed project/a.js"],
    );
  });
});

describe("writing a file of the project", onPosix, () => {
  const asRoot = process.getuid?.() === 0 ? false : "only the superuser can give a file away";

  test("keeps whose it is, and all of its mode", { skip: asRoot }, async (t) => {
    const one = await project(t, { git: false });
    await one.write({ "a.sh": "old" });
    const path = join(one.root, "a.sh");
    try {
      await chown(path, 1234, 1235);
    } catch {
      return t.skip("this system lets nobody give a file away");
    }
    await chmod(path, 0o4755);
    await one.worktree.write(one.root, "a.sh", "new");
    const { uid, gid, mode } = await stat(path);
    assert.deepEqual([uid, gid, mode & 0o7777], [1234, 1235, 0o4755]);
    assert.equal(await readFile(path, "utf8"), "new");
  });

  test("a file with another name is not parted from it", async (t) => {
    const one = await project(t, { git: false });
    await one.write({ "a.js": "old" });
    await link(join(one.root, "a.js"), join(one.root, "..", "other"));
    await assert.rejects(one.worktree.write(one.root, "a.js", "new"), {
      code: "STORAGE_UNSAFE",
      message: /has 2 names/,
    });
    assert.equal(await one.read("a.js"), "old");
    await rm(join(one.root, "..", "other"));
    await one.worktree.write(one.root, "a.js", "new");
    assert.equal((await lstat(join(one.root, "a.js"))).nlink, 1);
    await writeFile(join(one.root, "b.js"), "");
    assert.equal(await one.read("a.js"), "new");
  });
});
