import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codeOf, folderFor } from "./fixture-journal.ts";
import { nodeJournals } from "./journals.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

test("what is handed over in one turn shares one promise, later chunks get another one", async (t) => {
  const journal = await nodeJournals.open(folderFor(t).file("log"));
  const first = journal.append("a\n");
  assert.equal(journal.append("b\n"), first);
  await first;
  const second = journal.append("c\n");
  assert.notEqual(second, first);
  await second;
  await journal.close();
});

test("a chunk may be changed by its owner once it has been handed over", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  const chunk = Buffer.from("kept\n");
  const appended = journal.append(chunk);
  chunk.fill("x");
  await appended;
  assert.equal(readFileSync(path, "utf8"), "kept\n");
  await journal.close();
});

test("chunks of megabytes and of a few bytes go out together, unmixed", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  const chunks = Array.from({ length: 24 }, (_, index) =>
    index % 3 === 0 ? Buffer.alloc(1 << 20, 97 + index) : `${index}é\n`,
  );
  await Promise.all(chunks.map((chunk) => journal.append(chunk)));
  const whole = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as string)));
  assert.equal(Buffer.compare(readFileSync(path), whole), 0);
  await journal.close();
});

test("a long text of characters that take three bytes is stored whole", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  const long = `${"世".repeat(100_000)}\n`;
  await Promise.all([journal.append(long), journal.append("a\n"), journal.append(long)]);
  assert.equal(readFileSync(path, "utf8"), `${long}a\n${long}`);
  await journal.close();
});

test("more than 32 MiB does not wait: that chunk is refused at once, and what waits is stored", async (t) => {
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

test("bytes that last can be read by place, exactly, and those that wait cannot", async (t) => {
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

test("cutting takes the end off, and the next line begins there", async (t) => {
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

test("closing waits for a cut", async (t) => {
  const path = folderFor(t).file("log");
  const journal = await nodeJournals.open(path);
  await journal.append("one\ntwo\n");
  const order: string[] = [];
  const cut = journal.cut(4).then(() => order.push("cut"));
  await Promise.all([cut, journal.close().then(() => order.push("closed"))]);
  assert.deepEqual([order, readFileSync(path, "utf8")], [["cut", "closed"], "one\n"]);
});

test("cutting to more than there is, or while something waits, is refused and changes nothing", async (t) => {
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

test("closing waits for what was handed over, and nothing is taken or read afterwards", async (t) => {
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
