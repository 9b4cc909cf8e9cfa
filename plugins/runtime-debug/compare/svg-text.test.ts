import assert from "node:assert/strict";
import { test } from "node:test";
import { element, xmlText } from "./svg-text.ts";

test("text is escaped, and what XML cannot hold or what acts where it is shown becomes visible", () => {
  const rows: readonly (readonly [string, string])[] = [
    [`<a href="x">&amp;</a>`, "&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;"],
    ["\0\u001b[31m", String.raw`\x00\x1b[31m`],
    ["one\n\ttwo", "one two"],
    ["\ud800 alone", String.raw`\u{d800} alone`],
    ["\uffff\ufffe", "\ufffd\ufffd"],
    ["left\u202eright", String.raw`left\u{202e}right`],
    ["]]>", "]]&gt;"],
    ["größer 日本 🎈", "größer 日本 🎈"],
  ];
  for (const [given, expected] of rows) assert.equal(xmlText(given), expected);
});

test("an element has escaped attributes, numbers of two digits, and children as they are", () => {
  assert.equal(element("rect", { x: 1 / 3, class: 'a"b' }), '<rect x="0.33" class="a&quot;b"/>');
  assert.equal(element("g", {}, "<a/>", "<b/>"), "<g><a/><b/></g>");
});
