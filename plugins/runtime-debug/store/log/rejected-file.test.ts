import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BookHarness, REJECTED } from "../../tests/log-store-harness.ts";

const BYTES = Buffer.alloc(4096, "x");
/** More than find room. */
const MANY = 1_300;

describe("a side file that is full", () => {
  test("counts what finds no room, as long as the process runs", async () => {
    await using harness = new BookHarness();
    const book = await harness.open();
    const refuse = (): Promise<void> =>
      book.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large." }, BYTES);
    for (let count = 0; count < MANY; count += 1) await refuse();
    assert.equal(book.facts().rejected, MANY);
    const full = harness.read(REJECTED).length;
    const kept = harness.rows(REJECTED).length;
    assert.ok(full < 4.1 * 1024 * 1024 && kept < MANY, `${full}`);
    await harness.close(book);
    const again = await harness.open();
    assert.equal(again.facts().rejected, kept);
    await again.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large." }, BYTES);
    assert.deepEqual([again.facts().rejected, harness.read(REJECTED).length], [kept + 1, full]);
  });
});
