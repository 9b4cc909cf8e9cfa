/** Looks at code that must lose nothing, leave nothing behind and end in time. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { chmod, lstat, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Files } from "skillctl";
import { fixedClock } from "skillctl/testing";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { noGit } from "./worktree-harness.ts";
import { begunProject, watchedProject } from "./watch-harness.ts";

const onPosix = { skip: process.platform === "win32" };
const LARGE = Buffer.alloc(5_000_000, 1);

/** File functions of which one does something before it goes on, each time that a path ends so. */
function disturbed(name: "list" | "move", disturb: (path: string) => void): Files {
  const done = nodeFiles[name] as (path: string, ...rest: unknown[]) => Promise<unknown>;
  const changed = async (path: string, ...rest: unknown[]): Promise<unknown> => {
    const answer = name === "list" ? await done(path, ...rest) : undefined;
    disturb(path);
    return name === "list" ? answer : done(path, ...rest);
  };
  return { ...nodeFiles, [name]: changed };
}

describe("a look at code", { skip: noGit }, () => {
  test("a removed file is seen although another one that was lost is there again", async (t) => {
    const project = await begunProject(t, { "big.bin": LARGE, "other.js": "1\n" });
    await rm(join(project.root, "big.bin"));
    assert.equal((await project.look()).stuck.length, 1);
    await project.write({ "big.bin": LARGE });
    await project.look();
    await rm(join(project.root, "other.js"));
    assert.deepEqual(
      (await project.look()).reverted.map(({ path }) => path),
      ["other.js"],
    );
    await rm(join(project.root, "big.bin"));
    assert.equal((await project.look()).stuck.length, 1, "lost again is told again");
  });

  test("a new folder goes as a whole, with one move, however much is in it", async (t) => {
    let moves = 0;
    const files = disturbed("move", () => {
      moves += 1;
    });
    const project = await begunProject(t, { "a.js": "1\n" }, { files });
    await project.write(
      Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`new/sub${n % 3}/f${n}.js`, "1\n"])),
    );
    const { reverted, stuck } = await project.look();
    assert.deepEqual([reverted.length, stuck, moves], [300, [], 1]);
    assert.ok(reverted.every(({ keptAt = "" }) => existsSync(keptAt)));
    assert.equal(existsSync(join(project.root, "new")), false);
  });

  test("what may stay in a new folder stays when the rest goes", async (t) => {
    const project = await begunProject(t, { "a.js": "1\n", ".gitignore": "made/\n" });
    await project.write({ "new/x.js": "1", "new/app.log": "1", "new/in/y.js": "1", "new/made/z.js": "1" });
    assert.deepEqual((await project.look()).stuck, []);
    assert.deepEqual(Object.keys(project.tree()), [".gitignore", "a.js", "new/app.log", "new/made/z.js"]);
    await project.write({ "new/x.js": "1" });
    await project.look();
    assert.deepEqual(Object.keys(project.tree()), [".gitignore", "a.js", "new/app.log", "new/made/z.js"]);
  });

  test("a repository that was cloned into the project leaves nothing behind, not even its own data", async (t) => {
    const project = await watchedProject(t);
    await project.write({ "a.js": "1\n", ".gitignore": "*.tmp\n" });
    project.git("add", "--all");
    project.git("commit", "--quiet", "--message", "first");
    await project.begin();
    for (const name of ["clone", "mixed"]) {
      project.git("clone", "--quiet", ".", `sub/${name}`);
      if (name === "mixed") await project.write({ "sub/mixed/app.log": "1" });
      const { reverted } = await project.look();
      const paths = reverted.map(({ path }) => path);
      assert.ok(paths.includes(`sub/${name}/a.js`) && paths.includes(`sub/${name}/.git`), paths.join());
      assert.equal(existsSync(join(project.root, "sub", name, ".git")), false);
    }
    assert.deepEqual(Object.keys(project.tree()), [".gitignore", "a.js", "sub/mixed/app.log"]);
  });

  test("a file that comes into a new folder while it is cleared away is not lost", async (t) => {
    let come: (() => void) | undefined;
    const files = disturbed("list", (path) => {
      if (!path.endsWith("/new")) return;
      come?.();
      come = undefined;
    });
    const moving: Files = {
      ...files,
      move: async (from, to) => {
        await nodeFiles.move(from, to);
        if (from.endsWith("/new")) come?.();
      },
    };
    const project = await begunProject(t, { "a.js": "1\n" }, { files: moving });
    const { root } = project;
    await project.write({ "new/x.js": "1\n" });
    come = () => {
      mkdirSync(join(root, "new"), { recursive: true });
      writeFileSync(join(root, "new", "precious.js"), "mine\n");
    };
    const { reverted } = await project.look();
    const kept =
      reverted.find(({ path }) => path === "new/precious.js")?.keptAt ?? join(root, "new/precious.js");
    assert.equal(await readFile(kept, "utf8"), "mine\n");
  });

  test("no file outside is moved when its folder becomes a link meanwhile", onPosix, async (t) => {
    let swap: (() => void) | undefined;
    const files = disturbed("move", (path) => {
      if (!path.endsWith("/src/x.js")) return;
      swap?.();
      swap = undefined;
    });
    const project = await begunProject(t, { "src/a.js": "1\n" }, { files });
    const { folder, root } = project;
    const outside = join(folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "x.js"), "of the user\n");
    await project.write({ "src/x.js": "1\n" });
    swap = () => {
      renameSync(join(root, "src"), join(folder, "src-before"));
      symlinkSync(outside, join(root, "src"));
    };
    const { stuck } = await project.look();
    assert.equal(await readFile(join(outside, "x.js"), "utf8"), "of the user\n");
    assert.match(stuck.join(), /src\/x\.js could not be put back: .*a link/);
    assert.deepEqual(Object.keys(project.tree()), ["src/a.js"]);
  });

  test("no file outside is written when a folder becomes a link meanwhile", onPosix, async (t) => {
    let swap: (() => void) | undefined;
    const files: Files = {
      ...nodeFiles,
      addName: async (path, further) => {
        await nodeFiles.addName(path, further);
        swap?.();
        swap = undefined;
      },
    };
    const project = await begunProject(t, { "src/a.js": "1\n" }, { files });
    const { folder, root } = project;
    const outside = join(folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "a.js"), "of the user\n");
    await project.write({ "src/a.js": "2\n" });
    swap = () => {
      renameSync(join(root, "src"), join(folder, "src-before"));
      symlinkSync(outside, join(root, "src"));
    };
    await project.look();
    assert.equal(await readFile(join(outside, "a.js"), "utf8"), "of the user\n");
    assert.equal(await readFile(join(root, "src", "a.js"), "utf8"), "1\n");
  });

  test("folders come back with the rights that they had", onPosix, async (t) => {
    const project = await watchedProject(t);
    await project.write({ "src/deep/a.js": "1\n", "lib/b.js": "1\n" });
    await chmod(join(project.root, "src"), 0o700);
    await chmod(join(project.root, "src", "deep"), 0o750);
    await project.begin();
    for (const name of ["src", "lib"]) await rm(join(project.root, name), { recursive: true });
    await project.look();
    const modes = ["src", "src/deep", "lib"].map(
      async (name) => (await lstat(join(project.root, name))).mode,
    );
    assert.deepEqual(
      (await Promise.all(modes)).map((mode) => mode & 0o700),
      [0o700, 0o700, 0o700],
    );
    assert.equal((await lstat(join(project.root, "src"))).mode & 0o077, 0);
    assert.equal((await lstat(join(project.root, "src", "deep"))).mode & 0o007, 0);
  });

  test("a look that takes long stops, says how much is left, and the next one goes on", async (t) => {
    const clock = fixedClock();
    const files: Files = {
      ...nodeFiles,
      replace: async (path, content, mode) => {
        await nodeFiles.replace(path, content, mode);
        if (path.endsWith(".js")) clock.advance(1_000);
      },
    };
    const texts = (text: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${n}.js`, text]));
    const project = await begunProject(t, texts("1\n"), { files, clock });
    const before = project.tree();
    await project.write(texts("2\n"));
    const first = await project.look();
    const { length } = first.reverted;
    assert.ok(length > 2 && length < 10, `${length}`);
    assert.match(first.stuck.join(), new RegExp(`^${10 - length} more`));
    const second = await project.look();
    assert.deepEqual([second.reverted.length, second.stuck.length], [10 - length, 0]);
    assert.deepEqual(project.tree(), before);
  });

  test("what a look that was killed has put back is recorded, and told by the next one", async (t) => {
    let left = Infinity;
    const files: Files = {
      ...nodeFiles,
      replace: async (path, content, mode) => {
        if (path.endsWith(".js")) left -= 1;
        if (left < 0) throw new Error("dead");
        return nodeFiles.replace(path, content, mode);
      },
    };
    const texts = (text: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}.js`, text]));
    const project = await begunProject(t, texts("1\n"), { files });
    await project.write(texts("2\n"));
    left = 45;
    await assert.rejects(project.look(), /dead/);
    left = Infinity;
    const [one] = await project.watch.sessions.list();
    assert.ok((one?.reverted.length ?? 0) > 0);
    const { reverted } = await project.look();
    assert.equal(reverted.length, 15 + (one?.reverted.length ?? 0));
    assert.deepEqual((await project.look()).reverted, []);
  });

  test("code is left alone when the evidence has come while the look was waiting", async (t) => {
    const project = await begunProject(t, { "a.js": "1\n" });
    await project.write({ "a.js": "2\n" });
    const { watch, root, entry } = project;
    const looked = await watch.look(root, entry(), { current: async () => undefined });
    assert.deepEqual(looked.reverted, []);
    assert.equal(await readFile(join(root, "a.js"), "utf8"), "2\n");
    const again = await watch.look(root, entry(), { current: async () => entry() });
    assert.equal(again.reverted.length, 1);
  });
});
