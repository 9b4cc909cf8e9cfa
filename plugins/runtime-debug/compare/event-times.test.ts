import assert from "node:assert/strict";
import { test } from "node:test";
import { eventTime } from "./timeline.ts";

const AT = Date.parse("2026-11-22T08:00:00Z");

test("the time of an event is what its program says, where that can be, else when it was received", () => {
  const rows: readonly (readonly [object, number | undefined])[] = [
    [{ ts: AT - 40, _at: AT }, AT - 40],
    [{ ts: "2026-11-22T07:59:59.500Z", _at: AT }, AT - 500],
    [{ ts: Math.floor(AT / 1_000), _at: AT }, AT],
    [{ ts: 0, _at: AT }, AT],
    [{ ts: "soon", _at: AT }, AT],
    [{ ts: null, _at: AT }, AT],
    [{ _at: AT }, AT],
    [{ ts: AT }, AT],
    [{ ts: 1e300 }, undefined],
    [{ ts: 5, _at: "now" }, 5],
    [{}, undefined],
  ];
  for (const [event, expected] of rows)
    assert.equal(eventTime({ ...event }), expected, JSON.stringify(event));
});
