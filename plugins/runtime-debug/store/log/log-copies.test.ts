/** A log with which somebody else has meddled; what was only removed, renamed or cut is F20 and F21 of docs/faults.md. */
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { describe, test } from "node:test";
import { body, BookHarness, EARLIER, FROM, REJECTED, VISIBLE } from "../../tests/log-store-harness.ts";
import type { LogStore } from "./log-store.ts";

const ASIDE = "svc-debug-aside-test-session.1.ndjson";

/** A log of three events. */
async function begun(): Promise<{ readonly harness: BookHarness; readonly book: LogStore }> {
  const harness = new BookHarness();
  const book = await harness.open();
  await book.take(body("a", "b", "c"), FROM);
  return { harness, book };
}

const names = (harness: BookHarness, name: string): readonly unknown[] =>
  harness.rows(name).map((row) => row?.["n"]);

describe("a log with which somebody else has meddled", () => {
  test("keeps what another file in its place says beside it", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    harness.write("other", '{"n":"other"}\n');
    fs.renameSync(harness.path("other"), harness.path(VISIBLE));
    await book.take(body("d"), FROM);
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(harness, VISIBLE), ["d"]);
    assert.equal(harness.read(ASIDE), '{"n":"other"}\n');
    assert.match(book.facts().findings.join(), /kept as svc-debug-aside-test-session\.1\.ndjson/);
  });

  test("keeps lines that somebody else has added beside it, and its own once", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    fs.appendFileSync(harness.path(VISIBLE), '{"n":"foreign"}\n');
    await book.take(body("d"), FROM);
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c"]);
    assert.deepEqual(names(harness, VISIBLE), ["d"]);
    assert.deepEqual(names(harness, ASIDE), ["a", "b", "c", "foreign"]);
  });

  test("is not doubled when an editor saved it unchanged", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    harness.write("saved", harness.read(VISIBLE));
    fs.renameSync(harness.path("saved"), harness.path(VISIBLE));
    await book.take(body("d"), FROM);
    assert.deepEqual(
      harness.names().filter((name) => !name.includes("rejected")),
      [EARLIER(1), VISIBLE],
    );
    assert.deepEqual(names(harness, EARLIER(1)), ["a", "b", "c"]);
  });

  test("is rescued by a clear too", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    fs.rmSync(harness.path(VISIBLE));
    await book.clear({ purge: false });
    await book.take(body("d"), FROM);
    assert.deepEqual([names(harness, EARLIER(1)), names(harness, VISIBLE)], [["a", "b", "c"], ["d"]]);
  });

  test("and a side file that was removed is begun again", async () => {
    const { harness, book } = await begun();
    await using _ = harness;
    await book.take(Buffer.from("x"), FROM);
    fs.rmSync(harness.path(REJECTED));
    await Promise.all([book.take(Buffer.from("y"), FROM), book.take(Buffer.from("z"), FROM)]);
    const texts = harness.rows(REJECTED).map((row) => String(row?.["text"]));
    assert.deepEqual(texts.sort(), ["y", "z"]);
    assert.equal(book.facts().rejected, 3);
  });
});
