import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { body, BookHarness, FROM, VISIBLE } from "../../tests/log-store-harness.ts";

describe("a log store", () => {
  test("an answer comes when the events are in the file, numbered in the order in which they came", async () => {
    await using harness = new BookHarness();
    const book = await harness.open({ durability: "sync" });
    const taken = await Promise.all([book.take(body("a", "b"), FROM), book.take(body("c"), FROM)]);
    assert.deepEqual(
      taken.map(({ accepted, seq }) => [accepted, seq]),
      [
        [2, 2],
        [1, 3],
      ],
    );
    assert.deepEqual(
      harness.rows(VISIBLE).map((row) => [row?.["n"], row?.["_seq"]]),
      [
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ],
    );
  });

  test("bodies that come while a clear is under way are wholly before or wholly after it", async () => {
    await using harness = new BookHarness();
    const book = await harness.open({ durability: "sync" });
    const bodies = Array.from({ length: 40 }, (_, n) => body(`${n}a`, `${n}b`, `${n}c`));
    await Promise.all(
      bodies.map(async (bytes, n) => {
        const taken = book.take(bytes, FROM);
        if (n % 10 === 5) await book.clear({ purge: false });
        await taken;
      }),
    );
    const segments = [...harness.names()]
      .filter((name) => name.includes("-log-"))
      .map((name) => harness.rows(name));
    const seen = segments.map((rows) => rows.map((row) => String(row?.["n"])));
    assert.equal(seen.flat().length, 120);
    for (const names of seen) assert.equal(names.length % 3, 0);
    const seqs = book.segments
      .flatMap(({ path }) => harness.rows(path.slice(harness.folder.length + 1)))
      .map((row) => row?.["_seq"]);
    assert.deepEqual(
      seqs,
      Array.from({ length: 120 }, (_, n) => n + 1),
    );
  });

  test("an earlier log of another tool is segment 0 and stays as it is", async () => {
    await using harness = new BookHarness();
    const name = "trae-debug-log-test-session.ndjson";
    harness.write(name, '{"msg":"old"}\n');
    const book = await harness.open();
    await book.take(body(1), FROM);
    await book.clear({ purge: true });
    assert.deepEqual(
      book.segments.map(({ number, facts }) => [number, facts.events]),
      [
        [0, 1],
        [2, 0],
      ],
    );
    assert.equal(harness.read(name), '{"msg":"old"}\n');
  });

  test("a link in the place of the log is refused", async () => {
    await using harness = new BookHarness();
    harness.write("victim", "");
    fs.symlinkSync(harness.path("victim"), harness.path(VISIBLE));
    await assert.rejects(harness.open(), { code: "STORAGE_UNSAFE" });
  });
});
