import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonFault } from "./json-fault.ts";

const ROWS: readonly (readonly [text: string, sentence: string])[] = [
  ["", "it is empty"],
  [" \n", "it is empty"],
  ['{"a": 1', "it ends too early (line 1, column 8)"],
  ["[1, 2\n", "it ends too early (line 2, column 1)"],
  ['{\n  // mine\n  "a": 1\n}', "JSON has no comments (line 2, column 3)"],
  ["[1] /* one */", "JSON has no comments (line 1, column 5)"],
  ["# mine\n{}", "JSON has no comments (line 1, column 1)"],
  ['{"a": 1,}', "JSON has no comma before a closing brace or bracket (line 1, column 9)"],
  ["[1,\n]", "JSON has no comma before a closing brace or bracket (line 2, column 1)"],
  ["{a: 1}", "a name must be in double quotes (line 1, column 2)"],
  ["{“a”: 1}", "a typographic quote is used in place of a straight double quote (line 1, column 2)"],
  ["{'a': 1}", "strings in JSON need double quotes (line 1, column 2)"],
  ['{"a" 1}', "a colon is missing after a name (line 1, column 6)"],
  ['{"a": }', "a value is missing (line 1, column 7)"],
  ['{"a": 1,, "b": 2}', "a name in double quotes is missing (line 1, column 9)"],
  ['{"a": 1\n "b": 2}', "a comma is missing (line 2, column 2)"],
  ["[01]", "a comma is missing (line 1, column 3)"],
  ["[1.]", "a number is incomplete (line 1, column 2)"],
  ['["a\nb"]', "a string has a line break (line 1, column 2)"],
  ['["a\tb"]', "a string has a control character (line 1, column 2)"],
  ['["a', "a string has no closing quote (line 1, column 2)"],
  ['["\\q"]', "a string has an invalid escape (line 1, column 2)"],
  ['["\\u{12}"]', "a string has an invalid escape (line 1, column 2)"],
  ["[NaN]", "a character is not allowed there (line 1, column 2)"],
  ["undefined", "a character is not allowed there (line 1, column 1)"],
  ["{}}", "text follows its end (line 1, column 3)"],
  ["\uFEFF{} {}", "text follows its end (line 1, column 4)"],
  ["[".repeat(100_000), "it is nested too deep"],
];

test("invalid JSON is reported with one reason, its line and column, on every version of Node", () => {
  for (const [text, sentence] of ROWS) {
    assert.throws(() => JSON.parse(text), SyntaxError, text);
    assert.equal(jsonFault(text), sentence, text.slice(0, 40));
  }
});

test("every text that Node refuses has a reason with a place: each character of a document left out, doubled or replaced", () => {
  const whole = '{"a": [1, -2.5e3, "b\\n\\u00e9"], "c": {"d": null, "e": [true, false]}}';
  for (let at = 0; at < whole.length; at += 1)
    for (const put of [
      "",
      (whole[at] as string).repeat(2),
      "'",
      "/",
      "\u0007",
      "}",
      "]",
      ",",
      "x",
      "\u00A0",
    ]) {
      const text = whole.slice(0, at) + put + whole.slice(at + 1);
      try {
        JSON.parse(text);
      } catch {
        assert.match(jsonFault(text), /^[a-zJ][\w ]+ \(line 1, column \d+\)$/, text);
      }
    }
});
