import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { nodeFiles } from "./files.ts";

/** Links and pipes are not the same on Windows. */
const onPosix = { skip: process.platform === "win32" };

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-many-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test("the bytes of many files come in their order, and what is missing is undefined", async (t) => {
  const folder = await folderFor(t);
  const bytes = Buffer.alloc(200_000, 0xfe);
  await writeFile(join(folder, "large"), bytes);
  await writeFile(join(folder, "empty"), "");
  const paths = ["large", "missing", "empty", join("large", "below")].map((name) => join(folder, name));
  const [large, missing, empty, below] = await nodeFiles.readMany(paths);
  assert.ok(large && Buffer.compare(large, bytes) === 0);
  assert.equal(empty?.byteLength, 0);
  assert.deepEqual([missing, below], [undefined, undefined]);
});

test("of many files neither a link nor a pipe is opened, nor a folder", onPosix, async (t) => {
  const folder = await folderFor(t);
  await writeFile(join(folder, "file"), "text");
  await symlink(join(folder, "file"), join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const paths = ["link", "pipe", ""].map((name) => join(folder, name));
  assert.deepEqual(await nodeFiles.readMany(paths), [undefined, undefined, undefined]);
  const marks = await nodeFiles.marks(paths);
  assert.deepEqual(
    marks.map((mark) => mark?.kind),
    ["link", "other", "folder"],
  );
  assert.equal(await nodeFiles.linkTarget(join(folder, "link")), join(folder, "file"));
  for (const name of ["file", "missing"])
    assert.equal(await nodeFiles.linkTarget(join(folder, name)), undefined);
});

test("a file that was written again has another mark, also when its time was set back", async (t) => {
  const folder = await folderFor(t);
  const path = join(folder, "file");
  await writeFile(path, "one");
  const { atime, mtime } = await stat(path);
  const [mark, missing] = await nodeFiles.marks([path, join(folder, "missing")]);
  assert.deepEqual([mark?.kind, mark?.bytes, missing], ["file", 3, undefined]);
  // Two changes within one tick of the clock of the file system would look like none.
  for (;;) {
    await writeFile(path, "two");
    await utimes(path, atime, mtime);
    const [now] = await nodeFiles.marks([path]);
    if (now?.changedMs !== mark?.changedMs) break;
  }
});

test("a survey names everything below a folder but folders, and enters only those that it is told to", async (t) => {
  const folder = await folderFor(t);
  await mkdir(join(folder, "a", "b"), { recursive: true });
  await mkdir(join(folder, "skipped"));
  for (const name of ["top", "a/one", "a/b/größe", "skipped/x"]) await writeFile(join(folder, name), name);
  const asked: string[] = [];
  const found = await nodeFiles.survey(folder, (name, path) => {
    asked.push(`${name} ${path}`);
    return name !== "skipped";
  });
  assert.deepEqual(found?.map(({ path, kind, bytes }) => `${path} ${kind} ${bytes}`).sort(), [
    "a/b/größe file 11",
    "a/one file 5",
    "top file 3",
  ]);
  assert.deepEqual(asked.sort(), ["a a", "b a/b", "skipped skipped"]);
  assert.equal(await nodeFiles.survey(join(folder, "missing"), () => true), undefined);
});

test("what somebody else has written can be waited for, and a missing file is a fault", async (t) => {
  const folder = await folderFor(t);
  await writeFile(join(folder, "file"), "text", { mode: 0o444 });
  await nodeFiles.settle(folder);
  if (process.platform !== "win32") await nodeFiles.settle(join(folder, "file"));
  await assert.rejects(nodeFiles.settle(join(folder, "missing")), { code: "FILE_UNWRITABLE" });
});
