import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inert } from "./inert-text.ts";

/** Characters that must never be shown raw, by their Unicode properties: controls except LF and TAB, ignorable ones, separators, surrogates. */
const NEVER =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Surrogate}\ufff9-\ufffb]/u;

describe("inert text", () => {
  it("escapes every active code point, and leaves others unchanged", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const acts = NEVER.test(String.fromCodePoint(code));
      const shown = inert(String.fromCodePoint(code));
      if (acts) assert.match(shown, /^\\(x[0-9a-f]{2}|u\{[0-9a-f]{3,5}\})$/, code.toString(16));
      else if (shown !== String.fromCodePoint(code)) assert.fail(code.toString(16));
    }
  });
});
