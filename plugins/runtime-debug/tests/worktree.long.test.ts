/** Differences from the code at the start of a session, with git, without git, and hidden from git. */
import assert from "node:assert/strict";
import { chmod, chown, link, lstat, mkdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Programs } from "skillctl";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { nodeJournals } from "../../../core/adapters/journals.ts";
import { nodePrograms } from "../../../core/adapters/programs.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import { refuseMuch } from "../worktree/plain-images.ts";
import { Worktree } from "../worktree/worktree.ts";
import { noGit, project, type Project } from "./worktree-harness.ts";

const onPosix = { skip: process.platform === "win32" };
const START = { "a.js": "let a = 1;\n", "src/b.py": "b = 1\n", "c d/ü.txt": "c\r\n" };
/** As bytes: every one of them must be kept. */
const ODD = Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x80, 0x24, 0x49, 0x64, 0x24]);

const KINDS: Readonly<Record<string, { readonly git?: boolean; readonly program?: boolean }>> = {
  "in a project of git": {},
  "in a folder without a repository": { git: false },
  "without the program git": { git: false, program: false },
};

for (const [where, kind] of Object.entries(KINDS)) {
  describe(where, { skip: kind.program !== false && noGit }, () => {
    test("nothing differs at the start, and afterwards exactly the changed, added and removed files", async (t) => {
      const one = await project(t, kind);
      await one.write({ ...START, "odd.bin": ODD });
      const baseline = await one.begin();
      assert.deepEqual(await one.changes(baseline), []);
      await one.write({ "a.js": "let a = 2;\n", "new/x.js": "x\n", "c d/ü.txt": "c\n" });
      await rm(join(one.root, "src"), { recursive: true });
      assert.deepEqual(await one.changes(baseline), [
        "changed a.js",
        "changed c d/ü.txt",
        "added new/x.js",
        "removed src/b.py",
      ]);
      assert.equal(await one.before(baseline, "a.js"), "let a = 1;\n");
      assert.equal(await one.before(baseline, "src/b.py"), "b = 1\n");
      assert.equal(await one.before(baseline, "new/x.js"), undefined);
      assert.equal(await one.before(baseline, "odd.bin"), ODD.toString("latin1"));
    });

    test("a touched file counts as unchanged, and a changed file of the same length with its old time does not", async (t) => {
      const one = await project(t, kind);
      await one.write(START);
      const { atime, mtime } = await stat(join(one.root, "a.js"));
      const baseline = await one.begin();
      await utimes(join(one.root, "src/b.py"), new Date(0), new Date(0));
      await chmod(join(one.root, "src/b.py"), 0o755);
      await one.write({ "a.js": "let a = 7;\n" });
      await utimes(join(one.root, "a.js"), atime, mtime);
      assert.deepEqual(await one.changes(baseline), ["changed a.js"]);
    });

    test(
      "a link in place of a file or the reverse, also with the same text, and a link with another target are found",
      onPosix,
      async (t) => {
        const one = await project(t, kind);
        await one.write({ ...START, same: "a.js" });
        for (const path of ["link", "text"]) await symlink("a.js", join(one.root, path));
        const baseline = await one.begin();
        await rm(join(one.root, "text"));
        await one.write({ text: "a.js" });
        for (const [path, target] of Object.entries({
          "a.js": "/etc/hostname",
          link: "src/b.py",
          same: "a.js",
        })) {
          await rm(join(one.root, path));
          await symlink(target, join(one.root, path));
        }
        assert.deepEqual(await one.changes(baseline), [
          "changed a.js",
          "changed link",
          "changed same",
          "changed text",
        ]);
        assert.equal(await one.before(baseline, "a.js"), START["a.js"]);
      },
    );

    test("a file over 4 MiB is not compared, and one that has grown beyond that has changed", async (t) => {
      const one = await project(t, kind);
      await one.write({ "large.sql": Buffer.alloc(5_000_000, "x"), "small.sql": "x" });
      const told: string[] = [];
      const { signal } = new AbortController();
      const baseline = await one.worktree.begin(one.root, "login-timeout", signal, (line) => told.push(line));
      assert.match(told.join(), /^1 file is not compared/);
      await one.write({ "large.sql": "short", "small.sql": Buffer.alloc(5_000_000) });
      assert.deepEqual(await one.changes(baseline), ["changed small.sql"]);
      assert.equal(await one.before(baseline, "small.sql"), "x");
    });

    test("omitted files are kept from the moment of the first request", async (t) => {
      const one = await project(t, kind);
      const path = "node_modules/lib/index.js";
      await one.write({ [path]: "lib\n", ".gitignore": "node_modules\n" });
      const baseline = await one.begin();
      await (await one.worktree.tree(one.root, baseline)).keep(path);
      assert.deepEqual(await one.changes(baseline), []);
      await one.write({ [path]: "lib 2\n", "helper.js": "x" });
      for (const later of [path, "helper.js"])
        await (await one.worktree.tree(one.root, baseline)).keep(later);
      assert.deepEqual(await one.changes(baseline), ["added helper.js", `changed ${path}`]);
      assert.equal(await one.before(baseline, path), "lib\n");
    });
  });
}

describe("writing", () => {
  test(
    "a file keeps its mode, a link is followed, and nothing outside the project is written",
    onPosix,
    async (t) => {
      const one: Project = await project(t, { git: false });
      await one.write({ "run.sh": "old" });
      await chmod(join(one.root, "run.sh"), 0o755);
      await symlink("run.sh", join(one.root, "link"));
      await one.worktree.write(one.root, "link", "new");
      assert.equal(await one.read("run.sh"), "new");
      assert.ok((await lstat(join(one.root, "link"))).isSymbolicLink());
      assert.equal((await stat(join(one.root, "run.sh"))).mode & 0o777, 0o755);
      const outside = join(one.root, "..", "outside.txt");
      await writeFile(outside, "theirs");
      await symlink(outside, join(one.root, "way-out"));
      await symlink("..", join(one.root, "up"));
      await mkdir(join(one.root, "folder"));
      for (const path of ["../outside.txt", "way-out", "up/outside.txt", "up/new.txt", "folder", ""])
        await assert.rejects(one.worktree.write(one.root, path, "ours"), { code: "STORAGE_UNSAFE" }, path);
      assert.equal((await stat(outside)).size, 6);
    },
  );

  const asRoot = process.getuid?.() === 0 ? false : "only the superuser can give a file away";

  test("a file keeps its owner and its full mode", { skip: asRoot }, async (t) => {
    const one = await project(t, { git: false });
    await one.write({ "a.sh": "old" });
    const path = join(one.root, "a.sh");
    try {
      await chown(path, 1234, 1235);
    } catch {
      return t.skip("this system does not allow a change of owner");
    }
    await chmod(path, 0o4755);
    await one.worktree.write(one.root, "a.sh", "new");
    const { uid, gid, mode } = await stat(path);
    assert.deepEqual([uid, gid, mode & 0o7777], [1234, 1235, 0o4755]);
    assert.equal(await one.read("a.sh"), "new");
  });

  test("a file keeps its hard links", async (t) => {
    const one = await project(t, { git: false });
    await one.write({ "a.js": "old" });
    await link(join(one.root, "a.js"), join(one.root, "..", "other"));
    await assert.rejects(one.worktree.write(one.root, "a.js", "new"), {
      code: "STORAGE_UNSAFE",
      message: /has 2 hard links/,
    });
    assert.equal(await one.read("a.js"), "old");
    await rm(join(one.root, "..", "other"));
    await one.worktree.write(one.root, "a.js", "new");
    assert.equal(await one.read("a.js"), "new");
  });
});

describe("a start that cannot keep the code", () => {
  test("a start fails if its git add is ended, instead of leaving files without an image", async (t) => {
    const one = await project(t, { git: false });
    await one.write(START);
    const environment = testEnvironment(join(one.root, ".."), { PATH: process.env["PATH"] });
    const programs = nodePrograms(environment);
    const run: Programs["run"] = async (wanted) => {
      const end = await programs.run(wanted);
      return wanted.args.includes("add") ? { ...end, status: undefined } : end;
    };
    const worktree = new Worktree(nodeFiles, { ...programs, run }, environment, nodeJournals);
    const begun = worktree.begin(one.root, "login-timeout", new AbortController().signal);
    await assert.rejects(begun, { code: "PROGRAM_FAILED", message: /git add was ended/ });
  });

  test("without git more than 128 MiB are refused before anything is copied", () => {
    const file = { path: "a", kind: "file", bytes: 2 ** 27, modifiedMs: 0, changedMs: 0, inode: 1 } as const;
    refuseMuch("/home", [file]);
    assert.throws(() => refuseMuch("/home", [file, file]), { code: "STORAGE_UNSAFE", hint: /install git/ });
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

test(
  "a folder with spaces, quotes and a line end in its name is like any other",
  { skip: noGit || onPosix.skip },
  async (t) => {
    const one = await project(t, { name: "a 'b' \"c\"\n#d" });
    await one.write(START);
    one.git("add", "--all");
    one.git("commit", "--quiet", "--message", "first");
    const baseline = await one.begin();
    await one.write({ "a.js": "x", 'n\ne\tw "q".js': "y" });
    assert.deepEqual(await one.changes(baseline), ["changed a.js", 'added n\ne\tw "q".js']);
    assert.equal(await one.before(baseline, "a.js"), START["a.js"]);
  },
);
