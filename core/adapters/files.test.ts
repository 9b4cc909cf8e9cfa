import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  realpath,
  readdir,
  readlink,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { effort } from "../../contract-tests/harness.ts";
import { SkillError } from "../errors/skill-error.ts";
import { nodeFiles } from "./files.ts";
import { folderFor } from "./fixture-folder.ts";

/** Windows has other modes and links. */
const onPosix = { skip: process.platform === "win32" };

/** A folder on another file system than the temporary folder, if there is one. */
const OTHER = "/dev/shm";

test("a missing path is undefined, also below a path that is not a folder", async (t) => {
  const folder = folderFor(t).path;
  await writeFile(join(folder, "file"), "text");
  for (const path of [join(folder, "missing"), join(folder, "no", "where"), join(folder, "file", "below")]) {
    assert.equal(await nodeFiles.readText(path), undefined);
    assert.equal(await nodeFiles.readBytes(path), undefined);
    assert.equal(await nodeFiles.facts(path), undefined);
  }
  assert.equal(await nodeFiles.list(join(folder, "no", "where")), undefined);
  for (const path of [join(folder, "file"), join(folder, "file", "below")])
    await assert.rejects(nodeFiles.list(path), { code: "FILE_UNREADABLE", file: path });
});

test("an unreadable file is an error that names the path and the reason", onPosix, async (t) => {
  const folder = folderFor(t).path;
  const loop = join(folder, "loop");
  await symlink(loop, loop);
  const unreadable = { code: "FILE_UNREADABLE" };
  await assert.rejects(nodeFiles.readText(folder), {
    ...unreadable,
    file: folder,
    message: `${folder} is not a regular file.`,
  });
  await assert.rejects(nodeFiles.readBytes(loop), {
    ...unreadable,
    file: loop,
    message: `${loop} cannot be read (ELOOP).`,
  });
  await assert.rejects(nodeFiles.list(loop), unreadable);
  const caught: unknown = await nodeFiles.readText(loop).catch((error: unknown) => error);
  assert.ok(caught instanceof SkillError && caught.cause instanceof Error);
});

test("the metadata of a link describes the link, not its target", onPosix, async (t) => {
  const folder = folderFor(t).path;
  await writeFile(join(folder, "file"), "12345");
  await symlink("file", join(folder, "link"));
  await symlink("nowhere", join(folder, "dangling"));
  const facts = await nodeFiles.facts(join(folder, "file"));
  assert.deepEqual([facts?.kind, facts?.bytes], ["file", 5]);
  assert.equal(facts?.modifiedMs, (await stat(join(folder, "file"))).mtimeMs);
  assert.equal((await nodeFiles.facts(folder))?.kind, "folder");
  assert.equal((await nodeFiles.facts(folder))?.own, true);
  for (const mode of [0o600, 0o644, 0o755]) {
    await chmod(join(folder, "file"), mode);
    assert.equal((await nodeFiles.facts(join(folder, "link")))?.kind, "other");
    assert.equal((await nodeFiles.facts(join(folder, "file")))?.mode, mode);
  }
  assert.equal(await nodeFiles.realPath(join(folder, "link")), await realpath(join(folder, "file")));
  assert.equal(await nodeFiles.realPath(join(folder, "dangling")), undefined);
  assert.equal((await nodeFiles.facts(join(folder, "link")))?.kind, "other");
  assert.equal((await nodeFiles.facts(join(folder, "dangling")))?.kind, "other");
});

test(
  "a folder is created with its parents for its owner only, and creating it again changes nothing",
  onPosix,
  async (t) => {
    const folder = join(folderFor(t).path, "a", "b");
    await nodeFiles.makeFolder(folder);
    await writeFile(join(folder, "file"), "");
    await nodeFiles.makeFolder(folder);
    assert.deepEqual(await readdir(folder), ["file"]);
    for (const path of [folder, join(folder, "..")]) assert.equal((await stat(path)).mode & 0o777, 0o700);
    await assert.rejects(nodeFiles.makeFolder(join(folder, "file")), { code: "FILE_UNWRITABLE" });
  },
);

test("a reader sees the old text or the new one, never a mixture, while the file is replaced many times", async (t) => {
  const folder = folderFor(t).path;
  const path = join(folder, "file");
  const text = (round: number): string => `${String(round).padStart(4, "0")}\n`.repeat(20_000);
  await nodeFiles.replace(path, text(0));
  const progress = { writing: true };
  let mixed = 0;
  const seen = new Set<string>();
  const read = async (): Promise<void> => {
    while (progress.writing) {
      const found = (await nodeFiles.readText(path)) ?? "";
      const first = found.slice(0, 5);
      if (found !== first.repeat(20_000)) mixed += 1;
      seen.add(first);
    }
  };
  const readers = [read(), read()];
  const rounds = effort(40, 200);
  for (let round = 1; round <= rounds; round += 1) await nodeFiles.replace(path, text(round));
  progress.writing = false;
  await Promise.all(readers);
  assert.equal(mixed, 0);
  assert.ok(seen.size > 2, `only ${seen.size} different texts were read`);
  assert.deepEqual(await readdir(folder), ["file"]);
});

test("a later write removes temporary files of killed processes that are over an hour old, and no younger ones", async (t) => {
  const folder = folderFor(t).path;
  const old = new Date(Date.now() - 3_700_000);
  const names = [".old.skillctl-new", ".young.skillctl-new", ".old", "old.skillctl-new"];
  for (const name of names) {
    await writeFile(join(folder, name), "");
    if (!name.includes("young")) await utimes(join(folder, name), old, old);
  }
  await mkdir(join(folder, ".folder.skillctl-new"));
  await utimes(join(folder, ".folder.skillctl-new"), old, old);
  await nodeFiles.replace(join(folder, "file"), "new");
  assert.deepEqual(await readdir(folder), [
    ".folder.skillctl-new",
    ".old",
    ".young.skillctl-new",
    "file",
    "old.skillctl-new",
  ]);
});

test("replacing a link puts a file in its place and leaves the target unchanged", onPosix, async (t) => {
  const folder = folderFor(t).path;
  const [victim, path] = [join(folder, "victim"), join(folder, "link")];
  await writeFile(victim, "mine");
  await symlink("victim", path);
  await nodeFiles.replace(path, "new");
  assert.equal(await readFile(victim, "utf8"), "mine");
  assert.equal(await readFile(path, "utf8"), "new");
  assert.equal((await lstat(path)).isSymbolicLink(), false);
});

test("a replaced file has exactly the requested mode, whatever the old mode was", onPosix, async (t) => {
  const path = join(folderFor(t).path, "file");
  await writeFile(path, "old", { mode: 0o644 });
  await nodeFiles.replace(path, "new");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await nodeFiles.replace(path, "newer", 0o640);
  assert.equal((await stat(path)).mode & 0o777, 0o640);
});

test(
  "creating a file follows no link, not even a dangling one, and a missing folder is an error",
  onPosix,
  async (t) => {
    const folder = folderFor(t).path;
    await symlink("nowhere", join(folder, "link"));
    assert.equal(await nodeFiles.create(join(folder, "link"), "x"), false);
    assert.equal(await readlink(join(folder, "link")), "nowhere");
    assert.deepEqual(await readdir(folder), ["link"]);
    await assert.rejects(nodeFiles.create(join(folder, "missing", "file"), "x"), { code: "FILE_UNWRITABLE" });
  },
);

test(
  "removing deletes a file, a folder with its content, or a link alone; a missing path is not an error",
  onPosix,
  async (t) => {
    const folder = folderFor(t).path;
    await mkdir(join(folder, "full", "inner"), { recursive: true });
    await mkdir(join(folder, "kept"));
    await writeFile(join(folder, "kept", "file"), "x");
    await symlink("kept", join(folder, "link"));
    for (const name of ["full", "link", "missing"]) await nodeFiles.remove(join(folder, name));
    assert.deepEqual(await readdir(folder), ["kept"]);
    assert.deepEqual(await readdir(join(folder, "kept")), ["file"]);
    await nodeFiles.remove(join(folder, "kept", "file"));
    assert.deepEqual(await readdir(join(folder, "kept")), []);
  },
);

test("reading a pipe is refused at once and does not block", onPosix, async (t) => {
  const pipe = folderFor(t).file("pipe");
  execFileSync("mkfifo", [pipe]);
  const refused = { code: "FILE_UNREADABLE", message: /is not a regular file/ };
  await assert.rejects(nodeFiles.readText(pipe), refused);
  await assert.rejects(nodeFiles.readBytes(pipe), refused);
});

test("reading many files keeps their order, and missing files are undefined", async (t) => {
  const folder = folderFor(t).path;
  const bytes = Buffer.alloc(200_000, 0xfe);
  await writeFile(join(folder, "large"), bytes);
  await writeFile(join(folder, "empty"), "");
  const paths = ["large", "missing", "empty", join("large", "below")].map((name) => join(folder, name));
  const [large, missing, empty, below] = await nodeFiles.readMany(paths);
  assert.ok(large && Buffer.compare(large, bytes) === 0);
  assert.equal(empty?.byteLength, 0);
  assert.deepEqual([missing, below], [undefined, undefined]);
});

test("reading many files opens no link, pipe or folder", onPosix, async (t) => {
  const folder = folderFor(t).path;
  await writeFile(join(folder, "file"), "text");
  await symlink(join(folder, "file"), join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const paths = ["link", "pipe", ""].map((name) => join(folder, name));
  assert.deepEqual(await nodeFiles.readMany(paths), [undefined, undefined, undefined]);
  const marks = await nodeFiles.marks([...paths, "file", "missing"].map((name) => resolve(folder, name)));
  assert.deepEqual(
    marks.map((mark) => mark?.kind),
    ["link", "other", "folder", "file", undefined],
  );
  assert.equal(marks[3]?.bytes, 4);
  assert.equal(await nodeFiles.linkTarget(join(folder, "link")), join(folder, "file"));
  for (const name of ["file", "missing"])
    assert.equal(await nodeFiles.linkTarget(join(folder, name)), undefined);
});

test("a survey lists everything below a folder except folders, and enters only the selected ones", async (t) => {
  const folder = folderFor(t).path;
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

test("moving a file or folder works across file systems and keeps links", onPosix, async (t) => {
  const folder = folderFor(t).path;
  const hasOther = existsSync(OTHER) && statSync(OTHER).dev !== statSync(folder).dev;
  for (const parent of [folder, ...(hasOther ? [folderFor(t, OTHER).path] : [])]) {
    const from = join(folder, "from");
    await mkdir(join(from, "below"), { recursive: true });
    await writeFile(join(from, "below", "run"), "text", { mode: 0o755 });
    await symlink("below/run", join(from, "link"));
    const to = join(parent, "to");
    await nodeFiles.move(from, to);
    assert.equal(await readFile(join(to, "below", "run"), "utf8"), "text");
    assert.equal((await lstat(join(to, "below", "run"))).mode & 0o777, 0o755);
    assert.equal(await readlink(join(to, "link")), "below/run");
    assert.equal(existsSync(from), false);
  }
});

test("a new link has the given target, and an existing file is not overwritten", onPosix, async (t) => {
  const folder = folderFor(t).path;
  await nodeFiles.makeLink(join(folder, "link"), "../somewhere");
  assert.equal(await readlink(join(folder, "link")), "../somewhere");
  await assert.rejects(nodeFiles.makeLink(join(folder, "link"), "x"), { code: "FILE_UNWRITABLE" });
  await assert.rejects(nodeFiles.move(join(folder, "missing"), join(folder, "to")), {
    code: "FILE_UNWRITABLE",
  });
});
