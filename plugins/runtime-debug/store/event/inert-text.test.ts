import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { framed, inert } from "./inert-text.ts";
import { ANY_CHARACTER } from "../../../../contract-tests/any-character.ts";

/** What must never be shown raw, as Unicode names it: controls but LF and TAB, what is ignorable, separators, halves. */
const NEVER =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Surrogate}\ufff9-\ufffb]/u;

describe("inert text", () => {
  it("shows every code point that does something, and leaves every other as it is", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const acts = NEVER.test(String.fromCodePoint(code));
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
    fc.assert(
      fc.property(
        fc.string({ unit: ANY_CHARACTER, maxLength: 40 }),
        (text) => inert(inert(text)) === inert(text),
      ),
    );
  });

  it("leaves no byte that acts in an answer of any lines, and one begin and one end", () => {
    const anyLine = fc.string({
      unit: fc.oneof(
        fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 1 }),
        fc.constantFrom("\u001b", "\u009b", "\r", "\n", "\u202e", "\u2028", "\ud800", "-"),
      ),
    });
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 5 }), (lines) => {
        const answer = framed(lines);
        const shown = Buffer.from(answer).toString();
        assert.equal(shown, answer);
        assert.doesNotMatch(shown, NEVER);
        const [, mark = ""] = /\n----- begin ([0-9a-f]{32}) -----\n/.exec(shown) ?? [];
        assert.ok(shown.endsWith(`\n----- end ${mark} -----`));
        assert.equal(shown.split(mark).length, 3);
      }),
    );
  });
});
