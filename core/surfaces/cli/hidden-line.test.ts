import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HiddenLine } from "./hidden-line.ts";

const UP = "\u001B[A";
const paste = (text: string): string => `\u001B[200~${text}\u001B[201~`;

/** What keys make of a line: its text once it is done, or why it is not. */
function typed(keys: string): string {
  const line = new HiddenLine();
  const end = line.take(keys);
  return end === "done" ? line.text : `(${end}: ${line.text})`;
}

const cases: readonly (readonly [string, string, string])[] = [
  ["Enter ends a line", "abc\r", "abc"],
  ["a line feed ends it too", "abc\nmore", "abc"],
  ["Ctrl-D ends it, also an empty one", "\u0004", ""],
  ["without an end more is waited for", "abc", "(more: abc)"],
  ["Ctrl-C leaves", "abc\u0003\r", "(cancelled: abc)"],
  ["backspace takes the last character, however many units it has", "aé😀\u007F\b\b\u007Fb\r", "b"],
  ["Ctrl-U takes all", "abc\u0015d\r", "d"],
  ["arrows, function keys and Alt are passed over", `a${UP}\u001BOP\u001B[15;5~\u001Bxb\r`, "ab"],
  ["other control keys are passed over", "a\t\u001A\u0000b\r", "ab"],
  ["the escape key itself does not swallow Enter", "abc\u001B\r", "abc"],
  ["a paste is taken as it is, and ends no line", `${paste("a\tb\r\nc\n")}d\r`, "a\tb\n\nc\nd"],
  ["control characters in a paste do nothing", `${paste("a\u0003\u0004\u007Fb")}\r`, "ab"],
  ["a sequence that never ends is given up", `\u001B[${"1".repeat(60)}\r`, "1".repeat(29)],
];

for (const [title, keys, text] of cases) test(title, () => assert.equal(typed(keys), text));

test("keys may arrive in pieces of any size", () => {
  const keys = `a${UP}b${paste("c\rd")}\u007Fe\r`;
  fc.assert(
    fc.property(fc.array(fc.nat(keys.length)), (cuts) => {
      const line = new HiddenLine();
      const ends = [...cuts, keys.length].sort((a, b) => a - b);
      const states = ends.map((end, index) => line.take(keys.slice(ends[index - 1] ?? 0, end)));
      assert.equal(line.text, "abc\ne");
      assert.equal(states.filter((state) => state === "done").length, 1);
    }),
  );
});

test("any text without control characters comes back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      fc.pre(!/[\u0000-\u001F\u007F]/.test(text));
      assert.equal(typed(`${text}\r`), text);
      assert.equal(typed(`${paste(text)}\r`), text);
    }),
  );
});
