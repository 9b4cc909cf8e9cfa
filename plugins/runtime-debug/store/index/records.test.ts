import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Records, WORDS } from "./records.ts";

/** More than two pages. */
const LINES = 10_000;

function filled(lines: number): Records {
  const records = new Records();
  for (let line = 0; line < lines; line += 1) records.push(line * 10, line, line + 1, line % 7);
  return records;
}

function expected(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, at) => from + at).flatMap((n) => [n * 10, n, n + 1, n % 7]);
}

describe("the records of a log", () => {
  it("are the same wherever a page ends", () => {
    const records = filled(LINES);
    assert.equal(records.length, LINES);
    assert.deepEqual([...records.words], expected(0, LINES));
    for (const [from, to] of [
      [0, 0],
      [0, 4_096],
      [4_095, 4_097],
      [4_096, 8_192],
      [4_000, 9_000],
      [8_192, LINES],
      [LINES, LINES],
    ] as const)
      assert.deepEqual([...records.view()(from, to)], expected(from, to), `${from} to ${to}`);
  });

  for (const lines of [0, 1, 4_096, 5_000])
    it(`go on after ${lines} that were taken over`, () => {
      const records = new Records();
      records.replace(filled(lines).words);
      for (let line = lines; line < LINES; line += 1) records.push(line * 10, line, line + 1, line % 7);
      assert.deepEqual([...records.words], expected(0, LINES));
    });

  it("stay in a view as they were when others take their place", () => {
    const records = filled(5_000);
    const view = records.view();
    records.replace(new Uint32Array(3 * WORDS));
    assert.deepEqual([...view(4_000, 5_000)], expected(4_000, 5_000));
    assert.equal(records.length, 3);
  });
});
