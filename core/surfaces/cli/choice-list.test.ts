import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChoiceList } from "./choice-list.ts";

const OPTIONS = ["A", "B", "C", "D"].map((value) => ({ value, label: `option ${value}` }));
const UP = "\u001B[A";
const DOWN = "\u001B[B";

/** What was typed, and what was taken by it. */
const TYPED: readonly (readonly [what: string, keys: readonly string[], taken: string])[] = [
  ["Enter takes the first", ["\r"], "done A"],
  ["a line feed is Enter too", ["\n"], "done A"],
  ["down and Enter", [DOWN, "\r"], "done B"],
  ["up goes round", [UP, "\r"], "done D"],
  ["down goes round", [DOWN + DOWN + DOWN + DOWN + "\r"], "done A"],
  ["application keys", ["\u001BOB\u001BOB\u001BOA\r"], "done B"],
  ["Tab and Shift-Tab", ["\t\t\u001B[Z\r"], "done B"],
  ["a sequence in three pieces", ["\u001B", "[", "B", "\r"], "done B"],
  ["a letter marks, Enter takes", ["c", "\r"], "done C"],
  ["the last letter counts", ["db\r"], "done B"],
  ["a number marks", ["3\r"], "done C"],
  ["a number beyond does nothing", ["9\r"], "done A"],
  ["other keys and sequences do nothing", ["x \u001B[3~\u001B[1;5C\u001Bq\r"], "done A"],
  ["what is pasted does nothing", ["\u001B[200~d\r\u001B[201~", "\r"], "done A"],
  ["Ctrl-C leaves", ["b\u0003"], "cancelled B"],
  ["Ctrl-D leaves", ["\u0004"], "cancelled A"],
  ["a letter alone takes nothing", ["d"], "more D"],
];

describe("a list of options", () => {
  for (const [what, keys, taken] of TYPED) {
    test(what, () => {
      const list = new ChoiceList(OPTIONS);
      let state = "more";
      for (const key of keys) state = list.take(key);
      assert.equal(`${state} ${list.value}`, taken);
    });
  }
});
