import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "node:test";
import { citationsIn, citationText } from "../session/evidence.ts";

test("lines are cited one by one, as ranges, and several at once", () => {
  assert.deepEqual(citationsIn("#12"), [{ from: 12, to: 12 }]);
  assert.deepEqual(citationsIn("#15-18"), [{ from: 15, to: 18 }]);
  assert.deepEqual(citationsIn(" 3 , #15 \u2013 #18;7"), [
    { from: 3, to: 3 },
    { from: 15, to: 18 },
    { from: 7, to: 7 },
  ]);
});

test("what cites no line is none", () => {
  for (const text of ["", "#", "#0", "twelve", "#12,", "#18-15", "#1.5", "12 13", "#-3", "##4"])
    assert.equal(citationsIn(text), undefined, text);
});

test("what is written is read back", () => {
  const citation = fc
    .tuple(fc.integer({ min: 1, max: 1e9 }), fc.nat(1e6))
    .map(([from, more]) => ({ from, to: from + more }));
  fc.assert(
    fc.property(fc.array(citation, { minLength: 1, maxLength: 8 }), (citations) => {
      assert.deepEqual(citationsIn(citations.map(citationText).join(", ")), citations);
    }),
  );
});
