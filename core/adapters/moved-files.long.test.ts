import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { nodeFiles } from "./files.ts";

/** Links and pipes are not the same on Windows. */
const onPosix = { skip: process.platform === "win32" };
/** A file system beside that of the temporary folder, where there is one. */
const OTHER = "/dev/shm";

async function folderFor(t: TestContext, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, "skillctl-moved-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function filled(folder: string): Promise<string> {
  const from = join(folder, "from");
  await mkdir(join(from, "below"), { recursive: true });
  await writeFile(join(from, "below", "run"), "text");
  await chmod(join(from, "below", "run"), 0o755);
  await symlink("below/run", join(from, "link"));
  return from;
}

async function expectFilled(to: string): Promise<void> {
  assert.equal(await readFile(join(to, "below", "run"), "utf8"), "text");
  assert.equal((await lstat(join(to, "below", "run"))).mode & 0o777, 0o755);
  assert.equal(await readlink(join(to, "link")), "below/run");
}

test("a folder is moved with all that is in it, links as links", onPosix, async (t) => {
  const folder = await folderFor(t);
  const from = await filled(folder);
  await nodeFiles.move(from, join(folder, "to"));
  await expectFilled(join(folder, "to"));
  assert.equal(existsSync(from), false);
});

test("to another file system it is copied first, and a pipe goes", onPosix, async (t) => {
  const folder = await folderFor(t);
  if (!existsSync(OTHER) || statSync(OTHER).dev === statSync(folder).dev)
    return t.skip("one file system only");
  const other = await folderFor(t, OTHER);
  const from = await filled(folder);
  execFileSync("mkfifo", [join(from, "pipe")]);
  await nodeFiles.move(from, join(other, "to"));
  await expectFilled(join(other, "to"));
  assert.equal(existsSync(from), false);
  assert.equal(existsSync(join(other, "to", "pipe")), false);
});

test("what somebody writes while a folder goes to another file system is not lost", onPosix, async (t) => {
  const folder = await folderFor(t);
  if (!existsSync(OTHER) || statSync(OTHER).dev === statSync(folder).dev)
    return t.skip("one file system only");
  const other = await folderFor(t, OTHER);
  const from = join(folder, "from");
  await mkdir(from);
  for (let number = 0; number < 2_000; number += 1) writeFileSync(join(from, `old-${number}`), "");
  const write = `
    const { writeFileSync } = require("node:fs");
    let number = 0;
    try {
      for (; number < 20000; number += 1) {
        writeFileSync(process.argv[1] + "/new-" + number, "");
        if (number === 0) process.stderr.write("begun");
      }
    } catch {}
    process.stdout.write(String(number));`;
  const writer = spawn(process.execPath, ["-e", write, from]);
  let said = "";
  writer.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(writer.stderr, "data");
  await nodeFiles.move(from, join(other, "to"));
  if (writer.exitCode === null) await once(writer, "close");
  const written = Number(said);
  assert.ok(written > 0);
  const there = new Set(
    [from, join(other, "to")].flatMap((one) => (existsSync(one) ? readdirSync(one) : [])),
  );
  const lost = Array.from({ length: written }, (_, number) => `new-${number}`).filter(
    (name) => !there.has(name),
  );
  assert.deepEqual(lost, []);
});

test("a link says what it was told to, and what stands there is not overwritten", onPosix, async (t) => {
  const folder = await folderFor(t);
  await nodeFiles.makeLink(join(folder, "link"), "../somewhere");
  assert.equal(await readlink(join(folder, "link")), "../somewhere");
  await assert.rejects(nodeFiles.makeLink(join(folder, "link"), "x"), { code: "FILE_UNWRITABLE" });
  await assert.rejects(nodeFiles.move(join(folder, "missing"), join(folder, "to")), {
    code: "FILE_UNWRITABLE",
  });
});

test("names that are no UTF-8 are surveyed, entered and moved", onPosix, async (t) => {
  const folder = await folderFor(t);
  const strange = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]);
  try {
    await mkdir(strange);
  } catch {
    return t.skip("the file system takes no such name");
  }
  await writeFile(Buffer.concat([strange, Buffer.from("/"), Buffer.from([0xfe, 0x61])]), "text");
  const [found, ...more] = (await nodeFiles.survey(folder, () => true)) ?? [];
  assert.deepEqual([found?.path, found?.bytes, more.length], ["\uFFFD/\uFFFDa", 4, 0]);
  await nodeFiles.move(join(folder, found?.path ?? ""), join(folder, "moved"));
  assert.equal(await readFile(join(folder, "moved"), "utf8"), "text");
  assert.deepEqual(
    (await nodeFiles.survey(folder, () => true))?.map(({ path }) => path),
    ["moved"],
  );
});

test("a name that really holds the replacement character is that file", async (t) => {
  const folder = await folderFor(t);
  await writeFile(join(folder, "\uFFFD"), "text");
  await nodeFiles.move(join(folder, "\uFFFD"), join(folder, "moved"));
  assert.equal(await readFile(join(folder, "moved"), "utf8"), "text");
});
