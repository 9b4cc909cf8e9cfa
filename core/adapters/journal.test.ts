import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codeOf, folderFor } from "./fixture-folder.ts";
import { nodeJournals } from "./journals.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

test("the caller may change a chunk after append has returned", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  const chunk = Buffer.from("kept\n");
  const appended = journal.append(chunk);
  chunk.fill("x");
  await appended;
  assert.equal(readFileSync(path, "utf8"), "kept\n");
  await journal.close();
});

test("a chunk that would make over 32 MiB pending is refused at once, and pending ones are stored", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  const chunk = Buffer.alloc(16 << 20, 10);
  const taken = [journal.append(chunk), journal.append(chunk)];
  assert.equal(await codeOf(journal.append("x")), "STORAGE_BUSY");
  await Promise.all(taken);
  await journal.append("x");
  assert.equal(journal.bytes, (32 << 20) + 1);
  await journal.close();
});

test("durable bytes can be read by offset, and pending ones cannot", async (t) => {
  const journal = await nodeJournals.open(folderFor(t).file("log"));
  await journal.append(`0123456789\n${"x".repeat(200_000)}\n`);
  assert.equal(text(await journal.read(3, 4)), "3456");
  assert.equal((await journal.read(5, 150_000)).length, 150_000);
  assert.equal(text(await journal.read(200_010, 1000)), "x\n");
  assert.equal((await journal.read(200_012, 1)).length, 0);
  const later = journal.append("later\n");
  assert.equal((await journal.read(200_012, 100)).length, 0);
  await later;
  assert.equal(text(await journal.read(200_012, 100)), "later\n");
  await journal.close();
});

test("cutting removes the end, and the next line begins there", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  await journal.append("one\ntwo\n");
  await journal.cut(4);
  assert.deepEqual([journal.bytes, journal.end, readFileSync(path, "utf8")], [4, 4, "one\n"]);
  const meanwhile = journal.cut(4);
  const three = journal.append("three\n");
  await Promise.all([meanwhile, three]);
  assert.equal(readFileSync(path, "utf8"), "one\nthree\n");
  await journal.close();
});

test("cutting beyond the end or during an append is refused and changes nothing", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  await journal.append("one\n");
  assert.equal(await codeOf(journal.cut(5)), "INTERNAL");
  const waiting = journal.append("two\n");
  assert.equal(await codeOf(journal.cut(0)), "INTERNAL");
  await waiting;
  assert.equal(readFileSync(path, "utf8"), "one\ntwo\n");
  await journal.close();
});

test("closing waits for pending chunks, and appends and reads are refused afterwards", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  const appended = journal.append("a\n");
  await Promise.all([journal.close(), journal.close()]);
  await appended;
  assert.equal(readFileSync(path, "utf8"), "a\n");
  assert.equal(await codeOf(journal.append("b\n")), "STORAGE_FAILED");
  assert.equal(await codeOf(journal.cut(0)), "STORAGE_FAILED");
  assert.equal(await codeOf(journal.verify()), "STORAGE_FAILED");
  assert.equal(await codeOf(journal.read(0, 1)), "FILE_UNREADABLE");
});
