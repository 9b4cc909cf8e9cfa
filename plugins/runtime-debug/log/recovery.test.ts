import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { body, BookHouse, EARLIER, FROM, REJECTED, VISIBLE } from "../tests/log-book-harness.ts";

/** A log of three events, as bytes. */
const LOG = Buffer.from('{"n":"one","_seq":1}\n{"n":"zwölf","_seq":2}\n{"n":"three","_seq":3}\n');

const names = (house: BookHouse): readonly unknown[] => house.rows(VISIBLE).map((row) => row?.["n"]);

describe("a log that was cut off", () => {
  test("at any byte keeps each whole line, and what follows is on a line of its own", async () => {
    const ends = [...LOG.entries()].filter(([, byte]) => byte === 10).map(([at]) => at);
    for (let length = 0; length <= LOG.length; length += 1) {
      await using house = new BookHouse();
      house.write(VISIBLE, LOG.subarray(0, length));
      const book = await house.open();
      const { seq } = await book.take(body("next"), FROM);
      // A line is whole without its line feed too.
      const whole = ends.filter((end) => end <= length).length;
      assert.deepEqual(names(house), [...["one", "zwölf", "three"].slice(0, whole), "next"], `at ${length}`);
      assert.equal(seq, whole + 1, `at ${length}`);
      const torn = length > 0 && !ends.includes(length) && !ends.includes(length - 1);
      assert.equal(book.facts().rejected, torn ? 1 : 0, `at ${length}`);
      assert.equal(book.facts().events, whole + 1);
      const start = (ends.findLast((end) => end < length) ?? -1) + 1;
      if (torn) assert.equal(tornBytes(house).compare(LOG.subarray(start, length)), 0, `at ${length}`);
    }
  });

  test("and opened again and again is mended once", async () => {
    await using house = new BookHouse();
    house.write(VISIBLE, LOG.subarray(0, -5));
    for (let start = 0; start < 3; start += 1) {
      const book = await house.open();
      assert.equal(book.facts().rejected, 1);
      assert.equal(book.facts().findings.length, start === 0 ? 1 : 0);
      await house.close(book);
    }
  });

  test("and whose mending was killed before the cut is kept once", async () => {
    await using house = new BookHouse();
    const torn = LOG.subarray(0, -5);
    house.write(VISIBLE, torn);
    await house.close(await house.open());
    house.write(VISIBLE, torn);
    const book = await house.open();
    assert.equal(book.facts().rejected, 1);
    assert.deepEqual(names(house), ["one", "zwölf"]);
  });

  for (const [what, tail] of [
    ["zeros", Buffer.alloc(5000)],
    ["half a line and zeros", Buffer.concat([Buffer.from('{"n":"half'), Buffer.alloc(100)])],
  ] as const) {
    test(`with ${what} at its end loses those and nothing else`, async () => {
      await using house = new BookHouse();
      house.write(VISIBLE, Buffer.concat([LOG, tail]));
      const book = await house.open();
      await book.take(body("next"), FROM);
      assert.deepEqual(names(house), ["one", "zwölf", "three", "next"]);
      assert.equal(house.read(VISIBLE).includes("\0"), false);
      assert.equal(book.facts().rejected, 1);
      assert.match(book.facts().findings[0] ?? "", /no whole event/);
    });
  }

  test("in more than is kept of a torn line says how much that is", async () => {
    await using house = new BookHouse();
    house.write(VISIBLE, Buffer.concat([LOG, Buffer.alloc(70_000, "x")]));
    const book = await house.open();
    assert.match(
      book.facts().findings[0] ?? "",
      /70000 bytes that are no whole event; .* 65536 of them kept/,
    );
    assert.equal(tornBytes(house).length, 65_536);
  });

  test("behind a whole line gets its line feed, with zeros behind it too", async () => {
    for (const zeros of [0, 1, 70_000]) {
      await using house = new BookHouse();
      house.write(VISIBLE, Buffer.concat([LOG.subarray(0, -1), Buffer.alloc(zeros)]));
      const book = await house.open();
      await book.take(body("next"), FROM);
      assert.deepEqual(names(house), ["one", "zwölf", "three", "next"]);
      assert.equal(book.facts().rejected, 0);
    }
  });
});

describe("a log that others have written to", () => {
  test("keeps both sides of garbage, reports it and counts it as no event", async () => {
    const middle = LOG.indexOf(10) + 1;
    await using house = new BookHouse();
    const garbage = Buffer.from([0xff, 0, 0x7b, 0xfe, 10]);
    house.write(VISIBLE, Buffer.concat([LOG.subarray(0, middle), garbage, LOG.subarray(middle)]));
    const before = house.read(VISIBLE);
    const book = await house.open();
    assert.equal(house.read(VISIBLE), before);
    assert.equal(book.facts().events, 3);
    assert.match(book.facts().findings.join(), /holds a line that is no event\./);
    assert.equal((await book.take(body("next"), FROM)).seq, 4);
  });

  test("counts lines of older tools as events and gives them no number", async () => {
    await using house = new BookHouse();
    house.write(VISIBLE, '{"msg":"a"}\n{"msg":"b"}\n');
    const book = await house.open();
    assert.equal(book.facts().events, 2);
    assert.equal((await book.take(body("c"), FROM)).seq, 1);
    assert.deepEqual(
      house.rows(VISIBLE).map((row) => row?.["_seq"]),
      [undefined, undefined, 1],
    );
  });
});

describe("what a killed process has left half-done", () => {
  test("a clear that had only renamed the log goes on with the next segment", async () => {
    await using house = new BookHouse();
    house.write(EARLIER(1), LOG);
    const book = await house.open();
    assert.equal(book.facts().segment, 2);
    assert.equal((await book.take(body("next"), FROM)).seq, 4);
  });

  test("a purge that was written down is completed", async () => {
    await using house = new BookHouse();
    const book = await house.open();
    await book.take(body(1), FROM);
    await book.clear({ purge: true });
    await house.close(book);
    house.write(EARLIER(1), LOG);
    house.write("svc-debug-aside-test-session.1.ndjson", "x\n");
    const again = await house.open();
    assert.deepEqual(house.names(), [VISIBLE, REJECTED]);
    assert.equal(again.facts().segment, 2);
  });

  test("unfinished copies go, and what was set aside without a copy becomes the segment", async () => {
    await using house = new BookHouse();
    house.write(`${VISIBLE}.new`, LOG.subarray(0, 30));
    house.write(`${EARLIER(1)}.new`, LOG.subarray(0, 30));
    house.write("svc-debug-aside-test-session.1.ndjson", LOG);
    const book = await house.open();
    assert.deepEqual(house.names(), [EARLIER(1), VISIBLE, REJECTED]);
    assert.deepEqual(
      book.segments.map(({ index }) => index.events),
      [3, 0],
    );
    assert.equal((await book.take(body("next"), FROM)).seq, 4);
  });

  test("files of a session whose name goes on differently are left alone", async () => {
    await using house = new BookHouse();
    const others = ["svc-debug-log-test-session-two.1.ndjson", "svc-debug-log-test-session.1.ndjson.bak"];
    for (const name of others) house.write(name, '{"_seq":900}\n');
    const book = await house.open();
    assert.equal((await book.take(body(1), FROM)).seq, 1);
    await book.clear({ purge: true });
    for (const name of others) assert.equal(house.read(name), '{"_seq":900}\n');
  });
});

function tornBytes(house: BookHouse): Buffer {
  const row = house.rows(REJECTED).at(-1);
  const { text, bytes_base64: base64 } = row ?? {};
  return typeof text === "string" ? Buffer.from(text) : Buffer.from(String(base64), "base64");
}
