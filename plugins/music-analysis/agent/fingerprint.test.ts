import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fingerprintOf, placeOf } from "./fingerprint.ts";

test("a text is found in any other that holds it, where it begins and ends", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (text, before, after) => {
      fc.pre(!text.endsWith("\n"));
      const answer = before + text + after;
      const place = placeOf(fingerprintOf(`${text}\n`), answer);
      assert.ok(place);
      assert.equal(answer.slice(place.start, place.end), text);
    }),
  );
});

test("a text that differs in one character is not found", () => {
  const text = "## 结论\n\n| 日期 | 播放量 |\n|---|---|\n| 2026-10-01 | 1,234 |";
  const print = fingerprintOf(text);
  for (let index = 0; index < text.length; index += 1) {
    const other = `${text.slice(0, index)}\u0001${text.slice(index + 1)}`;
    assert.equal(placeOf(print, other), undefined);
    assert.equal(placeOf(print, text.slice(0, index) + text.slice(index + 1)), undefined);
  }
});

test("a beginning that stands there before does not hide the text", () => {
  const text = "## 结论: a text that is long enough";
  assert.deepEqual(placeOf(fingerprintOf(text), `${text.slice(0, 20)}\n${text}`), {
    start: 21,
    end: 21 + text.length,
  });
});

test("no more than sixteen characters of a text are kept", () => {
  assert.deepEqual(Object.keys(fingerprintOf("x".repeat(100))), ["head", "length", "sha256"]);
  assert.equal(fingerprintOf("x".repeat(100)).head.length, 16);
});
