/** New files in folders that nobody looks into otherwise. */
import assert from "node:assert/strict";
import { chmod, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { noGit } from "./worktree-harness.ts";
import { watchedProject } from "./watch-harness.ts";

describe("a new file in a folder of logs or of a tool", { skip: noGit }, () => {
  const rows: readonly (readonly [name: string, before: Readonly<Record<string, string>>])[] = [
    ["that was not there", {}],
    ["that was there", { ".dbg/svc-debug-log-sum-is-wrong.ndjson": "", ".dbg/.gitignore": "*\n" }],
  ];
  for (const [name, before] of rows)
    test(`${name} is taken out when it is code, and stays when the server or the tool keeps it`, async (t) => {
      const project = await watchedProject(t);
      await project.write({ "total.js": "1\n", ".gitignore": "*.log\n", ...before });
      await project.begin();
      const own = {
        ".dbg/.gitignore": "*\n",
        ".dbg/notes.txt": "x",
        ".dbg/other-one.env": "x",
        ".dbg/sum-is-wrong.server.json": "{}",
        ".dbg/svc-debug-log-sum-is-wrong.1.ndjson": "{}\n",
        ".dbg/svc-debug-log-sum-is-wrong.idx": "x",
        ".pytest_cache/.gitignore": "*\n",
        ".pytest_cache/v/cache/lastfailed": "{}",
        ".mypy_cache/3.11/app.data.json": "{}",
      };
      const code = {
        ".dbg/evil.js": "x",
        ".dbg/in/notes.txt": "x",
        "src/.dbg/evil.js": "x",
        ".cache/x.js": "x",
        ".pytest_cache/conftest.py": "x",
      };
      await project.write({ ...own, ...code });
      await symlink("..", join(project.root, ".dbg", "src"));
      const { reverted, stuck } = await project.look();
      assert.deepEqual(reverted.map(({ path }) => path).sort(), [...Object.keys(code), ".dbg/src"].sort());
      assert.deepEqual(stuck, []);
      for (const path of Object.keys(own)) assert.ok(path in project.tree(), path);
      assert.deepEqual((await project.look()).reverted, []);
    });
});

const skip = noGit || (process.platform === "win32" && "files have no such bits");

test("the bits that say as whom a file runs are put back, and told", { skip }, async (t) => {
  const project = await watchedProject(t);
  await project.write({ "a.sh": "echo 1\n", "b.sh": "echo 1\n" });
  await chmod(join(project.root, "b.sh"), 0o4755);
  await project.begin();
  const modes = () =>
    Promise.all(["a.sh", "b.sh"].map(async (name) => (await stat(join(project.root, name))).mode & 0o7777));
  const before = await modes();
  await chmod(join(project.root, "a.sh"), 0o4644);
  await chmod(join(project.root, "b.sh"), 0o755);
  const { reverted, stuck } = await project.look();
  assert.deepEqual([reverted.map(({ path }) => path).sort(), stuck], [["a.sh", "b.sh"], []]);
  assert.deepEqual(await modes(), before);
  assert.deepEqual((await project.look()).reverted, []);
});
