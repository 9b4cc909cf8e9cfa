import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { body, BookHarness, EARLIER, FROM, REJECTED, VISIBLE } from "../../tests/log-store-harness.ts";

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

  test("numbers go on after a restart, a clear and a purge", async () => {
    await using harness = new BookHarness();
    let book = await harness.open();
    await book.take(body(1, 2), FROM);
    await book.clear({ purge: false });
    assert.equal((await book.take(body(3), FROM)).seq, 3);
    await harness.close(book);
    book = await harness.open();
    assert.equal(book.facts().seq, 3);
    await book.clear({ purge: true });
    await harness.close(book);
    book = await harness.open();
    assert.equal((await book.take(body(4), FROM)).seq, 4);
    assert.equal(book.facts().segment, 3);
    assert.deepEqual(harness.names(), [VISIBLE, REJECTED]);
  });

  test("a clear leaves what there was in an earlier segment", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    await book.take(body(1, 2), FROM);
    await book.clear({ purge: false });
    await book.clear({ purge: false });
    await book.take(body(3), FROM);
    assert.deepEqual(
      book.segments.map(({ number, facts }) => [number, facts.events]),
      [
        [1, 2],
        [2, 1],
      ],
    );
    assert.equal(harness.rows(EARLIER(1)).length, 2);
    assert.equal(harness.rows(VISIBLE).length, 1);
  });

  test("what is rejected is kept in the side file and counted, after a restart too", async () => {
    await using harness = new BookHarness();
    let book = await harness.open();
    const taken = await book.take(Buffer.from('{"n":1}\nnonsense\n'), FROM);
    assert.equal(taken.accepted, 0);
    assert.equal(taken.rejected.length, 1);
    assert.equal(harness.read(VISIBLE), "");
    await book.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: Buffer.from([0xff, 0xfe]) });
    assert.deepEqual(
      harness.rows(REJECTED).map((row) => [row?.["code"], row?.["text"], row?.["bytes_base64"]]),
      [
        ["DEBUG_BAD_JSON", '{"n":1}\nnonsense\n', undefined],
        ["BODY_TOO_LARGE", undefined, "//4="],
      ],
    );
    await harness.close(book);
    book = await harness.open();
    assert.equal(book.facts().rejected, 2);
  });

  test("a body that was refused as a whole leaves no secret in the side file", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    const bytes = Buffer.from('{"password":"hunter2hunter2","data":"xxx');
    await book.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes });
    assert.doesNotMatch(harness.read(REJECTED), /hunter2/);
  });

  test("listeners hear of a commit until they stop", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    let heard = 0;
    const stop = book.onCommit(() => (heard += 1));
    await book.take(body(1), FROM);
    stop();
    await book.take(body(2), FROM);
    assert.equal(heard, 1);
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
