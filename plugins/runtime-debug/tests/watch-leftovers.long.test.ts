/** What programs leave behind before the evidence may stay, as long as none of it is run in the place of code. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { noGit } from "./worktree-harness.ts";
import { begunProject } from "./watch-harness.ts";

describe("what programs leave behind", { skip: noGit }, () => {
  const python = (flags: number): Buffer =>
    Buffer.from([0xcb, 0x0d, 0x0d, 0x0a, flags, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);

  test("compiled Python stays where its source is and Python compares the two, else it goes", async (t) => {
    const project = await begunProject(t, { "mod.py": "X = 1\n", "src/pkg.py": "1\n" });
    const may = {
      "__pycache__/mod.cpython-312.pyc": python(0),
      "src/__pycache__/pkg.cpython-312.opt-1.pyc": python(0),
    };
    await project.write(may);
    assert.deepEqual((await project.look()).reverted, []);
    await project.write({ ...may, "__pycache__/mod.cpython-312.pyc": python(1) });
    assert.equal((await project.look()).reverted.length, 1, "another one under the same name");
    await project.write({
      "__pycache__/mod.cpython-313.pyc": python(1),
      "__pycache__/other.cpython-312.pyc": python(0),
      "json.pyc": python(0),
      "src/__pycache__/evil.py": "1",
    });
    const { reverted } = await project.look();
    assert.deepEqual(reverted.map(({ path }) => path).sort(), [
      "__pycache__/mod.cpython-313.pyc",
      "__pycache__/other.cpython-312.pyc",
      "json.pyc",
      "src/__pycache__/evil.py",
    ]);
    assert.ok(existsSync(join(project.root, "src/__pycache__/pkg.cpython-312.opt-1.pyc")));
  });

  test("compiled Python goes with a source that was changed", async (t) => {
    const project = await begunProject(t, { "mod.py": "X = 1\n" });
    await project.write({ "mod.py": "X = 2\n", "__pycache__/mod.cpython-312.pyc": python(0) });
    await project.look();
    assert.deepEqual(Object.keys(project.tree()), ["mod.py"]);
  });

  test("compiled Python that was there before may be made anew", async (t) => {
    for (const options of [{}, { git: false, program: false }]) {
      const project = await begunProject(
        t,
        { "mod.py": "X = 1\n", "__pycache__/mod.cpython-312.pyc": python(0) },
        options,
      );
      const anew = Buffer.concat([python(0), Buffer.from("anew")]);
      await project.write({ "__pycache__/mod.cpython-312.pyc": anew });
      assert.deepEqual((await project.look()).reverted, []);
      await project.write({ "__pycache__/mod.cpython-312.pyc": python(3) });
      assert.equal((await project.look()).reverted.length, 1);
    }
  });

  test("folders of reports are such at the top alone, and hold no code", async (t) => {
    const project = await begunProject(t, { "a.js": "1\n" });
    await project.write({
      "coverage/lcov-report/index.html": "1",
      "coverage/lcov-report/sorter.js": "1",
      "htmlcov/style.css": "1",
      "coverage/coverage-final.json": "1",
    });
    assert.deepEqual((await project.look()).reverted, []);
    await project.write({ "src/coverage/x.js": "1", "lib/coverage/data.json": "1", "coverage/x.js": "1" });
    const { reverted } = await project.look();
    assert.deepEqual(reverted.map(({ path }) => path).sort(), [
      "coverage/x.js",
      "lib/coverage/data.json",
      "src/coverage/x.js",
    ]);
  });

  test("a real Python runs no other code than its source says", async (t) => {
    const project = await begunProject(t, { "mod.py": "X = 1\n", "main.py": "import mod\nprint(mod.X)\n" });
    const forge = `
import importlib.util, py_compile
open('../forged.py', 'w').write('X = 999\\n')
py_compile.compile('../forged.py', cfile=importlib.util.cache_from_source('mod.py'),
  invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)`;
    try {
      execFileSync("python3", ["-c", forge], { cwd: project.root });
    } catch {
      return t.skip("there is no Python here");
    }
    const run = (): string => execFileSync("python3", ["main.py"], { cwd: project.root, encoding: "utf8" });
    assert.equal(run(), "999\n");
    assert.equal((await project.look()).reverted.length, 1);
    assert.equal(run(), "1\n");
    assert.deepEqual((await project.look()).reverted, []);
  });
});
