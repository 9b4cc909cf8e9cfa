import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Pace } from "./room.ts";

describe("a pace", () => {
  test("lets a log grow as its work advances, and freely when there is none", async () => {
    const pace = new Pace();
    assert.equal(pace.wait(1e9), undefined);
    pace.begin(1_000, 2_000);
    assert.equal(pace.wait(1_000), undefined);
    const first = pace.wait(1_100);
    assert.ok(first);
    pace.advance(0.5);
    await first;
    assert.equal(pace.wait(1_500), undefined);
    const second = pace.wait(1_900);
    assert.ok(second);
    pace.end();
    await second;
    assert.equal(pace.wait(1e9), undefined);
  });

  test("lets those who wait go on in their order", async () => {
    const pace = new Pace();
    pace.begin(0, 100);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      await pace.wait(50);
      order.push(number);
    });
    assert.deepEqual(order, []);
    pace.advance(0.9);
    await Promise.all(waiting);
    assert.deepEqual(order, [1, 2, 3]);
  });
});
