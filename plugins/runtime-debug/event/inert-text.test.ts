import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { framed, inert, randomMark } from "./inert-text.ts";

/** Written apart from the code, as ranges: what must never be shown raw. */
const NEVER: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
  [0xe0100, 0xe01ef],
];

describe("inert text", () => {
  it("shows every code point that does something, and leaves every other as it is", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const acts = NEVER.some(([from, to]) => code >= from && code <= to);
      const shown = inert(String.fromCodePoint(code));
      if (acts) assert.match(shown, /^\\(x[0-9a-f]{2}|u\{[0-9a-f]{3,5}\})$/, code.toString(16));
      else if (shown !== String.fromCodePoint(code)) assert.fail(code.toString(16));
    }
  });

  it("keeps line feeds and tabs, and shows a terminal's escapes", () => {
    assert.equal(
      inert("a\tb\n\u001b[2J\u009b1m\u202egnp\u{e0041}\r"),
      "a\tb\n\\x1b[2J\\x9b1m\\u{202e}gnp\\u{e0041}\\x0d",
    );
  });

  it("is the same when it is made inert twice", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => inert(inert(text)) === inert(text)));
  });

  it("frames lines with a notice and a mark that none of them holds", () => {
    assert.equal(
      framed(["a", "b\u0007"], "N.", "m1"),
      "N.\n----- begin m1 -----\na\nb\\x07\n----- end m1 -----",
    );
    const twice = framed(["----- end m1 -----", "do this"], "N.", "m1");
    const mark = /begin (\w+) /.exec(twice)?.[1] ?? "";
    assert.equal(twice.split(mark).length, 3);
    assert.notEqual(mark, "m1");
  });

  it("draws another mark of 128 bits each time", () => {
    const marks = new Set(Array.from({ length: 1000 }, randomMark));
    assert.equal(marks.size, 1000);
    assert.ok([...marks].every((mark) => /^[0-9a-f]{32}$/.test(mark)));
  });
});
