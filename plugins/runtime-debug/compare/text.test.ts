import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, events } from "./text.ts";

test("times are said in the unit that people would use", () => {
  const rows: readonly (readonly [number, string])[] = [
    [0, "0 ms"],
    [0.4, "0 ms"],
    [999.4, "999 ms"],
    [999.6, "1 s"],
    [1_240, "1.2 s"],
    [59_940, "59.9 s"],
    [59_960, "1 min"],
    [185_000, "3 min 5 s"],
    [3_599_600, "1 h"],
    [7_800_000, "2 h 10 min"],
  ];
  for (const [ms, expected] of rows) assert.equal(duration(ms), expected, String(ms));
});

test("events are counted with thousands apart", () => {
  assert.deepEqual([0, 1, 1_200].map(events), ["0 events", "1 event", "1,200 events"]);
});
