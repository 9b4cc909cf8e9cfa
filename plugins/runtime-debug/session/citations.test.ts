import assert from "node:assert/strict";
import { test } from "node:test";
import { citationsIn } from "./evidence.ts";

test("lines are cited singly, as ranges, and several at once; other text is not a citation", () => {
  assert.deepEqual(citationsIn(" 3 , #15 \u2013 #18;7"), [
    { from: 3, to: 3 },
    { from: 15, to: 18 },
    { from: 7, to: 7 },
  ]);
  for (const text of ["", "#", "#0", "twelve", "#12,", "#18-15", "#1.5", "12 13", "#-3", "##4"])
    assert.equal(citationsIn(text), undefined, text);
});
