import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { test } from "node:test";
import { codeOf, folderFor } from "./fixture-folder.ts";
import { nodeJournals } from "./journals.ts";

/** Windows has other links, modes and pipes. */
const onPosix = { skip: process.platform === "win32" };

test("a journal continues at the end of an existing file", async (t) => {
  const path = folderFor(t).file("log");
  fs.writeFileSync(path, "old\n", { mode: 0o600 });
  const journal = await nodeJournals.open(path);
  assert.deepEqual([journal.path, journal.bytes, journal.end], [path, 4, 4]);
  await journal.append("new\n");
  assert.equal(fs.readFileSync(path, "utf8"), "old\nnew\n");
  await journal.close();
});

test("only its owner can read a journal, also one that existed before", onPosix, async (t) => {
  const { file } = folderFor(t);
  const mode = (path: string): number => fs.statSync(path).mode & 0o777;
  fs.writeFileSync(file("old"), "", { mode: 0o644 });
  for (const name of ["old", "new"]) await (await nodeJournals.open(file(name))).close();
  assert.deepEqual(
    ["old", "new"].map((name) => mode(file(name))),
    [0o600, 0o600],
  );
});

/** Files of other kinds at the path of a journal. */
const TRAPS: readonly (readonly [string, (path: string, victim: string) => unknown])[] = [
  ["a link to a file", (path, victim) => fs.symlinkSync(victim, path)],
  ["a link to nothing", (path, victim) => fs.symlinkSync(`${victim}.not`, path)],
  ["a link to itself", (path) => fs.symlinkSync(path, path)],
  ["a second name of a file", (path, victim) => fs.linkSync(victim, path)],
  ["a folder", (path) => fs.mkdirSync(path)],
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a link to a device", (path) => fs.symlinkSync("/dev/full", path)],
];

for (const [what, lay] of TRAPS) {
  test(`${what} at the path of a journal is refused and not changed`, onPosix, async (t) => {
    const { path: folder, file } = folderFor(t);
    fs.writeFileSync(file("victim"), "victim\n", { mode: 0o600 });
    lay(file("log"), file("victim"));
    const before = [fs.readdirSync(folder), fs.lstatSync(file("log")).mode];
    assert.equal(await codeOf(nodeJournals.open(file("log"))), "STORAGE_UNSAFE");
    const named = what.startsWith("a second name");
    const reading = nodeJournals.openToRead(file("log")).then((reader) => reader?.close());
    assert.equal(await codeOf(reading), named ? undefined : "STORAGE_UNSAFE");
    assert.equal(
      await codeOf(nodeJournals.rename(file("log"), file("other"))),
      named ? undefined : "STORAGE_UNSAFE",
    );
    if (!named) assert.deepEqual([fs.readdirSync(folder), fs.lstatSync(file("log")).mode], before);
    assert.equal(fs.readFileSync(file("victim"), "utf8"), "victim\n");
  });
}

test("every operation refuses a folder that is a link; a link above it is accepted", onPosix, async (t) => {
  const { file } = folderFor(t);
  fs.mkdirSync(file("real/inner"), { recursive: true });
  fs.writeFileSync(file("real/log"), "x\n", { mode: 0o600 });
  fs.symlinkSync(file("real"), file("link"));
  for (const action of [
    nodeJournals.open(file("link/log")),
    nodeJournals.openToRead(file("link/log")),
    nodeJournals.rename(file("link/log"), file("link/other")),
    nodeJournals.replace(file("link/log"), file("link/other")),
  ])
    assert.equal(await codeOf(action), "STORAGE_UNSAFE");
  const journal = await nodeJournals.open(file("link/inner/log"));
  await journal.append("y\n");
  await journal.close();
  assert.equal(fs.readFileSync(file("real/inner/log"), "utf8"), "y\n");
});

test("a file of another user is refused", { skip: process.getuid?.() !== 0 }, async (t) => {
  const { file } = folderFor(t);
  fs.writeFileSync(file("log"), "theirs\n", { mode: 0o666 });
  fs.chownSync(file("log"), 65_534, 65_534);
  assert.equal(await codeOf(nodeJournals.open(file("log"))), "STORAGE_UNSAFE");
});

test("a journal in a missing folder or below a file cannot be written, and reading finds no file", async (t) => {
  const { file } = folderFor(t);
  fs.writeFileSync(file("plain"), "");
  assert.equal(await codeOf(nodeJournals.open(file("none/log"))), "FILE_UNWRITABLE");
  assert.equal(await nodeJournals.openToRead(file("none/log")), undefined);
  assert.equal(await nodeJournals.openToRead(file("none")), undefined);
  assert.equal(await codeOf(nodeJournals.open(file("plain/log"))), "STORAGE_UNSAFE");
});

test("a reader sees the content at the time when it was opened, although the journal grows", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  await journal.append("one\n");
  const reader = await nodeJournals.openToRead(path);
  await journal.append("two\n");
  assert.equal(reader?.bytes, 4);
  assert.equal(Buffer.from((await reader?.read(0, 100)) ?? []).toString(), "one\n");
  fs.truncateSync(path, 2);
  assert.equal(Buffer.from((await reader?.read(0, 100)) ?? []).toString(), "on");
  await reader?.close();
  await reader?.close();
  await journal.close();
});

test("renaming keeps the bytes and refuses an existing name, a missing file and another folder", async (t) => {
  const { file } = folderFor(t);
  fs.mkdirSync(file("sub"));
  fs.writeFileSync(file("one"), "one\n");
  fs.writeFileSync(file("two"), "two\n");
  for (const [from, to] of [
    ["one", "two"],
    ["none", "three"],
    ["one", "sub/one"],
  ] as const)
    assert.equal(await codeOf(nodeJournals.rename(file(from), file(to))), "FILE_UNWRITABLE");
  assert.equal(await codeOf(nodeJournals.rename(file("one"), file("sub"))), "STORAGE_UNSAFE");
  await nodeJournals.rename(file("one"), file("three"));
  assert.deepEqual(fs.readdirSync(file("")).sort(), ["sub", "three", "two"]);
  assert.equal(fs.readFileSync(file("three"), "utf8"), "one\n");
});

test("replacing puts one file in the place of another, and open readers of the old file continue", async (t) => {
  const { file } = folderFor(t);
  fs.writeFileSync(file("one"), "one\n");
  fs.writeFileSync(file("two"), "two\n");
  const reader = await nodeJournals.openToRead(file("two"));
  await nodeJournals.replace(file("one"), file("two"));
  assert.deepEqual(fs.readdirSync(file("")), ["two"]);
  assert.equal(fs.readFileSync(file("two"), "utf8"), "one\n");
  if (process.platform !== "win32")
    assert.equal(Buffer.from((await reader?.read(0, 9)) ?? []).toString(), "two\n");
  await reader?.close();
});
