import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { body, BookHarness, EARLIER, FROM, REJECTED, VISIBLE } from "../../tests/log-store-harness.ts";

/** A log of three events, as bytes. */
const LOG = Buffer.from('{"n":"one","_seq":1}\n{"n":"zwölf","_seq":2}\n{"n":"three","_seq":3}\n');

const names = (harness: BookHarness): readonly unknown[] => harness.rows(VISIBLE).map((row) => row?.["n"]);

describe("a log that was cut off", () => {
  test("at any byte keeps each whole line, and what follows is on a line of its own", async () => {
    const ends = [...LOG.entries()].filter(([, byte]) => byte === 10).map(([at]) => at);
    for (let length = 0; length <= LOG.length; length += 1) {
      await using harness = new BookHarness();
      harness.write(VISIBLE, LOG.subarray(0, length));
      const book = await harness.open();
      const { seq } = await book.take(body("next"), FROM);
      // A line is whole without its line feed too.
      const whole = ends.filter((end) => end <= length).length;
      assert.deepEqual(
        names(harness),
        [...["one", "zwölf", "three"].slice(0, whole), "next"],
        `at ${length}`,
      );
      assert.equal(seq, whole + 1, `at ${length}`);
      const torn = length > 0 && !ends.includes(length) && !ends.includes(length - 1);
      assert.equal(book.facts().rejected, torn ? 1 : 0, `at ${length}`);
      assert.equal(book.facts().events, whole + 1);
      const start = (ends.findLast((end) => end < length) ?? -1) + 1;
      if (torn) assert.equal(tornText(harness), LOG.subarray(start, length).toString(), `at ${length}`);
    }
  });

  test("in more than is kept of a torn line says how much that is", async () => {
    await using harness = new BookHarness();
    harness.write(VISIBLE, Buffer.concat([LOG, Buffer.alloc(70_000, "x")]));
    const book = await harness.open();
    assert.match(
      book.facts().findings[0] ?? "",
      /70000 bytes that are no whole event; .* 65536 of them kept/,
    );
    assert.equal(tornText(harness).length, 65_536);
  });
});

describe("a log that others have written to", () => {
  test("counts lines of older tools as events and gives them no number", async () => {
    await using harness = new BookHarness();
    harness.write(VISIBLE, '{"msg":"a"}\n{"msg":"b"}\n');
    const book = await harness.open();
    assert.equal(book.facts().events, 2);
    assert.equal((await book.take(body("c"), FROM)).seq, 1);
    assert.deepEqual(
      harness.rows(VISIBLE).map((row) => row?.["_seq"]),
      [undefined, undefined, 1],
    );
  });
});

describe("what a killed process has left half-done", () => {
  test("a clear that had only renamed the log goes on with the next segment", async () => {
    await using harness = new BookHarness();
    harness.write(EARLIER(1), LOG);
    const book = await harness.open();
    assert.equal(book.facts().segment, 2);
    assert.equal((await book.take(body("next"), FROM)).seq, 4);
  });

  test("a purge that was written down is completed", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    await book.take(body(1), FROM);
    await book.clear({ purge: true });
    await harness.close(book);
    harness.write(EARLIER(1), LOG);
    harness.write("svc-debug-aside-test-session.1.ndjson", "x\n");
    const again = await harness.open();
    assert.deepEqual(harness.names(), [VISIBLE, REJECTED]);
    assert.equal(again.facts().segment, 2);
  });

  test("unfinished copies go, and what was set aside without a copy becomes the segment", async () => {
    await using harness = new BookHarness();
    harness.write(`${VISIBLE}.new`, LOG.subarray(0, 30));
    harness.write(`${EARLIER(1)}.new`, LOG.subarray(0, 30));
    harness.write("svc-debug-aside-test-session.1.ndjson", LOG);
    const book = await harness.open();
    assert.deepEqual(harness.names(), [EARLIER(1), VISIBLE, REJECTED]);
    assert.deepEqual(
      book.segments.map(({ facts }) => facts.events),
      [3, 0],
    );
    assert.equal((await book.take(body("next"), FROM)).seq, 4);
  });

  test("files of a session whose name goes on differently are left alone", async () => {
    await using harness = new BookHarness();
    const others = ["svc-debug-log-test-session-two.1.ndjson", "svc-debug-log-test-session.1.ndjson.bak"];
    for (const name of others) harness.write(name, '{"_seq":900}\n');
    const book = await harness.open();
    assert.equal((await book.take(body(1), FROM)).seq, 1);
    await book.clear({ purge: true });
    for (const name of others) assert.equal(harness.read(name), '{"_seq":900}\n');
  });
});

function tornText(harness: BookHarness): string {
  return String(harness.rows(REJECTED).at(-1)?.["text"]);
}
