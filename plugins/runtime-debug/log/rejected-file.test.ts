import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BookHouse, REJECTED } from "../../../contract-tests/log-book-house.ts";

const BYTES = Buffer.alloc(4096, "x");
/** More than find room. */
const MANY = 1_300;

describe("a side file that is full", () => {
  test("counts what finds no room, over restarts", async () => {
    await using house = new BookHouse();
    const book = await house.open();
    const refuse = (): Promise<void> =>
      book.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: BYTES });
    for (let count = 0; count < MANY; count += 1) await refuse();
    assert.equal(book.facts().rejected, MANY);
    const full = house.read(REJECTED).length;
    assert.ok(full < 4.1 * 1024 * 1024 && house.rows(REJECTED).length < MANY, `${full}`);
    await house.close(book);
    for (let start = 0; start < 3; start += 1) {
      const again = await house.open();
      assert.equal(again.facts().rejected, MANY + start);
      await again.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: BYTES });
      await house.close(again);
    }
    assert.ok(house.read(REJECTED).length < full + 1_000);
  });

  test("has told nearly all of them when its process is killed", async () => {
    await using house = new BookHouse();
    const book = await house.open();
    const refuse = (): Promise<void> =>
      book.refuse({ code: "BODY_TOO_LARGE", sentence: "Too large.", bytes: BYTES });
    for (let count = 0; count < MANY; count += 1) await refuse();
    const lines = (): number => house.rows(REJECTED).filter((row) => "more" in (row ?? {})).length;
    while (lines() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await using copy = new BookHouse(house);
    const again = await copy.open();
    assert.equal(again.facts().rejected, MANY);
  });
});
